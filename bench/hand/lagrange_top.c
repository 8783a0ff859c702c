/* Simpson's step of the heavy top as one writes it by hand: phi, theta, psi.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 3 };
#include "simpson.h"

static const double I1 = 1.1125e-5, I3 = 6.25e-6, a = 0.02 * 0.02 * 9.81;

static void terms(const double *q, const double *v, double *F, double *P, double (*D)[2 * N])
{
    const double s = sin(q[1]), c = cos(q[1]), f = v[0], w = v[2] + f * c;
    F[0] = F[2] = 0;
    F[1] = s * (I1 * c * f * f - I3 * w * f + a);
    P[0] = I1 * s * s * f + I3 * c * w;
    P[1] = I1 * v[1];
    P[2] = I3 * w;
    if (!D) return;
    memset(D, 0, 2 * N * sizeof *D);
    D[1][1] = (I1 - I3) * (c * c - s * s) * f * f - I3 * v[2] * f * c + a * c;
    D[1][3] = D[3][1] = 2 * (I1 - I3) * s * c * f - I3 * s * v[2];
    D[1][5] = D[5][1] = -I3 * s * f;
    D[3][3] = I1 * s * s + I3 * c * c;
    D[3][5] = D[5][3] = I3 * c;
    D[4][4] = I1;
    D[5][5] = I3;
}
