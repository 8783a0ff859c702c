/* How long until det L_vv = 0, or a denominator?  How fast they fall says how many steps need not be looked at.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/barrier.h"

#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REST = 256,              /* steps that are not looked at, at most, */
       REST_BARRIER = 64 };      /* where there are denominators */
static const double LOW = 0.1;  /* m below which every look is a close one */

void noe_guard_reset(noe_guard *x)
{
    if (x) x->wait = x->since = 0, x->last = NAN, x->near = x->flat = 1;
}

void noe_guard_free(noe_guard *x)
{
    if (!x) return;
    free(x->q0), free(x->most), free(x->M), free(x->memory), free(x->u0), free(x->f_in);
    free(x);
}

static noe_guard *make(const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, inputs = (size_t)noe_tape_inputs(d->n);
    const size_t        slots = d->legendre ? (size_t)d->legendre->slots : 0, outputs = n + 1 + n * n;
    noe_guard          *x = noe_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = d->n;
    x->q0 = noe_alloc(3 * n + slots + inputs + outputs, sizeof *x->q0);
    x->most = noe_alloc(n + slots + 4 * n + 4 * n * n, sizeof *x->most);
    x->M = noe_alloc(n * n, sizeof *x->M);
    if (!g->guest) g->core->memory(g->work, &x->bytes);
    x->memory = noe_alloc(1, x->bytes + 1);
    if (!x->q0 || !x->most || !x->M || !x->memory) return noe_guard_free(x), NULL;
    x->q = x->q0 + n, x->v = x->q + n, x->wide = x->v + n, x->in = x->wide + slots, x->out = x->in + inputs;
    x->slot = x->most + n, x->z = x->slot + slots, x->grad = x->z + 2 * n, x->hess = x->grad + 2 * n;
    noe_guard_reset(x);
    if (d->singular && d->n <= NOE_BARRIER_MOST) {
        const size_t u = (size_t)d->singular->outputs, f = (size_t)d->gradient->outputs, fs = (size_t)d->gradient->slots;
        x->u0 = noe_alloc(4 * u + (size_t)d->singular->slots, sizeof *x->u0);
        x->f_in = noe_alloc(inputs + fs + f, sizeof *x->f_in);
        if (!x->u0 || !x->f_in) return noe_guard_free(x), NULL;
        x->u_half = x->u0 + u, x->u1 = x->u_half + u, x->u_there = x->u1 + u, x->u_slot = x->u_there + u;
        x->f_slot = x->f_in + inputs, x->f_out = x->f_slot + fs;
    }
    x->poles = d->mass_moves && d->n <= NOE_GUARD_MOST;
    return x;
}

bool noe_guard_ready(noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const bool poles = d->mass_moves && d->n <= NOE_GUARD_MOST, barriers = d->singular && d->n <= NOE_BARRIER_MOST;
    if (!poles && !barriers) return false;
    return g->guard || (g->guard = make(g));
}

int noe_guard_rest(noe_integrator *g)
{
    if (!noe_guard_ready(g)) return INT_MAX;
    return g->guard->wait > 0 ? g->guard->wait : 0;
}

void noe_guard_skip(noe_integrator *g, int steps)
{
    if (!noe_guard_ready(g)) return;
    g->guard->since += steps;
    g->guard->wait -= steps;
}

bool noe_guard_due(noe_integrator *g)
{
    size_t bytes;
    if (!noe_guard_ready(g)) return false;
    noe_guard *x = g->guard;
    x->since++;
    if (x->wait-- > 0) return false;
    if (!g->guest) memcpy(x->memory, g->core->memory(g->work, &bytes), x->bytes);
    g->core->get(g->work, NOE_AT_T, g->member, &x->t0);
    g->core->get(g->work, NOE_AT_Q, g->member, x->q0);
    return true;
}

/* A step is looked at closely when m is low or has changed by much since the last look; else the next look
 * comes after a quarter of the steps in which m would be 0 at this rate. */
static bool pole_between(const noe_way *w)
{
    noe_guard   *x = w->g->guard;
    const double m = fabs(noe_pole_pivot(w, 1)), change = fabs(m - x->last) / x->since;
    noe_pole     here = { .dip = 1 };
    if (!(m > LOW && change * x->since < m / 2) && noe_pole_find(w, &here)) return true;
    if (here.dip < x->flat) x->flat = here.dip, x->flat_t = (double)w->t1;
    x->wait = !(change >= 0) ? 0 : 4 * REST * change <= m ? REST : (int)(m / (4 * change));
    x->last = m;
    return false;
}

static bool barrier_between(const noe_way *w)
{
    noe_guard             *x = w->g->guard;
    const noe_barrier_look y = noe_barrier_between(w);
    x->share = y.share;
    if (y.passed) return true;
    if (y.near < x->near) x->near = y.near, x->near_t = (double)w->t1;
    const int rest = y.calm < REST_BARRIER ? (int)y.calm : REST_BARRIER;
    if (!x->poles || rest < x->wait) x->wait = rest;
    return false;
}

noe_passed noe_guard_passed(noe_integrator *g, quad *t1, quad *q1)
{
    noe_guard *x = g->guard;
    size_t     bytes;
    g->core->get(g->work, NOE_AT_T, g->member, t1);
    g->core->get(g->work, NOE_AT_Q, g->member, q1);
    const noe_way    w = { g, x->t0, *t1, x->q0, q1 };
    const noe_passed what = x->poles && pole_between(&w) ? NOE_PASSED_POLE
                          : x->u0 && barrier_between(&w) ? NOE_PASSED_SINGULARITY : NOE_PASSED_NOTHING;
    x->since = 0;
    if (!what) return what;
    if (!g->guest) memcpy(g->core->memory(g->work, &bytes), x->memory, x->bytes);
    const double near = x->near, near_t = x->near_t, flat = x->flat, flat_t = x->flat_t;
    noe_guard_reset(x);
    x->near = near, x->near_t = near_t, x->flat = flat, x->flat_t = flat_t;
    return what;
}
