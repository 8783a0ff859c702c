/* The tapes of derivatives by parameters and starts: F_c, P_c of the steps, those of observables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "expr/derivative.h"
#include "gradient/gradient.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_model    *m;
    noe_arena    *arena;
    noe_dynamics *d;
    noe_gradient *to;
    noe_ex       *by; /* [params] scratch: derivatives of one expression by all parameters */
} maker;

static void *take(maker *x, size_t n, size_t size)
{
    return noe_arena_need(x->arena, x->m->graph.stop, n, size);
}

/* The value of df/dc for an expression of parameters alone. */
static quad value_along(maker *x, noe_ex f, const quad *rate)
{
    noe_model *m = x->m;
    quad       sum = 0;
    noe_derivative_by_parameters(&m->graph, f, m->params, x->by);
    for (int j = 0; j < m->params; j++)
        if (!noe_graph_is(&m->graph, x->by[j], 0) && rate[j] != 0)
            sum += noe_evaluate_constant(&m->graph, x->by[j], m->param) * rate[j];
    return sum;
}

static noe_ex along(maker *x, noe_ex f, const quad *rate)
{
    return noe_parameter_rate(x->m, f, rate, x->by);
}

/* Derivatives of the parameters, and of the initial values as the model gives them, by column c. */
static bool rates(maker *x, int c)
{
    noe_model    *m = x->m;
    const noe_by *by = &x->to->by[c];
    const int     n = m->n;
    quad *const   rate = x->to->rate + (size_t)c * (size_t)m->params,
                *start = x->to->start + 3 * (size_t)c * (size_t)n;
    if (by->kind != NOE_BY_PARAMETER) return true;
    for (int j = 0; j < m->params; j++)
        rate[j] = j == by->index ? (quad)1 : value_along(x, m->given[j], rate);
    for (int i = 0; i < n; i++) {
        const noe_begin *b = &m->begin[i];
        if (b->has_q) start[i] = value_along(x, b->ex_q, rate);
        if (b->has_v) start[n + i] = value_along(x, b->ex_v, rate);
        if (b->has_p) start[2 * n + i] = value_along(x, b->ex_p, rate);
    }
    if (!m->has_t0 || value_along(x, m->ex_t0, rate) == 0) return true;
    noe_status_fail(NOE_INVALID, "the time of the start depends on '%.60s': no derivative by it",
                    by->name);
    return false;
}

static noe_ex by_column(maker *x, noe_ex f, int c)
{
    return x->to->by[c].kind == NOE_BY_PARAMETER
             ? along(x, f, x->to->rate + (size_t)c * (size_t)x->m->params)
             : noe_graph_number(&x->m->graph, 0);
}

/* psi = (dG/dt)/G, by which a density of steps changes, and its derivatives by q, v, t and c. */
static int add_density(maker *x, noe_ex *root)
{
    noe_model   *m = x->m;
    noe_graph   *g = &m->graph;
    const noe_ex psi = noe_simplify_make(g, NOE_DIV, noe_derivative_rate(g, m->monitor.G),
                                         m->monitor.G, 0);
    int          roots = 0;
    root[roots++] = psi;
    noe_derivative_gradient(g, psi, m->n, root + roots);
    roots += 2 * m->n;
    root[roots++] = noe_derivative_by_explicit_time(g, psi);
    for (int c = 0; c < x->to->count; c++) root[roots++] = by_column(x, psi, c);
    return roots;
}

/* What the time of a step needs: G, dG/dq and G_c, and of a clocked Lagrangian G_t, L_t, L_tt and
 * L_tc; returns the number of outputs. */
static int add_clock(maker *x, noe_ex *root)
{
    noe_model   *m = x->m;
    noe_graph   *g = &m->graph;
    const noe_ex G = m->monitor.G;
    noe_ex      *slope = take(x, 2 * (size_t)m->n, sizeof *slope);
    int          roots = 0;
    noe_derivative_gradient(g, G, m->n, slope);
    root[roots++] = G;
    for (int i = 0; i < m->n; i++) root[roots++] = slope[i];
    for (int c = 0; c < x->to->count; c++) root[roots++] = by_column(x, G, c);
    if (m->monitor.reversible) return roots + add_density(x, root + roots);
    if (!x->d->clocked) return roots;
    const noe_ex T = noe_derivative_by_explicit_time(g, m->L);
    root[roots++] = noe_derivative_by_explicit_time(g, G);
    root[roots++] = T;
    root[roots++] = noe_derivative_by_explicit_time(g, T);
    for (int c = 0; c < x->to->count; c++) root[roots++] = by_column(x, T, c);
    return roots;
}

