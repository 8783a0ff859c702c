/* control u in -20..20, cost EXPR, final x = 1, t in 1..5: an optimal control problem.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where nothing is optimised a control is a parameter, 0, or the function of time that an
 * assignment gives it: 'u = table("u.csv", t)'.  Cost, bounds and final conditions then mean
 * nothing. */
#include "expr/derivative.h"
#include "model/sum_parser.h"

#include <string.h>

static void add_final(noe_parser *p, noe_control_problem *o, noe_bounded x)
{
    noe_model_push(p, &o->final, o->finals, sizeof *o->final);
    o->final[o->finals++] = x;
}

/* A function of time: by '=' in the text, or by an assignment, which goes before it. */
static bool given(noe_parser *p, const noe_token *k, noe_ex *x)
{
    const bool stated = noe_lexer_is(&p->lex, '=');
    if (stated) {
        noe_lexer_next(&p->lex);
        const size_t at = p->lex.token.at;
        *x = noe_constant_expression_checked(p);
        if (p->graph->node[*x].has & ~(NOE_HAS_PARAM | NOE_HAS_T))
            noe_source_fail(&p->lex.source, at,
                            "expected numbers, parameters and t only: a control that is given is a "
                            "function of time; for feedback write a force of q and q'");
    }
    return noe_assignment_of_control(p, k, x) || stated;
}

void noe_control_statement_parse(noe_parser *p)
{
    noe_control_problem *o = &p->model->optimal;
    do {
        const noe_token k = noe_declaration_new_name(p, NOE_IS_PARAMETER);
        if (noe_lexer_is(&p->lex, '['))
            noe_source_fail(&p->lex.source, p->lex.token.at,
                            "a control is one number: declare several, 'control u1, u2'");
        noe_ex     x = 0;
        const bool is = given(p, &k, &x);
        noe_limits within;
        noe_control_limits_parse(p, &within);
        noe_symbol *s = noe_model_declare(p, is ? NOE_IS_DEFINITION : NOE_IS_PARAMETER, &k);
        s->ex = x;
        if (is) continue;
        p->constant = noe_graph_number(p->graph, 0);
        noe_declaration_parameter(p, s, 0);
        noe_model_push(p, &o->control, o->controls, sizeof *o->control);
        o->control[o->controls++] = (noe_control){ s, s->index, within, k.at };
    } while (noe_expect_comma(p));
}

void noe_control_statement_cost(noe_parser *p)
{
    noe_control_problem *o = &p->model->optimal;
    const noe_ex         x = noe_constant_expression_checked(p);
    o->cost = noe_simplify_make(p->graph, NOE_ADD, o->cost, x, 0);
    o->costs = true;
}

/* Is the current token this word of a statement, and no symbol of the model with that name? */
static bool word(const noe_parser *p, const char *name)
{
    return noe_lexer_is_word(&p->lex, name) && !noe_model_find(p->model, name, strlen(name));
}

static bool control_in(const noe_parser *p, noe_ex x, const noe_control *u)
{
    noe_graph *g = p->graph;
    for (int k = 0, n = noe_evaluate_reach(g, &x, 1); k < n; k++) {
        const noe_node *node = &g->node[g->list[k]];
        if (node->op == NOE_PARAM && (int)node->a == u->param) return true;
    }
    return false;
}

static void need_no_control(noe_parser *p, noe_ex x, size_t at)
{
    const noe_control_problem *o = &p->model->optimal;
    for (int i = 0; i < o->controls; i++)
        if (control_in(p, x, &o->control[i]))
            noe_source_fail(&p->lex.source, at,
                            "conditions and costs at the end are of the state and of t: this "
                            "depends on the control '%.60s'",
                            o->control[i].symbol->name);
}

static void final_time(noe_parser *p)
{
    noe_control_problem *o = &p->model->optimal;
    o->time_at = p->lex.token.at;
    if (o->timed) noe_source_fail(&p->lex.source, o->time_at, "the final time is stated twice");
    noe_lexer_next(&p->lex);
    o->timed = true;
    if (noe_control_limits_parse(p, &o->time)) return;
    noe_expect_token(p, '=', "after the final time: final t = 2, or t in 1..5");
    o->time.lo = o->time.hi = noe_constant_expression_value(p);
}

static void final_cost(noe_parser *p)
{
    noe_control_problem *o = &p->model->optimal;
    noe_lexer_next(&p->lex);
    noe_expect_token(p, '=', "after 'final cost'");
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_constant_expression_checked(p);
    need_no_control(p, x, at);
    o->at_end = noe_simplify_make(p->graph, NOE_ADD, o->at_end, x, 0);
    o->costs = true;
}

static void condition(noe_parser *p)
{
    noe_control_problem *o = &p->model->optimal;
    noe_bounded          c = { .at = p->lex.token.at };
    c.x = noe_constant_expression_checked(p);
    if (!noe_control_limits_parse(p, &c.within)) {
        noe_expect_token(p, '=', "in a final condition: final x = 1, or x in 0..1");
        const noe_ex right = noe_constant_expression_checked(p);
        const size_t at = c.at;
        if (p->graph->node[right].has & ~NOE_HAS_PARAM) {
            c.x = noe_simplify_make(p->graph, NOE_SUB, c.x, right, 0);
            c.within = (noe_limits){ 0, 0 };
        } else {
            const quad value = noe_constant_expression_finite(p, right, at);
            c.within = (noe_limits){ value, value };
        }
    }
    if (!(p->graph->node[c.x].has & (NOE_HAS_Q | NOE_HAS_V)))
        noe_source_fail(&p->lex.source, c.at, "the condition does not depend on the final state");
    need_no_control(p, c.x, c.at);
    for (int i = 0; i < o->finals; i++)
        if (o->final[i].x == c.x)
            noe_source_fail(&p->lex.source, c.at, "this is stated twice at the end, in line %d too",
                            noe_source_line(&p->lex.source, o->final[i].at));
    add_final(p, o, c);
}

void noe_control_statement_final(noe_parser *p)
{
    do {
        if (word(p, "cost")) final_cost(p);
        else if (noe_lexer_is_word(&p->lex, "t")) final_time(p);
        else if (word(p, "periodic")) p->model->optimal.periodic = true, noe_lexer_next(&p->lex);
        else condition(p);
    } while (noe_expect_comma(p));
}

void noe_control_statement_fix(noe_parser *p, const int *number)
{
    noe_control_problem *o = &p->model->optimal;
    int                  bounds = 0;
    for (int i = 0; i < o->bounds; i++) {
        const int to = number[p->graph->node[o->bound[i].x].a];
        if (to < 0) continue;
        o->bound[bounds] = o->bound[i];
        o->bound[bounds++].x = noe_graph_leaf(p->graph, NOE_Q, to);
    }
    o->bounds = bounds;
}

void noe_control_statement_check(noe_parser *p)
{
    noe_model                 *m = p->model;
    const noe_control_problem *o = &m->optimal;
    if (!o->controls || m->matrix[NOE_MASS].path) return;
    noe_ex *by = noe_model_alloc(p, 2 * (size_t)m->n * sizeof *by);
    noe_derivative_gradient(p->graph, m->L, m->n, by);
    for (int i = 0; i < o->controls; i++)
        for (int j = 0; j < m->n; j++)
            if (control_in(p, by[m->n + j], &o->control[i]))
                noe_source_fail(&p->lex.source, o->control[i].at,
                                "the control '%.60s' stands in the kinetic energy: the momentum of "
                                "'%.60s' would jump with it; let it act by a force or in the "
                                "potential",
                                o->control[i].symbol->name, m->coordinate[j]->name);
}
