/* Rows at output times of a lane batch whose members follow a monitor, each with a time of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All members make a step of the same number; each has passed other output times by it.  The state
 * at such a time is that of a fractional step (between/fractional_step.h), which is made for all
 * lanes at once in a second engine state, so that a row has the bits of a member that is run
 * alone. */
#ifndef NOE_ENSEMBLE_LANE_TIMES_H
#define NOE_ENSEMBLE_LANE_TIMES_H

#include "ensemble/lane_batch.h"
#include "rows/output_times.h"

typedef struct {
    noe_lane_batch   *batch;
    const noe_system *first;          /* the system that `fraction_state` was made for */
    void             *fraction_state; /* an engine state between two steps of the members */
    void             *state_before;   /* [bytes] that before the last step */
    size_t            bytes;
    noe_integrator
        *y[NOE_LANE_BATCH]; /* [count] integrators whose engine state is `fraction_state` */
    noe_output_times times[NOE_LANE_BATCH];
    quad             next[NOE_LANE_BATCH]; /* the time of the next row of each member, */
    bool             more[NOE_LANE_BATCH]; /* if there is one */
    quad             step, until;          /* h; the time of the end */
    unsigned         ended; /* bit k: member k has left the batch with all of its rows */
    /* Stores the next row of member k, whose state is that of `at`; false: it cannot go on. */
    bool (*row)(void *ctx, int k, noe_integrator *at);
    void *ctx;
} noe_lane_times;

/* After noe_lane_batch_make, whose systems are those of this batch: false without memory. */
bool noe_lane_times_begin(noe_lane_times *, noe_lane_batch *, const noe_method *, quad step,
                          quad until, const noe_output_times *);
/* One step of all members that are still in the batch, and the rows whose times it has reached. */
void noe_lane_times_step(noe_lane_times *);
/* _end before the systems of the members are freed, _drop also frees the engine state. */
void noe_lane_times_end(noe_lane_times *);
void noe_lane_times_drop(noe_lane_times *);

#endif
