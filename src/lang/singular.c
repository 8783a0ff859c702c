/* u -> 0 where 1/u, log u or tan has no value, and where abs(u) has a kink: arguments whose zeros matter.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/singular.h"

typedef struct {
    noe_graph *g;
    noe_ex    *found;
    int        count, room;
} collector;

static void add(collector *x, noe_ex u)
{
    for (int i = 0; i < x->count; i++)
        if (x->found[i] == u) return;
    if (x->count < x->room) x->found[x->count++] = u;
}

/* The factors of u whose sign u may lose; depth ends what a text may nest. */
static void factors(collector *x, noe_ex u, int depth)
{
    const noe_node *y = &x->g->node[u];
    if (!(y->has & NOE_HAS_Q) || depth > 64) return;
    switch (y->op) {
    case NOE_NEG:
    case NOE_POW:
    case NOE_DIV:
    case NOE_FN_sqrt:
    case NOE_FN_abs: factors(x, y->a, depth + 1); return;
    case NOE_MUL: {
        const noe_ex b = y->b;
        factors(x, y->a, depth + 1);
        factors(x, b, depth + 1);
        return;
    }
    case NOE_FN_exp:
    case NOE_FN_cosh: return;
    default: add(x, u);
    }
}

int noe_singular_arguments(noe_graph *g, const noe_ex *root, int roots, noe_ex *found, int room)
{
    collector x = { g, found, 0, room };
    const int n = noe_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node *y = &g->node[g->list[k]];
        const bool      power = y->op == NOE_POW && (g->node[y->b].op != NOE_NUM || g->node[y->b].value < 0);
        if (y->op == NOE_DIV) factors(&x, y->b, 0);
        else if (power || y->op == NOE_FN_log) factors(&x, y->a, 0);
    }
    for (int k = 0; k < n; k++) { /* last, since making a node may move the graph */
        const noe_node y = g->node[g->list[k]];
        if (y.op == NOE_FN_tan && y.has & NOE_HAS_Q) add(&x, noe_make(g, NOE_FN_cos, y.a, 0, 0));
    }
    return x.count;
}

int noe_kink_arguments(noe_graph *g, const noe_ex *root, int roots, noe_ex *found, int room)
{
    collector x = { g, found, 0, room };
    const int n = noe_reach(g, root, roots);
    for (int k = 0; k < n; k++) {
        const noe_node y = g->node[g->list[k]];
        const bool     pair = y.op == NOE_MIN || y.op == NOE_MAX || y.op == NOE_LT || y.op == NOE_LE;
        if (!(y.has & NOE_HAS_V)) continue;
        if (y.op == NOE_FN_abs || y.op == NOE_FN_sign) add(&x, y.a);
        else if (pair) add(&x, noe_make(g, NOE_SUB, y.a, y.b, 0));
    }
    return x.count;
}
