/* start energy = E by x': the velocity where H(q, v) = E, the larger of two; by -x': the smaller.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With all other starts put in, H = v.L_v - L = a x'^2 + b x' + c.  Then x' = (-b +- root)/(2 a),
 * root^2 = b^2 - 4 a (c - E), is an expression of parameters like other starts: members of an
 * ensemble and every number of digits have it exactly. */
#include "model/sum_parser.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

#include <string.h>

#define MAKE(op, a, b) noe_simplify_make(p->graph, op, a, b, 0)

/* The current token is `energy`. A second statement of this kind is an error: one energy gives one
 * velocity. */
void noe_energy_start_parse(noe_parser *p)
{
    noe_energy_start *e = &p->model->by_energy;
    if (e->given)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "the energy of the start is given twice: it determines one velocity");
    if (p->model->grouped) noe_write_out_sums(p, p->lex.token.at, "a start by its energy");
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after energy");
    e->at = p->lex.token.at;
    e->value = noe_constant_expression_checked(p);
    noe_constant_expression_need(p, e->value, e->at);
    if (!noe_lexer_is_word(&p->lex, "by"))
        noe_expect_fail(p, "the velocity that the energy determines, as in 'energy = 1/12 by x''");
    noe_lexer_next(&p->lex);
    if ((e->smaller = noe_lexer_is(&p->lex, '-'))) noe_lexer_next(&p->lex);
    const noe_target to = noe_initial_conditions_target(p);
    if (to.what != NOE_START_V || to.family || to.moving.parts > 1)
        noe_source_fail(
            &p->lex.source, to.at,
            "the energy determines the velocity of one coordinate: 'by x'', 'by -x'' or "
            "'by x[3]''");
    e->named = to.at;
    e->coordinate = p->model->coordinate[to.index];
    e->given = true;
}

/* The expression of an initial value; 0 where the model gives none. */
static noe_ex begins(noe_parser *p, bool has, noe_ex x)
{
    return has ? x : noe_graph_number(p->graph, 0);
}

/* f where all but velocity `own` begins. */
static noe_ex at_start(noe_parser *p, noe_ex f, int own)
{
    noe_model *m = p->model;
    noe_graph *g = p->graph;
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex     i = g->list[k];
        const noe_node   x = g->node[i];
        const noe_begin *b = x.op == NOE_Q || x.op == NOE_V ? &m->begin[x.a] : NULL;
        const noe_ex     y = x.op == NOE_T                    ? begins(p, m->has_t0, m->ex_t0)
                           : x.op == NOE_Q                    ? begins(p, b->has_q, b->ex_q)
                           : x.op == NOE_V && (int)x.a != own ? begins(p, b->has_v, b->ex_v)
                                                              : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[f];
}

/* v.L_v - L */
static noe_ex energy(noe_parser *p, noe_ex *by)
{
    const noe_model *m = p->model;
    noe_ex           H = MAKE(NOE_SUB, noe_graph_number(p->graph, 0), m->L);
    noe_derivative_gradient(p->graph, m->L, m->n, by);
    for (int i = 0; i < m->n; i++)
        H = MAKE(NOE_ADD, H, MAKE(NOE_MUL, noe_graph_leaf(p->graph, NOE_V, i), by[m->n + i]));
    return H;
}

static double value(noe_parser *p, noe_ex x)
{
    return (double)noe_evaluate_constant(p->graph, x, p->model->param);
}

/* The expression of the velocity. */
static noe_ex solve(noe_parser *p, int own)
{
    const noe_energy_start *e = &p->model->by_energy;
    const noe_source       *s = &p->lex.source;
    noe_model              *m = p->model;
    noe_graph              *g = p->graph;
    const char             *name = e->coordinate->name;
    const int               shown = noe_source_shown(name, strlen(name), 60);
    noe_ex                 *by = noe_model_alloc(p, 2 * (size_t)m->n * sizeof *by);
    const noe_ex            two = noe_graph_number(g, 2), H = at_start(p, energy(p, by), own);
    noe_derivative_gradient(g, H, m->n, by);
    const noe_ex slope = by[m->n + own];
    noe_derivative_gradient(g, slope, m->n, by);
    const noe_ex twice = by[m->n + own]; /* 2 a */
    if (g->node[twice].has & NOE_HAS_V || !(value(p, twice) > 0 || value(p, twice) < 0))
        noe_source_fail(
            s, e->named,
            "the energy is no quadratic function of %.*s', and only such ones are solved: "
            "give the velocity itself",
            shown, name);
    const noe_ex b = noe_substitute_at_rest(g, slope), c = noe_substitute_at_rest(g, H),
                 gap = MAKE(NOE_SUB, e->value, c),
                 under = MAKE(NOE_ADD, MAKE(NOE_MUL, b, b),
                              MAKE(NOE_MUL, two, MAKE(NOE_MUL, twice, gap)));
    const double found = value(p, under), a = value(p, twice) / 2,
                 vertex = 0 - value(p, b) / (2 * a);
    if (!(found >= 0))
        noe_source_fail(s, e->at,
                        "no velocity of %.*s gives the energy %.12g: there it is %.12g or %s "
                        "(at %.*s' = %.6g)",
                        shown, name, value(p, e->value), value(p, c) - a * vertex * vertex,
                        a > 0 ? "more" : "less", shown, name, vertex);
    noe_ex root = noe_simplify_make(g, NOE_FN_sqrt, under, 0, 0);
    if (e->smaller == (a > 0)) root = MAKE(NOE_SUB, noe_graph_number(g, 0), root);
    return MAKE(NOE_DIV, MAKE(NOE_SUB, root, b), twice);
}

void noe_energy_start_solve(noe_parser *p)
{
    const noe_energy_start *e = &p->model->by_energy;
    noe_model              *m = p->model;
    const noe_source       *s = &p->lex.source;
    if (!e->given) return;
    if (m->matrix[NOE_MASS].path)
        noe_source_fail(s, e->at, "a start by its energy needs a Lagrangian, not matrices");
    const char *name = e->coordinate->name;
    const int   shown = noe_source_shown(name, strlen(name), 60);
    if (e->coordinate->what != NOE_IS_COORDINATE)
        noe_source_fail(s, e->named, "'%.*s' is fixed: it has no velocity", shown, name);
    const int own = e->coordinate->index;
    for (int i = 0; i < m->n; i++)
        if (m->begin[i].has_p)
            noe_source_fail(
                s, e->at,
                "a start by its energy needs the velocities of the other coordinates, and "
                "here the momentum of '%.*s' is given",
                noe_source_shown(m->coordinate[i]->name, strlen(m->coordinate[i]->name), 60),
                m->coordinate[i]->name);
    noe_begin *b = &m->begin[own];
    if (b->has_v)
        noe_source_fail(s, e->named,
                        "the velocity of '%.*s' is given twice: by a value and by the energy",
                        shown, name);
    b->ex_v = solve(p, own);
    b->v = noe_evaluate_constant(p->graph, b->ex_v, m->param);
    b->has_v = true, b->at_v = e->at;
    if (!finiteq(b->v)) noe_source_fail(s, e->at, "the velocity for this energy is not finite");
}
