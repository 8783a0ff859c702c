/* Gauss 8 of the sun and five planets: all x, then all y, all z as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 18 };
#include "gauss8.h"

enum { BODIES = 6, DIM = 3 };
static const double G = 2.95912208286e-4;
static const double m[BODIES] = { 1.00000597682,      0.000954786104043,  0.000285583733151,
                                  0.0000437273164546, 0.0000517759138449, 1 / 1.3e8 };

static void accelerations(const v8 *q, const v8 *v, v8 *a)
{
    (void)v;
    for (int k = 0; k < N; k++) a[k] = (v8){ 0 };
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            v8 d[DIM], r2 = { 0 };
            for (int k = 0; k < DIM; k++)
                d[k] = q[k * BODIES + j] - q[k * BODIES + i], r2 += d[k] * d[k];
            const v8 f = G / (r2 * sqrt8(r2));
            for (int k = 0; k < DIM; k++)
                a[k * BODIES + i] += m[j] * f * d[k], a[k * BODIES + j] -= m[i] * f * d[k];
        }
}
