/* sum(i in a..b) f -> one term f and the range of i; settings; the weights of the sums in L.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/sum_parser.h"

#include "base/status.h"
#include "expr/derivative.h"

#include <stdlib.h>
#include <string.h>

/* Begins a sum; expressions go into its term until sum_end. */
static struct noe_sum *sum_begin(noe_parser *p, size_t at)
{
    noe_model      *m = p->model;
    struct noe_sum *s = noe_model_alloc(p, sizeof *s);
    noe_model_push(p, &m->graphs, m->graph_count, sizeof *m->graphs);
    s->graph = m->graphs[m->graph_count] = noe_model_alloc(p, sizeof *s->graph);
    m->graph_count++;
    s->graph->stop = m->graph.stop;
    s->graph->tables = m->graph.tables;
    s->at = at;
    s->rate = -1;
    noe_graph_number(s->graph, 0); /* node 0 is nobody's child by accident */
    p->sum = s;
    p->graph = s->graph;
    return s;
}

/* Ends the sum s with the term ex; returns its number. */
static int sum_end(noe_parser *p, struct noe_sum *s, noe_ex ex)
{
    noe_model *m = p->model;
    s->ex = ex;
    p->sum = NULL;
    p->graph = &m->graph;
    noe_model_push(p, &m->sum, m->sums, sizeof *m->sum);
    m->sum[m->sums] = s;
    return m->sums++;
}

/* Stores i in from..to as the next index of the sum. */
static void level(noe_parser *p, struct noe_sum *s)
{
    const noe_token k = noe_index_binding_name(p);
    if (!noe_lexer_is_word(&p->lex, "in")) noe_expect_fail(p, "'in' after the name of an index");
    noe_lexer_next(&p->lex);
    if (s->levels == NOE_BOUND_MOST)
        noe_source_fail(&p->lex.source, k.at, "more than %d indices at once", NOE_BOUND_MOST);
    noe_index_binding_running_range(p, &s->from[s->levels], &s->to[s->levels]);
    if (s->from[s->levels].modulus || s->to[s->levels].modulus)
        noe_write_out_sums(p, k.at, "mod in the range of an index");
    noe_index_expression_bind(p, &k, noe_index_expression_free(s->levels));
    s->index[s->levels++] = p->bound[p->bounds - 1];
}

noe_quantity noe_sum_parser_sum(noe_parser *p, size_t at, size_t opened)
{
    const int       bounds = p->bounds;
    struct noe_sum *s = sum_begin(p, at);
    do level(p, s);
    while (noe_expect_comma(p));
    noe_expect_close(p, opened, "after the range of the sum");
    noe_quantity x = noe_expression_quantity(p);
    p->bounds = bounds;
    for (int c = 0; c < (x.vector ? 3 : 1); c++) { /* of a vector three sums, with one graph */
        struct noe_sum *own = c ? noe_model_alloc(p, sizeof *own) : s;
        if (c) *own = *s;
        x.ex[c] = noe_graph_leaf(&p->model->graph, NOE_SUM, sum_end(p, own, x.ex[c]));
    }
    return x;
}

void noe_sum_parser_rates(noe_parser *p)
{
    noe_model *m = p->model;
    for (int k = 0, n = m->sums; k < n; k++) {
        struct noe_sum *s = m->sum[k];
        if (s->rate >= 0 || s->graph->node[s->ex].has & (NOE_HAS_V | NOE_HAS_P)) continue;
        struct noe_sum *r = noe_model_alloc(p, sizeof *r);
        *r = *s;
        r->ex = noe_derivative_rate(s->graph, s->ex);
        noe_model_push(p, &m->sum, m->sums, sizeof *m->sum);
        m->sum[s->rate = m->sums] = r;
        const noe_ex of = noe_graph_leaf(&m->graph, NOE_SUM, k),
                     rate = noe_graph_leaf(&m->graph, NOE_SUM, m->sums++);
        m->graph.rate[of] = rate;
        m->graph.done[of] |= NOE_RATED;
    }
    for (int k = 0; k < m->sums; k++) { /* what contains velocities has no prime */
        const noe_ex of = noe_graph_leaf(&m->graph, NOE_SUM, k);
        if (m->sum[k]->rate < 0) {
            m->graph.rate[of] = noe_graph_number(&m->graph, 0);
            m->graph.done[of] |= NOE_RATED;
        }
    }
}

