/* An expression of parameters alone -> its value.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

void noe_constant_expression_need(noe_parser *p, noe_ex x, size_t at)
{
    if (p->graph->node[x].has & ~NOE_HAS_PARAM)
        noe_source_fail(&p->lex.source, at,
                        "expected numbers and parameters only: this depends on the motion");
}

noe_ex noe_constant_expression_parse(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_expression_parse(p);
    noe_constant_expression_need(p, x, at);
    return x;
}

quad noe_constant_expression_finite(noe_parser *p, noe_ex x, size_t at)
{
    const quad value = noe_evaluate_constant(p->graph, x, p->model->param);
    if (!finiteq(value)) noe_source_fail(&p->lex.source, at, "the value is not finite");
    return value;
}

/* Lists the constants in x whose values may not be finite.  Branches of if(..) are left out: one of
 * them is not taken. */
static int doubts(noe_parser *p, noe_ex x, noe_ex **found)
{
    noe_graph *g = p->graph;
    const int  count = noe_evaluate_reach(g, &x, 1);
    int        n = 0;
    *found = noe_model_alloc(p, (size_t)count * sizeof **found);
    for (int k = 0; k < count; k++) g->bar[g->list[k]] = g->list[k] == x;
    for (int k = count; k-- > 0;) {
        const noe_ex   i = g->list[k];
        const noe_node node = g->node[i];
        const noe_ex   child[3] = { node.a, node.b, node.c };
        if (!g->bar[i] || !node.doubtful) continue;
        if (!noe_graph_moves(g, i)) (*found)[n++] = i;
        for (int j = 0;
             noe_graph_moves(g, i) && j < (node.op == NOE_IF ? 1 : noe_graph_arity(node.op)); j++)
            g->bar[child[j]] = 1;
    }
    return n;
}

noe_ex noe_constant_expression_checked(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_expression_parse(p);
    noe_ex      *found;
    if (!p->graph->node[x].doubtful) return x;
    for (int i = doubts(p, x, &found); i-- > 0;)
        if (!finiteq(noe_evaluate_constant(p->graph, found[i], p->model->param)))
            noe_source_fail(&p->lex.source, at,
                            "a constant in this expression is not finite: a division by zero, or a "
                            "root or logarithm "
                            "that has no value");
    return x;
}

quad noe_constant_expression_value(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    p->constant = noe_constant_expression_parse(p);
    return noe_constant_expression_finite(p, p->constant, at);
}
