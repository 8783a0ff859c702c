/* Rows at output times: which of them lie in a step, and the states there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/timed_rows.h"

#include "event/event_step.h"
#include "between/fractional_step.h"
#include "step/step_end.h"

#include <math.h>

/* Writes the rows from the next one on whose time is not after `right`; all: also those after
 * it. */
static noe_status between(noe_timed_rows *x, noe_integrator *g, quad left, quad right, bool all)
{
    noe_status s = NOE_OK;
    while (x->more && !s && (all || (x->next - left) / (right - left) <= 1)) {
        noe_integrator *y = noe_fractional_step_at(g, x->next);
        s = y ? x->row(x->ctx, y) : NOE_NOT_CONVERGED;
        x->more = noe_output_times_next(&x->times, &x->next);
    }
    noe_fractional_step_leave(g);
    return s;
}

static noe_status passage(void *ctx, noe_integrator *run, quad from, quad to)
{
    return between(ctx, run, from, to, false);
}

void noe_timed_rows_begin(noe_timed_rows *x, noe_integrator *g)
{
    x->more = noe_output_times_next(&x->times, &x->next);
    x->within = g->events && (x->among_events || g->system->events->shocks);
    if (x->within) g->events->passage = passage, g->events->passage_ctx = x;
}

double noe_timed_rows_ahead(const noe_timed_rows *x, noe_integrator *g, double steps)
{
    quad t, h;
    if (!x->more) return steps;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    return fmin(steps, fmax(0, (double)floorq((x->next - t) / h))); /* in double it may round up */
}

noe_status noe_timed_rows_step(noe_timed_rows *x, noe_integrator *g, quad left)
{
    quad right;
    if (x->within) return NOE_OK;
    noe_integrator_state_get(g, NOE_AT_T, &right);
    return between(x, g, left, right, false);
}

noe_status noe_timed_rows_rest(noe_timed_rows *x, noe_integrator *g, quad until)
{
    quad       t, h;
    noe_status s = NOE_OK;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    const quad rounded = x->times.in_double ? (double)until : until;
    if (h > 0 ? rounded > until : rounded < until) until = rounded; /* the last row */
    if (g->events && x->more && fabsq(until - t) > NOE_STEP_END_PART * fabsq(h))
        s = noe_advance_part(g, until);
    if (!s) s = noe_fractional_step_mark(g);
    return s ? s : between(x, g, t, until, true);
}
