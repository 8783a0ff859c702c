/* The reference solution y(t_k) at the nodes, against which errors are measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_REFERENCE_H
#define NOE_STUDY_REFERENCE_H

#include "ensemble/task_pool.h"
#include "study/study.h"

/* Reference values at times H apart; steps that are multiples of H share them. */
typedef struct {
    quad H; /* distance of rows in time */
    quad h; /* step that leads to the next row; with a monitor the shortest of the study */
    /* number of rows; fewer than planned when the motion ends before, for the reason in `why` */
    long rows;
    /* [rows][components] reference values, and those of a run with twice the step; constant
     * quantities have none */
    quad             *x, *coarse;
    long              done[2]; /* rows computed by the fine and by the coarse run */
    bool              broken;  /* no row is reliable */
    double           *doubt;   /* [windows][components] error of the reference */
    double            step;    /* step of the reference run; 0: exact solution */
    const noe_system *system;  /* the system with its parameters */
    /* why the fine and the coarse run ended early; "" otherwise */
    char why[NOE_REASON_MOST], why_coarse[NOE_REASON_MOST];
} noe_reference_rows;

typedef struct {
    int                 grids, sets; /* grids of times; sets: 1, or one for each method */
    noe_reference_rows *grid;        /* [sets][grids] reference values */
} noe_reference;

/* x = the numbers that are compared, [components], at the integrator's state; all = false: only
 * those that are not constant. */
void noe_reference_row_here(const noe_study *, noe_integrator *, bool all, quad *x);

/* Makes `steps` steps; where these follow a monitor, all to time t instead, which is a node.  x:
 * the numbers there. */
noe_status noe_reference_row_next(const noe_study *, noe_integrator *, int steps, quad t, bool all,
                                  quad *x);

/* chooses the kind of reference from the options; false with a message */
bool noe_reference_choose(noe_study *);
/* computes the reference values; false with a message */
bool                      noe_reference_make(noe_study *, noe_reference *, noe_progress *);
void                      noe_reference_drop(noe_reference *);
const noe_reference_rows *noe_reference_grid(const noe_reference *, int method,
                                             const noe_study_step *);
/* describes the reference in s->reference_says */
void noe_reference_describe(noe_study *, const noe_reference *);

#endif
