/* Substitution f(x) -> f(y): an expression with its leaves replaced, operand by operand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/substitute.h"

noe_ex noe_substitute_image(noe_graph *g, noe_ex i)
{
    const noe_node x = g->node[i];
    const int      arity = noe_graph_arity(x.op);
    return arity ? noe_simplify_make(g, x.op, g->bar[x.a], arity > 1 ? g->bar[x.b] : 0,
                                     arity > 2 ? g->bar[x.c] : 0)
                 : i;
}

noe_ex noe_substitute_leaves(noe_graph *g, noe_ex f, noe_op leaf, noe_ex by)
{
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex i = g->list[k], y = g->node[i].op == leaf ? by : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[f];
}

noe_ex noe_substitute_members(noe_graph *g, noe_ex f, noe_op leaf, const int *index,
                              const noe_ex *by, int count)
{
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex i = g->list[k];
        noe_ex       y = -1;
        for (int j = 0; j < count && g->node[i].op == leaf; j++)
            if (g->node[i].a == index[j]) y = by[j];
        if (y < 0) y = noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[f];
}

noe_ex noe_substitute_node(noe_graph *g, noe_ex f, noe_ex node, noe_ex by)
{
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex i = g->list[k], y = i == node ? by : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[f];
}

noe_ex noe_substitute_at_rest(noe_graph *g, noe_ex f)
{
    return noe_substitute_leaves(g, f, NOE_V, noe_graph_number(g, 0));
}
