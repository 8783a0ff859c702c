/* The reference solution y(t_k) at the nodes, against which errors are measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_REFERENCE_H
#define NOE_STUDY_REFERENCE_H

#include "ensemble/task_pool.h"
#include "study/study.h"

/* Rows a time H apart; steps that are multiples of H share them. */
typedef struct {
    quad H;
    long rows; /* fewer than asked for when the motion ends before: `why` */
    /* [rows][components]; only what is not constant has a value; coarse: by twice the step */
    quad             *x, *coarse;
    long              done[2]; /* rows of the fine and the coarse run */
    bool              broken;  /* no row is sure */
    double           *doubt;   /* [windows][components]: the reference's own error there */
    double            step;    /* that it took; 0: none, it is exact */
    const noe_system *system;
    char              why[NOE_REASON_MOST], why_coarse[NOE_REASON_MOST];
} noe_reference_rows;

typedef struct {
    int                 grids, sets; /* sets: 1, or one a method */
    noe_reference_rows *grid;        /* [sets][grids] */
} noe_reference;

/* The numbers that are compared, at the integrator's state: all, or only what is not constant. */
void noe_reference_row(const noe_study *, noe_integrator *, bool all, quad *x);

bool noe_reference_choose(noe_study *); /* which, from the words; false with a message */
bool noe_reference_make(noe_study *, noe_reference *, noe_progress *); /* false with a message */
void noe_reference_drop(noe_reference *);
const noe_reference_rows *noe_reference_grid(const noe_reference *, int method,
                                             const noe_study_step *);
void noe_reference_says(noe_study *, const noe_reference *); /* what it was, in words */

#endif
