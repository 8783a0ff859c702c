/* Simplifies op(a, b, c) when a node is made: x + 0 = x, x - x = 0, 1 x = x, -(-x) = x, 2 + 3 = 5.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/graph.h"

/* Order of the operands of commutative operations: numbers, other constants, then by age. */
static noe_ex rank(const noe_graph *g, noe_ex x)
{
    return g->node[x].op == NOE_NUM ? -NOE_GRAPH_MOST - 1
         : noe_graph_moves(g, x)    ? x
                                    : x - NOE_GRAPH_MOST;
}

/* May x be dropped from an expression?  Not if it may not be finite: 0 log(0) is not 0. */
static bool drops(const noe_graph *g, noe_ex x) { return g->derived || !g->node[x].doubtful; }

/* Applies algebra that is exact or saves an operation; -1 when no rule applies.  Constant factors
 * are gathered, and a division by them is made once, in binary128.  Rules look at the form of a and
 * b only, so the order in which they are tried does not matter. */
static noe_ex simplify(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    const noe_node x = g->node[a], y = g->node[b];
    const bool     xn = x.op == NOE_NEG, yn = y.op == NOE_NEG;
    switch (op) {
    case NOE_NEG:
        if (xn) return x.a;
        if (x.op == NOE_SUB) return noe_simplify_make(g, NOE_SUB, x.b, x.a, 0);
        break;
    case NOE_ADD:
        if (noe_graph_is(g, a, 0)) return b;
        if (noe_graph_is(g, b, 0)) return a;
        if (yn) return noe_simplify_make(g, NOE_SUB, a, y.a, 0);
        if (xn) return noe_simplify_make(g, NOE_SUB, b, x.a, 0);
        if (a == b) return noe_simplify_make(g, NOE_MUL, noe_graph_number(g, 2), a, 0);
        break;
    case NOE_SUB:
        if (a == b && drops(g, a)) return noe_graph_number(g, 0);
        if (noe_graph_is(g, b, 0)) return a;
        if (noe_graph_is(g, a, 0)) return noe_simplify_make(g, NOE_NEG, b, 0, 0);
        if (yn) return noe_simplify_make(g, NOE_ADD, a, y.a, 0);
        break;
    case NOE_MUL:
        if ((noe_graph_is(g, a, 0) && drops(g, b)) || (noe_graph_is(g, b, 0) && drops(g, a)))
            return noe_graph_number(g, 0);
        if (noe_graph_is(g, a, 1)) return b;
        if (noe_graph_is(g, b, 1)) return a;
        if (noe_graph_is(g, a, -1)) return noe_simplify_make(g, NOE_NEG, b, 0, 0);
        if (noe_graph_is(g, b, -1)) return noe_simplify_make(g, NOE_NEG, a, 0, 0);
        if (xn)
            return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_MUL, x.a, b, 0), 0, 0);
        if (yn)
            return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_MUL, a, y.a, 0), 0, 0);
        if (y.op == NOE_DIV && noe_graph_is(g, y.a, 1) && noe_graph_moves(g, y.b))
            return noe_simplify_make(g, NOE_DIV, a, y.b, 0);
        if (x.op == NOE_DIV && noe_graph_is(g, x.a, 1) && noe_graph_moves(g, x.b))
            return noe_simplify_make(g, NOE_DIV, b, x.b, 0);
        if (!noe_graph_moves(g, a) && y.op == NOE_MUL && !noe_graph_moves(g, y.a)
            && noe_graph_moves(g, y.b))
            return noe_simplify_make(g, NOE_MUL, noe_simplify_make(g, NOE_MUL, a, y.a, 0), y.b, 0);
        if (!noe_graph_moves(g, b) && x.op == NOE_MUL && !noe_graph_moves(g, x.a)
            && noe_graph_moves(g, x.b))
            return noe_simplify_make(g, NOE_MUL, noe_simplify_make(g, NOE_MUL, b, x.a, 0), x.b, 0);
        break;
    case NOE_DIV:
        if (noe_graph_is(g, a, 0) && !noe_graph_is(g, b, 0) && drops(g, b)
            && (g->derived || y.op == NOE_NUM || noe_graph_moves(g, b)))
            return a;
        if (noe_graph_is(g, b, 1)) return a;
        if (xn)
            return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_DIV, x.a, b, 0), 0, 0);
        if (yn)
            return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_DIV, a, y.a, 0), 0, 0);
        if (noe_graph_moves(g, b) || !noe_graph_moves(g, a)) break;
        if (x.op == NOE_MUL && !noe_graph_moves(g, x.a))
            return noe_simplify_make(g, NOE_MUL, noe_simplify_make(g, NOE_DIV, x.a, b, 0), x.b, 0);
        return noe_simplify_make(g, NOE_MUL,
                                 noe_simplify_make(g, NOE_DIV, noe_graph_number(g, 1), b, 0), a, 0);
    case NOE_POW:
        if (noe_graph_is(g, b, 0) && drops(g, a)) return noe_graph_number(g, 1);
        if (noe_graph_is(g, b, 1)) return a;
        if (noe_graph_is(g, b, -1))
            return noe_simplify_make(g, NOE_DIV, noe_graph_number(g, 1), a, 0);
        if (noe_graph_is(g, b, (quad)1 / 2)) return noe_simplify_make(g, NOE_FN_sqrt, a, 0, 0);
        break;
    case NOE_IF:
        if (x.op == NOE_NUM) return x.value != 0 ? b : c;
        if (b == c) return b;
        break;
    default: break;
    }
    return -1;
}

