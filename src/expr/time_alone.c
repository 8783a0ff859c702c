/* Terms of t alone in a Lagrangian, f(t): they change no motion, being dF/dt with F' = f.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/time_alone.h"

/* Node e without such terms, made of its operands without them, which are in g->bar. */
static noe_ex without(noe_graph *g, noe_ex e)
{
    const noe_node x = g->node[e]; /* a copy: new nodes move the array */
    if (!(x.has & NOE_HAS_T)) return e;
    if (!(x.has & ~(NOE_HAS_T | NOE_HAS_PARAM))) return noe_graph_number(g, 0);
    const bool sum = x.op == NOE_ADD || x.op == NOE_SUB,
               first = sum || x.op == NOE_NEG || (x.op == NOE_MUL && !noe_graph_moves(g, x.b))
                    || (x.op == NOE_DIV && !noe_graph_moves(g, x.b)),
               second = sum || (x.op == NOE_MUL && !noe_graph_moves(g, x.a));
    const noe_ex a = first ? g->bar[x.a] : x.a, b = second ? g->bar[x.b] : x.b;
    return a == x.a && b == x.b ? e : noe_simplify_make(g, (noe_op)x.op, a, b, x.c);
}

noe_ex noe_time_alone_drop(noe_graph *g, noe_ex f)
{
    if (!(g->node[f].has & NOE_HAS_T)) return f;
    for (int k = 0, n = noe_evaluate_reach(g, &f, 1); k < n; k++) {
        const noe_ex e = g->list[k], y = without(g, e);
        g->bar[e] = y;
    }
    return g->bar[f];
}
