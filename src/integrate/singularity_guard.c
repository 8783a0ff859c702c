/* Singularity guard: which steps are checked for det L_vv = 0 or a singular L, and the checks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rate at which the least pivot of L_vv and the denominators of L fall towards 0 gives the
 * number of steps that need not be checked. */
#include "integrate/singularity_guard.h"

#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Steps without a check, at most. */
    SKIPPED_MOST = 256,
    /* The same where L has denominators. */
    SKIPPED_MOST_BARRIER = 64
};
/* Scaled least pivot m below which every check searches the whole step. */
static const double PIVOT_CLOSE = 0.1;

/* The next step is checked, and not compared with steps before it. */
static void forget_rates(noe_singularity_guard *x)
{
    x->wait = x->since = 0, x->follows = x->rated = false, x->last = NAN;
}

void noe_singularity_guard_reset(noe_singularity_guard *x)
{
    if (!x) return;
    forget_rates(x);
    x->least_u_ratio = x->least_m_ratio = 1, x->narrow_t = NAN;
    noe_lost_impulse_reset(x->impulse);
}

void noe_singularity_guard_set_back(noe_singularity_guard *x)
{
    if (x) forget_rates(x);
}

void noe_singularity_guard_free(noe_singularity_guard *x)
{
    if (!x) return;
    noe_lost_impulse_free(x->impulse);
    free(x->q), free(x->way), free(x->most), free(x->M), free(x->memory), free(x->u),
        free(x->u_slots), free(x->f_in);
    free(x);
}

static noe_singularity_guard *make(const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, inputs = (size_t)noe_tape_inputs(d->n);
    const size_t slots = d->legendre ? (size_t)d->legendre->slots : 0, outputs = n + 1 + n * n;
    noe_singularity_guard *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = d->n;
    x->q = noe_status_alloc(2 * n + slots + inputs + outputs, sizeof *x->q);
    x->way = noe_status_alloc(2 * n, sizeof *x->way);
    x->most = noe_status_alloc(n + slots + 4 * n + 4 * n * n, sizeof *x->most);
    x->M = noe_status_alloc(n * n, sizeof *x->M);
    if (!g->borrows_work && !g->engine->guard) g->engine->memory(g->work, &x->bytes);
    x->memory = noe_status_alloc(1, x->bytes + 1);
    if (!x->q || !x->way || !x->most || !x->M || !x->memory)
        return noe_singularity_guard_free(x), NULL;
    x->q0 = x->way, x->q1 = x->way + n, x->v = x->q + n, x->wide = x->v + n,
    x->in = x->wide + slots, x->out = x->in + inputs;
    x->slot = x->most + n, x->z = x->slot + slots, x->grad = x->z + 2 * n,
    x->hess = x->grad + 2 * n;
    noe_singularity_guard_reset(x);
    if (d->singular && d->n <= NOE_SINGULAR_BARRIER_MOST) {
        const size_t u = (size_t)d->singular->outputs, f = (size_t)d->gradient->outputs,
                     fs = (size_t)d->gradient->slots;
        x->u = noe_status_alloc(5 * u + (size_t)d->singular->slots, sizeof *x->u);
        x->f_in = noe_status_alloc(inputs + fs + f, sizeof *x->f_in);
        if (!x->u || !x->f_in) return noe_singularity_guard_free(x), NULL;
        x->u0 = x->u, x->u_half = x->u + u, x->u1 = x->u_half + u, x->u_there = x->u1 + u,
        x->u_rate = x->u_there + u, x->u_slot = x->u_rate + u;
        noe_tape_double_run(d->singular, x->u_slot); /* puts the constants in their slots */
        x->u_slots = noe_status_alloc((size_t)d->singular->slots, sizeof *x->u_slots);
        if (!x->u_slots) return noe_singularity_guard_free(x), NULL;
        for (int k = 0; k < d->singular->slots; k++)
            x->u_slots[k] = (noe_double_pair){ x->u_slot[k], x->u_slot[k] };
        x->f_slot = x->f_in + inputs, x->f_out = x->f_slot + fs;
        x->impulse = noe_lost_impulse_new(g);
    }
    x->checks_mass = d->mass_moves && d->n <= NOE_SINGULAR_MASS_MOST;
    return x;
}

bool noe_singularity_guard_ready(noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const bool          mass = d->mass_moves && d->n <= NOE_SINGULAR_MASS_MOST,
               barriers = d->singular && d->n <= NOE_SINGULAR_BARRIER_MOST;
    if (!mass && !barriers) return false;
    return g->guard || (g->guard = make(g));
}

