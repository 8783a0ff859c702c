/* Makes the affine map of a step for any kind of method, and its dissipation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/affine_map.h"

#include "method/time_quadrature.h"

#include <string.h>

/* Q = h sum_i weight_i V_i.C V_i / h^2 of the columns q, p;  C = PQ - FV. */
static bool dissipation(noe_affine_map *x, noe_arena *a, const noe_affine_blocks *b, quad h)
{
    const int n = x->n, N = 2 * n, cols = N + 1 + x->nodes * n;
    quad     *CV = noe_affine_map_take(a, (size_t)n * (size_t)N);
    x->Q = noe_affine_map_take(a, (size_t)N * (size_t)N);
    if (!CV || !x->Q) return false;
    for (int i = 0; i < x->seen; i++) {
        const quad *V = x->V + (size_t)i * (size_t)n * (size_t)cols;
        memset(CV, 0, (size_t)n * (size_t)N * sizeof *CV);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int c = 0; c < N && b->FV[j * n + k] != 0; c++)
                    CV[j * N + c] -= b->FV[j * n + k] * V[k * cols + c];
        for (int c = 0; c < N; c++)
            for (int j = 0; j < n; j++)
                for (int e = 0; e < N; e++)
                    x->Q[c * N + e] += x->weight[i] / h * V[j * cols + c] * CV[j * N + e];
    }
    return true;
}

noe_status noe_affine_map_make(noe_affine_map *x, noe_arena *a, const noe_affine_blocks *b,
                               const noe_method *f, quad h, bool load, bool balance)
{
    const size_t n = (size_t)b->n;
    const bool   splits = f->kind == NOE_SPLITTING;
    const size_t nodes = !load ? 0 : splits ? (size_t)noe_time_quadrature_count(f) : (size_t)f->r;
    const size_t seen = !balance ? 0
                      : splits   ? (size_t)(noe_time_quadrature_count(f) * NOE_POWER_NODES)
                                 : (size_t)f->r;
    *x = (noe_affine_map){ .n = b->n,
                           .nodes = (int)nodes,
                           .seen = (int)seen,
                           .c = f->c,
                           .E = noe_affine_map_take(a, 4 * n * n),
                           .g = noe_affine_map_take(a, 2 * n),
                           .G = noe_affine_map_take(a, nodes * 2 * n * n),
                           .V = noe_affine_map_take(a, seen * n * (2 * n + 1 + nodes * n)),
                           .weight = noe_affine_map_take(a, seen),
                           .node = noe_arena_take(a, (seen + 1) * sizeof *x->node) };
    if (!x->E || !x->g || !x->G || !x->V || !x->weight || !x->node) return NOE_NO_MEMORY;
    for (size_t i = 0; i < seen && !splits; i++) x->weight[i] = f->b[i], x->node[i] = (int)i;
    const noe_status s = f->kind == NOE_GALERKIN ? noe_affine_galerkin(x, a, b, f, h)
                       : f->kind == NOE_NEWMARK  ? noe_affine_newmark(x, a, b, f, h)
                                                 : noe_affine_explicit(x, a, b, f, h);
    if (!s && balance && !load && !dissipation(x, a, b, h)) return NOE_NO_MEMORY;
    return s;
}
