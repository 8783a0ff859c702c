/* Rows at output times: which of them lie in a step, and the states there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_TIMED_ROWS_H
#define NOE_ROWS_TIMED_ROWS_H

#include "integrate/integrator.h"
#include "rows/output_times.h"

typedef struct {
    noe_output_times times;
    quad             next; /* the next of them, */
    bool             more; /* if there is one */
    bool among_events;     /* events have rows, too, and all are to be in the order of time */
    bool within;           /* rows are written within a step, between one event and the next */
    /* Writes a row of the state of an integrator: the run, or one that reads between its steps. */
    noe_status (*row)(void *ctx, noe_integrator *at);
    void *ctx;
} noe_timed_rows;

/* Before it: times, row, ctx and among_events.  The ranges of the times are shared, the place in
 * them is its own. */
void noe_timed_rows_begin(noe_timed_rows *, noe_integrator *);
/* The steps that can be made before the one with the next row, at most `steps`. */
double noe_timed_rows_ahead(const noe_timed_rows *, noe_integrator *, double steps);
/* After noe_fractional_step_mark and one step of the run from `left`, the rows in it.  Where
 * they are among rows of events, or events change the motion, they were written within the step. */
noe_status noe_timed_rows_step(noe_timed_rows *, noe_integrator *, quad left);
/* After the last whole step: the rows up to `until`, through the events before it. */
noe_status noe_timed_rows_rest(noe_timed_rows *, noe_integrator *, quad until);

#endif
