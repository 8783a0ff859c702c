/* Rewrites expressions as cheaper operations: x^3 -> (x x) x;  a/b, c/b -> a r, c r with r = 1/b.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/lowering.h"

#include "expr/substitute.h"

static noe_ex times(noe_graph *g, noe_ex a, noe_ex b)
{
    return noe_simplify_make(g, NOE_MUL, a, b, 0);
}

/* x^n by repeated squaring, n >= 1. */
static noe_ex power(noe_graph *g, noe_ex x, int n)
{
    if (n == 1) return x;
    const noe_ex half = power(g, x, n / 2), square = times(g, half, half);
    return n % 2 ? times(g, square, x) : square;
}

static noe_ex lower_power(noe_graph *g, noe_ex x, noe_ex e)
{
    const quad value = g->node[e].value, twice = 2 * fabsq(value);
    if (g->node[e].op != NOE_NUM || twice != floorq(twice) || twice == 0 || twice > 64)
        return noe_simplify_make(g, NOE_POW, x, e, 0);
    const int whole = (int)(twice / 2);
    noe_ex    y = whole ? power(g, x, whole) : noe_graph_number(g, 1);
    if ((int)twice % 2) y = times(g, y, noe_simplify_make(g, NOE_FN_sqrt, x, 0, 0));
    return value < 0 ? noe_simplify_make(g, NOE_DIV, noe_graph_number(g, 1), y, 0) : y;
}

/* a/b, c/b  ->  r = 1/b, a r, c r: a quotient takes as long as ten products, and the force between
 * two bodies has one quotient for each direction. */
static void share_quotients(noe_graph *g, noe_ex *root, int roots)
{
    enum { ONCE = 4, TWICE = 8 }; /* beside NOE_VALUED and NOE_RATED */
    const noe_ex one = noe_graph_number(g, 1);
    const int    n = noe_evaluate_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node *x = &g->node[g->list[k]];
        if (x->op == NOE_DIV && noe_graph_moves(g, x->b))
            g->done[x->b] |= g->done[x->b] & ONCE ? TWICE : ONCE;
    }
    for (int k = 0; k < n;
         k++) { /* as they are: noe_simplify_make would make quotients of such products */
        const noe_ex   i = g->list[k];
        const noe_node x = g->node[i];
        const int      arity = noe_graph_arity(x.op);
        const noe_ex   a = arity ? g->bar[x.a] : 0, b = arity > 1 ? g->bar[x.b] : 0,
                     c = arity > 2 ? g->bar[x.c] : 0;
        noe_ex y = i;
        if (x.op == NOE_DIV && g->done[x.b] & TWICE) {
            y = noe_graph_intern(g, NOE_DIV, one, b, 0, 0, g->node[b].has);
            if (a != one) y = noe_graph_intern(g, NOE_MUL, a, y, 0, 0, x.has);
        } else if (arity && (a != x.a || (arity > 1 && b != x.b) || (arity > 2 && c != x.c)))
            y = noe_graph_intern(g, x.op, a, b, c, 0, x.has);
        g->bar[i] = y;
    }
    for (int k = 0; k < n; k++) g->done[g->list[k]] &= NOE_VALUED | NOE_RATED;
    for (int k = 0; k < roots; k++) root[k] = g->bar[root[k]];
}

void noe_lowering_apply(noe_graph *g, noe_ex *root, int roots)
{
    for (int k = 0, n = noe_evaluate_reach(g, root, roots); k < n; k++) {
        const noe_ex   i = g->list[k];
        const noe_node x = g->node[i];
        const noe_ex   y = x.op == NOE_POW  ? lower_power(g, g->bar[x.a], g->bar[x.b])
                         : x.op == NOE_HELD ? g->bar[x.a]
                                            : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    for (int k = 0; k < roots; k++) root[k] = g->bar[root[k]];
    share_quotients(g, root, roots);
}
