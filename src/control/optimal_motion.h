/* From a coarse grid to the wanted one: the motion of least cost, and the error of the cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_OPTIMAL_MOTION_H
#define NOE_CONTROL_OPTIMAL_MOTION_H

#include "control/interior_point.h"

enum { NOE_GRIDS_MOST = 32 };

typedef struct {
    const noe_model   *model;
    const noe_method  *method;
    int                steps; /* of the finest grid */
    double             until; /* end of time, or a guess where it is free; NAN: not given */
    noe_interior_point search;
    /* out */
    noe_control_functions f;
    noe_transcription     t;                     /* the motion */
    noe_solved            how;                   /* what was found */
    int                   grids;                 /* number of grids that were solved */
    double                costs[NOE_GRIDS_MOST]; /* of these, from the coarsest on */
    int                   coarse;     /* steps of the grid before the last; 0: there was none */
    double                error;      /* estimated from two grids: of the cost; NAN: one grid */
    int                   iterations; /* in all */
} noe_optimal_motion;

/* NOE_INVALID with a message; to be dropped in either case.  The motion refers to its own
 * functions: the structure stays where it is. */
noe_status noe_optimal_motion_find(noe_optimal_motion *);
void       noe_optimal_motion_drop(noe_optimal_motion *);
/* Where finer grids do not bring the costs together: a line that says so; false: they do, or there
 * were fewer than three. */
bool noe_optimal_motion_unsettled(const noe_optimal_motion *, char *text, size_t capacity);

#endif
