/* The difference of two runs q and q* with different steps, compared while both are computed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * e = max over t, i of |q_i(t) - q*_i(t)| / scale_i, scale_i = max over t of |q*_i(t)|, but at
 * least 1e-4 of the largest scale. */
#ifndef NOE_ACCURACY_TRAJECTORY_DIFFERENCE_H
#define NOE_ACCURACY_TRAJECTORY_DIFFERENCE_H

#include "accuracy/candidate.h"
#include "accuracy/divided_step.h"

#include <signal.h>

typedef struct {
    const noe_system *s;          /* the system */
    quad             *x, *y;      /* [n] positions of the two runs */
    double           *size, *far; /* [n] largest |q*_i|; largest |q_i - q*_i| */
    double           *momentum; /* [n] largest |p_i| of the last comparison without divided steps */
    quad              t0;       /* start of the runs */
    double            tolerance, trial_steps; /* trial_steps: steps made so far, of both runs */
    int               digits;                 /* decimal digits of the arithmetic */
    noe_enclosure    *enclosure;              /* NULL: no hidden variation is possible */
    noe_step_division division;               /* result of the last comparison with divided steps */
    volatile sig_atomic_t *interrupted;       /* set by a signal: ends the comparison */
} noe_trajectory_difference;

/* Result of a comparison.  q: gauss s with the step h; q*: the same method with `parts` steps in
 * the time of `group` steps h, or, where parts is 1, with the same steps and initial positions
 * that differ by rounding errors. */
typedef struct {
    double error, before; /* e, and e one step earlier */
    /* times after the start: end of the comparison; up to which e <= tolerance, tolerance/1000 */
    double compared_until, agreed_until, agreed_finely_until;
    double cost; /* iterations and Newton matrices, in evaluations of a node per unit of time */
    bool   end;  /* the comparison reached T, with e <= most */
} noe_run_beside;

/* The least scale of a coordinate; size [n]: max |q*_i| so far. */
double noe_trajectory_difference_least_scale(int n, const double *size);
/* Allocates memory for a->s; false with a message. */
bool               noe_trajectory_difference_open(noe_trajectory_difference *);
void               noe_trajectory_difference_close(noe_trajectory_difference *);
static inline bool noe_trajectory_difference_stopped(const noe_trajectory_difference *a)
{
    return a->interrupted && *a->interrupted;
}

/* Compares N steps h = T/N from the start with q*; ends at the time T or where e > most.  Leaves no
 * message. */
noe_run_beside noe_trajectory_difference_run(noe_trajectory_difference *, const noe_candidate *,
                                             double N, double T, int parts, int group, double most);
/* The same; q* has steps h/2 that are divided at hidden variations: accuracy/divided_step.h. */
noe_run_beside noe_trajectory_difference_run_divided(noe_trajectory_difference *,
                                                     const noe_candidate *, double N, double T,
                                                     double most);

#endif
