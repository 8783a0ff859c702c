/* Events for programs in C: the next event, an observer of all events, the present event's name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Watches: keeps the engine state at an event. */
static int keep(void *ctx, noe_integrator *at, int event)
{
    noe_event_queue *x = ctx;
    const void      *memory = at->engine->memory(at->work, &x->bytes);
    if (x->count == x->capacity) {
        const int capacity = x->capacity ? 2 * x->capacity : 8;
        char     *wider = realloc(x->memory, (size_t)capacity * x->bytes);
        int      *events = wider ? realloc(x->event, (size_t)capacity * sizeof *events) : NULL;
        if (wider) x->memory = wider;
        if (!events) return x->lost = true;
        x->event = events, x->capacity = capacity;
    }
    memcpy(x->memory + (size_t)x->count * x->bytes, memory, x->bytes);
    x->event[x->count++] = event;
    return 0;
}

static noe_event_queue *queue(noe_integrator *g)
{
    noe_event_state *x = g->events;
    if (x->queue) return x->queue;
    noe_event_queue *made = noe_status_alloc(1, sizeof *made);
    noe_method      *f = noe_method_parse(g->method);
    quad             h;
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    if (made && f && (made->reader = noe_integrator_make(g->system, f, h, g->digits))) {
        made->reader->ready = made->reader->continued = true;
        x->queue = made;
    } else free(made), made = NULL;
    noe_method_free(f);
    return made;
}

/* The first event of the queue. */
static const noe_integrator *to_reader(noe_event_queue *x)
{
    noe_integrator *y = x->reader;
    size_t          bytes;
    memcpy(y->engine->memory(y->work, &bytes), x->memory + (size_t)x->at * x->bytes, x->bytes);
    noe_integrator_moved(y);
    y->event = 1 + x->event[x->at++];
    return y;
}

const noe_integrator *noe_next_event(noe_integrator *g, double until)
{
    if (!g || noe_event_step_attach(g)) return NULL;
    if (!g->events) {
        noe_status_fail(NOE_INVALID, "%s: the model has no events: 'event NAME: EXPR = EXPR'",
                        g->system->source);
        return NULL;
    }
    noe_event_queue *x = queue(g);
    if (!x) return NULL;
    if (x->at < x->count) return to_reader(x);
    const bool varies = noe_system_monitored(g->system);
    double     steps;
    bool       whole, arrived = false;
    noe_status s = noe_integrator_start_ready(g);
    if (!s)
        s = varies ? noe_advance_check_end(g, until, "until")
                   : noe_advance_count_steps(g, until, "until", &steps, &whole);
    noe_event_watcher *const watcher = g->events->watcher;
    void *const              ctx = g->events->ctx;
    x->count = x->at = 0, x->lost = false;
    g->events->watcher = keep, g->events->ctx = x;
    for (double k = 0; !s && !x->count && (varies ? !arrived : k < steps); k++)
        s = varies ? noe_advance_monitored(g, until, &arrived) : noe_step(g);
    g->events->watcher = watcher, g->events->ctx = ctx;
    if (x->lost) noe_status_fail(NOE_NO_MEMORY, "out of memory for the events of a step");
    return x->count && !x->lost ? to_reader(x) : NULL;
}

/* An observer in the place of a watcher. */
static int observe(void *ctx, noe_integrator *at, int event)
{
    const noe_event_state *x = ctx;
    (void)event;
    return x->observer(x->observer_ctx, at);
}

noe_status noe_watch(noe_integrator *g, noe_observer *observer, void *ctx)
{
    if (!g) return NOE_INVALID;
    const noe_status s = noe_event_step_attach(g);
    if (s) return s;
    if (!g->events)
        return noe_status_fail(NOE_INVALID,
                               "%s: the model has no events: 'event NAME: EXPR = EXPR'",
                               g->system->source);
    g->events->observer = observer, g->events->observer_ctx = ctx;
    g->events->watcher = observer ? observe : NULL, g->events->ctx = g->events;
    return NOE_OK;
}

const char *noe_event_name(const noe_integrator *g)
{
    return g && g->event ? g->system->model->event[g->event - 1].name : NULL;
}
