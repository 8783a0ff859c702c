/* t0, h, count, z = (q, p) and what its sums have lost: where a linear system is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_LINEAR_STATE_H
#define NOE_LINEAR_LINEAR_STATE_H

#include "base/arena.h"
#include "step/engine.h"

typedef struct {
    int n, width;   /* z and rest have width >= 2n numbers, aligned to 64 bytes, the last ones 0 */
    double *memory; /* all that follows: what a restart needs */
    size_t  numbers;
    double *t0, *h, *count, *H0; /* H0: the energy at the start */
    double *work, *lost; /* by loads and by dampers since the start; [1]: what the sums have lost */
    double *z, *rest;    /* the state is z + rest */
    double *more;        /* what a route keeps besides */
} noe_linear_state;

bool   noe_linear_state_make(noe_linear_state *, noe_arena *, int n, size_t more);
void   noe_linear_state_set(noe_linear_state *, noe_at,
                            const quad *); /* q, p, t0, h; others are not the state's */
bool   noe_linear_state_get(const noe_linear_state *, noe_at,
                            quad *); /* false: it is not in the state */
void   noe_linear_state_add(double *book, double what);
double noe_linear_state_balance(const noe_linear_state *,
                                double energy); /* what the books do not explain */

#endif
