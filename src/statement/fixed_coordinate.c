/* fix x[0] = f(t): replaces a coordinate by a given function of time in L and all else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "model/sum_parser.h"
#include "expr/substitute.h"

#include <string.h>

static int shown(const noe_symbol *s) { return noe_source_shown(s->name, strlen(s->name), 60); }

typedef struct {
    noe_symbol *family;
    size_t      at; /* offset of the left side in the text */
    noe_lexer   end;
} fixing;

static void fix(noe_parser *p, noe_symbol *s, size_t at)
{
    noe_model *m = p->model;
    if (m->fix[s->index] >= 0)
        noe_source_fail(&p->lex.source, at, "'%.*s' is fixed twice", shown(s), s->name);
    const noe_begin *b = &m->begin[s->index];
    if ((b->has_q && !b->ruled_q) || ((b->has_v || b->has_p) && !b->ruled_v))
        noe_source_fail(&p->lex.source, at, "'%.*s' has a start above: what is fixed has none",
                        shown(s), s->name);
    const size_t value = p->lex.token.at;
    const noe_ex x = noe_expression_parse(p);
    if (p->graph->node[x].has & ~(NOE_HAS_PARAM | NOE_HAS_T))
        noe_source_fail(&p->lex.source, value,
                        "expected numbers, parameters and t only: this depends on the motion");
    m->fix[s->index] = x;
}

static void each(noe_parser *p, int64_t i, void *data)
{
    fixing *f = data;
    fix(p, noe_family_find_member(p->model, f->family, i), f->at);
    f->end = p->lex;
}

static void fix_part(noe_parser *p, noe_symbol *s, const noe_left *members, void *data)
{
    fixing *f = data;
    if (p->model->grouped) {
        noe_sum_parser_setting(p, NOE_RULE_FIX, s, members);
    } else if (s->family) {
        f->family = s;
        noe_index_binding_each(p, members, false, each, f);
        p->lex = f->end;
    } else {
        fix(p, s, f->at);
    }
}

void noe_fixed_coordinate_parse(noe_parser *p)
{
    do {
        fixing           f = { .at = p->lex.token.at };
        const noe_moving m = noe_moving_parse(p, "is no coordinate: only coordinates can be fixed");
        noe_expect_token(p, '=', "after what is fixed");
        noe_moving_each(p, &m, fix_part, &f);
    } while (noe_expect_comma(p));
}

/* The copy of every node that the roots need, with fixed coordinates replaced and the others
 * renumbered. */
