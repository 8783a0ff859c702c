/* Finds events within the steps of a run, and a number of steps that resolves them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A pulse, kink or jump between the nodes is found by comparison with a run of divided steps
 * (accuracy/divided_step.h). */
#ifndef NOE_ACCURACY_WITHIN_STEPS_H
#define NOE_ACCURACY_WITHIN_STEPS_H

#include "accuracy/trajectory_difference.h"

#include <stddef.h>

typedef struct {
    noe_step_division
           division;       /* the last event that the steps missed; division.divided = 0: none */
    double compared_until; /* largest time after the start at which such a comparison ended */
    double agreed_until;   /* time after the start up to which the runs were within the tolerance */
    double multiple;       /* the number of steps is a multiple: jumps in time are ends of steps */
    bool   aligned;        /* `multiple` is new, and no such number has been tried */
} noe_within_steps;

/* Compares N steps to the time T with a divided run; settled: the comparison of the same steps with
 * shorter ones.  error: the larger of both. */
noe_run_beside noe_within_steps_look(noe_within_steps *, noe_trajectory_difference *,
                                     const noe_candidate *, double N, double T,
                                     const noe_run_beside *settled);
/* A number of steps, at least N, that may resolve the events found so far. */
double noe_within_steps_count(const noe_within_steps *, double T, double N);
/* "if of t, within a step at t = 37.123, which takes steps below 2e-10"; false: no event is
 * known. */
bool noe_within_steps_print(const noe_within_steps *, char *text, size_t size);

/* Greatest common divisor of two whole numbers. */
double noe_within_steps_common_divisor(double a, double b);

#endif
