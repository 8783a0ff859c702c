/* Gauss 8 of seven bodies in the plane: all x, then all y as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 14 };
#include "gauss8.h"

enum { BODIES = 7, DIM = 2 };
static const double G = 1, m[BODIES] = { 1, 2, 3, 4, 5, 6, 7 };

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
