/* Terms of t alone in a Lagrangian, f(t): they change no motion, being dF/dt with F' = f.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/time_alone.h"

enum { DEEPEST = 2000 }; /* sums within sums; deeper terms stay */

static noe_ex without(noe_graph *g, noe_ex e, int deep)
{
    const noe_node x = g->node[e]; /* a copy: new nodes move the array */
    if (!(x.has & NOE_HAS_T) || !deep) return e;
    if (!(x.has & ~(NOE_HAS_T | NOE_HAS_PARAM))) return noe_graph_number(g, 0);
    const bool sum = x.op == NOE_ADD || x.op == NOE_SUB,
               first = sum || x.op == NOE_NEG || (x.op == NOE_MUL && !noe_graph_moves(g, x.b))
                    || (x.op == NOE_DIV && !noe_graph_moves(g, x.b)),
               second = sum || (x.op == NOE_MUL && !noe_graph_moves(g, x.a));
    const noe_ex a = first ? without(g, x.a, deep - 1) : x.a,
                 b = second ? without(g, x.b, deep - 1) : x.b;
    return a == x.a && b == x.b ? e : noe_simplify_make(g, (noe_op)x.op, a, b, x.c);
}

noe_ex noe_time_alone_drop(noe_graph *g, noe_ex e) { return without(g, e, DEEPEST); }
