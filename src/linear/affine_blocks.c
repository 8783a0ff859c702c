/* The constant derivatives of a linear system, from tapes or matrices; v and p of a start.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     D = d(F, P)/d(q, v) */
#include "linear/affine_map.h"
#include "matrix/small_solve.h"

#include <string.h>

static void spread(quad *to, const noe_sparse *A, quad factor)
{
    for (int i = 0; A && i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            to[i * A->n + A->col[k]] += factor * A->value[k];
}

/* Evaluates the tapes at q = v = 0: the constant second derivatives, and the first ones. */
static bool from_tapes(noe_affine_blocks *b, noe_arena *a, const noe_dynamics *d)
{
    const int n = d->n;
    quad     *input = noe_affine_map_take(a, (size_t)noe_tape_inputs(n)),
         *slot = noe_affine_map_take(a, (size_t)d->hessian->slots + (size_t)d->legendre->slots);
    quad *out = noe_affine_map_take(a, (size_t)d->hessian->outputs + (size_t)d->legendre->outputs);
    if (!input || !slot || !out) return false;
    noe_tape_quad_run(d->hessian, input, slot, out);
    quad *const block[NOE_D_KINDS] = {
        [NOE_D_PV] = b->PV, [NOE_D_PQ] = b->PQ, [NOE_D_FV] = b->FV, [NOE_D_FQ] = b->FQ
    };
    for (int i = 0; i < d->entries; i++)
        block[d->entry[i].kind][d->entry[i].row * n + d->entry[i].col] = out[d->entry[i].output];
    for (int i = 0; i < n; i++) b->cF[i] = out[i], b->cP[i] = out[n + i];
    noe_tape_quad_run(d->legendre, input, slot, out);
    b->L0 = out[n];
    return true;
}

noe_status noe_affine_blocks_make(noe_affine_blocks *b, noe_arena *a, const noe_dynamics *d)
{
    const size_t n = (size_t)d->n;
    quad **const matrix[] = { &b->PV, &b->PQ, &b->FV, &b->FQ, &b->inverse };
    *b = (noe_affine_blocks){ .n = d->n,
                              .cP = noe_affine_map_take(a, n),
                              .cF = noe_affine_map_take(a, n) };
    for (int i = 0; i < 5; i++) *matrix[i] = noe_affine_map_take(a, n * n);
    quad *copy = noe_affine_map_take(a, n * n);
    if (!b->cP || !b->cF || !b->PV || !b->PQ || !b->FV || !b->FQ || !b->inverse || !copy)
        return NOE_NO_MEMORY;
    if (d->structure) {
        spread(b->PV, d->structure->M, 1);
        spread(b->FV, d->structure->C, -1);
        spread(b->FV, d->structure->M, -d->structure->alpha);
        spread(b->FV, d->structure->K, -d->structure->beta);
        spread(b->FQ, d->structure->K, -1);
    } else if (!from_tapes(b, a, d)) return NOE_NO_MEMORY;
    memcpy(copy, b->PV, n * n * sizeof *copy);
    for (size_t i = 0; i < n; i++) b->inverse[i * n + i] = 1;
    return noe_small_solve_columns(copy, d->n, b->inverse, d->n) ? NOE_OK : NOE_SINGULAR;
}

/* Builds the equations P_j(v) = p_j for given momenta, and v_k = v_k for the other coordinates. */
noe_status noe_affine_blocks_start(const noe_affine_blocks *b, noe_arena *a, const bool *momentum,
                                   const quad *q, quad *v, quad *p)
{
    const int n = b->n;
    quad *A = noe_affine_map_take(a, (size_t)n * (size_t)n), *x = noe_affine_map_take(a, (size_t)n);
    if (!A || !x) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        x[i] = momentum[i] ? p[i] - b->cP[i] : v[i];
        for (int j = 0; j < n; j++) {
            A[i * n + j] = momentum[i] ? b->PV[i * n + j] : i == j;
            if (momentum[i]) x[i] -= b->PQ[i * n + j] * q[j];
        }
    }
    if (!noe_small_solve_columns(A, n, x, 1)) return NOE_SINGULAR;
    memcpy(v, x, (size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) {
        if (momentum[i]) continue;
        p[i] = b->cP[i];
        for (int j = 0; j < n; j++) p[i] += b->PV[i * n + j] * v[j] + b->PQ[i * n + j] * q[j];
    }
    return NOE_OK;
}