void noe_sum_parser_setting(noe_parser *p, noe_rule_what what, noe_symbol *target,
                            const noe_left *left)
{
    static const uint8_t moving = NOE_HAS_T | NOE_HAS_Q | NOE_HAS_V | NOE_HAS_P | NOE_HAS_SUM;
    noe_model           *m = p->model;
    const size_t         at = p->lex.token.at;
    if (left->by > 1) noe_write_out_sums(p, left->at, "a range with 'by'");
    struct noe_sum *s = sum_begin(p, left->at);
    noe_index       index = noe_index_expression_of(left->lo);
    const bool      named = left->kind == NOE_LEFT_EACH || left->kind == NOE_LEFT_IN;
    if (named) {
        s->from[0] = noe_index_expression_of(left->lo);
        s->to[0] = noe_index_expression_of(left->hi);
        s->levels = 1;
        index = noe_index_expression_free(0);
        noe_index_expression_bind(p, &left->index, index);
    }
    const noe_slot slot = { .kind = NOE_SLOT_COORDINATE,
                            .index = target->family ? index : noe_index_expression_of(0),
                            .lo = target->family ? target->lo : 0,
                            .hi = target->family ? target->hi : 0,
                            .first = target->index,
                            .name = target->name };
    noe_sum_slot_number(p, slot);
    const noe_ex x = noe_expression_parse(p);
    if (named) p->bounds--;
    const uint8_t has = s->graph->node[x].has;
    if (what == NOE_RULE_FIX && has & NOE_HAS_T)
        noe_write_out_sums(p, at, "a coordinate that is fixed to what moves");
    if (has & moving)
        noe_source_fail(&p->lex.source, at,
                        "expected numbers and parameters only: this depends on the motion");
    sum_end(p, s, x);
    m->sums--; /* it is no sum */
    noe_model_push(p, &m->setting, m->settings, sizeof *m->setting);
    m->setting[m->settings++] = (struct noe_setting){ what, s };
}

/* The constant factor of every node in L, from the root down; a subexpression without sums is one
 * node. */
static noe_ex weights(noe_parser *p, noe_ex *bar)
{
    noe_graph   *g = p->graph;
    noe_ex       rest = noe_graph_number(g, 0);
    const noe_ex L = p->model->L, one = noe_graph_number(g, 1), minus = noe_graph_number(g, -1);
    const int    count = noe_evaluate_reach(g, &L, 1);
    noe_ex      *list = noe_model_alloc(p, (size_t)count * sizeof *list);
    memcpy(list, g->list, (size_t)count * sizeof *list);
    for (int k = 0; k < count; k++) bar[list[k]] = -1;
    bar[L] = one;
    for (int k = count; k-- > 0;) {
        const noe_ex   i = list[k], w = bar[i];
        const noe_node x = g->node[i];
        if (w < 0) continue;
        if (!(x.has & NOE_HAS_SUM)) {
            rest = noe_simplify_make(g, NOE_ADD, rest, noe_simplify_make(g, NOE_MUL, w, i, 0), 0);
            continue;
        }
        if (x.op == NOE_SUM) continue;
        const bool linear_a = x.op == NOE_ADD || x.op == NOE_SUB || x.op == NOE_NEG
                           || (x.op == NOE_MUL && !noe_graph_moves(g, x.b))
                           || (x.op == NOE_DIV && !noe_graph_moves(g, x.b));
        const bool linear = linear_a || (x.op == NOE_MUL && !noe_graph_moves(g, x.a));
        if (!linear) {
            size_t at = 0;
            for (int j = 0; j < count && !at; j++)
                if (g->node[list[j]].op == NOE_SUM) at = p->model->sum[g->node[list[j]].a]->at;
            noe_write_out_sums(p, at, "a nonlinear function of a sum");
        }
        const noe_ex child[2] = { x.a, x.b };
        for (int c = 0; c < noe_graph_arity(x.op); c++) {
            const bool adds = x.op == NOE_ADD || x.op == NOE_SUB;
            noe_ex     part = w;
            if (!adds && !noe_graph_moves(g, child[c]) && (c == 1 || x.op == NOE_MUL))
                continue; /* the factor itself */
            if (x.op == NOE_NEG || (x.op == NOE_SUB && c))
                part = noe_simplify_make(g, NOE_MUL, minus, w, 0);
            if (x.op == NOE_MUL) part = noe_simplify_make(g, NOE_MUL, w, child[!c], 0);
            if (x.op == NOE_DIV) part = noe_simplify_make(g, NOE_DIV, w, x.b, 0);
            bar[child[c]] = bar[child[c]] < 0
                              ? part
                              : noe_simplify_make(g, NOE_ADD, bar[child[c]], part, 0);
        }
    }
    return rest;
}

void noe_sum_parser_finish(noe_parser *p)
{
    noe_model *m = p->model;
    noe_graph *g = p->graph;
    if (!m->sums && !m->n) return;
    noe_ex *bar = noe_model_alloc(p, (size_t)(2 * g->count + 64 * (m->sums + 16)) * sizeof *bar);
    const noe_ex rest = weights(p, bar);
    for (int k = 0; k < m->sums; k++) {
        const noe_ex leaf = noe_graph_leaf(g, NOE_SUM, k);
        bool         in = false;
        const noe_ex L = m->L;
        for (int j = 0, n = noe_evaluate_reach(g, &L, 1); j < n; j++) in |= g->list[j] == leaf;
        if (in && bar[leaf] >= 0) m->sum[k]->weight = noe_evaluate_constant(g, bar[leaf], m->param);
    }
    if (noe_graph_is(g, rest, 0)) return;
    struct noe_sum *s = sum_begin(p, 0); /* also a constant, which the energy has */
    const noe_ex    x = noe_sum_slot_import(p, rest, 0);
    sum_end(p, s, x);
    s->weight = 1;
}
