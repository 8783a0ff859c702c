/* Starts an integrator from (q, v) or (q, p) at t0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "number/random.h"
#include "base/status.h"
#include "gradient/gradient.h"
#include "integrate/energy_watch.h"
#include "integrate/event_memory.h"
#include "integrate/monitor_check.h"
#include "integrate/singularity_guard.h"
#include "integrate/subnormal_mass.h"
#include "constraint/dead_point_watch.h"
#include "constraint/constrained_start.h"
#include "system/zero_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates up to which initial conditions are stored for a run that is made again. */
enum { REMEMBERED_MOST = 32 };

/* Stores the initial conditions for the solution in closed form, which is refused later where
 * memory runs out, and for noe_integrator_start_alike. */
static void remember(noe_integrator *g, const quad *t0, const quad *q, const quad *v, const quad *p,
                     const bool *momentum)
{
    const size_t n = (size_t)g->system->dyn.n, bytes = n * sizeof *q;
    if (n > REMEMBERED_MOST && !(g->system->model && g->system->model->exact)) return;
    if (!g->from)
        g->from = noe_status_alloc(4 * n, sizeof *g->from); /* the last n hold the flags */
    if (!g->from) return;
    g->from_t = *t0;
    g->from_momentum = (bool *)(g->from + 3 * n);
    memcpy(g->from, q, bytes), memcpy(g->from + n, v, bytes), memcpy(g->from + 2 * n, p, bytes);
    memcpy(g->from_momentum, momentum, n * sizeof *momentum);
}

/* The start failed with the message g->why: every later call returns the same error. */
static noe_status refuse(noe_integrator *g, noe_status why)
{
    g->ready = true;
    g->status = why;
    return noe_status_fail(why, "%s", g->why);
}

/* The start failed with the message that was set since there was none (`clean`), or `otherwise`. */
static noe_status refuse_as_told(noe_integrator *g, noe_status why, bool clean,
                                 const char *otherwise)
{
    snprintf(g->why, sizeof g->why, "%.599s", clean && noe_error() ? noe_error() : otherwise);
    return refuse(g, why);
}

/* Begins to measure the errors of energy and steps. */
static noe_status watch(noe_integrator *g)
{
    const noe_status unmeasured = noe_local_error_begin(g),
                     s = unmeasured ? unmeasured : noe_energy_error_begin(g);
    g->self = g, g->shortest_step = 0;
    return s ? s : noe_energy_watch_begin(&g->watch, &g->self, 1);
}

/* After a start of the engine: resets what was measured before, and sets the message where it
 * failed. */
static noe_status started(noe_integrator *g, unsigned failed)
{
    noe_integrator_moved(g);
    noe_singularity_guard_reset(g->guard);
    noe_dead_point_watch_free(g->dead_points), g->dead_points = NULL;
    if (g->events) g->events->known = g->events->again = false, g->events->fresh = true;
    g->ready = true;
    g->status = failed ? g->engine->why(g->work, g->member) : NOE_OK;
    if (!g->status && failed) return refuse_as_told(g, NOE_NO_MEMORY, false, "out of memory");
    if (!g->status) return watch(g);
    snprintf(
        g->why, sizeof g->why,
        g->status == NOE_SINGULAR
            ? "%.200s: the mass matrix L_vv is singular at the start: the velocities do not follow "
              "from the momenta there; start "
              "elsewhere or choose other coordinates"
            : "%.200s: L or its derivatives are not finite at the start: a division by zero, or a "
              "square root or logarithm of a "
              "negative number?",
        g->system->source);
    return refuse(g, g->status);
}

/* Does an L given as a function in C depend on t?  Compares L and its gradient at random states
 * around the start, at time t and at other times.  The same operations give the same bits: there is
 * no threshold. */
