/* The gradient of a function J of the rows of a run by all parameters and starts at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Forward, the run keeps a record of each step (step/step_adjoint.h) and of the fractional steps to
 * its rows; then lambda = dJ/d(q, p) goes back over them, and every row adds its part.  Records
 * beyond a bound of memory are made again from states kept at equal distances. */
#ifndef NOE_ADJOINT_ADJOINT_H
#define NOE_ADJOINT_ADJOINT_H

#include "integrate/integrator.h"

/* Where a row is: `step` steps after the start, or, where `within`, in the step after that. */
typedef struct {
    long step;
    bool within;
} noe_adjoint_place;

typedef struct {
    /* Given: */
    noe_integrator    *g; /* of a system of noe_system_adjoint(), at the model's start */
    const noe_columns *columns;
    quad               until;
    long               every; /* a row every so many steps, and at both ends; 0: at the times */
    const double      *time;  /* [times] of the rows, in the order of the run */
    long               times;
    double             memory;      /* bytes of `record` and `kept` together, at most */
    volatile int      *interrupted; /* NULL, or stops when it is not 0 */
    /* Made by noe_adjoint_forward_make(): */
    size_t             rows;
    double            *row;   /* [rows][columns] */
    noe_adjoint_place *place; /* [rows] */
    quad              *state; /* [rows][3n + 2] t, energy, q, v, p; NULL: not needed */
    long               steps, /* of the run */
        span; /* steps of a piece, which begins at a kept state; all steps where one piece is all */
    size_t record_bytes, state_bytes;
    char  *record, /* [span] of steps */
        *between,  /* [rows] of fractional steps; NULL: there are none */
        *kept;     /* [steps / span + 1] engine states before steps 0, span, 2 span, .. */
} noe_adjoint_run;

/* Makes the run and its rows; false with a message.  To be dropped in either case. */
bool noe_adjoint_forward_make(noe_adjoint_run *);
/* dJ/d(parameters) [params] and dJ/d(starts) [2n], of each coordinate by q and by v or p as the
 * model gives it, from weight = dJ/d(row) [rows][columns]; false with a message. */
bool noe_adjoint_back(noe_adjoint_run *, const double *weight, quad *by_parameter, quad *by_start);
void noe_adjoint_forward_drop(noe_adjoint_run *);

/* noe_gradient_of() with the step in all digits; stops where *interrupted is not 0. */
noe_table *noe_row_gradient_make(const noe_system *, const noe_method *, quad step,
                                 const noe_gradient_rows *, volatile int *interrupted,
                                 noe_weights *, void                     *ctx);

#endif
