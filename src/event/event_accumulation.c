/* Infinitely many events in a finite time: t_k + d_k r / (1 - r), r = d_k / d_k-1.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A ball with restitution e < 1 bounces at intervals d_k that shrink by the factor e and comes to
 * rest at the limit of the times.  Once the limit is within the present step the run cannot get
 * there by bounces.  The intervals of a ball that goes into a wedge shrink, too, but not by the
 * same factor: it comes back after a finite number of bounces. */
#include "event/event_step.h"

#include "base/status.h"

enum {
    EVENTS_LEAST = 8,     /* events in a step before a limit is looked for */
    EVENTS_MOST = 100000, /* events in a step */
};

/* The change of r from one interval to the next over 1 - r.  In a wedge of angle a it is 2 a or
 * more. */
static const quad STEADY = 1e-3;

static const char advice[] =
    "end the run before that time (--until), or model the contact by a stiff potential with "
    "dissipation";

noe_status noe_event_accumulation_rest(const noe_event_state *x, int k, quad t)
{
    return noe_status_fail(
        NOE_NOT_CONVERGED,
        "the event '%.60s' leaves no motion away from its surface at t = %.15g: the body rests on "
        "it from then on; %s",
        x->model->event[k].name, (double)t, advice);
}

noe_status noe_event_accumulation_check(const noe_event_state *x, int k, quad t, quad to)
{
    const noe_event_tally *y = &x->tally[k];
    const quad             now = t - y->last, before = y->gap;
    if (y->in_step > EVENTS_MOST)
        return noe_status_fail(
            NOE_NOT_CONVERGED,
            "the event '%.60s' happens more than %d times in the step to t = %.12g: take "
            "smaller steps",
            x->model->event[k].name, EVENTS_MOST, (double)to);
    if (y->in_step < EVENTS_LEAST || before == 0 || y->gap_before == 0) return NOE_OK;
    const quad r = now / before, change = r - before / y->gap_before;
    if (!(r < 1) || !(r > 0) || fabsq(change) > STEADY * (1 - r)) return NOE_OK;
    const quad rest = now * r / (1 - r), limit = t + rest;
    if (!(fabsq(rest) <= fabsq(to - t))) return NOE_OK;
    return noe_status_fail(
        NOE_NOT_CONVERGED,
        "the event '%.60s' happens infinitely often before t = %.15g, the limit of its times "
        "(the last intervals shrink by %.6g each): the body then rests there; %s",
        x->model->event[k].name, (double)limit, (double)r, advice);
}
