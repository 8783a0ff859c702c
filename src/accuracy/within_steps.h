/* Finds what happens within the steps of a run, and how many steps would resolve it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By a run beside it, whose steps are divided there. */
#ifndef NOE_ACCURACY_WITHIN_STEPS_H
#define NOE_ACCURACY_WITHIN_STEPS_H

#include "accuracy/trajectory_difference.h"

#include <stddef.h>

typedef struct {
    noe_step_division met;   /* what the steps had jumped over, last; met.divided is 0: nothing */
    double            blind; /* the time after the start up to which that was, */
    double            good;  /* and the one up to which runs that jumped over it were right */
    double multiple; /* the number of steps is one of these: the times of jumps are nodes then */
    bool   aligned;  /* that is new, and such a number has not been tried */
} noe_within_steps;

/* N steps of gauss s to the time T, which agree with shorter ones to settled->error: do they
 * with a divided run? */
noe_run_beside noe_within_steps_look(noe_within_steps *, noe_trajectory_difference *, int s,
                                     double N, double T, const noe_run_beside *settled);
/* At least N steps, so many that they may meet what is known. */
double noe_within_steps_count(const noe_within_steps *, double T, double N);
/* "if, which depends on t, at t = 37.123; it takes steps below 2e-10"; false: nothing is known. */
bool noe_within_steps_tell(const noe_within_steps *, char *text, size_t size);

#endif
