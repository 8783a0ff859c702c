/* d/dc of sum_j y_j F_j and sum_j y_j P_j by all parameters c at once, of rows and of starts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "expr/derivative.h"
#include "gradient/adjoint_tapes.h"

#include <stdlib.h>

typedef struct {
    noe_model         *m;
    noe_arena         *arena;
    noe_dynamics      *d;
    noe_adjoint_tapes *to;
    noe_ex            *by; /* [params] scratch */
} maker;

static void *take(maker *x, size_t n, size_t size)
{
    return noe_arena_need(x->arena, x->m->graph.stop, n, size);
}

/* The tape of the derivatives of sum_j y_j f_j that are not 0; their parameters in *which. */
static bool weighted(maker *x, const noe_ex *f, noe_tape **tape, int **which)
{
    noe_model *m = x->m;
    noe_graph *g = &m->graph;
    noe_ex     sum = noe_graph_number(g, 0), *root = take(x, (size_t)m->params, sizeof *root);
    int        roots = 0;
    for (int j = 0; j < m->n; j++) {
        const noe_ex y = noe_graph_leaf(g, NOE_P, j);
        sum = noe_simplify_make(g, NOE_ADD, sum, noe_simplify_make(g, NOE_MUL, y, f[j], 0), 0);
    }
    noe_derivative_by_parameters(g, sum, m->params, x->by);
    *which = take(x, (size_t)m->params, sizeof **which);
    for (int c = 0; c < m->params; c++) {
        if (noe_graph_is(g, x->by[c], 0)) continue;
        root[roots] = x->by[c];
        (*which)[roots++] = c;
    }
    return !roots || (*tape = noe_tape_new(g, m->param, m->n, root, roots));
}

/* The tapes of F = L_q + forces and of P = L_v. */
static bool make_steps(maker *x)
{
    noe_model *m = x->m;
    noe_graph *g = &m->graph;
    const int  n = m->n;
    noe_ex    *z = take(x, 2 * (size_t)n, sizeof *z), *f = take(x, 2 * (size_t)n, sizeof *f);
    noe_derivative_gradient(g, m->L, n, z);
    if (noe_force_statement_is_forced(m)) {
        noe_force_statement_forces(m, f, f + n);
        for (int j = 0; j < n; j++) z[j] = noe_simplify_make(g, NOE_ADD, z[j], f[j], 0);
    }
    return weighted(x, z, &x->d->force_adjoint, &x->d->force_by)
        && weighted(x, z + n, &x->d->momentum_adjoint, &x->d->momentum_by);
}

/* dE = v dp - L_q dq - L_c dc, and the derivatives of all observables. */
static bool make_rows(maker *x)
{
    noe_model   *m = x->m;
    noe_graph   *g = &m->graph;
    const int    n = m->n, rows = 1 + m->observables, leaves = 3 * n + 1 + m->params;
    const size_t most = (size_t)leaves * (size_t)rows;
    noe_ex      *root = take(x, most, sizeof *root), *by = take(x, (size_t)leaves, sizeof *by);
    x->to->entry = take(x, most, sizeof *x->to->entry);
    for (int row = 0; row < rows; row++) {
        const noe_ex f = row ? m->observable[row - 1]->ex : m->L;
        noe_derivative_gradient(g, f, n, by);
        noe_derivative_by_momenta(g, f, n, by + 2 * n);
        noe_derivative_by_parameters(g, f, m->params, by + 3 * n + 1);
        for (int i = 0; i < leaves && !row; i++)
            by[i] = i >= n && i < 2 * n     ? noe_graph_number(g, 0)
                  : i >= 2 * n && i < 3 * n ? noe_graph_leaf(g, NOE_V, i - 2 * n)
                                            : noe_simplify_make(g, NOE_NEG, by[i], 0, 0);
        for (int leaf = 0; leaf < leaves; leaf++) {
            if (noe_graph_is(g, by[leaf], 0)) continue;
            x->to->entry[x->to->entries] = (noe_row_entry){ row, leaf, x->to->entries };
            root[x->to->entries++] = by[leaf];
        }
    }
    return (x->to->rows = noe_tape_new(g, m->param, n, root, x->to->entries)) != NULL;
}

/* Lists the derivatives of an expression of parameters; fills them in where `to` is given. */
static void list(maker *x, noe_ex f, int of, noe_start_entry *to)
{
    noe_model *m = x->m;
    noe_derivative_by_parameters(&m->graph, f, m->params, x->by);
    for (int c = 0; c < m->params; c++) {
        if (noe_graph_is(&m->graph, x->by[c], 0)) continue;
        if (to)
            to[x->to->starts] =
                (noe_start_entry){ of, c, noe_evaluate_constant(&m->graph, x->by[c], m->param) };
        x->to->starts++;
    }
}

