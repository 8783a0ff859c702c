/* Trials over a short time: which step resolves the start, what a method costs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_TRIAL_STEPS_H
#define NOE_ACCURACY_TRIAL_STEPS_H

#include "accuracy/trajectory_difference.h"

/* Steps of a trial, enough for the predictor's history. */
enum { NOE_TRIAL_STEPS = 32 };

/* A step that resolves the fastest motion at the start of a run of duration T: halved until
 * NOE_TRIAL_STEPS and twice as many agree to 1e-3; 0: none. */
double noe_trial_steps_resolve(noe_trajectory_difference *, double T);
/* What a method costs per unit of time, and with which step. */
typedef struct {
    double cost;     /* INFINITY: no trial reached T */
    double step;     /* with the error after the time T that was aimed at, or to begin with */
    bool   at_least; /* it costs more, and was given up */
} noe_trial_cost;

/* Trials whose error after the short time T is a third of the part T / whole of the tolerance, as
 * an error that grows like t requires; h: a step to begin with.  Given up where the cost will be
 * above `hopeless`. */
noe_trial_cost noe_trial_steps_cost(noe_trajectory_difference *, double whole,
                                    const noe_candidate *, double h, double T, double hopeless);

#endif
