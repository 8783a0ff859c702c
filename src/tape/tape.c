/* Makes tapes: straight-line code x_d <- op(x_a, x_b, x_c), in runs of equal operations.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/tape.h"

#include "base/status.h"
#include "tape/lowering.h"
#include "tape/run_schedule.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_graph  *g;           /* the graph */
    noe_arena  *arena;       /* memory of the tape */
    noe_tape   *tape;        /* the tape in the making */
    const quad *param;       /* values of the parameters */
    int         n;           /* number of coordinates */
    int        *slot, *uses; /* [nodes] slot of a node, -1: none yet; readers still to come */
    int        *minus;       /* [nodes] slot of the negative of a constant, -1: none yet */
    int        *spare;       /* free slots, a stack */
    int         spares;      /* number of free slots */
} maker;

static void *take(maker *m, size_t n, size_t size)
{
    return noe_arena_need(m->arena, m->g->stop, n, size);
}

static int constant(maker *m, quad value, noe_ex from)
{
    m->tape->constant[m->tape->constants] = value;
    m->tape->from[m->tape->constants] = from;
    return m->tape->inputs + m->tape->constants++;
}

/* Slot of an operand; a constant gets its slot when it is first read. */
static int read(maker *m, noe_ex x)
{
    if (x < 0) return m->tape->inputs - 1 - x;
    const noe_node *node = &m->g->node[x];
    if (m->slot[x] < 0)
        m->slot[x] = noe_graph_moves(m->g, x) ? noe_tape_input(node->op, node->a, m->n)
                                              : constant(m, m->g->number[x], x);
    return m->slot[x];
}

static int read_minus(maker *m, noe_ex x)
{
    if (m->minus[x] < 0) m->minus[x] = constant(m, -m->g->number[x], ~x);
    return m->minus[x];
}

static void release(maker *m, noe_ex x)
{
    if (x < 0 || --m->uses[x] || !noe_graph_moves(m->g, x) || !noe_graph_arity(m->g->node[x].op))
        return;
    m->spare[m->spares++] = m->slot[x];
}

static int write(maker *m, noe_ex x)
{
    const int slot = m->spares ? m->spare[--m->spares] : m->tape->slots++;
    if (x >= 0) m->slot[x] = slot;
    return slot;
}

static void emit(maker *m, const noe_operation *o)
{
    noe_tape *t = m->tape;
    if (!t->runs || t->run[t->runs - 1].op != (int32_t)o->op)
        t->run[t->runs++] = (noe_run_of){ o->op, 0 };
    t->run[t->runs - 1].count++;
    noe_ins *i = &t->ins[t->length++];
    i->a = o->minus ? read_minus(m, o->in[0]) : read(m, o->in[0]);
    if (o->arity > 1) i->b = read(m, o->in[1]);
    if (o->arity > 2) i->c = read(m, o->in[2]);
    for (int k = 0; k < o->arity; k++) release(m, o->in[k]);
    if (o->op != NOE_SINCOS) {
        i->d = write(m, o->node);
        return;
    }
    /* Sine and cosine are always computed by one function, so that a sine has the same bits with
     * and without its cosine. */
    const bool sine = m->g->node[o->node].op == NOE_FN_sin;
    const int  mine = write(m, o->node), its = write(m, o->other);
    if (o->other < 0) m->spare[m->spares++] = its;
    i->d = sine ? mine : its;
    i->c = sine ? its : mine;
}

noe_tape *noe_tape_blank(int inputs, size_t n, size_t constants, int roots)
{
    const size_t skip = (sizeof(noe_tape) + sizeof(quad) - 1) / sizeof(quad) * sizeof(quad);
    const size_t size = constants * sizeof(quad) + n * (sizeof(noe_ins) + sizeof(noe_run_of));
    noe_tape    *t = noe_status_alloc(1, skip + size + (size_t)roots * sizeof(int)
                                             + constants * sizeof(noe_ex));
    if (!t) return NULL;
    t->constant = (quad *)((char *)t + skip);
    t->ins = (noe_ins *)(t->constant + constants);
    t->run = (noe_run_of *)(t->ins + n);
    t->out = (int *)(t->run + n);
    t->from = t->out + roots;
    t->inputs = inputs;
    t->outputs = roots;
    return t;
}

static noe_tape *blank(maker *m, size_t n, size_t constants, int roots)
{
    noe_tape *t = noe_tape_blank(noe_tape_inputs(m->n), n, constants, roots);
    if (!t) longjmp(*m->g->stop, 1);
    t->tables = m->g->tables;
    t->constant[0] = 1, t->constant[1] = -1, t->constant[2] = -(quad)0;
    t->constants = NOE_TAPE_OWN;
    return t;
}

