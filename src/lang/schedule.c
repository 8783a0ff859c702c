/* nodes -> operations a b + c, in an order of long runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/schedule.h"

#include <limits.h>

typedef struct {
    noe_graph     *g;
    noe_arena     *arena;
    noe_operation *operation;
    int            operations;
    int           *uses;  /* of a node, by operations and roots */
    int           *parents; /* of a node; an output has two more */
    int           *maker; /* of a node: the operation that computes it, -1 = none */
    int           *reader, *first; /* operations that read an operation's result: reader[first[i] ..] */
} scheduler;

static void *take(scheduler *s, size_t n, size_t size)
{
    void *p = noe_arena_take(s->arena, (n ? n : 1) * size);
    if (!p) longjmp(*s->g->stop, 1);
    return p;
}

static bool computed(const scheduler *s, noe_ex x)
{
    return x >= 0 && noe_arity(s->g->node[x].op) && noe_moves(s->g, x);
}

static void count_parents(scheduler *s, noe_ex x)
{
    const noe_node *node = &s->g->node[x];
    const noe_ex    child[3] = { node->a, node->b, node->c };
    for (int i = 0, n = noe_arity(node->op); i < n; i++) s->parents[child[i]]++;
}

static void operands(noe_operation *o, noe_op op, noe_ex a, noe_ex b, noe_ex c)
{
    o->op = op, o->arity = 3;
    o->in[0] = a, o->in[1] = b, o->in[2] = c;
}

/* A product that nothing else reads goes into the sum that reads it. */
static bool absorbs(const scheduler *s, noe_ex x)
{
    return computed(s, x) && s->g->node[x].op == NOE_MUL && s->parents[x] == 1;
}

/* c - a b, a product that nothing else reads.  With a constant a it is (-a) b + c, of the commoner kind. */
static void subtract(const scheduler *s, noe_operation *o, noe_ex product, noe_ex c)
{
    const noe_node *x = &s->g->node[product];
    o->minus = !noe_moves(s->g, x->a);
    operands(o, o->minus ? NOE_MULADD : NOE_SUBMUL, x->a, x->b, c);
}

static void translate(scheduler *s, noe_operation *o)
{
    const noe_node *x = &s->g->node[o->node], *a = &s->g->node[x->a], *b = &s->g->node[x->b];
    const noe_ex    in[3] = { x->a, x->b, x->c };
    switch (x->op) {
    case NOE_NEG:
        if (absorbs(s, x->a)) subtract(s, o, x->a, NOE_MINUS_ZERO);
        else operands(o, NOE_MULADD, x->a, NOE_MINUS_ONE, NOE_MINUS_ZERO);
        break;
    case NOE_MUL: operands(o, NOE_MULADD, x->a, x->b, NOE_MINUS_ZERO); break;
    case NOE_ADD:
        if (absorbs(s, x->a)) operands(o, NOE_MULADD, a->a, a->b, x->b);
        else if (absorbs(s, x->b)) operands(o, NOE_MULADD, b->a, b->b, x->a);
        else operands(o, NOE_MULADD, x->a, NOE_ONE, x->b);
        break;
    case NOE_SUB:
        if (absorbs(s, x->b)) subtract(s, o, x->b, x->a);
        else operands(o, NOE_MULADD, x->b, NOE_MINUS_ONE, x->a);
        break;
    default:
        o->op = x->op == NOE_FN_sin || x->op == NOE_FN_cos ? NOE_SINCOS : (noe_op)x->op;
        o->arity = noe_arity(x->op);
        for (int k = 0; k < 3; k++) o->in[k] = in[k];
    }
}

/* The node of the other of sin a, cos a when it is needed too, else -1. */
static noe_ex partner(scheduler *s, noe_ex x, int epoch)
{
    const noe_node node = s->g->node[x];
    if (node.op != NOE_FN_sin && node.op != NOE_FN_cos) return -1;
    const noe_ex other = noe_make(s->g, node.op == NOE_FN_sin ? NOE_FN_cos : NOE_FN_sin, node.a, 0, 0);
    return s->g->stamp[other] == epoch ? other : -1;
}

