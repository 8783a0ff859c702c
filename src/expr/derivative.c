/* Derivatives of expressions: df = f_a da + f_b db + f_c dc, in reverse mode for gradients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rates df/dt are made in forward mode.  One table of partial derivatives serves both modes
 * (Griewank & Walther, Evaluating Derivatives, ch. 3); in reverse mode the gradient costs at most a
 * small multiple of f. */
#include "expr/derivative.h"

/* Abbreviations used in functions.def; g is the graph. */
#define ZERO noe_graph_number(g, 0)
#define ONE noe_graph_number(g, 1)
#define HALF noe_graph_number(g, (quad)1 / 2)
#define NEG(a) noe_simplify_make(g, NOE_NEG, a, 0, 0)
#define ADD(a, b) noe_simplify_make(g, NOE_ADD, a, b, 0)
#define SUB(a, b) noe_simplify_make(g, NOE_SUB, a, b, 0)
#define MUL(a, b) noe_simplify_make(g, NOE_MUL, a, b, 0)
#define DIV(a, b) noe_simplify_make(g, NOE_DIV, a, b, 0)
#define POW(a, b) noe_simplify_make(g, NOE_POW, a, b, 0)
#define LESS(a, b) noe_simplify_make(g, NOE_LT, a, b, 0)
#define IF(a, b, c) noe_simplify_make(g, NOE_IF, a, b, c)
#define FN(name, a) noe_simplify_make(g, NOE_FN_##name, a, 0, 0)

/* How often the tabulated function b can still be differentiated. */
static int degree_left(const noe_graph *g, noe_ex b)
{
    const int which = (int)g->node[b].value;
    return (g->tables->item[noe_tabulated_item(which)]->cubic ? 3 : 1) - noe_tabulated_order(which);
}

/* Partial derivative of node y with respect to its operand k. */
static noe_ex partial(noe_graph *g, noe_ex y, int k)
{
    const noe_node node = g->node[y];
    const noe_ex   x = node.a, b = node.b;
    switch (node.op) {
    case NOE_NEG: return NEG(ONE);
    case NOE_ADD: return ONE;
    case NOE_SUB: return k ? NEG(ONE) : ONE;
    case NOE_MUL: return k ? x : b;
    case NOE_DIV: return k ? NEG(DIV(y, b)) : DIV(ONE, b);
    case NOE_POW: return k ? MUL(FN(log, x), y) : MUL(b, POW(x, SUB(b, ONE)));
    case NOE_ATAN2:
        return k ? NEG(DIV(x, ADD(MUL(x, x), MUL(b, b)))) : DIV(b, ADD(MUL(x, x), MUL(b, b)));
    case NOE_MOD: return k ? NEG(FN(floor, DIV(x, b))) : ONE;
    case NOE_TABLE:
        return k || degree_left(g, b) == 0 ? ZERO
                                           : noe_simplify_make(g, NOE_TABLE, x, ADD(b, ONE), 0);
    case NOE_MIN: return k ? IF(LESS(x, b), ZERO, ONE) : IF(LESS(x, b), ONE, ZERO);
    case NOE_MAX: return k ? IF(LESS(x, b), ONE, ZERO) : IF(LESS(x, b), ZERO, ONE);
    case NOE_IF: return k == 1 ? IF(x, ONE, ZERO) : k == 2 ? IF(x, ZERO, ONE) : ZERO;
#define FUNCTION(name, derivative) \
    case NOE_FN_##name:            \
        return derivative;
#include "expr/functions.def"
#undef FUNCTION
    default: return ZERO; /* comparisons */
    }
}

/* dot + (partial derivative of y by operand k) rate; piecewise constant functions add 0. */
static noe_ex add_rate(noe_graph *g, noe_ex dot, noe_ex y, int k, noe_ex rate)
{
    const noe_ex d = noe_graph_is(g, rate, 0) ? rate : partial(g, y, k);
    return noe_graph_is(g, d, 0) ? dot : ADD(dot, MUL(d, rate));
}

/* bar times the partial derivative of y by operand k.  Both partial derivatives of a quotient share
 * one division. */
static noe_ex share(noe_graph *g, noe_ex bar, noe_ex y, int k)
{
    const noe_node node = g->node[y];
    if (node.op == NOE_DIV && k && noe_graph_moves(g, node.a)) return NEG(MUL(DIV(bar, node.b), y));
    const noe_ex d = partial(g, y, k);
    return noe_graph_is(g, d, 0) ? d : MUL(bar, d);
}

/* to[op][i] = df/d(leaf op i) for the leaves that the flags `has` name, by one reverse sweep; what
 * f does not contain is left as it is. */
