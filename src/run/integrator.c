/* (q, v) or (q, p) at t0 -> an integrator that may step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/guard.h"

#include "base/status.h"
#include "linear/dense.h"
#include "linear/linear.h"
#include "run/route.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All but what steps it. */
enum { STRUCTURE_MOST = 1000 }; /* coordinates of which the derivative of a step is worked out */

static noe_integrator *blank(const noe_system *s, const noe_method *f, int digits)
{
    const bool splits = f->kind == NOE_SPLITTING;
    noe_suited suited = { 0 };
    if (splits && (s->model || s->dyn.structure) && !s->dyn.groups && noe_suits(s, f->name, NULL, NULL, &suited)) return NULL;
    const size_t    n = (size_t)s->dyn.n, slots = s->observe ? (size_t)s->observe->slots : 0;
    noe_integrator *g = noe_alloc(1, sizeof *g);
    if (!g) return NULL;
    g->system = s;
    g->params = s->dyn.params;
    g->digits = digits;
    strcpy(g->method, noe_method_name(f));
    g->splits = splits;
    g->freezes = splits && f->kick == NOE_KICK_FROZEN;
    g->in_v = f->in_v;
    g->suited = suited;
    g->x = noe_alloc(s->dyn.groups ? n + 1 : 3 * n + 2 + (size_t)noe_tape_inputs(s->dyn.n), sizeof *g->x);
    g->slot = noe_alloc(slots + 1, sizeof *g->slot);
    g->seen = noe_alloc((size_t)(s->model ? s->model->observables : 0) + 1, sizeof *g->seen);
    g->param = noe_alloc((size_t)g->params + 1, sizeof *g->param);
    g->q = noe_alloc(3 * n, sizeof *g->q);
    if (!g->x || !g->slot || !g->seen || !g->q || !g->param) {
        noe_integrator_free(g);
        return NULL;
    }
    g->v = g->q + n;
    g->p = g->v + n;
    return g;
}

static bool as_matrices(const noe_integrator *g) { return g->as.structure && g->as.structure != g->system->dyn.structure; }

/* Of a column of groups, the place is known; matrices have what moves. */
static bool number_places(noe_integrator *g)
{
    const noe_groups *x = g->system->dyn.groups;
    if (!x || !as_matrices(g)) return true;
    if (!(g->dof = noe_alloc((size_t)x->places + 1, sizeof *g->dof))) return false;
    for (int i = 0, k = 0; i < x->places; i++) g->dof[i] = x->inverse[i] != 0 ? k++ : -1;
    return true;
}

noe_integrator *noe_integrator_make(const noe_system *s, const noe_method *f, quad step, int digits)
{
    if (!s || !f) return NULL;
    if (!finiteq(step) || step == 0) {
        noe_fail(NOE_INVALID, "the step is %g: expected a finite number that is not zero", (double)step);
        return NULL;
    }
    if (s->dyn.groups && !f->variant && (digits > 15 || !noe_core_groups(s->dyn.groups, f)) && s->dyn.groups->places <= NOE_COORDINATES_MOST) {
        noe_system     *written = noe_system_written(s, f->name); /* what groups cannot do */
        noe_integrator *g = noe_integrator_make(written, f, step, digits);
        if (g) g->written = written;
        else noe_system_free(written);
        return g;
    }
    noe_integrator *g = blank(s, f, digits);
    if (!g) return NULL;
    g->core = noe_route(s, f, digits, &g->as);
    g->work = g->core ? g->core->make(&g->as, f) : NULL;
    if (!g->work || !number_places(g)) {
        noe_integrator_free(g);
        return NULL;
    }
    const quad many = digits;
    g->core->set(g->work, NOE_AT_DIGITS, 0, &many);
    g->core->set(g->work, NOE_AT_STEP, 0, &step);
    return g;
}

noe_integrator *noe_integrator_guest(const noe_core *core, void *work, int member, const noe_system *s, const noe_method *f,
                                     quad step)
{
    noe_integrator *g = blank(s, f, 15);
    if (!g) return NULL;
    g->core = core;
    g->work = work;
    g->member = member;
    g->guest = true;
    core->set(work, NOE_AT_STEP, member, &step);
    return g;
}
noe_integrator *noe_integrator_new(const noe_system *s, const noe_method *f, double step)
{
    return noe_integrator_make(s, f, step, 15);
}

