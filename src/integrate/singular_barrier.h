/* Detects a step across u(q) = 0, where 1/u or log u in L is infinite: no motion passes there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SINGULAR_BARRIER_H
#define NOE_INTEGRATE_SINGULAR_BARRIER_H

#include "integrate/singularity_guard.h"

typedef struct {
    bool   passed; /* L is singular on the path */
    double share;  /* fraction of the path at which it is */
    bool   jumps;  /* a force jumps in time within the step */
    bool   narrow; /* the step jumps over a narrow term of L */
    double near;   /* least |u| on the path over the lesser |u| of its ends; 1 where no u dips */
    double calm;   /* half the number of steps in which no u can vanish */
} noe_singular_barrier;

/* Examines the straight path of one step; w->g has dyn.singular and a singularity guard. */
noe_singular_barrier noe_singular_barrier_between(const noe_step_path *);

#endif
