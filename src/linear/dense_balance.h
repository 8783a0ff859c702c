/* Energy balance for few coordinates:  work += sum_i w_i f_i.(h v_i),  dissipated += z.Q z.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_DENSE_BALANCE_H
#define NOE_LINEAR_DENSE_BALANCE_H

#include "linear/affine_map.h"
#include "linear/linear_state.h"

typedef struct {
    double *V, *C; /* V [seen][n][..] as in noe_affine_map; C [n][n] */
    double *y;     /* the vector that V is applied to, and scratch */
} noe_dense_balance;

/* For the map x, which has points of the power; false: out of memory. */
bool noe_dense_balance_make(noe_dense_balance *, noe_arena *, const noe_affine_map *x,
                            const noe_affine_blocks *);
/* Adds the energy that steps without a load dissipate, (q, p).Q (q, p). */
void noe_dense_balance_dissipate(noe_linear_state *, const double *Q);
/* Adds the dissipation and the work of the load f [nodes][n] of one step h. */
void noe_dense_balance_add(const noe_dense_balance *, noe_linear_state *, const noe_affine_map *,
                           const double *f, double h);
void noe_dense_balance_round(double *to, const quad *, size_t count);

#endif
