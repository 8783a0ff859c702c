/* E = Phi - 1, g and G of a step, from the new (q, p) as functions of q, p, 1 and the loads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/affine_map.h"

void noe_affine_assemble_map(noe_affine_map *x, const quad *q, const quad *p)
{
    const int n = x->n, N = 2 * n, c = N + 1 + x->nodes * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < N; j++) {
            x->E[i * N + j] = q[i * c + j] - (i == j);
            x->E[(n + i) * N + j] = p[i * c + j] - (n + i == j);
        }
        x->g[i] = q[i * c + N], x->g[n + i] = p[i * c + N];
        for (int j = 0; j < x->nodes * n; j++) { /* degree of freedom j % n at node j / n */
            quad *const G = x->G + j / n * 2 * n * n + j % n;
            G[i * n] = q[i * c + N + 1 + j], G[(n + i) * n] = p[i * c + N + 1 + j];
        }
    }
}

void noe_affine_assemble_add_product(int n, int cols, quad factor, const quad *A, const quad *x,
                                     quad *to)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < cols && A[i * n + k] != 0; j++)
                to[i * cols + j] += factor * A[i * n + k] * x[k * cols + j];
}