static bool contains_time(const noe_integrator *g, double t, const quad *q, const quad *v)
{
    enum { STATES = 8 };
    /* Standard deviation of the states, in units of 1 + |q|: nearer than those of the zero test,
     * since a function in C may be good near the start alone. */
    static const double REACH = 0.125;
    const noe_dynamics *d = &g->system->dyn;
    const int           n = d->n;
    double *z = noe_status_alloc(6 * (size_t)n + (size_t)g->params + 1, sizeof *z), *a = z + 2 * n,
           *b = a + 2 * n, *param = b + 2 * n;
    quad                 *x = noe_status_alloc(4 * (size_t)n, sizeof *x);
    const noe_zero_region around = { n, q, v, t, 0, x + 2 * n, x + 3 * n };
    uint64_t              seed = 23;
    bool                  differs = !z || !x; /* without memory: assume that it does */
    for (int i = 0; x && i < n; i++) around.q[i] = 1 + fabsq(q[i]), around.v[i] = 1 + fabsq(v[i]);
    for (int i = 0; !differs && i < g->params; i++) param[i] = (double)g->param[i];
    for (int k = 0; k < STATES && !differs; k++) {
        const double later = t + (1 + fabs(t)) * noe_random_normal(&seed);
        noe_zero_test_draw(&around, k ? REACH : 0, &seed, x, x + n);
        for (int i = 0; i < 2 * n; i++) z[i] = (double)x[i];
        const double now = d->L(t, z, param, a, NULL, d->ctx),
                     then = d->L(later, z, param, b, NULL, d->ctx);
        differs = isfinite(now) && isfinite(then)
               && (now != then || memcmp(a, b, 2 * (size_t)n * sizeof *a));
    }
    free(z), free(x);
    return differs;
}

/* A monitor must be positive at the start. */
static noe_status check_monitor(noe_integrator *g, const quad *t0, const quad *q)
{
    const quad G = noe_monitor_check_value(g, *t0, q);
    if (G > 0 && finiteq(G)) return NOE_OK;
    snprintf(
        g->why, sizeof g->why,
        "%.200s: the monitor is %.6g at the start: expected a positive number, to which the steps "
        "are "
        "proportional; add a constant to it or start elsewhere",
        g->system->source, (double)G);
    return refuse(g, NOE_INVALID);
}

/* Sets the state to t, positions that satisfy the constraints and momenta in their cotangent
 * space. */
static noe_status constrained(noe_integrator *g, quad t, const quad *given, const quad *v,
                              const quad *p, const bool *momentum)
{
    const size_t     n = (size_t)g->system->dyn.n;
    const bool       clean = !noe_error();
    const size_t     m = (size_t)g->system->dyn.constraints;
    quad            *q = noe_status_alloc(n + m, sizeof *q);
    const noe_status s = q ? (memcpy(q, given, n * sizeof *q),
                              noe_constrained_start_positions(g->system, g->param, t, q, q + n))
                           : NOE_NO_MEMORY;
    if (s) {
        free(q);
        return refuse_as_told(g, s, clean, "the start does not satisfy the constraints");
    }
    g->engine->set(g->work, NOE_AT_Q, 0, q);
    g->engine->set(g->work, NOE_AT_V, 0, v);
    g->engine->set(g->work, NOE_AT_P, 0, p);
    g->engine->set(g->work, NOE_AT_LEFT_OUT, 0, q + n);
    free(q);
    const unsigned failed = g->engine->start(g->work, momentum);
    return started(g, failed ? failed
                             : noe_constrained_start_momenta(g->system, g->param, g->engine,
                                                             g->work, g->member));
}

/* With a monitor: those of E or of the density, and of the fictitious step. */
static bool start_shift(noe_integrator *g, quad t, const quad *q, const quad *v, const quad *p,
                        const quad *S)
{
    const noe_dynamics *d = &g->system->dyn;
    const noe_row_state x = { .t = t, .q = q, .v = v, .p = p, .S = S };
    quad               *shift = noe_status_alloc(3 * (size_t)d->columns, sizeof *shift);
    quad                eps;
    g->engine->get(g->work, NOE_AT_FICTITIOUS, g->member, &eps);
    const bool ok = shift && noe_monitored_start_sensitivity(d, &g->stepped, eps, &x, shift);
    if (ok) g->engine->set(g->work, NOE_AT_SHIFT, g->member, shift);
    free(shift);
    return ok;
}

