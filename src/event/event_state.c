/* Events of an integrator: memory, and event functions at a state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_state.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static void place(noe_event_end *e, double **at, size_t n, size_t outputs)
{
    e->q = *at, e->v = e->q + n, e->p = e->v + n, e->out = e->p + n;
    *at = e->out + outputs;
}

/* The slots of the tapes of single functions, in one block; false without memory. */
static bool make_values(noe_event_state *x)
{
    const noe_event_tapes *tapes = x->tapes;
    size_t                 slots = 0;
    for (int k = 0; k < tapes->count; k++) slots += (size_t)tapes->value[k]->slots;
    x->value = noe_status_alloc((size_t)tapes->count, sizeof *x->value);
    double *at = x->value ? noe_status_alloc(slots, sizeof *at) : NULL;
    for (int k = 0; k < tapes->count && at; k++) {
        x->value[k] = at, at += tapes->value[k]->slots;
        noe_tape_double_run(tapes->value[k], x->value[k]); /* fills in the constants */
    }
    return at != NULL;
}

noe_event_state *noe_event_state_new(noe_integrator *g)
{
    const noe_event_tapes *tapes = g->system->events;
    noe_event_state       *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, count = (size_t)tapes->count,
                 watched = (size_t)tapes->watch->outputs;
    size_t inputs = (size_t)noe_tape_inputs(d->n), slots = (size_t)tapes->watch->slots, bytes;
    size_t outputs = watched + n + 1;
    for (size_t k = 0; k < count; k++) {
        const noe_tape *then = tapes->then[k];
        if (then && (size_t)then->slots > slots) slots = (size_t)then->slots;
        if (then && (size_t)then->outputs > outputs) outputs = (size_t)then->outputs;
    }
    if (d->legendre && (size_t)d->legendre->slots > slots) slots = (size_t)d->legendre->slots;
    if (d->legendre && (size_t)d->legendre->outputs > outputs)
        outputs = (size_t)d->legendre->outputs;
    *x = (noe_event_state){ .tapes = tapes,
                            .model = g->system->model,
                            .n = d->n,
                            .stopped = -1,
                            .stop_at = -1,
                            .fresh = true };
    x->slot = noe_status_alloc((size_t)tapes->watch->slots, sizeof *x->slot);
    x->in = noe_status_alloc(inputs + slots + outputs, sizeof *x->in);
    x->memory = noe_status_alloc(8 * n + 2 * watched, sizeof *x->memory);
    x->tally = noe_status_alloc(count, sizeof *x->tally);
    g->engine->memory(g->work, &bytes);
    x->begin = noe_status_alloc(1, bytes), x->turned = noe_status_alloc(1, bytes);
    const size_t columns = (size_t)d->columns;
    x->after = columns ? noe_status_alloc((2 * n + 1) * columns, sizeof *x->after) : NULL;
    if (columns && !x->after) return noe_event_memory_free(x), NULL;
    if (!make_values(x) || !x->slot || !x->in || !x->memory || !x->tally || !x->begin || !x->turned)
        return noe_event_memory_free(x), NULL;
    x->wide = x->in + inputs, x->out = x->wide + slots;
    double *at = x->memory;
    place(&x->a, &at, n, watched), place(&x->b, &at, n, watched);
    x->q = at, x->v = at + n;
    noe_tape_double_run(tapes->watch, x->slot); /* fills in the constants */
    return x;
}

void noe_event_state_inputs(noe_event_state *x, noe_integrator *g)
{
    const int n = x->n;
    noe_integrator_state_get(g, NOE_AT_T, x->in);
    noe_integrator_state_get(g, NOE_AT_Q, x->in + noe_tape_input(NOE_Q, 0, n));
    noe_integrator_state_get(g, NOE_AT_V, x->in + noe_tape_input(NOE_V, 0, n));
    noe_integrator_state_get(g, NOE_AT_P, x->in + noe_tape_input(NOE_P, 0, n));
    if (x->tapes->heeds_momenta)
        noe_integrator_state_get(g, NOE_AT_ENERGY, x->in + noe_tape_input(NOE_H, 0, n));
}

quad noe_event_state_value(noe_event_state *x, noe_integrator *g, int k)
{
    noe_event_state_inputs(x, g);
    noe_tape_quad_run(x->tapes->watch, x->in, x->wide, x->out);
    return x->out[k * NOE_WATCHED + NOE_WATCH_VALUE];
}

void noe_event_state_read(noe_event_state *x, noe_integrator *g, noe_event_end *e)
{
    const int n = x->n;
    noe_event_state_inputs(x, g);
    e->t = x->in[0];
    for (int i = 0; i < noe_tape_inputs(n); i++) x->slot[i] = (double)x->in[i];
    memcpy(e->q, x->slot + noe_tape_input(NOE_Q, 0, n), (size_t)n * sizeof *e->q);
    memcpy(e->v, x->slot + noe_tape_input(NOE_V, 0, n), (size_t)n * sizeof *e->v);
    memcpy(e->p, x->slot + noe_tape_input(NOE_P, 0, n), (size_t)n * sizeof *e->p);
    e->H = x->slot[noe_tape_input(NOE_H, 0, n)];
    noe_tape_double_run_again(x->tapes->watch, x->slot);
    for (int i = 0; i < x->tapes->watch->outputs; i++) e->out[i] = x->slot[x->tapes->watch->out[i]];
}