void noe_integrator_free(noe_integrator *g)
{
    if (!g) return;
    if (g->work && !g->guest) g->core->drop(g->work);
    if (noe_integrator_lent(g)) noe_groups_drop(g->as.groups);
    if (as_matrices(g)) noe_linear_free(g->as.structure);
    free(g->dof);
    free(g->x);
    free(g->slot);
    free(g->seen);
    free(g->param);
    free(g->jacobian);
    noe_guard_free(g->guard);
    free(g->mark);
    free(g->from);
    noe_integrator_drop_exact(g);
    free(g->q);
    noe_integrator_free(g->twin);
    noe_system_free(g->written);
    free(g);
}

/* Where it starts, for the solution in closed form; without memory that is refused later. */
static void remember(noe_integrator *g, const quad *t0, const quad *q, const quad *v, const quad *p, const bool *momentum)
{
    const size_t n = (size_t)g->system->dyn.n, bytes = n * sizeof *q;
    if (!g->system->model || !g->system->model->exact) return;
    if (!g->from) g->from = noe_alloc(4 * n, sizeof *g->from); /* the last n hold the flags */
    if (!g->from) return;
    g->from_t = *t0;
    g->from_momentum = (bool *)(g->from + 3 * n);
    memcpy(g->from, q, bytes), memcpy(g->from + n, v, bytes), memcpy(g->from + 2 * n, p, bytes);
    memcpy(g->from_momentum, momentum, n * sizeof *momentum);
}

/* The core has been started: is it where it should be? */
static noe_status started(noe_integrator *g, unsigned failed)
{
    noe_integrator_moved(g);
    noe_guard_reset(g->guard);
    g->ready = true;
    g->state = failed ? g->core->why(g->work, g->member) : NOE_OK;
    if (g->state == NOE_SINGULAR)
        noe_fail(g->state, "%s: the mass matrix L_vv is singular at the start: the velocities do not follow from "
                 "the momenta there; start elsewhere or choose other coordinates", g->system->source);
    else if (g->state)
        noe_fail(g->state, "%s: L or its derivatives are not finite at the start: a division by zero, or a "
                 "square root or logarithm of a negative number?", g->system->source);
    return g->state;
}

noe_status noe_integrator_start(noe_integrator *g, const quad *t0, const quad *q, const quad *v, const quad *p,
                        const bool *momentum)
{
    const noe_core *core = g->core;
    if (g->splits && !g->system->model && !g->system->dyn.structure) {
        g->ready = true;
        g->state = noe_suits(g->system, g->method, q, g->param, &g->suited);
        if (g->state) return g->state;
    }
    noe_integrator_drop_exact(g);
    remember(g, t0, q, v, p, momentum);
    core->set(g->work, NOE_AT_T0, 0, t0);
    core->set(g->work, NOE_AT_Q, 0, q);
    core->set(g->work, NOE_AT_V, 0, v);
    core->set(g->work, NOE_AT_P, 0, p);
    core->set(g->work, NOE_AT_PARAM, 0, g->param);
    return started(g, core->start(g->work, momentum));
}

noe_status noe_integrator_ready(noe_integrator *g)
{
    if (g->ready) return g->state;
    if (g->core->begin && !noe_integrator_lent(g)) return started(g, g->core->begin(g->work)); /* from the model, to every digit */
    const noe_model *m = g->system->model;
    const int        n = g->system->dyn.n;
    const quad       zero = 0;
    quad            *x = noe_alloc(3 * (size_t)n, sizeof *x);
    bool            *momentum = noe_alloc((size_t)n, sizeof *momentum);
    noe_status       s = NOE_NO_MEMORY;
    if (x && momentum) {
        for (int i = 0; i < n && g->dof; i++) momentum[i] = false;
        for (int i = 0; g->dof && i < g->system->dyn.groups->places; i++)
            if (g->dof[i] >= 0) x[g->dof[i]] = g->system->dyn.groups->q[i], x[n + g->dof[i]] = g->system->dyn.groups->v[i];
        for (int i = 0; i < n && m && !g->dof; i++) {
            x[i] = m->begin[i].q, x[n + i] = m->begin[i].v, x[2 * n + i] = m->begin[i].p;
            momentum[i] = m->begin[i].has_p;
        }
        s = noe_integrator_start(g, m ? &m->t0 : &zero, x, x + n, x + 2 * n, momentum);
        free(g->from);
        g->from = NULL; /* it starts as the model says, to every digit */
    }
    free(x);
    free(momentum);
    return s;
}

