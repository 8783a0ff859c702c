/* Changes of the motion by events, kept for the way back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step with changes is several pieces, each a step of the method with a length of its own: up to
 * a change, between two, and the rest to the grid.  Their records are kept with the changes. */
#include "adjoint/adjoint.h"
#include "base/status.h"
#include "event/event_place.h"

#include <stdlib.h>
#include <string.h>

static noe_status too_many(const noe_adjoint_run *x)
{
    return noe_status_fail(NOE_INVALID,
                           "the way back over more than %zu changes of the motion needs more than "
                           "%.3g bytes of memory",
                           x->changes, x->memory);
}

/* A new change in one block of memory, which begins by `in`; NULL with a message. */
static noe_adjoint_change *add(noe_adjoint_run *x)
{
    const size_t n = (size_t)x->g->system->dyn.n, inputs = (size_t)noe_tape_inputs((int)n),
                 numbers = inputs + 7 * n + 2,
                 bytes = numbers * sizeof(quad) + 2 * x->record_bytes
                       + (x->kept ? x->state_bytes : 0);
    if ((double)(x->changes + 1) * (double)bytes > x->memory) return too_many(x), NULL;
    if (x->changes == x->room) {
        const size_t        room = 2 * x->room + 16;
        noe_adjoint_change *more = noe_status_alloc(room, sizeof *more);
        if (!more) return NULL;
        if (x->changes) memcpy(more, x->change, x->changes * sizeof *more);
        free(x->change);
        x->change = more, x->room = room;
    }
    noe_adjoint_change *c = &x->change[x->changes];
    quad               *at = noe_status_alloc(1, bytes);
    if (!at) return NULL;
    *c = (noe_adjoint_change){ .step = x->at, .in = at };
    c->v = at + inputs, c->p = c->v + n, c->end = c->p + n, c->begin = c->end + 3 * n + 2;
    c->piece = (char *)(at + numbers), c->tail = c->piece + x->record_bytes;
    c->state = x->kept ? c->tail + x->record_bytes : NULL;
    x->changes++;
    return c;
}

noe_status noe_adjoint_changes_begin(const noe_adjoint_run *x, noe_integrator *piece, quad *to)
{
    const size_t n = (size_t)x->g->system->dyn.n;
    quad         by[4 * n];
    if (!piece->engine->events->by_times(piece->work, by))
        return noe_status_fail(NOE_NOT_FINITE,
                               "t = %.12g: the step from an event has no finite derivative by the "
                               "time of that event",
                               noe_time(piece));
    memcpy(to, by, 2 * n * sizeof *to);
    return NOE_OK;
}

noe_status noe_adjoint_changes_note(void *run, noe_event_state *s, noe_integrator *at, int k,
                                    quad tau, const quad *before, const quad *after)
{
    noe_adjoint_run    *x = run;
    noe_adjoint_change *c;
    noe_event_place     place;
    const size_t        n = (size_t)s->n;
    noe_status          status = noe_event_place_find(s, at, k, tau, before, after, &place);
    if (!status && x->piece_begins_by_change && tau != 0)
        status = noe_adjoint_changes_begin(x, at, x->change[x->changes - 1].begin);
    if (!status && !(c = add(x))) status = NOE_NO_MEMORY;
    if (!status) {
        memcpy(c->in, place.in, (size_t)noe_tape_inputs(s->n) * sizeof *c->in);
        memcpy(c->v, place.v_after, n * sizeof *c->v);
        memcpy(c->p, place.p_after, n * sizeof *c->p);
        memcpy(c->end, place.end, (size_t)place.leaves * sizeof *c->end);
        c->rate = place.rate, c->event = k, c->undone = s->h < 0, c->pieced = tau != 0;
        if (c->pieced) at->engine->adjoint->record(at->work, c->piece);
        x->piece_begins_by_change = true, x->piece_recorded = false;
    }
    noe_event_place_drop(&place);
    return status;
}

void noe_adjoint_changes_end(noe_adjoint_run *x, const char *record)
{
    noe_adjoint_change *c = x->changes ? &x->change[x->changes - 1] : NULL;
    size_t              bytes;
    if (!c || c->step != x->at) {
        x->piece_begins_by_change = false;
        return;
    }
    c->tailed = x->piece_recorded, x->piece_begins_by_change = !x->piece_recorded;
    if (c->tailed) memcpy(c->tail, record, x->record_bytes);
    if (c->state) memcpy(c->state, x->g->engine->memory(x->g->work, &bytes), x->state_bytes);
}

size_t noe_adjoint_changes_until(const noe_adjoint_run *x, long k)
{
    size_t from = 0, to = x->changes;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (x->change[middle].step > k) to = middle;
        else from = middle + 1;
    }
    return to;
}

void noe_adjoint_changes_drop(noe_adjoint_run *x)
{
    for (size_t i = 0; i < x->changes; i++) free(x->change[i].in);
    free(x->change);
}
