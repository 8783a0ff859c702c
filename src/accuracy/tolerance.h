/* Chooses method and step for a tolerance, and verifies the choice by a second run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * max over t of |q_i(t) - exact q_i(t)| <= tolerance * scale_i, scale_i = max over t of
 * |q_i(t)|, but at least 1e-4 of the largest scale. */
#ifndef NOE_ACCURACY_TOLERANCE_H
#define NOE_ACCURACY_TOLERANCE_H

#include "integrate/integrator.h"

#include <signal.h>

typedef struct {
    char   method[24]; /* "gauss 4" */
    bool   splitting;  /* it is one, which was found cheaper than Gauss methods */
    quad   step;       /* length, in units of t */
    double steps;      /* number of these steps in the whole run */
    /* Estimated error, by comparison with a run with shorter steps; INFINITY: there is no
     * estimate over the whole run. */
    double error;
    /* Time up to which the estimate is within the tolerance; in chaos, that of the worst of three
     * pairs of runs. */
    double reached;
    double early; /* time up to which the estimate is within a thousandth of the tolerance */
    double least; /* the shortest step that was tried */
    bool   limited_by_rounding; /* rounding limits `reached`; else an event that no step resolved */
    bool   within; /* that event lies within steps: a narrow wall, a pulse, a jump of a force */
    double trial_steps; /* number of steps made for the choice */
    char   why[400];    /* lines for the summary */
} noe_tolerance_choice;

/* q [n] = the positions at the end of the run that was chosen; false: it failed. */
bool noe_tolerance_end(const noe_system *, const noe_tolerance_choice *, int digits, quad *q);

/* NOE_OK; NOE_STOPPED when interrupted; NOE_NOT_CONVERGED with a message when no step in these
 * digits reaches the end within the tolerance; the choice is then the run that stays within the
 * tolerance longest; another status with a message.  least: smallest number of steps. */
noe_status noe_tolerance_pick(const noe_system *, quad until, double tolerance, int digits,
                              double least, volatile sig_atomic_t *interrupted,
                              noe_tolerance_choice *);

#endif
