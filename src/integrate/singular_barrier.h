/* u(q) = 0 between two states, where 1/u or log u is infinite?  There no motion passes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SINGULAR_BARRIER_H
#define NOE_INTEGRATE_SINGULAR_BARRIER_H

#include "integrate/singularity_guard.h"

typedef struct {
    bool   passed; /* L is singular on the way, */
    double share;  /* at this share of it */
    bool   narrow; /* it jumps over a narrow term of L */
    double near;   /* least |u| on the way against the lesser of its ends, 1 where no u dips */
    double calm;   /* steps in which no u can vanish, by half */
} noe_singular_barrier;

/* Looks at the straight way, one step long; w->g has dyn.singular and a guard. */
noe_singular_barrier noe_singular_barrier_between(const noe_step_path *);

#endif
