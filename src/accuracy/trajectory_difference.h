/* The difference of two runs q and q*, side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * e = max_t,i |q_i(t) - q*_i(t)| / scale_i, scale_i = max |q_i|. */
#ifndef NOE_ACCURACY_TRAJECTORY_DIFFERENCE_H
#define NOE_ACCURACY_TRAJECTORY_DIFFERENCE_H

#include "accuracy/divided_step.h"

#include <signal.h>

typedef struct {
    const noe_system *s;
    quad             *x, *y;      /* [n] of the two */
    double           *size, *far; /* [n] largest |q_i|, largest difference */
    double           *momentum;   /* [n] largest |p_i| of the last walk whose run was not divided */
    quad              t0;
    double            tolerance, tries; /* tries: steps made so far */
    int               digits;
    noe_enclosure    *enclosure; /* NULL: nothing can hide from nodes */
    noe_step_division met;       /* of the last walk beside a run that is divided */
    volatile sig_atomic_t *interrupted;
} noe_trajectory_difference;

/* What q* is beside q with gauss s and the step h: the same motion with `parts` steps in the
 * time of `group`; where parts is 1, one whose start is moved by as much as rounding moves it. */
typedef struct {
    double error, before; /* e, and e one step earlier */
    /* times after the start: where it ended; up to where e <= tolerance, tolerance/1000 */
    double at, good, early;
    double cost; /* iterations and Newton matrices a unit of time, weighed by their work */
    bool   end;  /* it came to the end */
} noe_run_beside;

/* takes memory for the system's n; false with a message */
bool               noe_trajectory_difference_open(noe_trajectory_difference *);
void               noe_trajectory_difference_close(noe_trajectory_difference *);
static inline bool noe_trajectory_difference_stopped(const noe_trajectory_difference *a)
{
    return a->interrupted && *a->interrupted;
}

/* N steps, so many groups, to the time T after the start; given up where e passes `most`.
 * Leaves no message. */
noe_run_beside noe_trajectory_difference_walk(noe_trajectory_difference *, int s, double N,
                                              double T, int parts, int group, double most);
/* The same beside a run with half the step that is divided where something would hide in a step:
 * accuracy/divided_step.h. */
noe_run_beside noe_trajectory_difference_walk_divided(noe_trajectory_difference *, int s, double N,
                                                      double T, double most);

#endif
