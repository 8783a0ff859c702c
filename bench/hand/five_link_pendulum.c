/* Simpson's step of five rods in a chain as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Masses m = 1 at their ends, l = 0.2. */
enum { N = 5 };
#include "simpson.h"

static const double l = 0.2, g = 9.81;

/* T = sum_ij w_ij l^2 cos(q_i - q_j) q_i' q_j'/2, w_ij the masses below both. */
static void terms(const double *q, const double *v, double *F, double *P, double (*D)[2 * N])
{
    double S[N], C[N];
    if (D) memset(D, 0, 2 * N * sizeof *D);
    for (int i = 0; i < N; i++) {
        S[i] = sin(q[i]), C[i] = cos(q[i]);
        F[i] = -(N - i) * g * l * S[i];
        P[i] = (N - i) * l * l * v[i];
        if (D) D[i][i] = -(N - i) * g * l * C[i], D[N + i][N + i] = (N - i) * l * l;
    }
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            const double w = (N - j) * l * l, s = S[i] * C[j] - C[i] * S[j],
                         c = C[i] * C[j] + S[i] * S[j];
            const double ws = w * s, wc = w * c, both = v[i] * v[j];
            F[i] -= ws * both, F[j] += ws * both;
            P[i] += wc * v[j], P[j] += wc * v[i];
            if (!D) continue;
            D[i][i] -= wc * both, D[j][j] -= wc * both;
            D[i][j] += wc * both, D[j][i] += wc * both;
            D[i][N + i] = D[N + i][i] -= ws * v[j];
            D[i][N + j] = D[N + j][i] = -ws * v[i];
            D[j][N + j] = D[N + j][j] += ws * v[i];
            D[j][N + i] = D[N + i][j] = ws * v[j];
            D[N + i][N + j] = D[N + j][N + i] = wc;
        }
}
