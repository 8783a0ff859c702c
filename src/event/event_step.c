/* A step with its events: the smooth step, or pieces of it between impacts; the grid stays.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The events of a step are found after it (event_search.c), each as a fractional step from its
 * beginning.  Events that change nothing leave the run bit for bit as it is.  After an impact the
 * state at the event with new momenta is the beginning of another, shorter step to the same grid
 * point, with its own events; with a monitor, which has no grid, the next step begins there. */
#include "event/event_step.h"
#include "base/status.h"
#include "integrate/energy_watch.h"
#include "between/fractional_step.h"
#include "integrate/singularity_guard.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 64 }; /* impacts in a corner */
/* What counts as 0: beside an event, which is solved to one rounding, the distance of another, of
 * the step, and the value of its function, of the terms; the rest of a step after an impact, of the
 * step.  In units of rounding of double in 33 digits, too.  No other values were tried. */
static const quad AT_ONCE_PART = 16 * 0x1p-52, REST_PART = 4 * 0x1p-53;

noe_status noe_event_step_attach(noe_integrator *g)
{
    const noe_event_tapes *tapes = g->system->events;
    if (!tapes || g->events) return NOE_OK;
    if (g->digits > NOE_DIGITS_QUAD)
        return noe_status_fail(NOE_INVALID, "%s: events are found in 15 or 33 digits, not in %d",
                               g->system->source, g->digits);
    if (tapes->shocks && (!g->engine->events || g->engine->members > 1))
        return noe_status_fail(
            NOE_INVALID,
            "%s: events that change the motion work for systems given by a Lagrangian, not by "
            "matrices",
            g->system->source);
    return (g->events = noe_event_state_new(g)) ? NOE_OK : NOE_NO_MEMORY;
}

static void put(noe_integrator *g, noe_engine_value what, quad value)
{
    g->engine->set(g->work, what, 0, &value);
}

static quad look(noe_integrator *g, noe_engine_value what)
{
    quad value;
    g->engine->get(g->work, what, 0, &value);
    return value;
}

/* Puts the state of an integrator at an event, at time t, into the run.  h: the length of the next
 * step, the rest of the present one; with a monitor as given.  p [2][n]: see consequences(). */
static void continue_from(noe_integrator *g, noe_integrator *at, quad t, quad h, const quad *p,
                          bool booked)
{
    size_t     bytes;
    const bool varies = g->stepped.clock;
    /* Less the step that the run has made: its part up to the event counts as none. */
    const quad t0 = look(g, NOE_AT_T0), count = look(g, NOE_AT_COUNT) - 1;
    noe_energy_watch_forget(g->watch), noe_local_error_forget(g);
    if (at != g) {
        const void *from = at->engine->memory(at->work, &bytes);
        memcpy(g->engine->memory(g->work, &bytes), from, bytes);
    }
    put(g, NOE_AT_STEP, h);
    put(g, NOE_AT_T0, varies ? t0 : t), put(g, NOE_AT_COUNT, varies ? count : 0);
    if (varies) put(g, NOE_AT_T, t);
    if (g->engine->events) g->engine->events->impulse(g->work, 0, p, booked);
    noe_integrator_moved(g);
    noe_singularity_guard_reset(g->guard);
}

static void note(noe_event_state *x, int k, quad t)
{
    noe_event_tally *y = &x->tally[k];
    y->gap_before = y->gap;
    y->gap = y->in_step ? t - y->last : 0;
    if (y->count == 0) y->first = t;
    y->last = t;
    y->count++, y->in_step++;
}

/* After a failure, `why`: the state is that before the step again. */
static noe_status return_to_begin(noe_event_state *x, noe_integrator *g, noe_status why)
{
    size_t bytes;
    if (!x->tapes->shocks) return noe_fractional_step_return(g), why;
    void *const memory = g->engine->memory(g->work, &bytes);
    memcpy(memory, x->begin, bytes);
    noe_integrator_moved(g);
    return why;
}

/* Makes the piece of a step that begins at the present state, and finds its events. */
static noe_status step_piece(noe_event_state *x, noe_integrator *g)
{
    noe_status s = noe_fractional_step_mark(g);
    if (s || (s = noe_smooth_step(g))) return s;
    noe_event_state_read(x, g, &x->b);
    x->h = g->stepped.clock ? x->b.t - x->a.t : look(g, NOE_AT_STEP);
    for (int k = 0; k < x->tapes->count; k++) x->tally[k].corrected = false;
    x->why = NOE_NOT_FINITE;
    const bool found = noe_event_search_step(x, g);
    x->fresh = false;
    if (found) return NOE_OK;
    noe_fractional_step_leave(g);
    return x->why;
}

