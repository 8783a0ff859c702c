/* Energy balance for few coordinates:  work += sum_i w_i f_i.(h v_i),  dissipated += z.Q z.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_DENSE_BALANCE_H
#define NOE_LINEAR_DENSE_BALANCE_H

#include "linear/affine_map.h"
#include "linear/linear_state.h"

typedef struct {
    double *V, *Q, *Qk, *C; /* [seen][n][..]; [2n][2n] of a step, and of some; [n][n] */
    double *y;              /* what V acts on, and room */
} noe_dense_balance;

/* Of the step x, which looks at the power somewhere; false without memory. */
bool noe_dense_balance_make(noe_dense_balance *, noe_arena *, const noe_affine_map *x,
                            const noe_affine_blocks *);
/* What a step without a load takes from the energy, or some: Q or Qk. */
void noe_dense_balance_dissipate(noe_linear_state *, const double *Q);
/* What a step h takes, and what the load f [nodes][n] puts in. */
void noe_dense_balance_add(const noe_dense_balance *, noe_linear_state *, const noe_affine_map *,
                           const double *f, double h);
void noe_dense_balance_round(double *to, const quad *, size_t count);

#endif