static void substitute(noe_parser *p, const int *number, noe_ex **root, int roots)
{
    noe_model *m = p->model;
    noe_graph *g = &m->graph;
    noe_ex    *want = noe_model_alloc(p, (size_t)roots * sizeof *want),
           *rate = noe_model_alloc(p, (size_t)m->n * sizeof *rate);
    for (int i = 0; i < m->n; i++) rate[i] = m->fix[i] < 0 ? 0 : noe_derivative_rate(g, m->fix[i]);
    for (int k = 0; k < roots; k++) want[k] = *root[k];
    const noe_ex zero = noe_graph_number(g, 0);
    for (int k = 0, n = noe_evaluate_reach(g, want, roots); k < n; k++) {
        const noe_ex   i = g->list[k];
        const noe_node x = g->node[i];
        noe_ex         y;
        if (x.op == NOE_Q)
            y = m->fix[x.a] < 0 ? noe_graph_leaf(g, NOE_Q, number[x.a]) : m->fix[x.a];
        else if (x.op == NOE_V)
            y = m->fix[x.a] < 0 ? noe_graph_leaf(g, NOE_V, number[x.a]) : rate[x.a];
        else if (x.op == NOE_P) y = m->fix[x.a] < 0 ? noe_graph_leaf(g, NOE_P, number[x.a]) : zero;
        else y = noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    for (int k = 0; k < roots; k++) *root[k] = g->bar[want[k]];
}

/* number [n]: the new number of each coordinate, -1 of a fixed one; m->row: the old ones.  Returns
 * how many move. */
static int number_coordinates(noe_parser *p, int *number)
{
    noe_model *m = p->model;
    int        n = 0;
    for (int i = 0; i < m->n; i++) {
        number[i] = m->fix[i] < 0 ? n++ : -1;
        if (m->fix[i] < 0) m->row[n - 1] = i;
        else if (m->matrix[NOE_MASS].path && !m->eliminated
                 && m->fix[i] != noe_graph_number(&m->graph, 0))
            noe_source_fail(&p->lex.source, m->coordinate[i]->at,
                            "'%.*s' is fixed to another value than 0: matrices allow 0 only",
                            shown(m->coordinate[i]), m->coordinate[i]->name);
    }
    if (n == 0 && m->n > 0)
        noe_source_fail(&p->lex.source, m->coordinate[0]->at,
                        "every coordinate is fixed: nothing moves");
    return n;
}

/* All expressions of the model in which coordinates stand; *roots: how many. */
static noe_ex **all_expressions(noe_parser *p, int *roots)
{
    noe_model *m = p->model;
    int        assigned = 0, n = 0;
    for (int k = 0; k < m->events; k++) assigned += m->event[k].assigned;
    noe_ex **root = noe_model_alloc(p, (size_t)(m->symbols + m->forces + 2 + m->declareds * m->n + 1
                                                + 3 * m->events + assigned + 3 * m->constraints + 2
                                                + m->optimal.finals)
                                           * sizeof *root);
    root[n++] = &m->L, root[n++] = &m->dissipation;
    if (m->monitor.given) root[n++] = &m->monitor.G;
    for (int i = 0; i < m->symbols; i++)
        if (!m->symbol[i]->family && m->symbol[i]->what != NOE_IS_PARAMETER
            && m->symbol[i]->what < NOE_IS_VECTOR)
            root[n++] = &m->symbol[i]->ex;
    for (int k = 0; k < m->forces; k++) root[n++] = &m->force[k].ex;
    for (int k = 0; k < m->declareds * m->n; k++) root[n++] = &m->declared[k / m->n].xi[k % m->n];
    for (int k = 0; k < m->events; k++) {
        root[n++] = &m->event[k].g;
        root[n++] = &m->event[k].left, root[n++] = &m->event[k].right;
        for (int j = 0; j < m->event[k].assigned; j++) root[n++] = &m->event[k].to[j].ex;
    }
    for (int k = 0; k < m->constraints; k++) {
        noe_constraint *c = &m->constraint[k];
        root[n++] = &c->g, root[n++] = &c->left, root[n++] = &c->right;
    }
    root[n++] = &m->optimal.cost, root[n++] = &m->optimal.at_end;
    for (int k = 0; k < m->optimal.finals; k++) root[n++] = &m->optimal.final[k].x;
    *roots = n;
    return root;
}

/* Leaves out the forces on what is fixed, which do nothing. */
static void renumber_forces(noe_model *m, const int *number)
{
    int forces = 0;
    for (int k = 0; k < m->forces; k++)
        if (number[m->force[k].index] >= 0)
            m->force[forces++] = (noe_acting){ number[m->force[k].index], m->force[k].ex };
    m->forces = forces;
}

/* Fixed coordinates become definitions, the others move up. */
static void renumber_coordinates(noe_model *m, const int *number, int n)
{
    for (int i = 0; i < m->n; i++) {
        noe_symbol *s = m->coordinate[i];
        s->index = number[i];
        if (number[i] < 0) {
            s->what = NOE_IS_DEFINITION, s->was_coordinate = true;
            continue;
        }
        m->coordinate[number[i]] = s;
        m->begin[number[i]] = m->begin[i];
    }
    m->n = n;
}

void noe_fixed_coordinate_apply(noe_parser *p)
{
    noe_model *m = p->model;
    int       *number = noe_model_alloc(p, (size_t)(m->n + 1) * sizeof *number), roots;
    m->row = noe_model_alloc(p, (size_t)(m->n + 1) * sizeof *m->row);
    m->rows = m->n;
    const int n = number_coordinates(p, number);
    if (n == m->n) return;
    noe_ex **root = all_expressions(p, &roots);
    substitute(p, number, root, roots);
    noe_control_statement_fix(p, number);
    noe_constraint_statement_fix(p);
    noe_event_statement_fix(p, number);
    noe_symmetry_statement_fix(p, number);
    renumber_forces(m, number);
    renumber_coordinates(m, number, n);
}
