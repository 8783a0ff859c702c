/* The place of an event that changes the motion: the states on both sides, and derivatives there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_place.h"

#include "base/status.h"
#include "gradient/adjoint_tapes.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

quad noe_event_place_slope(const noe_event_place *x, int row, const quad *z, int c)
{
    quad sum = 0;
    for (const noe_row_entry *e = x->y->entry; e < x->y->entry + x->y->entries; e++) {
        if (e->row != row) continue;
        if (e->leaf < x->leaves) sum += x->out[e->output] * z[e->leaf];
        else if (e->leaf == x->leaves + c) sum += x->out[e->output];
    }
    return sum;
}

void noe_event_place_rest(const noe_event_place *x, const noe_state_jet *jet, const quad *z, int c,
                          quad *to)
{
    const int n = x->n;
    for (int i = 0; i < n; i++) {
        to[i] = (c < 0 ? 0 : jet->P[c * n + i]) + (jet->P_t ? jet->P_t[i] * z[3 * n + 1] : 0);
        for (int j = 0; j < n; j++) to[i] += jet->G[i * n + j] * z[j];
    }
}

bool noe_event_place_divide(const noe_event_place *x, const noe_state_jet *jet, quad *dp)
{
    const int n = x->n;
    quad      M[n * n];
    memcpy(M, jet->M, sizeof M);
    return noe_small_solve_columns(M, n, dp, 1);
}

bool noe_event_place_complete(const noe_event_place *x, quad *z, int c)
{
    const int n = x->n;
    quad      rest[n];
    noe_event_place_rest(x, &x->before, z, c, rest);
    for (int i = 0; i < n; i++) z[n + i] = z[2 * n + i] - rest[i];
    if (!noe_event_place_divide(x, &x->before, z + n)) return false;
    z[3 * n] = 0;
    z[3 * n] = noe_event_place_slope(x, 0, z, c);
    return true;
}

/* The direction along the end of the step that led to the event; at its beginning that of the
 * motion itself. */
static bool along_end(const noe_event_place *x, noe_integrator *at, quad tau)
{
    const int   n = x->n;
    quad *const z = x->end, by[4 * n];
    z[3 * n + 1] = 1;
    if (tau == 0) {
        memcpy(z, x->v, (size_t)n * sizeof *z);
        memcpy(z + 2 * n, x->before.F, (size_t)n * sizeof *z);
    } else {
        if (!at->engine->events->by_times(at->work, by)) return false;
        memcpy(z, by + 2 * n, (size_t)n * sizeof *z);
        memcpy(z + 2 * n, by + 3 * n, (size_t)n * sizeof *z);
    }
    return noe_event_place_complete(x, z, -1);
}

noe_status noe_event_place_refuse(const noe_event_state *x, const noe_integrator *at, int k,
                                  const char *why)
{
    return noe_status_fail(NOE_NOT_FINITE,
                           "t = %.12g: the motion has no derivative beyond the event '%.60s': %s",
                           noe_time(at), x->model->event[k].name, why);
}

bool noe_event_place_make(noe_event_place *x, const noe_dynamics *d, const noe_event_derivatives *y,
                          const quad *in, const quad *v_after, const quad *p_after)
{
    const int    n = d->n;
    const size_t numbers = (size_t)n, inputs = (size_t)noe_tape_inputs(n);
    *x = (noe_event_place){ .y = y, .n = n, .leaves = 3 * n + 2 };
    quad *at = x->memory = noe_status_alloc(
        inputs + 5 * numbers + 2 + (size_t)(y->tape->slots + y->tape->outputs), sizeof *at);
    if (!at) return false;
    x->in = at, at += inputs;
    x->v_after = at, x->p_after = at + n, x->end = at + 2 * n, at = x->end + x->leaves;
    memcpy(x->in, in, inputs * sizeof *in);
    memcpy(x->v_after, v_after, numbers * sizeof *in);
    memcpy(x->p_after, p_after, numbers * sizeof *in);
    x->q = x->in + noe_tape_input(NOE_Q, 0, n), x->v = x->in + noe_tape_input(NOE_V, 0, n);
    x->p = x->in + noe_tape_input(NOE_P, 0, n);
    noe_tape_quad_run(y->tape, x->in, at, at + y->tape->slots);
    x->out = at + y->tape->slots;
    x->jet[0] = noe_state_jet_at(d, x->in[0], x->q, x->v, &x->before);
    x->jet[1] = noe_state_jet_at(d, x->in[0], x->q, x->v_after, &x->after);
    return x->jet[0] && x->jet[1];
}

void noe_event_place_drop(noe_event_place *x) { free(x->memory), free(x->jet[0]), free(x->jet[1]); }

noe_status noe_event_place_find(noe_event_state *s, noe_integrator *at, int k, quad tau,
                                const quad *before, const quad *after, noe_event_place *x)
{
    const noe_dynamics *d = &at->system->dyn;
    const int           n = d->n;
    quad                v[n];
    *x = (noe_event_place){ .n = n };
    if (s->changes++)
        return noe_event_place_refuse(s, at, k, "two events change the motion at the same time");
    at->engine->set(at->work, NOE_AT_P, 0, before);
    noe_integrator_moved(at);
    noe_event_state_inputs(s, at);
    noe_integrator_state_get(at, NOE_AT_ENERGY, s->in + noe_tape_input(NOE_H, 0, n));
    at->engine->set(at->work, NOE_AT_P, 0, after);
    noe_integrator_moved(at);
    noe_integrator_state_get(at, NOE_AT_V, v);
    const noe_gradient *by = d->adjoint ? d->adjoint->events : d->by;
    if (!noe_event_place_make(x, d, &by->event[k], s->in, v, after)) return NOE_NO_MEMORY;
    if (!along_end(x, at, tau))
        return noe_event_place_refuse(s, at, k,
                                      "the step to it has no finite derivative by its length");
    x->rate = noe_event_place_slope(x, 1, x->end, -1);
    if (x->rate == 0 || !finiteq(x->rate))
        return noe_event_place_refuse(s, at, k,
                                      "the motion touches the surface and does not cross it");
    return NOE_OK;
}
