/* Simpson's step of a planet as one writes it by hand; GM = 1.
 * SPDX-License-Identifier: BSD-3-Clause */
enum { N = 2 };
#include "simpson.h"

static void terms(const double *q, const double *v, double *F, double *P, double (*D)[2 * N])
{
    const double x = q[0], y = q[1], r2 = x * x + y * y, r = sqrt(r2), k = 1 / (r2 * r);
    F[0] = -k * x, F[1] = -k * y;
    P[0] = v[0], P[1] = v[1];
    if (!D) return;
    const double k3 = 3 * k / r2;
    memset(D, 0, 2 * N * sizeof *D);
    D[0][0] = k3 * x * x - k, D[0][1] = D[1][0] = k3 * x * y, D[1][1] = k3 * y * y - k;
    D[2][2] = D[3][3] = 1;
}