/* Is g of a later event 0 to rounding at this one, so that both happen at once? */
static bool at_once(noe_event_state *x, noe_integrator *at, const noe_event_found *now,
                    const noe_event_found *later)
{
    if (later->tau == now->tau) return true;
    /* An event function with two zeros in the step is 0 at the first, of whatever sign. */
    if (later->event == now->event) return false;
    const quad value = noe_event_state_value(x, at, later->event),
               size = x->out[later->event * NOE_WATCHED + NOE_WATCH_SIZE];
    return fabsq(later->tau - now->tau) <= AT_ONCE_PART * fabsq(x->h)
        || fabsq(value) <= AT_ONCE_PART * size || (value > 0) == later->rising;
}

/* Marks the impacts on surfaces that the state is on, other than the events from number i to j: a
 * body that rests against another.  The number of these. */
static int find_contacts(noe_event_state *x, noe_integrator *at, int i, int j, bool *touches)
{
    int touching = 0;
    if (x->tapes->count > j - i) noe_event_state_value(x, at, 0); /* all of them: x->out */
    for (int k = 0; k < x->tapes->count; k++) {
        const noe_event *e = &x->model->event[k];
        const quad      *out = x->out + k * NOE_WATCHED;
        touches[k] = e->then == NOE_THEN_BOUNCE && e->way != NOE_EITHER_WAY;
        for (int f = i; f < j && touches[k]; f++) touches[k] = x->found[f].event != k;
        if (touches[k])
            touches[k] = fabsq(out[NOE_WATCH_VALUE]) <= AT_ONCE_PART * out[NOE_WATCH_SIZE];
        touching += touches[k];
    }
    return touching;
}

/* Records and reports event k at time t, with the state of an integrator; *stops: the event at
 * which the run stops, the first of those at the same time, or -1. */
static void report(noe_event_state *x, noe_integrator *at, int k, quad t, int *stops)
{
    note(x, k, t);
    if (x->quiet) return;
    at->event = 1 + k;
    const bool ends = x->watcher && x->watcher(x->ctx, at, k);
    at->event = 0;
    if (*stops < 0 && (ends || x->model->event[k].stop || k == x->stop_at)) *stops = k;
}

/* Was an event at time t reported before the step was taken back? */
static bool was_reported(const noe_event_state *x, quad t)
{
    return x->again && (x->h > 0 ? t <= x->reported : t >= x->reported);
}

/* Tells an impact on what is touched, with the momenta before it. */
static void report_contact(noe_event_state *x, noe_integrator *at, int k, quad t,
                           const quad *before, const quad *after, int *stops)
{
    at->engine->set(at->work, NOE_AT_P, 0, before);
    noe_integrator_moved(at);
    report(x, at, k, t, stops);
    at->engine->set(at->work, NOE_AT_P, 0, after);
    noe_integrator_moved(at);
}

/* The consequences of the events from number i to j, which happen at once at the state of an
 * integrator, at time t; p [2][n]: the momenta after them, and velocities near theirs.  A body may
 * hit several sides of a corner, and one that is hit what it touches. */
static noe_status consequences(noe_event_state *x, noe_integrator *at, int i, int j, quad t,
                               quad *p, noe_event_change *all, int *stops)
{
    bool       touches[x->tapes->count];
    int        touching = -1;
    noe_status s = NOE_OK;
    *all = (noe_event_change){ false, false };
    for (int round = 0, again = 1; again && round < ROUNDS; round++) {
        bool changed;
        again = 0;
        for (int e = i; e < j; e++) {
            const noe_event_found f = x->found[e];
            const noe_event_then  then = x->model->event[f.event].then;
            if (!then || (round && then != NOE_THEN_BOUNCE)) continue;
            if (touching < 0) touching = find_contacts(x, at, i, j, touches);
            if ((s = noe_event_jump_change(x, at, f.event, f.rising, p, all, &changed))) return s;
            again |= changed && j - i + touching > 1;
        }
        for (int k = 0; k < x->tapes->count && touching > 0; k++) {
            const bool rising = x->model->event[k].way == NOE_RISING;
            quad       before[2 * x->n];
            if (!touches[k]) continue;
            memcpy(before, p, sizeof before);
            if ((s = noe_event_jump_change(x, at, k, rising, p, all, &changed))) return s;
            if (!changed) { /* p has digits that the state cannot hold */
                memcpy(p, before, sizeof before);
                continue;
            }
            again = 1;
            if (x->tally[k].from == NOE_FROM_EVENT) continue;
            x->tally[k].from = NOE_FROM_EVENT, x->tally[k].rising = rising;
            if (!was_reported(x, t)) report_contact(x, at, k, t, before, p, stops);
        }
    }
    return NOE_OK;
}