/* From the roots down: a product that has been absorbed has no uses when its turn comes. */
static void collect(scheduler *s, const noe_ex *list, int count, int epoch)
{
    for (int k = count; k-- > 0;) {
        const noe_ex x = list[k];
        if (!computed(s, x) || !s->uses[x] || s->maker[x] >= 0) continue;
        noe_operation *o = &s->operation[s->operations];
        *o = (noe_operation){ .node = x, .other = partner(s, x, epoch) };
        s->maker[x] = s->operations++;
        if (o->other >= 0) s->maker[o->other] = s->maker[x];
        translate(s, o);
        for (int i = 0; i < o->arity; i++)
            if (o->in[i] >= 0) s->uses[o->in[i]]++;
    }
}

static void link(scheduler *s)
{
    s->first = take(s, (size_t)s->operations + 2, sizeof *s->first);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->operations; k++)
            for (int i = 0; i < s->operation[k].arity; i++) {
                const noe_ex x = s->operation[k].in[i];
                if (!computed(s, x)) continue;
                const int from = s->maker[x];
                if (pass) s->reader[s->first[from]++] = k, s->operation[k].waits++;
                else s->first[from + 2]++;
            }
        if (pass == 0) {
            for (int k = 2; k < s->operations + 2; k++) s->first[k] += s->first[k - 1];
            s->reader = take(s, (size_t)s->first[s->operations + 1], sizeof *s->reader);
            for (int k = 0; k < s->operations + 1; k++) s->first[k] = s->first[k + 1];
        }
    }
    for (int k = s->operations; k > 0; k--) s->first[k] = s->first[k - 1];
    s->first[0] = 0;
}

noe_operation *noe_schedule(noe_graph *g, noe_arena *arena, const noe_ex *list, int count, const noe_ex *root,
                            int roots, int *operations)
{
    scheduler    s = { .g = g, .arena = arena };
    const int    epoch = g->epoch;
    const size_t nodes = (size_t)g->count;
    int          head[NOE_OPS], tail[NOE_OPS], ready[NOE_OPS] = { 0 };
    s.operation = take(&s, (size_t)count, sizeof *s.operation);
    s.uses = take(&s, nodes, sizeof *s.uses);
    s.maker = take(&s, nodes, sizeof *s.maker);
    for (size_t i = 0; i < nodes; i++) s.maker[i] = -1;
    s.parents = take(&s, nodes, sizeof *s.parents);
    for (int k = 0; k < count; k++) count_parents(&s, list[k]);
    for (int k = 0; k < roots; k++) s.uses[root[k]] += 2, s.parents[root[k]] += 2; /* absorbed by nobody */
    collect(&s, list, count, epoch);
    link(&s);

    /* Stay with an operation while one of its kind is ready, then go to the kind with the most. */
    noe_operation *out = take(&s, (size_t)s.operations, sizeof *out);
    int            done = 0, kind = 0;
    for (int k = s.operations; k-- > 0;) {
        noe_operation *o = &s.operation[k];
        if (o->waits) continue;
        if (ready[o->op]++) s.operation[tail[o->op]].next = k;
        else head[o->op] = k;
        tail[o->op] = k;
    }
    while (done < s.operations) {
        if (!ready[kind])
            for (int i = 0; i < NOE_OPS; i++)
                if (ready[i] > ready[kind]) kind = i;
        const int k = head[kind];
        head[kind] = s.operation[k].next;
        ready[kind]--;
        out[done++] = s.operation[k];
        for (int i = s.first[k]; i < s.first[k + 1]; i++) {
            noe_operation *o = &s.operation[s.reader[i]];
            if (--o->waits) continue;
            if (ready[o->op]++) s.operation[tail[o->op]].next = s.reader[i];
            else head[o->op] = s.reader[i];
            tail[o->op] = s.reader[i];
        }
    }
    *operations = s.operations;
    return out;
}