static void list_all(maker *x, noe_start_entry *to)
{
    noe_model *m = x->m;
    x->to->starts = 0;
    for (int c = 0; c < m->params; c++) list(x, m->given[c], c, to);
    for (int i = 0; i < m->n; i++) {
        const noe_begin *b = &m->begin[i];
        const int        of = m->params + 3 * i;
        if (b->has_q) list(x, b->ex_q, of, to);
        if (b->has_v) list(x, b->ex_v, of + 1, to);
        if (b->has_p) list(x, b->ex_p, of + 2, to);
    }
}

/* The start must be one of expressions, at a time that no parameter moves. */
static bool make_starts(maker *x)
{
    noe_model *m = x->m;
    if (m->by_energy.given)
        return noe_status_fail(NOE_INVALID,
                               "%s: the start is found from the energy: its derivatives are not "
                               "known; give all starts as numbers",
                               m->name),
               false;
    if (m->has_t0) list(x, m->ex_t0, 0, NULL);
    if (x->to->starts)
        return noe_status_fail(NOE_INVALID,
                               "%s: the time of the start depends on a parameter: no derivatives; "
                               "give it as a number",
                               m->name),
               false;
    list_all(x, NULL);
    x->to->start = take(x, (size_t)x->to->starts, sizeof *x->to->start);
    list_all(x, x->to->start);
    return true;
}

/* Of events that change the motion: the steps to them and from them vary in length, too. */
static bool make_events(maker *x)
{
    const noe_model *m = x->m;
    bool             some = false;
    for (int k = 0; k < m->events; k++) some |= m->event[k].then != NOE_THEN_NOTHING;
    if (!some) return true;
    x->to->events = take(x, 1, sizeof *x->to->events);
    x->to->events->count = m->params;
    return noe_mixed_tapes_make_rates(x->m, x->arena, x->d)
        && noe_event_derivatives_make(x->m, x->arena, x->to->events);
}

static bool make(maker *x)
{
    x->to = take(x, 1, sizeof *x->to);
    x->by = take(x, (size_t)x->m->params, sizeof *x->by);
    x->d->adjoint = x->to;
    return make_starts(x) && make_steps(x) && make_rows(x) && make_events(x)
        && noe_constraint_derivatives_make_all(x->m, x->arena, x->d);
}

bool noe_adjoint_tapes_make(noe_model *m, noe_arena *arena, noe_dynamics *d)
{
    if (!noe_differentiable_model(m, d)) return false;
    maker         x = { m, arena, d, NULL, NULL };
    jmp_buf       stop;
    volatile bool done = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) done = make(&x);
    m->graph.stop = NULL;
    return done;
}

/* The tape of the derivatives of G and, where there is one, of a second expression. */
static bool make_clock(maker *x)
{
    noe_model   *m = x->m;
    noe_graph   *g = &m->graph;
    const noe_ex G = m->monitor.G;
    noe_ex      *root = take(x, 2 * (size_t)m->params, sizeof *root);
    noe_ex       f[2] = { G, 0 };
    const int    count = m->monitor.reversible || x->d->clocked ? 2 : 1;
    int          roots = 0;
    x->d->clock_by = take(x, 2 * (size_t)m->params, sizeof *x->d->clock_by);
    if (m->monitor.reversible)
        f[1] = noe_simplify_make(g, NOE_DIV, noe_derivative_rate(g, G), G, 0);
    else if (count > 1) f[1] = noe_derivative_by_time(g, m->L);
    for (int k = 0; k < count; k++) {
        noe_derivative_by_parameters(g, f[k], m->params, x->by);
        for (int c = 0; c < m->params; c++) {
            if (noe_graph_is(g, x->by[c], 0)) continue;
            root[roots] = x->by[c];
            x->d->clock_by[roots++] = c;
        }
        if (!k) x->d->clock_second = roots;
    }
    return !roots || (x->d->clock_adjoint = noe_tape_new(g, m->param, m->n, root, roots));
}

bool noe_adjoint_tapes_stepped(noe_model *m, noe_arena *arena, const noe_dynamics *own,
                               noe_dynamics *to)
{
    maker x = { m, arena, to, own->adjoint, NULL };
    to->adjoint = own->adjoint;
    x.by = take(&x, (size_t)m->params, sizeof *x.by);
    if (!to->transformed) {
        to->force_adjoint = own->force_adjoint, to->force_by = own->force_by;
        to->momentum_adjoint = own->momentum_adjoint, to->momentum_by = own->momentum_by;
    } else if (!make_steps(&x)) return false;
    return make_clock(&x) && noe_mixed_tapes_make_rates(m, arena, to);
}

void noe_adjoint_tapes_drop(noe_dynamics *d)
{
    if (!d->adjoint) return;
    free(d->force_adjoint), free(d->momentum_adjoint), free(d->adjoint->rows);
    const noe_gradient *e = d->adjoint->events;
    for (int k = 0; e && k < e->events; k++) free(e->event[k].tape);
}