/* Is x half a whole number that double represents exactly?  In binary128 sums, products and roots
 * of such numbers can be told from all others. */
static bool half(quad x) { return fabsq(x) < (quad)0x1p52 && 2 * x == roundq(2 * x); }

/* Does op of such numbers give such a number without rounding? */
static bool folds(noe_op op, const noe_node *x, const noe_node *y, const noe_node *z, int arity,
                  quad value)
{
    const bool algebra = op == NOE_NEG || (op >= NOE_ADD && op <= NOE_POW) || op == NOE_MOD
                      || op == NOE_MIN || op == NOE_MAX || op == NOE_LT || op == NOE_LE
                      || op == NOE_IF || op == NOE_FN_sqrt || op == NOE_FN_abs || op == NOE_FN_sign
                      || op == NOE_FN_floor;
    return algebra && half(value) && half(x->value) && (arity < 2 || half(y->value))
        && (arity < 3 || half(z->value));
}

/* Can the operation give a value that is not finite for finite operands?  Known where operands are
 * numbers. */
static bool risky(noe_op op, const noe_node *b)
{
    if (op == NOE_DIV || op == NOE_MOD) return b->op != NOE_NUM || b->value == 0;
    if (op == NOE_POW) return b->op != NOE_NUM || b->value < 0 || b->value != rintq(b->value);
    return op == NOE_TABLE || op > NOE_IF;
}

noe_ex noe_simplify_make(noe_graph *g, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    const int       arity = noe_graph_arity(op);
    const noe_node *x = &g->node[a], *y = &g->node[b], *z = &g->node[c];
    bool            doubtful = false, numbers = false;
    if (x->op == NOE_NUM && op != NOE_TABLE && (arity < 2 || y->op == NOE_NUM)
        && (arity < 3 || z->op == NOE_NUM)) {
        quad value = noe_evaluate_apply(op, g->tables, x->value, y->value, z->value);
        doubtful = !finiteq(value), numbers = true;
        if (!doubtful && (!g->exact || folds(op, x, y, z, arity, value)))
            return noe_graph_number(g, value);
    }
    noe_ex s = simplify(g, op, a, b, c);
    if (s >= 0) return s;
    x = &g->node[a], y = &g->node[b], z = &g->node[c];
    uint8_t has = x->has;
    if (arity > 1) has |= y->has;
    if (arity > 2) has |= z->has;
    if (!numbers && !(has & ~NOE_HAS_PARAM)) doubtful = risky(op, y);
    doubtful |= x->doubtful || (arity > 1 && y->doubtful) || (arity > 2 && z->doubtful);
    if ((op == NOE_ADD || op == NOE_MUL) && rank(g, a) > rank(g, b)) {
        const noe_ex swap = a;
        a = b, b = swap;
    }
    const noe_ex made = noe_graph_intern(g, op, a, arity > 1 ? b : 0, arity > 2 ? c : 0, 0, has);
    g->node[made].doubtful = doubtful;
    return made;
}