/* The outputs of `hessian` once more, then F_c and P_c [2n] of every parameter. */
static bool make_mixed(maker *x)
{
    noe_model    *m = x->m;
    noe_graph    *g = &m->graph;
    noe_dynamics *d = x->d;
    const int     n = m->n, k = x->to->count;
    const size_t  own = (size_t)d->hessian->outputs, N = 2 * (size_t)n;
    const size_t  most = own + N * (size_t)(k + 1) + (size_t)(3 * m->n + 4 + 2 * k);
    noe_ex       *root = take(x, most, sizeof *root), *f = take(x, 2 * N, sizeof *f);
    noe_ex       *gradient = take(x, N, sizeof *gradient), *row = take(x, N * N, sizeof *row);
    int           roots = 0;
    noe_derivative_gradient(g, m->L, n, gradient);
    for (int i = 0; i < 2 * n; i++) noe_derivative_gradient(g, gradient[i], n, row + i * 2 * n);
    const bool forced = noe_force_statement_is_forced(m);
    if (forced) noe_force_statement_forces(m, f, f + n);
    for (int i = 0; i < n && forced; i++) {
        noe_ex *slope = f + n; /* [2n] */
        gradient[i] = noe_simplify_make(g, NOE_ADD, gradient[i], f[i], 0);
        noe_derivative_gradient(g, f[i], n, slope);
        for (int j = 0; j < 2 * n; j++)
            row[i * 2 * n + j] = noe_simplify_make(g, NOE_ADD, row[i * 2 * n + j], slope[j], 0);
    }
    for (roots = 0; roots < (int)own; roots++) root[roots] = noe_graph_number(g, 0);
    memcpy(root, gradient, N * sizeof *root);
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++) {
        const int i = y->row + (y->kind == NOE_D_PV || y->kind == NOE_D_PQ ? n : 0),
                  j = y->col + (y->kind == NOE_D_PV || y->kind == NOE_D_FV ? n : 0);
        root[y->output] = row[i * 2 * n + j];
    }
    for (int c = 0; c < k; c++) {
        bool some = false;
        for (int i = 0; i < 2 * n; i++) {
            root[roots + i] = by_column(x, gradient[i], c);
            some |= !noe_graph_is(g, root[roots + i], 0);
        }
        d->mixed_at[c] = some ? roots : -1;
        roots += some ? 2 * n : 0;
    }
    d->mixed_time = -1;
    if (d->clock) d->mixed_time = roots;
    for (int i = 0; i < m->events; i++)
        if (m->event[i].then) d->mixed_time = roots;
    for (int i = 0; i < 2 * n && d->mixed_time >= 0; i++)
        root[roots++] = noe_derivative_by_explicit_time(g, gradient[i]);
    d->mixed_clock = roots;
    if (d->clock) roots += add_clock(x, root + roots);
    return (d->mixed = noe_tape_new(g, m->param, n, root, roots)) != NULL;
}

/* Lists the derivatives of one row, by q, v, p, the energy and the columns. */
static void list_row(maker *x, int row, const noe_ex *by, noe_ex *root, int *roots)
{
    const int leaves = 3 * x->m->n + 1 + x->to->count;
    for (int leaf = 0; leaf < leaves; leaf++) {
        if (noe_graph_is(&x->m->graph, by[leaf], 0)) continue;
        x->to->entry[x->to->entries++] = (noe_row_entry){ row, leaf, *roots };
        root[(*roots)++] = by[leaf];
    }
}

/* dE = v dp - L_q dq - L_c dc, and the derivatives of all observables. */
static bool make_rows(maker *x)
{
    noe_model   *m = x->m;
    noe_graph   *g = &m->graph;
    const int    n = m->n, k = x->to->count, rows = 1 + m->observables;
    const size_t leaves = 3 * (size_t)n + 1 + (size_t)k, most = leaves * (size_t)rows;
    noe_ex      *root = take(x, most, sizeof *root), *by = take(x, leaves, sizeof *by);
    int          roots = 0;
    x->to->entry = take(x, most, sizeof *x->to->entry);
    for (int row = 0; row < rows; row++) {
        const noe_ex f = row ? m->observable[row - 1]->ex : m->L;
        noe_derivative_gradient(g, f, n, by);
        noe_derivative_by_momenta(g, f, n, by + 2 * n);
        for (int c = 0; c < k; c++)
            by[3 * n + 1 + c] = along(x, f, x->to->rate + (size_t)c * (size_t)m->params);
        for (int i = 0; i < (int)leaves && !row; i++)
            by[i] = i >= n && i < 2 * n     ? noe_graph_number(g, 0)
                  : i >= 2 * n && i < 3 * n ? noe_graph_leaf(g, NOE_V, i - 2 * n)
                                            : noe_simplify_make(g, NOE_NEG, by[i], 0, 0);
        list_row(x, row, by, root, &roots);
    }
    return (x->to->rows = noe_tape_new(g, m->param, n, root, roots)) != NULL;
}

