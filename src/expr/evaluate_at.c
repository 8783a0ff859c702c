/* Values of expressions for given values of their leaves: operands first, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/evaluate_at.h"

static quad leaf(const noe_node *x, const quad *param, const noe_leaf_values *at)
{
    switch (x->op) {
    case NOE_NUM:
    case NOE_LITERAL: return x->value;
    case NOE_PARAM: return param[x->a];
    case NOE_T: return at->t;
    case NOE_Q: return at->q[x->a];
    case NOE_V: return at->v[x->a];
    case NOE_P: return at->p[x->a];
    default: return nanq("");
    }
}

void noe_evaluate_at(noe_graph *g, noe_arena *arena, const noe_ex *root, int roots,
                     const quad *param, const noe_leaf_values *at, quad *out)
{
    const int count = noe_evaluate_reach(g, root, roots);
    quad     *value = noe_arena_need(arena, g->stop, (size_t)g->count, sizeof *value);
    for (int k = 0; k < count; k++) {
        const noe_ex    i = g->list[k];
        const noe_node *x = &g->node[i];
        const int       arity = noe_graph_arity(x->op);
        value[i] = !arity ? leaf(x, param, at)
                          : noe_evaluate_fold((noe_op)x->op, g->tables, value[x->a],
                                              value[arity > 1 ? x->b : x->a],
                                              value[arity > 2 ? x->c : x->a]);
    }
    for (int k = 0; k < roots; k++) out[k] = value[root[k]];
}
