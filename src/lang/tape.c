/* x_d <- op(x_a, x_b, x_c): a function as straight-line code.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/tape.h"

#include "base/arena.h"
#include "base/status.h"
#include "lang/diff.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_graph  *g;
    noe_tape   *tape;
    const quad *param;
    int         n;
    noe_ex     *list;  /* the nodes needed, children first */
    int         count;
    int        *slot;  /* of each node; -1 = none yet */
    int        *uses;  /* readers to come */
    int        *spare; /* free slots, a stack */
    int         spares;
} maker;

static bool moves(const noe_node *x) { return x->has & ~NOE_HAS_PARAM; }

static void *take(maker *m, noe_arena *a, size_t n, size_t size)
{
    void *p = noe_arena_take(a, n * size);
    if (!p) longjmp(*m->g->stop, 1);
    return p;
}

/* Slot of a child; a constant gets its slot when it is first read. */
static int read(maker *m, noe_ex x)
{
    const noe_node *node = &m->g->node[x];
    if (m->slot[x] < 0 && !noe_arity(node->op) && moves(node))
        m->slot[x] = noe_tape_input(node->op, node->a, m->n);
    else if (m->slot[x] < 0) {
        m->tape->constant[m->tape->constants] = m->g->number[x];
        m->slot[x] = m->tape->inputs + m->tape->constants++;
    }
    return m->slot[x];
}

static void release(maker *m, noe_ex x)
{
    const noe_node *node = &m->g->node[x];
    if (--m->uses[x] == 0 && noe_arity(node->op) && moves(node)) m->spare[m->spares++] = m->slot[x];
}

static int write(maker *m, noe_ex x)
{
    return m->slot[x] = m->spares ? m->spare[--m->spares] : m->tape->slots++;
}

/* The node of the other of sin a, cos a when it is needed too, else -1. */
static noe_ex partner(maker *m, noe_ex x, int epoch)
{
    const noe_node node = m->g->node[x];
    const noe_ex other = noe_make(m->g, node.op == NOE_FN_sin ? NOE_FN_cos : NOE_FN_sin, node.a, 0, 0);
    return m->g->stamp[other] == epoch ? other : -1;
}

/* Sine and cosine always come from one function: one of them alone must have the same bits. */
static void both(maker *m, noe_ins *ins, noe_ex x, noe_ex other)
{
    const noe_ex a = m->g->node[x].a;
    const bool   sine = m->g->node[x].op == NOE_FN_sin;
    release(m, a);
    if (other >= 0) release(m, a);
    ins->op = NOE_SINCOS;
    const int mine = write(m, x), its = other >= 0 ? write(m, other) : m->tape->slots++;
    if (other < 0) m->spare[m->spares++] = its;
    ins->d = sine ? mine : its;
    ins->c = sine ? its : mine;
}

static void emit(maker *m, noe_ex x, int epoch)
{
    if (m->slot[x] >= 0) return; /* came with its partner */
    const noe_node node = m->g->node[x];
    const int      arity = noe_arity(node.op);
    const noe_ex   child[3] = { node.a, node.b, node.c };
    noe_ins       *ins = &m->tape->ins[m->tape->length++];
    ins->op = node.op;
    ins->a = read(m, node.a);
    if (arity > 1) ins->b = read(m, node.b);
    if (arity > 2) ins->c = read(m, node.c);
    if (node.op == NOE_FN_sin || node.op == NOE_FN_cos) {
        both(m, ins, x, partner(m, x, epoch));
        return;
    }
    for (int k = 0; k < arity; k++) release(m, child[k]);
    ins->d = write(m, x);
}

