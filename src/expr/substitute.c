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

noe_ex noe_substitute_at_rest(noe_graph *g, noe_ex f)
{
    const noe_ex zero = noe_graph_number(g, 0);
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex i = g->list[k], y = g->node[i].op == NOE_V ? zero : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[f];
}
