/* Lists the terms of L that may act in a small region only, with what they are functions of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/local_terms.h"

#include "expr/derivative.h"
#include "expr/tabulated.h"

enum {
    NUMBERS_MOST = 20000,
    NARROW_POWER = 16, /* cos(x)^16 is local, x^4 is not */
    DEEP = 8,          /* terms of a sum that are looked at, one after the other */
    DIVISORS_MOST = 4  /* of many bodies there are many, and all of them alike */
};

static bool power_of_numbers(const noe_graph *g, const noe_node *x)
{
    const noe_op exponent = g->node[x->b].op;
    return x->op == NOE_POW && (exponent == NOE_NUM || exponent == NOE_LITERAL);
}

/* Does a sum have a term that does not move? */
static bool has_constant(const noe_graph *g, noe_ex e, int deep)
{
    const noe_node *x = &g->node[e];
    if (!noe_graph_moves(g, e)) return true;
    return deep && (x->op == NOE_ADD || x->op == NOE_SUB)
        && (has_constant(g, x->a, deep - 1) || has_constant(g, x->b, deep - 1));
}

/* What a term is divided by, if it may have a least value above 0: 1 + r^2 or cosh(x), without
 * powers and roots of it; else 0. */
static noe_ex divisor(const noe_graph *g, const noe_node *x)
{
    noe_ex u = x->op == NOE_DIV                                  ? x->b
             : power_of_numbers(g, x) && g->node[x->b].value < 0 ? x->a
                                                                 : 0;
    while (u && (g->node[u].op == NOE_POW || g->node[u].op == NOE_FN_sqrt)) u = g->node[u].a;
    if (!u || !noe_graph_moves(g, u)) return 0;
    return g->node[u].op == NOE_FN_cosh || has_constant(g, u, DEEP) ? u : 0;
}

static bool local(const noe_graph *g, const noe_node *x)
{
    switch ((noe_op)x->op) {
    case NOE_DIV: return divisor(g, x);
    case NOE_POW:
        return divisor(g, x)
            || (noe_graph_moves(g, x->a) && power_of_numbers(g, x)
                && g->node[x->b].value >= NARROW_POWER);
    case NOE_FN_exp:
    case NOE_FN_tanh:
    case NOE_FN_abs:
    case NOE_MIN:
    case NOE_MAX:
    case NOE_LT:
    case NOE_LE:
    case NOE_TABLE:
    case NOE_FN_sign:
    case NOE_FN_floor:
    case NOE_MOD: break;
    default: return false;
    }
    return x->has;
}

/* The argument u; of an operation with two sides, their difference; of a power, its logarithm. */
static noe_ex argument(noe_graph *g, noe_ex e)
{
    const noe_node x = g->node[e];
    const noe_ex   under = divisor(g, &x);
    if (under) return under;
    if (x.op == NOE_POW) {
        const noe_ex square = noe_simplify_make(g, NOE_MUL, x.a, x.a, 0);
        return noe_simplify_make(g, NOE_MUL, noe_graph_number(g, g->node[x.b].value / 2),
                                 noe_simplify_make(g, NOE_FN_log, square, 0, 0), 0);
    }
    return x.op == NOE_MIN || x.op == NOE_MAX || x.op == NOE_LT || x.op == NOE_LE
             ? noe_simplify_make(g, NOE_SUB, x.a, x.b, 0)
             : x.a;
}

static bool taken(const noe_graph *g, const noe_node *x, int *divisors)
{
    return local(g, x) && (!divisor(g, x) || (*divisors)++ < DIVISORS_MOST);
}

void noe_local_terms_list(noe_active_region *x, noe_model *m, noe_ex *root)
{
    noe_graph *g = &m->graph;
    const int  all = noe_evaluate_reach(g, &m->L, 1), width = 2 + 2 * m->n,
              most = NUMBERS_MOST / width;
    int    found = 0;
    noe_ex spots[NOE_ACTIVE_MOST];
    for (int k = 0, divisors = 0; k < all; k++) found += taken(g, &g->node[g->list[k]], &divisors);
    const int wanted = found < NOE_ACTIVE_MOST ? found : NOE_ACTIVE_MOST,
              share = wanted < most ? wanted : most;
    for (int k = 0, seen = 0, divisors = 0; k < all && x->count < share; k++)
        if (taken(g, &g->node[g->list[k]], &divisors) && (long)seen++ * share / found >= x->count)
            spots[x->count++] = g->list[k];
    for (int k = 0; k < x->count; k++) {
        const noe_node node = g->node[spots[k]];
        noe_ex        *to = root + k * width;
        x->spot[k].op = (noe_op)node.op;
        x->spot[k].least = divisor(g, &node);
        if (node.op == NOE_TABLE && g->node[node.b].op == NOE_NUM) {
            const noe_tabulated *s =
                g->tables->item[noe_tabulated_item((int)g->node[node.b].value)];
            x->spot[k].from = s->x[0], x->spot[k].to = s->x[s->pieces];
        }
        to[0] = argument(g, spots[k]);
        to[1] = noe_derivative_by_time(g, to[0]);
        noe_derivative_gradient(g, to[0], m->n, to + 2);
    }
}