static noe_tape *blank(maker *m, int roots)
{
    const size_t n = (size_t)m->count + 1, r = (size_t)roots;
    const size_t bytes = sizeof(noe_tape) + n * (sizeof(quad) + sizeof(noe_ins)) + r * sizeof(int) + 64;
    noe_tape    *t = noe_alloc(1, bytes);
    if (!t) longjmp(*m->g->stop, 1);
    const size_t skip = (sizeof *t + sizeof(quad) - 1) / sizeof(quad) * sizeof(quad);
    t->constant = (quad *)((char *)t + skip);
    t->ins = (noe_ins *)(t->constant + n);
    t->out = (int *)(t->ins + n);
    t->inputs = noe_tape_inputs(m->n);
    t->outputs = roots;
    return t;
}

static void make(maker *m, noe_arena *a, const noe_ex *want, int roots)
{
    noe_graph *g = m->g;
    noe_ex    *root = take(m, a, (size_t)roots + 1, sizeof *root);
    memcpy(root, want, (size_t)roots * sizeof *root);
    noe_lower(g, root, roots);
    m->count = noe_reach(g, root, roots);
    const int    epoch = g->epoch;
    const size_t nodes = (size_t)g->count;
    m->list = take(m, a, (size_t)m->count + 1, sizeof *m->list);
    m->slot = take(m, a, nodes + 1, sizeof *m->slot);
    m->uses = take(m, a, nodes + 1, sizeof *m->uses);
    m->spare = take(m, a, nodes + 1, sizeof *m->spare);
    memcpy(m->list, g->list, (size_t)m->count * sizeof *m->list);
    for (size_t i = 0; i < nodes; i++) m->slot[i] = -1;
    for (int k = 0; k < roots; k++) m->uses[root[k]] = INT_MAX / 2; /* outputs live on */

    int constants = 0; /* needed by something that moves, or as an output */
    for (int k = 0; k < m->count; k++) {
        const noe_node *x = &g->node[m->list[k]];
        const noe_ex    child[3] = { x->a, x->b, x->c };
        const int       arity = noe_arity(x->op);
        if (!moves(x)) {
            constants++;
            g->number[m->list[k]] = x->op == NOE_NUM ? x->value : x->op == NOE_PARAM ? m->param[x->a]
                : noe_apply(x->op, g->number[x->a], g->number[arity > 1 ? x->b : x->a],
                            g->number[arity > 2 ? x->c : x->a]);
            continue;
        }
        for (int j = 0; j < arity; j++) m->uses[child[j]]++;
    }
    m->tape = blank(m, roots);
    m->tape->slots = m->tape->inputs + constants;
    for (int k = 0; k < m->count; k++)
        if (moves(&g->node[m->list[k]]) && noe_arity(g->node[m->list[k]].op)) emit(m, m->list[k], epoch);
    for (int k = 0; k < roots; k++) m->tape->out[k] = read(m, root[k]);
}

noe_tape *noe_tape_new(noe_graph *g, const quad *param, int n, const noe_ex *root, int roots)
{
    maker      *m = noe_alloc(1, sizeof *m);
    noe_arena  *a = noe_arena_new();
    jmp_buf     stop, *outer = g->stop;
    noe_tape   *tape = NULL;
    if (m && a) {
        *m = (maker){ .g = g, .param = param, .n = n };
        g->stop = &stop;
        if (!setjmp(stop)) {
            make(m, a, root, roots);
            tape = m->tape;
        } else {
            free(m->tape);
        }
        g->stop = outer;
    }
    noe_arena_free(a);
    free(m);
    return tape;
}

void noe_tape_run(const noe_tape *tape, const quad *input, quad *slot, quad *out)
{
    memcpy(slot, input, (size_t)tape->inputs * sizeof *slot);
    memcpy(slot + tape->inputs, tape->constant, (size_t)tape->constants * sizeof *slot);
    for (int k = 0; k < tape->length; k++) {
        const noe_ins *i = &tape->ins[k];
        const quad     a = slot[i->a];
        if (i->op == NOE_SINCOS) sincosq(a, &slot[i->d], &slot[i->c]);
        else slot[i->d] = noe_apply((noe_op)i->op, a, slot[i->b], slot[i->c]);
    }
    for (int k = 0; k < tape->outputs; k++) out[k] = slot[tape->out[k]];
}