/* The derivatives at a start: the model's own, or from given values. */
static noe_status start_sensitivity(noe_integrator *g, bool own, const quad *t0, const quad *q0,
                                    const quad *v0, const quad *p0, const bool *momentum)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n;
    if (!d->columns) return NOE_OK;
    quad *q = noe_status_alloc(3 * n + (size_t)d->constraints + 2 * n * (size_t)d->columns,
                               sizeof *q),
         *v = q + n, *p = v + n, *left_out = p + n, *S = left_out + d->constraints;
    if (!q) return refuse(g, NOE_NO_MEMORY);
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    g->engine->get(g->work, NOE_AT_P, g->member, p);
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
    const bool clean = !noe_error(),
               ok = d->constraints ? noe_constrained_start_sensitivity_find(
                        d, left_out, own, *t0, q, v, p, v0, p0, momentum, S)
                                   : noe_start_sensitivity_find(d, own, momentum, *t0, q0, v, S);
    if (ok) g->engine->set(g->work, NOE_AT_SENSITIVITY, g->member, S);
    const bool known = !ok || !g->stepped.clock || start_shift(g, *t0, q, v, p, S);
    free(q);
    if (!known) return refuse(g, NOE_NO_MEMORY);
    if (ok) return NOE_OK;
    return refuse_as_told(g, NOE_NOT_FINITE, clean, "the start has no finite derivatives");
}

noe_status noe_integrator_start_from(noe_integrator *g, const quad *t0, const quad *q,
                                     const quad *v, const quad *p, const bool *momentum)
{
    const noe_engine *engine = g->engine;
    if (g->splits && !g->system->model && !g->system->dyn.structure) {
        const bool       clean = !noe_error();
        const noe_status unsuited = noe_splitting_check_system(g->system, g->method, q, g->param,
                                                               &g->splitting);
        if (unsuited)
            return refuse_as_told(g, unsuited, clean, "the method does not suit the system");
    }
    const noe_status unclocked = check_monitor(g, t0, q);
    if (unclocked) return unclocked;
    if (g->digits <= NOE_DIGITS_DOUBLE) {
        const bool       clean = !noe_error();
        const noe_status subnormal = noe_subnormal_mass_find(g, *t0, q, v);
        if (subnormal)
            return refuse_as_told(g, subnormal, clean, "a mass is below those of double");
    }
    if (g->system->dyn.L && !g->system->dyn.L_t)
        g->work_unknown = contains_time(g, (double)*t0, q, v);
    noe_integrator_drop_exact(g);
    remember(g, t0, q, v, p, momentum);
    engine->set(g->work, NOE_AT_T0, 0, t0);
    engine->set(g->work, NOE_AT_PARAM, 0, g->param);
    if (g->system->dyn.constraints) {
        const noe_status failed = constrained(g, *t0, q, v, p, momentum);
        return failed ? failed : start_sensitivity(g, false, t0, q, v, p, momentum);
    }
    engine->set(g->work, NOE_AT_Q, 0, q);
    engine->set(g->work, NOE_AT_V, 0, v);
    engine->set(g->work, NOE_AT_P, 0, p);
    const noe_status s = started(g, engine->start(g->work, momentum));
    return s ? s : start_sensitivity(g, false, t0, q, v, p, momentum);
}

/* Notes which of the velocities that the model gives were changed by the projection onto the
 * constraints, by more than rounding of the ten digits that a start is written with. */
static void note_projection(noe_integrator *g)
{
    static const double WRITTEN = 1e-9;
    const noe_model    *m = g->system->model;
    const int           n = g->system->dyn.n;
    int                 count = 0;
    quad                v[n], most = 0;
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    for (int i = 0; i < n; i++) most = fmaxq(most, fmaxq(fabsq(m->begin[i].v), fabsq(v[i])));
    *g->projected = 0;
    for (int i = 0; i < n; i++) {
        const noe_begin *b = &m->begin[i];
        if (!b->has_v || b->has_p || !(fabsq(v[i] - b->v) > WRITTEN * most)) continue;
        if (!count++)
            snprintf(g->projected, sizeof g->projected, "%.60s' begins at %.10g, not at %.10g",
                     m->coordinate[i]->name, (double)v[i], (double)b->v);
    }
    if (count > 1)
        noe_status_append(g->projected, sizeof g->projected, "; %d more differ", count - 1);
}

