/* (q, p) <- (q, p) + E (q, p) + g + sum_i G_i f(t + c_i h):  the step of a linear system, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_AFFINE_MAP_H
#define NOE_LINEAR_AFFINE_MAP_H

#include "base/arena.h"
#include "step/engine.h"
#include "matrix/structure.h"

/* P = L_v = PV v + PQ q + cP,  F = L_q + forces = FV v + FQ q + cF,  L(0, 0) = L0; matrices [n][n] row by row. */
typedef struct {
    int   n;
    quad *PV, *PQ, *FV, *FQ, *cP, *cF, L0;
    quad *inverse; /* of PV */
} noe_affine_blocks;

typedef struct {
    int         n, nodes; /* 2n numbers are the state; nodes of the load: 0 without one */
    const quad *c;        /* [nodes] */
    quad       *E, *g;    /* [2n][2n], [2n] */
    quad       *G;        /* [nodes][2n][n] */
    /* For the books, NULL without: h v where its power is looked at, of q, p, 1, f; the weights there; and for each of these
     * places the node of the load it belongs to.  damped: what a step dissipates is (q, p).Q (q, p), without a load. */
    int   seen;
    quad *V, *weight, *Q; /* [seen][n][2n + 1 + nodes n], [seen], [2n][2n] */
    int  *node;
} noe_affine_map;

/* From the tapes of a quadratic L or the matrices of a structure.  False with a message; NOE_SINGULAR: PV is. */
noe_status noe_affine_blocks_make(noe_affine_blocks *, noe_arena *, const noe_dynamics *);
enum { NOE_POWER_NODES = 8 }; /* at the power of a kick */

/* From q and, coordinate by coordinate, p where momentum[j], else v, both. */
noe_status noe_affine_blocks_start(const noe_affine_blocks *, noe_arena *, const bool *momentum,
                                   const quad *q, quad *v, quad *p);
/* Of every kind of method, a step h; NOE_SINGULAR where its equations are. */
noe_status noe_affine_map_make(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h, bool load, bool books);
/* The same by kind; x has room. */
noe_status noe_affine_galerkin(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h);
noe_status noe_affine_newmark(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                              const noe_method *, quad h);
noe_status noe_affine_explicit(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h);
/* From the new state as columns of q, p, 1, f. */
void noe_affine_keep(noe_affine_map *, const quad *q, const quad *p);
/* k steps as one, no load: E and g of the k-th power, by squaring. */
noe_status noe_affine_power(noe_affine_map *to, noe_arena *, const noe_affine_map *, double k);

/* A x = b for `cols` right sides at once, B[N][cols] row by row; partial pivoting.  False: A is singular. */
bool noe_affine_blocks_solve(quad *A, int N, quad *B, int cols);

#endif
