/* L, forces, cost and final conditions -> F, P/h, h l, .. as tapes with exact derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/control_functions.h"

#include "base/status.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

#include <stdlib.h>

#define MAKE(op, a, b) noe_simplify_make(g, op, a, b, 0)

/* Is the final condition a bound of one variable? */
static bool plain(const noe_model *m, const noe_bounded *c)
{
    const noe_op op = (noe_op)m->graph.node[c->x].op;
    return op == NOE_Q || op == NOE_V;
}

static noe_ex leaf(noe_graph *g, int coordinate) { return noe_graph_leaf(g, NOE_Q, coordinate); }

/* The number of the control that a parameter is, or -1. */
static int control(const noe_model *m, int param)
{
    for (int i = 0; i < m->optimal.controls; i++)
        if (m->optimal.control[i].param == param) return i;
    return -1;
}

/* Replaces t, velocities and controls by the inputs; at an end v stays. */
static void substitute(const noe_control_functions *f, bool end, noe_ex *e, int count)
{
    noe_model   *m = f->model;
    noe_graph   *g = &m->graph;
    noe_ex       t0;
    const noe_ex T = leaf(g, f->in.T), tau = leaf(g, f->in.tau);
    const noe_ex h = MAKE(NOE_MUL, T, leaf(g, f->in.part));
    t0 = m->has_t0 ? m->ex_t0 : noe_graph_number(g, 0);
    const noe_ex t = MAKE(NOE_ADD, t0, MAKE(NOE_MUL, tau, T));
    for (int k = 0, n = noe_evaluate_reach(g, e, count); k < n; k++) {
        const noe_ex   i = g->list[k];
        const noe_node x = g->node[i];
        const int      u = x.op == NOE_PARAM ? control(m, x.a) : -1;
        const noe_ex   y = u >= 0                ? leaf(g, f->in.u + u)
                         : x.op == NOE_T         ? t
                         : x.op == NOE_V && !end ? MAKE(NOE_DIV, i, h)
                                                 : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    for (int k = 0; k < count; k++) e[k] = g->bar[e[k]];
}

/* F [n], P [n], both before the substitution. */
static void equations(noe_control_functions *f, noe_ex *F, noe_ex *P, noe_ex *scratch)
{
    noe_model *m = f->model;
    noe_graph *g = &m->graph;
    const int  n = f->n;
    noe_force_statement_forces(m, F, scratch);
    noe_derivative_gradient(g, m->L, n, scratch);
    for (int j = 0; j < n; j++) {
        F[j] = MAKE(NOE_ADD, F[j], scratch[j]);
        P[j] = scratch[n + j];
    }
}

static bool make(noe_control_functions *f, noe_ex *e, noe_ex *y, noe_ex *multiplier)
{
    noe_model                 *m = f->model;
    noe_graph                 *g = &m->graph;
    const noe_control_problem *o = &m->optimal;
    const int                  n = f->n, nu = f->nu;
    const noe_ex               h = MAKE(NOE_MUL, leaf(g, f->in.T), leaf(g, f->in.part));
    for (int k = 0; k < 2 * n + 1 + f->rows; k++) multiplier[k] = leaf(g, f->in.m + k);
    equations(f, e, e + n, y);
    noe_ex *const end = e + 2 * n + 1;
    for (int j = 0; j < n; j++) end[j] = e[n + j];
    for (int k = 0; k < f->rows; k++) end[n + k] = o->final[f->row[k]].x;
    end[n + f->rows] = o->at_end;
    e[2 * n] = o->cost;
    substitute(f, false, e, 2 * n + 1);
    substitute(f, true, end, n + f->rows + 1);
    for (int j = 0; j < n; j++) e[n + j] = MAKE(NOE_DIV, e[n + j], h);
    for (int j = 0; j < n; j++) end[j] = MAKE(NOE_DIV, end[j], h);
    e[2 * n] = MAKE(NOE_MUL, h, e[2 * n]);
    for (int a = 0; a < n + nu + 1; a++) y[a] = leaf(g, a);
    for (int j = 0; j < n; j++) y[n + nu + 1 + j] = noe_graph_leaf(g, NOE_V, j);
    if (!noe_exact_derivatives_make(&f->node, g, m->param, f->in.n, e, 2 * n + 1, y, 2 * n + nu + 1,
                                    multiplier))
        return false;
    for (int j = 0; j < n; j++) y[n + j] = noe_graph_leaf(g, NOE_V, j);
    y[2 * n] = leaf(g, f->in.T);
    return noe_exact_derivatives_make(&f->end, g, m->param, f->in.n, end, n + f->rows + 1, y,
                                      2 * n + 1, multiplier);
}

bool noe_control_functions_make(noe_control_functions *f, const noe_model *of)
{
    jmp_buf stop;
    *f = (noe_control_functions){ .n = of->n, .nu = of->optimal.controls };
    noe_model *const m = f->model = noe_parse_model_text_as(NOE_MODEL_WRITTEN, of->name, of->text,
                                                            of->length, of->change, of->changes);
    if (!m) return false;
    const int n = f->n, nu = f->nu, finals = m->optimal.finals;
    f->row = noe_arena_array(m->arena, (size_t)finals, sizeof *f->row);
    const size_t values = 3 * (size_t)n + 2 + (size_t)finals;
    noe_ex      *e = noe_arena_array(m->arena, values, sizeof *e),
           *y = noe_arena_array(m->arena, 3 * (size_t)n + (size_t)nu + 2, sizeof *y),
           *multiplier = noe_arena_array(m->arena, values, sizeof *multiplier);
    if (!f->row || !e || !y || !multiplier) return false;
    for (int k = 0; k < finals; k++)
        if (!plain(m, &m->optimal.final[k])) f->row[f->rows++] = k;
    f->in = (noe_control_inputs){ n, n + nu, n + nu + 1, n + nu + 2, n + nu + 3, 0 };
    f->in.n = f->in.m + 2 * n + 1 + f->rows;
    m->graph.stop = &stop;
    bool ok = false;
    if (!setjmp(stop)) ok = make(f, e, y, multiplier);
    m->graph.stop = NULL;
    return ok;
}

void noe_control_functions_drop(noe_control_functions *f)
{
    noe_exact_derivatives_drop(&f->node);
    noe_exact_derivatives_drop(&f->end);
    noe_model_free(f->model);
    *f = (noe_control_functions){ 0 };
}
