/* Constraints with their mixed derivatives as a tape: g_tq, and g, g_t, G by the columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "gradient/gradient.h"

#include <stdlib.h>

/* The outputs of `constraint` once more, then g_tq [m][n]; returns their number. */
static int plain(noe_model *m, const noe_dynamics *d, noe_ex *z, noe_ex *root)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, own = d->constraint->outputs;
    for (int o = 0; o < own; o++) root[o] = noe_graph_number(g, 0);
    for (int a = 0; a < d->constraints; a++) {
        const noe_ex f = m->constraint[a].g, rate = noe_derivative_by_explicit_time(g, f);
        root[a] = f, root[d->constraints + a] = rate;
        noe_derivative_gradient(g, rate, n, z);
        for (int j = 0; j < n; j++) root[own + a * n + j] = z[j];
        noe_derivative_gradient(g, f, n, z);
        for (int i = 0; i < d->G_entries; i++)
            if (d->G_entry[i].constraint == a) root[d->G_entry[i].output] = z[d->G_entry[i].row];
        for (int i = 0; i < d->G_q_entries; i++) {
            const noe_constraint_entry *y = &d->G_q_entry[i];
            if (y->constraint != a) continue;
            noe_ex second[2 * n];
            noe_derivative_gradient(g, z[y->row], n, second);
            root[y->output] = second[y->col];
        }
    }
    return own + d->constraints * n;
}

bool noe_constraint_derivatives_make_all(noe_model *m, noe_arena *arena, noe_dynamics *d)
{
    noe_graph *g = &m->graph;
    const int  count = d->constraints, n = m->n, own = d->constraint->outputs + count * n;
    if (!count) return true;
    const size_t most = 3 * (size_t)count * (size_t)m->params;
    noe_ex      *root = noe_arena_need(arena, g->stop, (size_t)own + most, sizeof *root);
    noe_ex      *z = noe_arena_need(arena, g->stop, 2 * (size_t)n, sizeof *z);
    noe_ex      *by = noe_arena_need(arena, g->stop, (size_t)m->params, sizeof *by);
    d->constraint_rate = noe_arena_need(arena, g->stop, most, sizeof *d->constraint_rate);
    d->constraint_tq = d->constraint->outputs;
    int roots = plain(m, d, z, root);
    for (int i = 0; i < 3 * count; i++) {
        const noe_rate_kind kind = (noe_rate_kind)(i / count);
        const noe_ex        f = m->constraint[i % count].g;
        noe_ex of = kind == NOE_RATE_OF_TIME ? noe_derivative_by_explicit_time(g, f) : f;
        noe_derivative_gradient(g, f, n, z);
        if (kind == NOE_RATE_OF_SLOPE) of = noe_graph_number(g, 0);
        for (int j = 0; j < n && kind == NOE_RATE_OF_SLOPE; j++)
            of = noe_simplify_make(
                g, NOE_ADD, of, noe_simplify_make(g, NOE_MUL, noe_graph_leaf(g, NOE_V, j), z[j], 0),
                0);
        noe_derivative_by_parameters(g, of, m->params, by);
        for (int c = 0; c < m->params; c++) {
            if (noe_graph_is(g, by[c], 0)) continue;
            d->constraint_rate[d->constraint_rates++] = (noe_constraint_rate){ kind, i % count, c,
                                                                               roots };
            root[roots++] = by[c];
        }
    }
    return (d->constraint_by = noe_tape_new(g, m->param, n, root, roots)) != NULL;
}

bool noe_constraint_derivatives_make(noe_model *m, noe_arena *arena, noe_dynamics *d,
                                     const noe_gradient *to)
{
    noe_graph *g = &m->graph;
    const int  count = d->constraints, more = 2 * count + d->G_entries;
    if (!count) return true;
    const size_t most = (size_t)(d->constraint->outputs + count * m->n + to->count * more);
    noe_ex      *root = noe_arena_need(arena, g->stop, most, sizeof *root);
    noe_ex      *z = noe_arena_need(arena, g->stop, 2 * (size_t)m->n, sizeof *z);
    noe_ex      *by = noe_arena_need(arena, g->stop, (size_t)m->params, sizeof *by);
    d->constraint_by_at = noe_arena_need(arena, g->stop, (size_t)to->count, sizeof(int));
    int roots = plain(m, d, z, root);
    d->constraint_tq = d->constraint->outputs;
    for (int c = 0; c < to->count; c++) {
        const quad *rate = to->rate + (size_t)c * (size_t)m->params;
        bool        some = false;
        for (int i = 0; i < more; i++) {
            const int    of = i < 2 * count ? i : d->G_entry[i - 2 * count].output;
            const noe_ex x = to->by[c].kind == NOE_BY_PARAMETER
                               ? noe_parameter_rate(m, root[of], rate, by)
                               : noe_graph_number(g, 0);
            some |= !noe_graph_is(g, x, 0);
            root[roots + i] = x;
        }
        d->constraint_by_at[c] = some ? roots : -1;
        roots += some ? more : 0;
    }
    return (d->constraint_by = noe_tape_new(g, m->param, m->n, root, roots)) != NULL;
}