static void sweep(noe_graph *g, noe_ex f, uint8_t has, noe_ex *const to[NOE_H + 1])
{
    const noe_ex one = ONE; /* making a node may move g->bar */
    const bool   derived = g->derived;
    g->derived = true;
    const int count = noe_evaluate_reach(g, &f, 1);
    for (int k = 0; k < count; k++)
        g->bar[g->list[k]] = -1; /* bar_i = df / d node i, -1 where it is zero */
    g->bar[f] = one;
    for (int j = count; j-- > 0;) {
        const noe_ex   i = g->list[j];
        const noe_node x = g->node[i];
        const noe_ex   bar = g->bar[i], child[3] = { x.a, x.b, x.c };
        if (bar < 0 || !(x.has & has)) continue;
        if (x.op <= NOE_H && to[x.op]) to[x.op][x.a] = bar;
        for (int k = 0, m = noe_graph_arity(x.op); k < m; k++) {
            const noe_ex at = child[k];
            if (!(g->node[at].has & has)) continue;
            const noe_ex part = share(g, bar, i, k);
            if (noe_graph_is(g, part, 0)) continue;
            const noe_ex sum = g->bar[at] < 0 ? part : ADD(g->bar[at], part);
            g->bar[at] = sum;
        }
    }
    g->derived = derived;
}

void noe_derivative_gradient(noe_graph *g, noe_ex f, int n, noe_ex *out)
{
    const noe_ex zero = ZERO;
    for (int j = 0; j < 2 * n; j++) out[j] = zero;
    sweep(g, f, NOE_HAS_Q | NOE_HAS_V, (noe_ex * [NOE_H + 1]){ [NOE_Q] = out, [NOE_V] = out + n });
}

void noe_derivative_by_parameters(noe_graph *g, noe_ex f, int params, noe_ex *out)
{
    const noe_ex zero = ZERO;
    for (int j = 0; j < params; j++) out[j] = zero;
    sweep(g, f, NOE_HAS_PARAM, (noe_ex * [NOE_H + 1]){ [NOE_PARAM] = out });
}

void noe_derivative_by_momenta(noe_graph *g, noe_ex f, int n, noe_ex *out)
{
    const noe_ex zero = ZERO;
    for (int j = 0; j < n + 1; j++) out[j] = zero;
    sweep(g, f, NOE_HAS_P, (noe_ex * [NOE_H + 1]){ [NOE_P] = out, [NOE_H] = out + n });
}

noe_ex noe_derivative_rate(noe_graph *g, noe_ex f)
{
    const bool derived = g->derived;
    g->derived = true;
    for (int j = 0, n = noe_evaluate_reach_new(g, &f, 1, NOE_RATED); j < n; j++) {
        const noe_ex   i = g->list[j];
        const noe_node x = g->node[i];
        const noe_ex   child[3] = { x.a, x.b, x.c };
        noe_ex dot = x.op == NOE_T ? ONE : x.op == NOE_Q ? noe_graph_leaf(g, NOE_V, x.a) : ZERO;
        for (int k = 0, m = noe_graph_arity(x.op); k < m; k++)
            dot = add_rate(g, dot, i, k, g->rate[child[k]]);
        g->rate[i] = dot;
        g->done[i] |= NOE_RATED;
    }
    g->derived = derived;
    return g->rate[f];
}

/* The bound follows operand by operand, |f_a| bound(a) + |f_b| bound(b) + |f_c| bound(c). */
noe_ex noe_derivative_by_constants(noe_graph *g, noe_ex f)
{
    const noe_ex zero = ZERO;
    const bool   derived = g->derived;
    g->derived = true;
    for (int j = 0, n = noe_evaluate_reach(g, &f, 1); j < n; j++) {
        const noe_ex   i = g->list[j];
        const noe_node x = g->node[i];
        const noe_ex   child[3] = { x.a, x.b, x.c };
        const bool     moves = noe_graph_moves(g, i);
        noe_ex         sum = moves ? zero : FN(abs, i);
        for (int k = 0, m = moves ? noe_graph_arity(x.op) : 0; k < m; k++) {
            const noe_ex bound = g->bar[child[k]];
            if (noe_graph_is(g, bound, 0) || (x.op == NOE_POW && k)) continue;
            const noe_ex d = partial(g, i, k);
            if (!noe_graph_is(g, d, 0)) sum = ADD(sum, MUL(FN(abs, d), bound));
        }
        g->bar[i] = sum;
    }
    g->derived = derived;
    return g->bar[f];
}

noe_ex noe_derivative_by_time(noe_graph *g, noe_ex f)
{
    const noe_ex zero = ZERO, one = ONE; /* making a node may move g->bar */
    const bool   derived = g->derived;
    g->derived = true;
    for (int j = 0, n = noe_evaluate_reach(g, &f, 1); j < n; j++) {
        const noe_ex   i = g->list[j];
        const noe_node x = g->node[i];
        const noe_ex   child[3] = { x.a, x.b, x.c };
        noe_ex         dot = x.op == NOE_T ? one : zero;
        for (int k = 0, m = noe_graph_arity(x.op); k < m && x.has & NOE_HAS_T; k++)
            dot = add_rate(g, dot, i, k, g->bar[child[k]]);
        g->bar[i] = dot;
    }
    g->derived = derived;
    return g->bar[f];
}

noe_ex noe_derivative_by_explicit_time(noe_graph *g, noe_ex f)
{
    return g->node[f].has & NOE_HAS_T ? noe_derivative_by_time(g, f) : noe_graph_number(g, 0);
}
