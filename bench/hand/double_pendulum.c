/* Simpson's step of the double pendulum as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * m = 1, l = g/(2 pi)^2, divided by m l^2. */
enum { N = 2 };
#include "simpson.h"

static const double K = 39.478417604357434475; /* g/l */

/* F = L_q, P = L_v; with D = (F_q, F_v; P_q, P_v). */
static void terms(const double *q, const double *v, double *F, double *P, double (*D)[2 * N])
{
    const double s1 = sin(q[0]), c1 = cos(q[0]), s2 = sin(q[1]), c2 = cos(q[1]);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, w = v[0] * v[1];
    F[0] = -s * w - 2 * K * s1;
    F[1] = s * w - K * s2;
    P[0] = 2 * v[0] + c * v[1];
    P[1] = v[1] + c * v[0];
    if (!D) return;
    const double cw = c * w, sv0 = s * v[0], sv1 = s * v[1];
    D[0][0] = -cw - 2 * K * c1, D[0][1] = cw, D[0][2] = -sv1, D[0][3] = -sv0;
    D[1][0] = cw, D[1][1] = -cw - K * c2, D[1][2] = sv1, D[1][3] = sv0;
    D[2][0] = -sv1, D[2][1] = sv1, D[2][2] = 2, D[2][3] = c;
    D[3][0] = -sv0, D[3][1] = sv0, D[3][2] = c, D[3][3] = 1;
}