/* Computes the values of all constant nodes; returns their number. */
static size_t evaluate(maker *m, const noe_ex *list, int count)
{
    quad  *number = m->g->number;
    size_t found = 0;
    for (int k = 0; k < count; k++) {
        const noe_node *x = &m->g->node[list[k]];
        const int       arity = noe_graph_arity(x->op);
        if (noe_graph_moves(m->g, list[k])) continue;
        found++;
        number[list[k]] = x->op == NOE_NUM ? x->value
                        : x->op == NOE_PARAM
                            ? m->param[x->a]
                            : noe_evaluate_fold((noe_op)x->op, m->g->tables, number[x->a],
                                                number[arity > 1 ? x->b : x->a],
                                                number[arity > 2 ? x->c : x->a]);
    }
    return found;
}

/* Gives every constant its slot; slots of computed values follow. */
static void place_constants(maker *m, const noe_operation *operation, int operations,
                            const noe_ex *root, int roots)
{
    for (int k = 0; k < operations; k++) {
        const noe_operation *o = &operation[k];
        if (o->minus) read_minus(m, o->in[0]);
        for (int i = o->minus; i < o->arity; i++)
            if (o->in[i] >= 0 && !noe_graph_moves(m->g, o->in[i])) read(m, o->in[i]);
    }
    for (int k = 0; k < roots; k++)
        if (!noe_graph_moves(m->g, root[k])) read(m, root[k]);
    m->tape->slots = m->tape->inputs + m->tape->constants;
}

static void make(maker *m, const noe_ex *want, int roots)
{
    noe_graph *g = m->g;
    int        operations;
    noe_ex    *root = take(m, (size_t)roots, sizeof *root);
    memcpy(root, want, (size_t)roots * sizeof *root);
    noe_lowering_apply(g, root, roots);
    const int    count = noe_evaluate_reach(g, root, roots);
    const size_t nodes = (size_t)g->count;
    noe_ex      *list = take(m, (size_t)count, sizeof *list);
    memcpy(list, g->list, (size_t)count * sizeof *list);
    const noe_operation *operation = noe_run_schedule_make(g, m->arena, list, count, root, roots,
                                                           &operations);

    m->slot = take(m, nodes, sizeof *m->slot);
    m->minus = take(m, nodes, sizeof *m->minus);
    m->uses = take(m, nodes, sizeof *m->uses);
    m->spare = take(m, 2 * (size_t)operations, sizeof *m->spare);
    for (size_t i = 0; i < nodes; i++) m->slot[i] = m->minus[i] = -1;
    for (int k = 0; k < roots; k++)
        m->uses[root[k]] = 1; /* outputs are read by the caller: their slots are not used again */
    for (int k = 0; k < operations; k++)
        for (int i = 0; i < operation[k].arity; i++)
            if (operation[k].in[i] >= 0) m->uses[operation[k].in[i]]++;
    m->tape = blank(m, (size_t)operations, 2 * evaluate(m, list, count) + NOE_TAPE_OWN, roots);
    place_constants(m, operation, operations, root, roots);
    for (int k = 0; k < operations; k++) emit(m, &operation[k]);
    for (int k = 0; k < roots; k++) m->tape->out[k] = read(m, root[k]);
}

noe_tape *noe_tape_new(noe_graph *g, const quad *param, int n, const noe_ex *root, int roots)
{
    maker    *m = noe_status_alloc(1, sizeof *m);
    noe_tape *tape = NULL;
    jmp_buf   stop, *outer = g->stop;
    if (m && (m->arena = noe_arena_new())) {
        m->g = g, m->param = param, m->n = n;
        g->stop = &stop;
        if (!setjmp(stop)) {
            make(m, root, roots);
            tape = m->tape;
        } else {
            free(m->tape);
        }
        g->stop = outer;
        noe_arena_free(m->arena);
    }
    free(m);
    return tape;
}

bool noe_tape_same(const noe_tape *a, const noe_tape *b)
{
    if (!a || !b) return a == b;
    return a->inputs == b->inputs && a->constants == b->constants && a->slots == b->slots
        && a->runs == b->runs && a->length == b->length && a->outputs == b->outputs
        && !memcmp(a->run, b->run, (size_t)a->runs * sizeof *a->run)
        && !memcmp(a->ins, b->ins, (size_t)a->length * sizeof *a->ins)
        && !memcmp(a->out, b->out, (size_t)a->outputs * sizeof *a->out);
}
