/* Energy balance for few coordinates:  work += sum_i w_i f_i.(h v_i),  dissipated += z.Q z.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/dense_balance.h"

#include <string.h>

void noe_dense_balance_round(double *to, const quad *A, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (double)A[i];
}

bool noe_dense_balance_make(noe_dense_balance *b, noe_arena *a, const noe_affine_map *x,
                            const noe_affine_blocks *part)
{
    const size_t n = (size_t)x->n, cols = 2 * n + 1 + (size_t)x->nodes * n,
                 maps = (size_t)x->seen * n * cols;
    b->V = noe_arena_take(a, maps * sizeof *b->V);
    b->C = noe_arena_take(a, n * n * sizeof *b->C);
    b->y = noe_arena_take(a, (cols + 2 * n) * sizeof *b->y);
    if (!b->V || !b->C || !b->y) return false;
    noe_dense_balance_round(b->V, x->V, maps);
    for (size_t i = 0; i < n * n; i++) b->C[i] = -(double)part->FV[i];
    return true;
}

void noe_dense_balance_dissipate(noe_linear_state *at, const double *Q)
{
    const int     N = 2 * at->n;
    const double *z = at->z;
    double        sum = 0;
    for (int i = 0; i < N; i++) {
        double row = 0;
        for (int j = 0; j < N; j++) row += Q[i * N + j] * z[j];
        sum += z[i] * row;
    }
    noe_linear_state_add(at->lost, sum);
}

void noe_dense_balance_add(const noe_dense_balance *b, noe_linear_state *at,
                           const noe_affine_map *x, const double *load, double h)
{
    const int n = at->n, cols = 2 * n + 1 + x->nodes * n;
    double   *y = b->y, *hv = y + cols, *Cv = hv + n, work = 0, lost = 0;
    memcpy(y, at->z, 2 * (size_t)n * sizeof *y);
    y[2 * n] = 1;
    memcpy(y + 2 * n + 1, load, (size_t)(x->nodes * n) * sizeof *y);
    for (int i = 0; i < x->seen; i++) {
        const double *V = b->V + (size_t)i * (size_t)n * (size_t)cols, *f = load + x->node[i] * n;
        const double  weight = (double)x->weight[i];
        double        power = 0, taken = 0;
        for (int j = 0; j < n; j++) {
            hv[j] = 0;
            for (int c = 0; c < cols; c++) hv[j] += V[j * cols + c] * y[c];
            power += f[j] * hv[j];
        }
        for (int j = 0; j < n; j++) {
            Cv[j] = 0;
            for (int k = 0; k < n; k++) Cv[j] += b->C[j * n + k] * hv[k];
            taken += hv[j] * Cv[j];
        }
        work += weight * power, lost += weight * taken / h;
    }
    noe_linear_state_add(at->work, work);
    noe_linear_state_add(at->lost, lost);
}
