/* Evaluates expressions, operands first, and lists the nodes they depend on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/graph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static quad signq(quad x) { return x < 0 ? -1 : x > 0 ? 1 : x; }

static quad modq(quad x, quad y)
{
    quad r = x - y * floorq(x / y);
    if (r != 0 && (r < 0) != (y < 0)) r += y;
    return fabsq(r) >= fabsq(y) ? 0 : r;
}

static quad tableq(const noe_tables *t, quad x, quad which)
{
    return noe_tabulated_at(t, which, x);
}

quad noe_evaluate_apply(noe_op op, const noe_tables *tables, quad A, quad B, quad C)
{
#define absq fabsq
#define F(name) name##q
#define TABLES tables
#define b_truth(x) (x)
#define b_if(x, y, z) ((x) != 0 ? (y) : (z))
#define OPERATION(op, value) \
    case op: return value;
    switch (op) {
    case NOE_NEG: return -A;
    case NOE_ADD: return A + B;
    case NOE_SUB: return A - B;
    case NOE_MUL: return A * B;
    case NOE_HELD: return A;
#include "expr/operations.def"
    default: return nanq("");
    }
}

static void find(noe_graph *g, noe_ex x, uint8_t done, int *count)
{
    if (g->stamp[x] == g->epoch || g->done[x] & done) return;
    g->stamp[x] = g->epoch;
    g->list[(*count)++] = x;
}

static int by_age(const void *a, const void *b)
{
    const noe_ex x = *(const noe_ex *)a, y = *(const noe_ex *)b;
    return (x > y) - (x < y);
}

int noe_evaluate_reach_new(noe_graph *g, const noe_ex *root, int roots, uint8_t done)
{
    enum { SPARSE_PART = 16 };
    int count = 0;
    if (g->epoch == INT_MAX) {
        memset(g->stamp, 0, (size_t)g->capacity * sizeof *g->stamp);
        g->epoch = 0;
    }
    g->epoch++;
    noe_ex high = 0; /* an operand is older than its users, so the newest node is a root */
    for (int k = 0; k < roots; k++) {
        find(g, root[k], done, &count);
        if (root[k] > high) high = root[k];
    }
    for (int k = 0; k < count; k++) { /* the list is its own queue */
        const noe_node *x = &g->node[g->list[k]];
        const noe_ex    child[3] = { x->a, x->b, x->c };
        for (int i = 0, n = noe_graph_arity(x->op); i < n; i++) find(g, child[i], done, &count);
    }
    if (count < high / SPARSE_PART) {
        qsort(g->list, (size_t)count, sizeof *g->list, by_age);
        return count;
    }
    count = 0;
    for (noe_ex i = 0; i <= high; i++)
        if (g->stamp[i] == g->epoch) g->list[count++] = i;
    return count;
}

int noe_evaluate_reach(noe_graph *g, const noe_ex *root, int roots)
{
    return noe_evaluate_reach_new(g, root, roots, 0);
}

/* Is the node the value of a table whose derivative is continuous? */
static bool is_smooth_table(const noe_graph *g, const noe_node *x)
{
    return x->op == NOE_TABLE && noe_tabulated_is_smooth(g->tables, (int)g->node[x->b].value);
}

static uint8_t kinks(noe_graph *g, const noe_ex *root, int roots, bool first)
{
    uint8_t has = 0;
    for (int k = 0, count = noe_evaluate_reach(g, root, roots); k < count; k++) {
        const noe_node *x = &g->node[g->list[k]];
        const bool      asks = (x->op >= NOE_MOD && x->op <= NOE_LE) || x->op == NOE_FN_abs
                       || x->op == NOE_FN_sign || x->op == NOE_FN_floor;
        if (first && is_smooth_table(g, x)) continue;
        has |= asks ? x->has : x->op == NOE_IF ? g->node[x->a].has : 0;
    }
    return has & (NOE_HAS_Q | NOE_HAS_V | NOE_HAS_P | NOE_HAS_T);
}

uint8_t noe_evaluate_kinks(noe_graph *g, const noe_ex *root, int roots)
{
    return kinks(g, root, roots, false);
}

uint8_t noe_evaluate_bends(noe_graph *g, noe_ex root) { return kinks(g, &root, 1, true); }

/* NaN where an operand is not finite: IEEE arithmetic alone would give 1/(1/0) = 0 and min(0/0, 1)
 * = 1. */
quad noe_evaluate_fold(noe_op op, const noe_tables *tables, quad a, quad b, quad c)
{
    const int  arity = noe_graph_arity(op);
    const bool chosen = op == NOE_IF && finiteq(a),
               all = finiteq(a) && (arity < 2 || finiteq(b)) && (arity < 3 || finiteq(c));
    return chosen || all ? noe_evaluate_apply(op, tables, a, b, c) : nanq("");
}

quad noe_evaluate_constant(noe_graph *g, noe_ex root, const quad *param)
{
    quad *value = g->number;
    for (int k = 0, n = noe_evaluate_reach_new(g, &root, 1, NOE_VALUED); k < n; k++) {
        const noe_ex    i = g->list[k];
        const noe_node *x = &g->node[i];
        const int       arity = noe_graph_arity(x->op);
        value[i] = x->op == NOE_NUM || x->op == NOE_LITERAL ? x->value
                 : x->op == NOE_PARAM                       ? param[x->a]
                                      : noe_evaluate_fold((noe_op)x->op, g->tables, value[x->a],
                                                          value[arity > 1 ? x->b : x->a],
                                                          value[arity > 2 ? x->c : x->a]);
        g->done[i] |= NOE_VALUED;
    }
    return value[root];
}
