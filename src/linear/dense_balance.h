/* work += sum_i w_i f_i.(h v_i),  dissipated += z.Q z:  the books of a linear system's step, by maps.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_DENSE_BALANCE_H
#define NOE_LINEAR_DENSE_BALANCE_H

#include "linear/affine_map.h"
#include "linear/linear_state.h"

typedef struct {
    double *V, *Q, *Qk, *C; /* [seen][n][..]; [2n][2n] of a step, and of some; [n][n] */
    double *y;              /* what V acts on, and room */
} noe_dense_books;

/* Of the step x, which looks at the power somewhere; false without memory. */
bool noe_dense_books_make(noe_dense_books *, noe_arena *, const noe_affine *x, const noe_blocks *);
/* What a step without a load takes from the energy, or some: Q or Qk. */
void noe_dense_dissipate(noe_state *, const double *Q);
/* What a step h takes, and what the load f [nodes][n] puts in. */
void noe_dense_settle(const noe_dense_books *, noe_state *, const noe_affine *, const double *f, double h);
void noe_dense_rounded(double *to, const quad *, size_t count);

#endif