noe_status noe_integrator_start_ready(noe_integrator *g)
{
    if (g->ready) return g->status ? noe_status_fail(g->status, "%s", g->why) : NOE_OK;
    if (g->engine->begin && !noe_integrator_uses_sums(g))
        return started(g,
                       g->engine->begin(g->work)); /* from the model's expressions, in all digits */
    const noe_model *m = g->system->model;
    const int        n = g->system->dyn.n;
    const quad       zero = 0;
    quad            *x = noe_status_alloc(3 * (size_t)n, sizeof *x);
    bool            *momentum = noe_status_alloc((size_t)n, sizeof *momentum);
    noe_status       s = NOE_NO_MEMORY;
    if (x && momentum) {
        for (int i = 0; i < n && g->dof; i++) momentum[i] = false;
        for (int i = 0; g->dof && i < g->system->dyn.groups->places; i++)
            if (g->dof[i] >= 0)
                x[g->dof[i]] = g->system->dyn.groups->q[i],
                x[n + g->dof[i]] = g->system->dyn.groups->v[i];
        for (int i = 0; i < n && m && !g->dof; i++) {
            x[i] = m->begin[i].q, x[n + i] = m->begin[i].v, x[2 * n + i] = m->begin[i].p;
            momentum[i] = m->begin[i].has_p;
        }
        s = noe_integrator_start_from(g, m ? &m->t0 : &zero, x, x + n, x + 2 * n, momentum);
        if (!s && m && g->system->dyn.constraints) note_projection(g);
        if (!s && m) s = start_sensitivity(g, true, &m->t0, x, x + n, x + 2 * n, momentum);
        free(g->from);
        g->from = NULL; /* the closed form takes the model's own values, in all digits */
    }
    free(x);
    free(momentum);
    return s;
}

noe_status noe_integrator_start_alike(noe_integrator *g, const noe_integrator *other)
{
    const size_t n = (size_t)g->system->dyn.n;
    const quad  *x = other->from;
    return x ? noe_integrator_start_from(g, &other->from_t, x, x + n, x + 2 * n,
                                         other->from_momentum)
             : noe_integrator_start_ready(g);
}

static noe_status start_from(noe_integrator *g, double t, const double *q, const double *z,
                             bool momenta)
{
    if (!g || !q || !z) return NOE_INVALID;
    if (!isfinite(t))
        return noe_status_fail(NOE_INVALID, "cannot start at t = %g: expected a finite time", t);
    const int  n = g->system->dyn.n;
    const quad t0 = t;
    quad      *x = noe_status_alloc(2 * (size_t)n, sizeof *x);
    bool      *momentum = noe_status_alloc((size_t)n, sizeof *momentum);
    noe_status s = NOE_NO_MEMORY;
    if (x && momentum) {
        for (int i = 0; i < n; i++) x[i] = q[i], x[n + i] = z[i], momentum[i] = momenta;
        s = noe_integrator_start_from(g, &t0, x, x + n, x + n, momentum);
    }
    free(x);
    free(momentum);
    return s;
}

noe_status noe_start(noe_integrator *g, double t, const double *q, const double *v)
{
    return start_from(g, t, q, v, false);
}

noe_status noe_start_momentum(noe_integrator *g, double t, const double *q, const double *p)
{
    return start_from(g, t, q, p, true);
}

bool noe_integrator_start_restore(noe_integrator *g, const void *memory, size_t bytes)
{
    const noe_engine_large *large = g->engine->large;
    size_t                  own = bytes;
    void                   *to = large && large->whole ? NULL : g->engine->memory(g->work, &own);
    if (own != bytes || (!to && !large->place_whole(g->work, memory, bytes))) return false;
    if (to) memcpy(to, memory, bytes);
    noe_integrator_moved(g);
    noe_singularity_guard_reset(g->guard);
    noe_dead_point_watch_free(g->dead_points), g->dead_points = NULL;
    if (g->events) g->events->known = g->events->again = false, g->events->fresh = true;
    g->ready = g->continued = true;
    g->status = NOE_OK;
    return !watch(g);
}