/* The number of the first event after number i that is not at the same time. */
static int end_at_once(noe_event_state *x, noe_integrator *at, int i)
{
    int j = i + 1;
    while (j < x->founds && at_once(x, at, &x->found[i], &x->found[j])) j++;
    return j;
}

/* The time of an event; not after the end of the step, whose time is rounded. */
static quad time_of(const noe_event_state *x, const noe_event_found *f)
{
    const quad t = x->a.t + f->tau;
    return f->tau == x->h || (x->h > 0 ? t > x->b.t : t < x->b.t) ? x->b.t : t;
}

/* Is the time t after that to which the run goes? */
static bool passes_limit(const noe_event_state *x, quad t)
{
    return x->limited && (x->h > 0 ? t > x->limit : t < x->limit);
}

/* The part of a step before the time `to`, from the beginning of the piece or the event before. */
static noe_status pass(noe_event_state *x, noe_integrator *g, quad to)
{
    return x->passage ? x->passage(x->passage_ctx, g, x->a.t, to) : NOE_OK;
}

/* Notes how fast g of the events from number i to j crosses 0, before what follows them. */
static void note_rates(noe_event_state *x, noe_integrator *at, int i, int j)
{
    if (!x->tapes->shocks) return;
    noe_event_state_value(x, at, x->found[i].event); /* all of them: x->out */
    for (; i < j; i++) {
        const int k = x->found[i].event;
        x->tally[k].rate = fabs((double)x->out[k * NOE_WATCHED + NOE_WATCH_RATE]);
    }
}

/* Event number *i of the piece and those at the same time, with what follows them.  *t: their time;
 * *change: what has changed.  A stop is that after what follows: nothing of it is still to come. */
static noe_status carry_out_event(noe_event_state *x, noe_integrator *g, int *i, quad *t, quad end,
                                  quad *p, noe_event_change *change)
{
    quad                  to = end; /* up to which events may accumulate */
    const noe_event_found now = x->found[*i];
    const int             first = *i;
    *t = time_of(x, &now);
    noe_status      s = pass(x, g, *t);
    noe_integrator *at = s ? NULL : noe_fractional_step_take(g, now.tau);
    if (!at) return s ? s : NOE_NOT_CONVERGED;
    const int next = x->tapes->shocks ? end_at_once(x, at, first) : first + 1;
    int       stops = -1;
    if (x->limited && (x->h > 0 ? to > x->limit : to < x->limit)) to = x->limit;
    for (int k = 0; k < x->tapes->count; k++) x->tally[k].from = NOE_FROM_VALUE;
    for (*i = first; *i < next; ++*i) {
        const int        k = x->found[*i].event;
        const noe_event *e = &x->model->event[k];
        const noe_status limit = e->then ? noe_event_accumulation_check(x, k, *t, to) : NOE_OK;
        if (limit) return limit;
        x->tally[k].from = NOE_FROM_EVENT, x->tally[k].rising = x->found[*i].rising;
        if (!was_reported(x, *t)) report(x, at, k, *t, &stops);
    }
    size_t            bytes;
    const void *const own = at == g ? g->engine->memory(g->work, &bytes) : NULL;
    if (own) memcpy(x->turned, own, bytes);
    note_rates(x, at, first, next);
    x->changes = 0, x->tau = now.tau;
    s = consequences(x, at, first, next, *t, p, change, &stops);
    if (own && change->changed) { /* at a grid point: it is the run that has been turned */
        memcpy(g->engine->memory(g->work, &bytes), x->turned, bytes);
        noe_integrator_moved(g);
    }
    if (s || (!change->changed && stops < 0)) return s;
    at = noe_fractional_step_take(g, now.tau);
    if (!at) return NOE_NOT_CONVERGED;
    continue_from(g, at, *t, g->stepped.clock ? look(g, NOE_AT_STEP) : x->h - now.tau,
                  change->changed ? p : NULL, change->booked);
    if (change->changed && x->after) {
        g->engine->set(g->work, NOE_AT_SENSITIVITY, 0, x->after);
        g->engine->set(g->work, NOE_AT_SHIFT, 0, x->after + 2 * x->n * g->system->dyn.columns);
    }
    if (stops >= 0) x->stopped = stops, g->event = 1 + stops;
    return stops < 0 ? NOE_OK : NOE_STOPPED;
}

/* Does a body rest on a surface that it has just hit, at time t?  Then the message. */
static noe_status find_rest(const noe_event_state *x, quad t)
{
    for (int k = 0; k < x->tapes->count; k++) {
        const noe_event_tally *y = &x->tally[k];
        if (y->from == NOE_FROM_EVENT && x->model->event[k].then == NOE_THEN_BOUNCE
            && y->after == (y->rising ? 1 : -1))
            return noe_event_accumulation_rest(x, k, t);
    }
    return NOE_OK;
}