/* The names of the list. */
static bool read_list(maker *x, const char *list)
{
    size_t most = 1;
    for (const char *c = list; *c; c++) most += *c == ',';
    noe_gradient *to = x->to;
    to->by = take(x, most, sizeof *to->by);
    for (const char *c = list; c;) {
        const char  *comma = strchr(c, ',');
        const size_t length = comma ? (size_t)(comma - c) : strlen(c);
        noe_by      *by = &to->by[to->count];
        if (!noe_varied_find(x->m, c, length, by)) return false;
        if (!(by->name = noe_arena_copy(x->arena, c, length))) return false;
        for (int i = 0; i < to->count; i++)
            if (to->by[i].kind == by->kind && to->by[i].index == by->index)
                return noe_status_fail(NOE_INVALID, "'%.60s' stands twice in '%.60s'", by->name,
                                       list),
                       false;
        if (!noe_differentiable_by(x->m, by)) return false;
        if (by->kind != NOE_BY_PARAMETER && x->m->by_energy.given)
            return noe_status_fail(
                       NOE_INVALID,
                       "the start is found from the energy: its derivative by '%.60s' is "
                       "not known; give all starts as numbers",
                       by->name),
                   false;
        to->count++;
        c = comma ? comma + 1 : NULL;
    }
    return true;
}

static bool make(maker *x, const char *list)
{
    const noe_model *m = x->m;
    noe_gradient    *to = x->to = take(x, 1, sizeof *to);
    x->d->by = to;
    x->by = take(x, (size_t)m->params, sizeof *x->by);
    if (!read_list(x, list)) return false;
    const size_t k = (size_t)to->count;
    to->rate = take(x, k * (size_t)m->params, sizeof *to->rate);
    to->start = take(x, 3 * k * (size_t)m->n, sizeof *to->start);
    x->d->mixed_at = take(x, k, sizeof *x->d->mixed_at);
    for (int c = 0; c < to->count; c++)
        if (!rates(x, c)) return false;
    if (!make_mixed(x) || !make_rows(x)) return false;
    if (!noe_event_derivatives_make(x->m, x->arena, to)) return false;
    if (!noe_constraint_derivatives_make(x->m, x->arena, x->d, to)) return false;
    x->d->columns = to->count;
    return true;
}

bool noe_mixed_tapes_make(noe_model *m, noe_arena *arena, noe_dynamics *d, const char *list)
{
    if (!noe_differentiable_model(m, d)) return false;
    maker         x = { .m = m, .arena = arena, .d = d };
    jmp_buf       stop;
    volatile bool ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) ok = make(&x, list);
    m->graph.stop = NULL;
    return ok;
}

bool noe_mixed_tapes_make_rates(noe_model *m, noe_arena *arena, noe_dynamics *d)
{
    noe_gradient none = { 0 };
    maker        x = { .m = m, .arena = arena, .d = d, .to = &none };
    return make_mixed(&x);
}

bool noe_mixed_tapes_transformed(noe_model *m, noe_arena *arena, const noe_dynamics *own,
                                 noe_dynamics *d)
{
    maker x = { .m = m, .arena = arena, .d = d, .to = own->by };
    x.by = take(&x, (size_t)m->params, sizeof *x.by);
    d->mixed_at = take(&x, (size_t)own->columns, sizeof *d->mixed_at);
    if (!make_mixed(&x)) return false;
    d->columns = own->columns;
    return true;
}

void noe_mixed_tapes_drop(noe_dynamics *d)
{
    free(d->mixed);
    free(d->constraint_by);
    if (!d->by) return;
    free(d->by->rows);
    for (int i = 0; i < d->by->events; i++) free(d->by->event[i].tape);
}
