/* The affine map of Newmark's step:  M a = f - C v - K q at both ends of the step, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns: q, p, 1, f(t), f(t + h).  With F = FV v + FQ q + cF, P = PV v + PQ q + cP the equation
 * of motion is PV a = F - PQ v + f, so -C is FV - PQ. */
#include "linear/affine_map.h"
#include "matrix/small_solve.h"

#include <string.h>

typedef struct {
    const noe_affine_blocks *b;    /* the constant derivatives */
    int                      cols; /* columns of the map */
} shape;

/* to += factor A x, [n][n] times [n][cols]. */
static void times(const shape *s, quad factor, const quad *A, const quad *x, quad *to)
{
    noe_affine_assemble_add_product(s->b->n, s->cols, factor, A, x, to);
}

/* to = FV v + FQ q + cF - PQ v, columns q and v given; load: adds f at the node. */
static void force(const shape *s, const quad *q, const quad *v, int node, bool load, quad *to)
{
    const int n = s->b->n, c = s->cols;
    times(s, 1, s->b->FQ, q, to);
    times(s, 1, s->b->FV, v, to);
    times(s, -1, s->b->PQ, v, to);
    for (int i = 0; i < n; i++) {
        to[i * c + 2 * n] += s->b->cF[i];
        if (load) to[i * c + 2 * n + 1 + node * n + i] += 1;
    }
}

noe_status noe_affine_newmark(noe_affine_map *x, noe_arena *arena, const noe_affine_blocks *b,
                              const noe_method *f, quad h)
{
    const bool   load = x->nodes;
    const int    n = b->n, c = 2 * n + 1 + (load ? 2 * n : 0);
    const size_t m = (size_t)n * (size_t)c, nn = (size_t)n * (size_t)n;
    const shape  s = { b, c };
    quad        *q = noe_affine_map_take(arena, m), *v = noe_affine_map_take(arena, m),
         *a = noe_affine_map_take(arena, m), *p = noe_affine_map_take(arena, m),
         *new = noe_affine_map_take(arena, m);
    quad *A = noe_affine_map_take(arena, nn), *w = noe_affine_map_take(arena, m);
    if (!q || !v || !a || !p || !new || !A || !w) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        q[i * c + i] = 1;
        p[i * c + n + i] = 1;
        p[i * c + 2 * n] = -b->cP[i];
    }
    times(&s, -1, b->PQ, q, p);
    times(&s, 1, b->inverse, p, v);
    force(&s, q, v, 0, load, w);
    times(&s, 1, b->inverse, w, a);
    memset(w, 0, m * sizeof *w);
    for (size_t i = 0; i < m; i++) { /* the predicted q and v, all terms but those of a_new */
        q[i] += h * v[i] + h * h * ((quad)1 / 2 - f->beta) * a[i];
        v[i] += h * (1 - f->gamma) * a[i];
    }
    force(&s, q, v, 1, load, w);
    for (size_t i = 0; i < nn; i++)
        A[i] = b->PV[i] - h * f->gamma * (b->FV[i] - b->PQ[i]) - h * h * f->beta * b->FQ[i];
    memcpy(new, w, m * sizeof *w);
    if (!noe_small_solve_columns(A, n, new, c)) return NOE_SINGULAR;
    for (size_t i = 0; i < m; i++) q[i] += h * h * f->beta * new[i], v[i] += h * f->gamma *new[i];
    memset(p, 0, m * sizeof *p);
    times(&s, 1, b->PV, v, p);
    times(&s, 1, b->PQ, q, p);
    for (int i = 0; i < n; i++) p[i * c + 2 * n] += b->cP[i];
    noe_affine_assemble_map(x, q, p);
    /* For the energy balance: both loads do work along the whole displacement of the step. */
    for (int i = 0; i < n; i++) q[i * c + i] -= 1;
    for (int i = 0; i < x->seen; i++) memcpy(x->V + (size_t)i * m, q, m * sizeof *q);
    return NOE_OK;
}