int noe_singularity_guard_rest(noe_integrator *g)
{
    if (!noe_singularity_guard_ready(g)) return INT_MAX;
    return g->guard->wait > 0 ? g->guard->wait : 0;
}

void noe_singularity_guard_skip(noe_integrator *g, int steps)
{
    if (!noe_singularity_guard_ready(g)) return;
    g->guard->since += steps;
    g->guard->wait -= steps;
    if (steps) g->guard->follows = false;
}

/* Present t and q of the integrator. */
static void position(noe_integrator *g, double *t, double *q)
{
    noe_integrator_in_double(g, NOE_AT_T, t);
    noe_integrator_in_double(g, NOE_AT_Q, q);
}

/* Stores the state before a step.  An integrator that borrows its engine state neither stores nor
 * restores it: other trajectories share that state. */
static void save(noe_integrator *g)
{
    size_t bytes;
    if (g->borrows_work) return;
    if (g->engine->guard) g->engine->guard->save(g->work);
    else memcpy(g->guard->memory, g->engine->memory(g->work, &bytes), g->guard->bytes);
}

/* Restores the state before the step. */
static void restore(noe_integrator *g)
{
    size_t bytes;
    if (g->borrows_work) return;
    if (g->engine->guard) g->engine->guard->restore(g->work);
    else memcpy(g->engine->memory(g->work, &bytes), g->guard->memory, g->guard->bytes);
}

bool noe_singularity_guard_due(noe_integrator *g)
{
    if (!g->guard && !noe_singularity_guard_ready(g)) return false;
    noe_singularity_guard *x = g->guard;
    x->since++;
    if (x->wait-- > 0) return x->follows = false;
    save(g);
    if (x->follows) {
        double *const q = x->q0, *const u = x->u0;
        x->t0 = x->t1, x->q0 = x->q1, x->q1 = q, x->u0 = x->u1, x->u1 = u;
    } else position(g, &x->t0, x->q0);
    return true;
}

/* Is L_vv singular within the step?  The whole step is searched when m is low or has changed by
 * much since the last check.  In either case the next check comes after a quarter of the steps in
 * which m would fall to 0 at this rate. */
static bool mass_singular_between(const noe_step_path *w)
{
    noe_singularity_guard *x = w->g->guard;
    const double m = fabs(noe_singular_mass_pivot(w, 1)), change = fabs(m - x->last) / x->since;
    noe_singular_mass here = { .dip = 1 };
    if (!(m > PIVOT_CLOSE && change * x->since < m / 2) && noe_singular_mass_find(w, &here))
        return true;
    if (here.dip < x->least_m_ratio) x->least_m_ratio = here.dip, x->least_m_t = w->t1;
    x->wait = !(change >= 0)                 ? 0
            : 4 * SKIPPED_MOST * change <= m ? SKIPPED_MOST
                                             : (int)(m / (4 * change));
    x->last = m;
    return false;
}

/* Is L singular within the step?  Sets the number of steps until the next check. */
static bool barrier_between(const noe_step_path *w)
{
    noe_singularity_guard     *x = w->g->guard;
    const noe_singular_barrier y = noe_singular_barrier_between(w);
    x->share = y.share;
    if (y.passed) return true;
    if (y.narrow && isnan(x->narrow_t)) x->narrow_t = w->t1;
    if (y.jumps && x->impulse) noe_lost_impulse_add(w);
    if (y.near < x->least_u_ratio) x->least_u_ratio = y.near, x->least_u_t = w->t1;
    const int rest = y.calm < SKIPPED_MOST_BARRIER ? (int)y.calm : SKIPPED_MOST_BARRIER;
    if (!x->checks_mass || rest < x->wait) x->wait = rest;
    return false;
}

noe_passed noe_singularity_guard_passed(noe_integrator *g)
{
    noe_singularity_guard *x = g->guard;
    position(g, &x->t1, x->q1);
    /* an engine with several members has the polynomial of its first one at hand */
    const bool          curved = g->engine->events && g->engine->members == 1;
    const noe_step_path w = { g, x->t0, x->t1, x->q0, x->q1, curved };
    const noe_passed what = x->checks_mass && mass_singular_between(&w) ? NOE_PASSED_SINGULAR_MASS
                          : x->u && barrier_between(&w)                 ? NOE_PASSED_SINGULARITY
                                                                        : NOE_PASSED_NOTHING;
    x->since = 0, x->follows = true;
    if (!what) return what;
    restore(g);
    forget_rates(x);
    return what;
}