/* After an impact at t: makes the rest of the step, of length `rest`, to the time `to`, with a
 * monitor, where there is no grid, another step; *over: there is none, and the next step begins at
 * the impact.  A body that the impact does not send away from its surface rests there. */
static noe_status bounce_on(noe_event_state *x, noe_integrator *g, quad t, quad rest, quad to,
                            bool *over)
{
    *over = !g->stepped.clock && fabsq(rest) <= REST_PART * fabsq(x->grid);
    noe_event_state_read(x, g, &x->a);
    if (*over) return NOE_OK;
    const noe_status s = step_piece(x, g);
    if (!g->stepped.clock) x->b.t = to; /* without the roundings of the pieces */
    return s ? s : find_rest(x, t);
}

noe_status noe_event_step_make(noe_integrator *g)
{
    noe_event_state *x = g->events;
    noe_status       s = noe_integrator_start_ready(g);
    size_t           bytes;
    if (s) return s;
    x->stopped = -1, g->event = 0;
    if (!x->known) noe_event_state_read(x, g, &x->a);
    else {
        const noe_event_end keep = x->a;
        x->a = x->b, x->b = keep;
    }
    const bool landed = x->landed && !x->fresh;
    x->known = false;
    const void *memory = g->engine->memory(g->work, &bytes);
    if (x->tapes->shocks) memcpy(x->begin, memory, bytes);
    const quad h = look(g, NOE_AT_STEP), t0 = look(g, NOE_AT_T0), count = look(g, NOE_AT_COUNT);
    for (int k = 0; k < x->tapes->count; k++) {
        x->tally[k].from = landed && x->tally[k].from == NOE_FROM_EVENT ? NOE_FROM_EVENT
                                                                        : NOE_FROM_UNKNOWN;
        x->tally[k].in_step = 0;
        x->tally[k].gap = x->tally[k].gap_before = 0;
    }
    x->grid = h;
    if ((s = step_piece(x, g)) || (s = find_rest(x, x->a.t))) return return_to_begin(x, g, s);
    quad to = x->b.t, p[2 * x->n];
    bool pieces = false, over = false;
    for (int i = 0; i < x->founds && !s && !over && !passes_limit(x, time_of(x, &x->found[i]));) {
        quad             t;
        noe_event_change change = { false, false };
        s = carry_out_event(x, g, &i, &t, to, p, &change);
        if (s || !change.changed) continue;
        pieces = true;
        s = bounce_on(x, g, t, x->h - x->found[i - 1].tau, to, &over);
        i = 0, to = x->b.t;
    }
    if (!s && !over) s = pass(x, g, passes_limit(x, x->b.t) ? x->limit : x->b.t);
    noe_fractional_step_leave(g);
    if (s == NOE_STOPPED) {
        put(g, NOE_AT_STEP, h);
        return s;
    }
    if (s) return return_to_begin(x, g, s);
    x->again = false;
    if (pieces && !g->stepped.clock) { /* back on the grid */
        noe_energy_watch_forget(g->watch), noe_local_error_forget(g);
        put(g, NOE_AT_STEP, h), put(g, NOE_AT_T0, t0), put(g, NOE_AT_COUNT, count + 1);
        g->engine->events->impulse(g->work, 0, NULL, false);
        noe_integrator_moved(g);
        noe_singularity_guard_reset(g->guard);
        if (over) noe_event_state_read(x, g, &x->b);
    }
    x->known = true, x->landed = over || noe_event_state_is_short(x);
    return NOE_OK;
}

void noe_event_step_set_reported(noe_integrator *g, quad reported)
{
    noe_event_state *x = g->events;
    if (!x) return;
    const bool before = x->again && (x->h > 0 ? x->reported > reported : x->reported < reported);
    if (!before) x->reported = reported;
    x->again = true;
}

void noe_event_step_take_back(noe_integrator *g, quad reported)
{
    noe_event_state *x = g->events;
    size_t           bytes;
    if (!x || !x->tapes->shocks || g->stepped.clock) noe_fractional_step_return(g);
    else {
        void *const memory = g->engine->memory(g->work, &bytes);
        noe_energy_watch_forget(g->watch), noe_local_error_forget(g);
        memcpy(memory, x->begin, bytes);
        noe_singularity_guard_reset(g->guard);
        noe_integrator_moved(g);
    }
    if (x) x->known = x->landed = false;
    noe_event_step_set_reported(g, reported);
}
