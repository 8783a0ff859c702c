/* Makes the operations that compute the roots, a product and a sum fused to a b + c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/run_schedule.h"

typedef struct {
    noe_graph     *g;          /* the graph */
    noe_operation *operation;  /* [operations] the operations */
    int            operations; /* number of operations */
    int           *maker;      /* [nodes] number of the operation that computes a node, -1: none */
    int           *uses;       /* [nodes] uses of a node by operations so far, and as an output */
    int *parents, *others; /* [nodes] nodes that read it; those that are no sums, with outputs */
} fuser;

static bool computed(const fuser *f, noe_ex x)
{
    return x >= 0 && noe_graph_arity(f->g->node[x].op) && noe_graph_moves(f->g, x);
}

static void count_parents(fuser *f, noe_ex x)
{
    const noe_node *node = &f->g->node[x];
    const noe_ex    child[3] = { node->a, node->b, node->c };
    for (int i = 0, n = noe_graph_arity(node->op); i < n; i++) {
        f->parents[child[i]]++;
        f->others[child[i]] += node->op != NOE_ADD && node->op != NOE_NEG
                            && !(node->op == NOE_SUB && i == 1);
    }
}

/* A product that is read by sums only is fused into them and not computed by itself. */
static bool absorbs(const fuser *f, noe_ex x)
{
    return computed(f, x) && f->g->node[x].op == NOE_MUL && !f->others[x];
}

static void operands(noe_operation *o, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    o->op = op, o->arity = 3;
    o->in[0] = a, o->in[1] = b, o->in[2] = c;
}

static void add(const fuser *f, noe_operation *o, noe_ex a, noe_ex b)
{
    const bool      swap = !absorbs(f, a) || (absorbs(f, b) && f->parents[b] < f->parents[a]);
    const noe_ex    product = swap ? b : a, other = swap ? a : b;
    const noe_node *x = &f->g->node[product];
    if (absorbs(f, product)) operands(o, NOE_MULADD, x->a, x->b, other);
    else operands(o, NOE_MULADD, a, NOE_ONE, b);
}

/* c - a b.  With a constant a it becomes (-a) b + c, the more frequent operation. */
static void subtract(const fuser *f, noe_operation *o, noe_ex c, noe_ex product)
{
    const noe_node *x = &f->g->node[product];
    if (!absorbs(f, product)) {
        operands(o, NOE_MULADD, product, NOE_MINUS_ONE, c);
        return;
    }
    o->minus = !noe_graph_moves(f->g, x->a);
    operands(o, o->minus ? NOE_MULADD : NOE_SUBMUL, x->a, x->b, c);
}

static void translate(const fuser *f, noe_operation *o)
{
    const noe_node *x = &f->g->node[o->node];
    const noe_ex    in[3] = { x->a, x->b, x->c };
    switch (x->op) {
    case NOE_NEG: subtract(f, o, NOE_MINUS_ZERO, x->a); break;
    case NOE_MUL: operands(o, NOE_MULADD, x->a, x->b, NOE_MINUS_ZERO); break;
    case NOE_ADD: add(f, o, x->a, x->b); break;
    case NOE_SUB: subtract(f, o, x->a, x->b); break;
    default:
        o->op = x->op == NOE_FN_sin || x->op == NOE_FN_cos ? NOE_SINCOS : (noe_op)x->op;
        o->arity = noe_graph_arity(x->op);
        for (int k = 0; k < 3; k++) o->in[k] = in[k];
    }
}

/* For sin a the node of cos a and vice versa, where it is needed, too; else -1. */
static noe_ex other_of_sincos(fuser *f, noe_ex x, int epoch)
{
    const noe_node node = f->g->node[x];
    if (node.op != NOE_FN_sin && node.op != NOE_FN_cos) return -1;
    const noe_ex other = noe_simplify_make(f->g, node.op == NOE_FN_sin ? NOE_FN_cos : NOE_FN_sin,
                                           node.a, 0, 0);
    return f->g->stamp[other] == epoch ? other : -1;
}

int noe_multiply_add_make(noe_graph *g, noe_arena *arena, const noe_ex *list, int count,
                          const noe_ex *root, int roots, noe_operation *operation, int *maker)
{
    const size_t nodes = (size_t)g->count;
    const int    epoch = g->epoch;
    int         *scratch = noe_arena_take(arena, 3 * nodes * sizeof *scratch);
    if (!scratch) longjmp(*g->stop, 1);
    fuser f = { g, operation, 0, maker, scratch, scratch + nodes, scratch + 2 * nodes };
    for (size_t i = 0; i < nodes; i++) maker[i] = -1;
    for (int k = 0; k < count; k++) count_parents(&f, list[k]);
    for (int k = 0; k < roots; k++) f.uses[root[k]]++, f.others[root[k]]++;
    /* From the roots down: a product that was fused into sums has no uses when it is reached. */
    for (int k = count; k-- > 0;) {
        const noe_ex x = list[k];
        if (!computed(&f, x) || !f.uses[x] || maker[x] >= 0) continue;
        noe_operation *o = &operation[f.operations];
        *o = (noe_operation){ .node = x, .other = other_of_sincos(&f, x, epoch) };
        maker[x] = f.operations++;
        if (o->other >= 0) maker[o->other] = maker[x];
        translate(&f, o);
        for (int i = 0; i < o->arity; i++)
            if (o->in[i] >= 0) f.uses[o->in[i]]++;
    }
    return f.operations;
}
