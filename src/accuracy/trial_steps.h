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
/* Cost of a method per unit of time, INFINITY where no trial reaches T.  *step: that whose error
 * after the short time T is a third of the part T / whole of the tolerance, as an error that grows
 * like t requires; h: a step to begin with. */
double noe_trial_steps_cost(noe_trajectory_difference *, double whole, const noe_candidate *,
                            double h, double T, double *step);

#endif
