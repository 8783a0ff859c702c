/* Derivatives of event functions and of what follows events, as tapes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "gradient/gradient.h"

typedef struct {
    noe_model             *m;
    noe_gradient          *to;
    noe_event_derivatives *event;
    noe_ex                *root, *of, *by; /* outputs; derivatives of one row; scratch [params] */
    int                    roots;          /* number of outputs so far */
} maker;

/* One row more of derivatives; that of the energy is dE = v dp - L_q dq - L_t dt - L_c dc. */
static void add_row(maker *x, int row, noe_ex f)
{
    noe_graph *const g = &x->m->graph;
    const int        n = x->m->n, c = 3 * n + 2, leaves = c + x->to->count;
    noe_derivative_gradient(g, f, n, x->of);
    noe_derivative_by_momenta(g, f, n, x->of + 2 * n);
    x->of[c - 1] = noe_derivative_by_explicit_time(g, f);
    if (!x->to->rate) noe_derivative_by_parameters(g, f, x->to->count, x->of + c);
    for (int k = 0; k < x->to->count && x->to->rate; k++)
        x->of[c + k] = noe_parameter_rate(x->m, f, x->to->rate + (size_t)k * (size_t)x->m->params,
                                          x->by);
    for (int i = 0; i < leaves && row == 0; i++)
        x->of[i] = i >= n && i < 2 * n     ? noe_graph_number(g, 0)
                 : i >= 2 * n && i < 3 * n ? noe_graph_leaf(g, NOE_V, i - 2 * n)
                                           : noe_simplify_make(g, NOE_NEG, x->of[i], 0, 0);
    for (int leaf = 0; leaf < leaves; leaf++) {
        if (noe_graph_is(g, x->of[leaf], 0)) continue;
        x->event->entry[x->event->entries++] = (noe_row_entry){ row, leaf, x->roots };
        x->root[x->roots++] = x->of[leaf];
    }
}

static bool make(maker *x, noe_arena *arena, const noe_event *e)
{
    noe_model *const m = x->m;
    const size_t     n = (size_t)m->n, leaves = 3 * n + 2 + (size_t)x->to->count,
                 rows = e->then == NOE_THEN_BOUNCE ? n + 4 : 2 + (size_t)e->assigned;
    noe_ex *z = noe_arena_need(arena, m->graph.stop, 2 * n, sizeof *z);
    x->root = noe_arena_need(arena, m->graph.stop, rows * leaves, sizeof *x->root);
    x->event->entry = noe_arena_need(arena, m->graph.stop, rows * leaves, sizeof *x->event->entry);
    x->roots = 0;
    add_row(x, 0, m->L);
    add_row(x, 1, e->g);
    for (int i = 0; i < e->assigned; i++) add_row(x, 2 + i, e->to[i].ex);
    if (e->then == NOE_THEN_BOUNCE) {
        noe_derivative_gradient(&m->graph, e->g, m->n, z);
        for (int j = 0; j < m->n; j++) add_row(x, 2 + j, z[j]);
        add_row(x, 2 + m->n, noe_derivative_by_explicit_time(&m->graph, e->g));
        add_row(x, 3 + m->n, e->ex_restitution);
    }
    x->event->tape = noe_tape_new(&m->graph, m->param, m->n, x->root, x->roots);
    return x->event->tape != NULL;
}

bool noe_event_derivatives_make(noe_model *m, noe_arena *arena, noe_gradient *to)
{
    const size_t leaves = 3 * (size_t)m->n + 2 + (size_t)to->count;
    maker        x = { .m = m, .to = to };
    if (!m->events) return true;
    x.of = noe_arena_need(arena, m->graph.stop, leaves, sizeof *x.of);
    x.by = noe_arena_need(arena, m->graph.stop, (size_t)m->params, sizeof *x.by);
    to->event = noe_arena_need(arena, m->graph.stop, (size_t)m->events, sizeof *to->event);
    to->events = m->events;
    for (int k = 0; k < m->events; k++) {
        x.event = &to->event[k];
        if (m->event[k].then && !make(&x, arena, &m->event[k])) return false;
    }
    return true;
}
