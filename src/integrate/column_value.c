/* Value of a column at the present state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "gradient/gradient.h"
#include "integrate/integrator.h"
#include "sums/term_evaluation.h"
#include "constraint/constraint_point.h"
#include "tape/left_out_bounds.h"

#include <math.h>
#include <stdlib.h>

/* The observables of a system of sums that is stepped as matrices. */
static bool observe_groups(noe_integrator *g)
{
    const noe_sums *x = g->system->dyn.groups;
    const size_t    capacity = (size_t)x->places + NOE_TERM_BLOCK;
    double *q = noe_status_alloc(3 * capacity, sizeof *q), *v = q + capacity, *p = v + capacity;
    if (!q) return false;
    for (int i = 0; i < x->places; i++) {
        const int k = g->dof[i];
        q[i] = k < 0 ? x->q[i] : noe_q(g)[k];
        if (k >= 0) v[i] = noe_v(g)[k], p[i] = noe_p(g)[k];
    }
    const bool ok = noe_sums_observables_evaluate(x, noe_sums_dispatch()->total, noe_time(g),
                                                  noe_get(g, "energy"), q, v, p, g->seen);
    free(q);
    return ok;
}

/* Evaluates all observables, once for each state. */
static void observe(noe_integrator *g)
{
    const noe_engine *engine = g->engine;
    const int         n = g->system->dyn.n;
    quad             *input = g->x;
    if (g->fresh_seen) return;
    if (engine->large && engine->large->observe && !noe_integrator_uses_sums(g)) {
        noe_integrator_start_ready(g);
        g->fresh_seen = engine->large->observe(g->work, g->seen);
        return;
    }
    if (g->dof) {
        g->fresh_seen = observe_groups(g);
        return;
    }
    noe_integrator_state_get(g, NOE_AT_T, input);
    engine->get(g->work, NOE_AT_ENERGY, g->member, input + noe_tape_input(NOE_H, 0, n));
    engine->get(g->work, NOE_AT_Q, g->member, input + noe_tape_input(NOE_Q, 0, n));
    engine->get(g->work, NOE_AT_V, g->member, input + noe_tape_input(NOE_V, 0, n));
    engine->get(g->work, NOE_AT_P, g->member, input + noe_tape_input(NOE_P, 0, n));
    noe_tape_quad_run(g->system->observe, input, g->slot, g->seen);
    g->fresh_seen = true;
}

/* Columns of a constraint, from the state alone.  The force is the multiplier lambda of the
 * equation that the second derivative of the constraint gives, (G M^-1 G^T) lambda = -(G M^-1 (F
 * - L_vq v - L_vt) + v.g_qq v + 2 g_qt v + g_tt).  It has the order of the state; the
 * multipliers of steps have not. */
static quad constraint(noe_integrator *g, const noe_column *c)
{
    const int n = g->system->dyn.n, m = g->system->dyn.constraints;
    if (!g->point) {
        g->point = noe_constraint_point_new(&g->system->dyn);
        g->fresh_point = false;
    }
    if (!g->reaction) g->reaction = noe_status_alloc((size_t)m, sizeof *g->reaction);
    if (!g->point || !g->reaction) return NAN;
    if (!g->fresh_point) {
        quad t, *q = g->x, *v = g->x + n;
        noe_integrator_state_get(g, NOE_AT_T, &t);
        g->engine->get(g->work, NOE_AT_Q, g->member, q);
        g->engine->get(g->work, NOE_AT_V, g->member, v);
        noe_redundant_constraints_at(g, g->point, t, q, v, NOE_DEPENDENT_ROUNDING);
        noe_constraint_point_multipliers(g->point, g->reaction);
        g->fresh_point = true;
    }
    if (c->kind == NOE_COL_CONSTRAINT) return g->point->g[c->index];
    int left_out = 0;
    for (int a = 0; a < m; a++) left_out += g->point->left_out[a];
    return g->point->regular && g->point->rank + left_out == m ? g->reaction[c->index] : (quad)NAN;
}

/* The derivative of a column by number c->by - 1 of the parameters and starts. */
static quad derivative(noe_integrator *g, const noe_column *c)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n;
    const int           k = d->columns, by = c->by - 1;
    noe_row_state       s;
    quad *x = noe_status_alloc(3 * n + 2 * n * (size_t)k, sizeof *x), *S = x + 3 * n, value = NAN;
    if (!x) return NAN;
    noe_integrator_state_get(g, NOE_AT_SENSITIVITY, S);
    if (g->status) value = NAN;
    else if (c->kind == NOE_COL_AT && c->at == NOE_AT_Q) value = S[c->index * k + by];
    else if (c->kind == NOE_COL_AT && c->at == NOE_AT_P) value = S[(d->n + c->index) * k + by];
    else {
        g->engine->get(g->work, NOE_AT_T, g->member, &s.t);
        g->engine->get(g->work, NOE_AT_ENERGY, g->member, &s.H);
        g->engine->get(g->work, NOE_AT_Q, g->member, x);
        g->engine->get(g->work, NOE_AT_V, g->member, x + n);
        g->engine->get(g->work, NOE_AT_P, g->member, x + 2 * n);
        s.q = x, s.v = x + n, s.p = x + 2 * n, s.S = S;
        value = c->kind == NOE_COL_AT && c->at == NOE_AT_V
                  ? noe_row_derivative_of_velocity(d, &s, c->index, by)
                  : noe_row_derivative_of_row(d, &s, c->kind == NOE_COL_AT ? 0 : 1 + c->index, by);
    }
    free(x);
    return value;
}

quad noe_column_value(noe_integrator *g, const noe_column *c)
{
    if (c->by) return derivative(g, c);
    if (c->exact) return noe_exact_column_value(g, c, NULL);
    if (c->kind == NOE_COL_EVENT) return g->event;
    if (c->kind == NOE_COL_REACTION || c->kind == NOE_COL_CONSTRAINT) return constraint(g, c);
    if (c->kind == NOE_COL_PARAMETER)
        return g->system->model ? g->system->model->param[c->index] : g->param[c->index];
    if (c->kind == NOE_COL_OBSERVABLE) {
        observe(g);
        return g->seen[c->index];
    }
    if (c->kind != NOE_COL_AT) return noe_integrator_option_value(g, c);
    if (g->engine->large && !noe_integrator_uses_sums(g)
        && (c->at == NOE_AT_Q || c->at == NOE_AT_V || c->at == NOE_AT_P)) {
        noe_integrator_start_ready(g);
        return g->engine->large->one(g->work, c->at, g->dof ? g->dof[c->index] : c->index);
    }
    noe_integrator_state_get(g, c->at, g->x);
    if (g->work_unknown && (c->at == NOE_AT_WORK || c->at == NOE_AT_BALANCE)) return NAN;
    return g->x[c->index];
}

double noe_get(const noe_integrator *g, const char *name)
{
    noe_column c;
    if (!g || !name) return NAN;
    if (noe_column_name_find(g->system, name, &c))
        return (double)noe_column_value((noe_integrator *)g, &c);
    noe_column_name_refuse(g->system, name);
    return NAN;
}