static noe_status start_from(noe_integrator *g, double t, const double *q, const double *z, bool momenta)
{
    if (!g || !q || !z) return NOE_INVALID;
    if (!isfinite(t)) return noe_fail(NOE_INVALID, "cannot start at t = %g: expected a finite time", t);
    const int  n = g->system->dyn.n;
    const quad t0 = t;
    quad      *x = noe_alloc(2 * (size_t)n, sizeof *x);
    bool      *momentum = noe_alloc((size_t)n, sizeof *momentum);
    noe_status s = NOE_NO_MEMORY;
    if (x && momentum) {
        for (int i = 0; i < n; i++) x[i] = q[i], x[n + i] = z[i], momentum[i] = momenta;
        s = noe_integrator_start(g, &t0, x, x + n, x + n, momentum);
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

bool noe_integrator_restore(noe_integrator *g, const void *memory, size_t bytes)
{
    size_t own;
    void  *to = g->core->memory(g->work, &own);
    if (own != bytes) return false;
    memcpy(to, memory, bytes);
    noe_integrator_moved(g);
    noe_guard_reset(g->guard);
    g->ready = true;
    g->state = NOE_OK;
    return true;
}

noe_status noe_step_jacobian(noe_integrator *g, double *M)
{
    if (!g || !M) return NOE_INVALID;
    if (g->system->dyn.structure && g->system->dyn.n > STRUCTURE_MOST)
        return noe_fail(NOE_INVALID, "%s: the derivative of a step is a dense matrix, for structures of up to %d coordinates, not %d",
                        g->system->source, STRUCTURE_MOST, g->system->dyn.n);
    if (g->in_v)
        return noe_fail(NOE_INVALID, "%s steps (q, v): its derivative wants third derivatives of L, which no system "
                        "gives; take \"rk4\", or difference steps", g->method);
    if (g->digits > 33)
        return noe_fail(NOE_INVALID, "%d digits: the derivative of a step is computed in at most 33", g->digits);
    if (noe_integrator_ready(g)) return g->state;
    if (g->system->dyn.groups || noe_integrator_lent(g)) {
        if (g->system->dyn.n > NOE_WHOLE_MOST)
            return noe_fail(NOE_INVALID, "the derivative of a step is a dense matrix: up to %d coordinates", NOE_WHOLE_MOST);
        noe_integrator  *twin = noe_integrator_twin(g);
        const noe_status s = twin ? noe_step_jacobian(twin, M) : NOE_INVALID;
        return s ? s : noe_step(g);
    }
    if (!noe_integrator_has_jacobian(g))
        return noe_fail(NOE_INVALID, "%s: the derivative of a damped kick wants second derivatives of the forces, which "
                        "no system gives; take a Galerkin method, as \"simpson\", or difference steps", g->method);
    const size_t size = 4 * (size_t)g->system->dyn.n * (size_t)g->system->dyn.n;
    if (!g->jacobian) g->jacobian = noe_alloc(size, sizeof *g->jacobian);
    if (!g->jacobian) return NOE_NO_MEMORY;
    const noe_status s = noe_step(g);
    if (s) return s;
    if (!g->core->derivative(g->work, 0, g->jacobian))
        return noe_fail(NOE_NOT_FINITE, "the step from t = %.12g has no finite derivative: second derivatives of L "
                        "are infinite there, or the equations of the step singular; the state before the step is "
                        "kept; noe_step goes on without the derivative", noe_time(g));
    for (size_t i = 0; i < size; i++) M[i] = (double)g->jacobian[i];
    return NOE_OK;
}
