/* The step of a linear system as an affine map, computed in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_AFFINE_MAP_H
#define NOE_LINEAR_AFFINE_MAP_H

#include "base/arena.h"
#include "method/quadrature.h"
#include "step/engine_interface.h"
#include "matrix/structure.h"

/* The constant derivatives of a linear system, matrices [n][n] row by row and vectors [n]:
 *     P = L_v = PV v + PQ q + cP,   F = L_q + forces = FV v + FQ q + cF,   L(0, 0) = L0. */
typedef struct {
    int   n;                               /* coordinates */
    quad *PV, *PQ, *FV, *FQ, *cP, *cF, L0; /* see above; PV .. FQ [n][n], cP, cF [n] */
    quad *inverse;                         /* of PV */
} noe_affine_blocks;

/* (q, p) <- (q, p) + E (q, p) + g + sum_i G_i f(t + c_i h). */
typedef struct {
    int n, nodes;      /* coordinates; times in a step at which the load is evaluated, 0: no load */
    const quad *c;     /* [nodes]: these times, in steps */
    quad       *E, *g; /* [2n][2n], [2n] of the map above */
    quad       *G;     /* [nodes][2n][n] what the loads at these times add */
    /* For the energy balance: quadrature points of the power in a step; 0: no energy balance. */
    int seen;
    /* V [seen][n][2n + 1 + nodes n]: h v at these points, as a function of q, p, 1 and the loads.
     * weight [seen]. Q [2n][2n]: a step without load dissipates (q, p).Q (q, p); NULL: with load,
     * or no energy balance. */
    quad *V, *weight, *Q;
    /* [seen]: the node of the load at each of these points */
    int *node;
} noe_affine_map;

/* count zeroed numbers, NULL without memory. */
static inline quad *noe_affine_map_take(noe_arena *a, size_t count)
{
    return noe_arena_array(a, count, sizeof(quad));
}

/* From the tapes of a quadratic L or the matrices of a structure.  NOE_SINGULAR: PV is singular. */
noe_status noe_affine_blocks_make(noe_affine_blocks *, noe_arena *, const noe_dynamics *);

/* v and p of all coordinates from q and, for each coordinate j, from p_j (momentum[j]) or v_j. */
noe_status noe_affine_blocks_start(const noe_affine_blocks *, noe_arena *, const bool *momentum,
                                   const quad *q, quad *v, quad *p);
/* The map of a step of length h, for any kind of method.  load, balance: for a load, for the energy
 * balance.  NOE_SINGULAR: the equations of the step are singular. */
noe_status noe_affine_map_make(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h, bool load, bool balance);
/* The same for each kind of method; the arrays of the map are allocated. */
noe_status noe_affine_galerkin(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h);
noe_status noe_affine_newmark(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                              const noe_method *, quad h);
noe_status noe_affine_explicit(noe_affine_map *, noe_arena *, const noe_affine_blocks *,
                               const noe_method *, quad h);
/* to += factor A x, [n][n] times [n][cols]. */
void noe_affine_assemble_add_product(int n, int cols, quad factor, const quad *A, const quad *x,
                                     quad *to);
/* E, g and G from the new q and p, given as matrices [n][2n + 1 + nodes n] acting on (q, p, 1,
 * loads). */
void noe_affine_assemble_map(noe_affine_map *, const quad *q, const quad *p);
/* E, g and, where x has it, Q of k steps without load as one map, by repeated squaring, into the
 * arrays of `to`; scratch [NOE_AFFINE_POWER_SCRATCH (2n + 1)^2]. */
enum { NOE_AFFINE_POWER_SCRATCH = 5 };
void noe_affine_power(noe_affine_map *to, const noe_affine_map *x, double k, quad *scratch);

#endif
