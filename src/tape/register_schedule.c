/* Orders the operations of a tape for registers: each is computed soon before it is read.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs of equal operations suit interpreters, this order suits machine code.  Depth first from the
 * outputs, the longest path first (R. Sethi, J. D. Ullman, Journal of the ACM 17 (1970) 715). */
#include "tape/tape.h"

#include "base/arena.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const noe_tape *from; /* the tape */
    noe_tape       *to;   /* the tape in the new order */
    int            *op;   /* [length] operations of `from` */
    int (*maker)[3];      /* [length] for each operand the operation that computes it, or -1 */
    int (*which)[3];      /* [length] and the number of the result */
    int  *height;         /* [length] longest path to it from inputs and constants */
    int  *layer;          /* [length] most function calls, one after another, on a path to it */
    bool *done;           /* [length] already in the new order */
    int  *order, count;   /* [count] operations in the new order */
    int  *stack;          /* scratch: operations to be visited */
} sorter;

/* Sums, products, quotients and roots are single instructions; all else is a function call. */
static bool straight(int op)
{
    return op == NOE_MULADD || op == NOE_SUBMUL || op == NOE_DIV || op == NOE_FN_sqrt;
}

int noe_register_schedule_arity(int op)
{
    return op == NOE_MULADD || op == NOE_SUBMUL ? 3
         : op == NOE_SINCOS                     ? 1
                                                : noe_graph_arity((noe_op)op);
}

static void trace(
    sorter *s,
    int    *last) /* last: of a slot, 2 times the operation that wrote it and which result, or -1 */
{
    const noe_tape *t = s->from;
    for (int i = 0; i < t->slots; i++) last[i] = -1;
    for (int r = 0, k = 0; r < t->runs; r++)
        for (int i = 0; i < t->run[r].count; i++, k++) {
            const noe_ins x = t->ins[k];
            const int     in[3] = { x.a, x.b, x.c };
            s->op[k] = t->run[r].op;
            for (int j = 0; j < 3; j++) {
                const int from = j < noe_register_schedule_arity(s->op[k]) ? last[in[j]] : -1,
                          m = from < 0 ? -1 : from / 2;
                s->maker[k][j] = m, s->which[k][j] = from < 0 ? 0 : from % 2;
                if (m < 0) continue;
                if (s->height[m] >= s->height[k]) s->height[k] = s->height[m] + 1;
                const int above = s->layer[m] + !straight(s->op[m]);
                if (above > s->layer[k]) s->layer[k] = above;
            }
            last[x.d] = 2 * k;
            if (s->op[k] == NOE_SINCOS) last[x.c] = 2 * k + 1;
        }
}

/* Appends the operations that k needs, then k; the operand with the longest path first. */
static void visit(sorter *s, int k)
{
    int top = 0;
    s->stack[top++] = k;
    while (top) {
        const int at = s->stack[top - 1];
        int       next = -1;
        for (int j = 0; j < 3; j++) {
            const int m = s->maker[at][j];
            if (m >= 0 && !s->done[m] && (next < 0 || s->height[m] > s->height[next])) next = m;
        }
        if (next >= 0) {
            s->stack[top++] = next;
            continue;
        }
        top--;
        if (!s->done[at]) s->done[at] = true, s->order[s->count++] = at;
    }
}

/* Function calls layer by layer, all of a layer together, since a call empties the registers. */
static void sort(sorter *s, const int *last, int *function, int *first)
{
    const noe_tape *t = s->from;
    int             count = 0, at = 0;
    for (int k = 0; k < t->length; k++)
        if (!straight(s->op[k])) {
            first[s->layer[k] + 1]++;
            count++;
        }
    for (int l = 0; l < t->length; l++) first[l + 1] += first[l];
    for (int k = 0; k < t->length; k++)
        if (!straight(s->op[k])) function[first[s->layer[k]]++] = k;
    while (at < count) {
        int end = at;
        for (; end < count && s->layer[function[end]] == s->layer[function[at]]; end++)
            for (int j = 0; j < 3; j++)
                if (s->maker[function[end]][j] >= 0) visit(s, s->maker[function[end]][j]);
        for (; at < end; at++) visit(s, function[at]);
    }
    for (int o = 0; o < t->outputs; o++)
        if (last[t->out[o]] >= 0) visit(s, last[t->out[o]] / 2);
}

/* Assigns slots in the new order; a slot is used again after its last reader. */
static void place(sorter *s, const int *last, int *slot, int *uses, int *spare)
{
    const noe_tape *t = s->from;
    noe_tape       *to = s->to;
    int             spares = 0;
    to->slots = t->inputs + t->constants;
    to->runs = to->length = 0;
    for (int o = 0; o < t->outputs; o++)
        if (last[t->out[o]] >= 0) uses[last[t->out[o]]]++;
    for (int n = 0; n < s->count; n++)
        for (int j = 0; j < 3; j++)
            if (s->maker[s->order[n]][j] >= 0)
                uses[2 * s->maker[s->order[n]][j] + s->which[s->order[n]][j]]++;
    for (int n = 0; n < s->count; n++) {
        const int     k = s->order[n];
        const noe_ins x = t->ins[k];
        int           in[3] = { x.a, x.b, x.c };
        for (int j = 0; j < 3; j++)
            if (s->maker[k][j] >= 0) in[j] = slot[2 * s->maker[k][j] + s->which[k][j]];
        for (int j = 0; j < 3; j++) {
            const int v = 2 * s->maker[k][j] + s->which[k][j];
            if (s->maker[k][j] >= 0 && !--uses[v]) spare[spares++] = slot[v];
        }
        noe_ins y = { 0, in[0], in[1], in[2] };
        y.d = slot[2 * k] = spares ? spare[--spares] : to->slots++;
        if (s->op[k] == NOE_SINCOS) {
            y.c = slot[2 * k + 1] = spares ? spare[--spares] : to->slots++;
            if (!uses[2 * k]) spare[spares++] = y.d;
            if (!uses[2 * k + 1]) spare[spares++] = y.c;
        }
        if (!to->runs || to->run[to->runs - 1].op != s->op[k])
            to->run[to->runs++] = (noe_run_of){ s->op[k], 0 };
        to->run[to->runs - 1].count++;
        to->ins[to->length++] = y;
    }
    for (int o = 0; o < t->outputs; o++)
        to->out[o] = last[t->out[o]] >= 0 ? slot[last[t->out[o]]] : t->out[o];
}

noe_tape *noe_register_schedule_make(const noe_tape *t)
{
    const size_t n = (size_t)t->length, slots = (size_t)t->slots;
    noe_arena   *arena = noe_arena_new();
    sorter s = { .from = t, .to = noe_tape_blank(t->inputs, n, (size_t)t->constants, t->outputs) };
    int   *scratch = arena ? noe_arena_take(arena, (17 * n + slots + 1) * sizeof *scratch) : NULL;
    s.done = arena ? noe_arena_take(arena, n + 1) : NULL;
    if (s.to && scratch && s.done) {
        s.op = scratch;
        s.height = s.op + n;
        s.layer = s.height + n;
        s.order = s.layer + n;
        s.stack = s.order + n;
        s.maker = (int(*)[3])(s.stack + n), s.which = s.maker + n;
        int *const slot = (int *)(s.which + n), *const uses = slot + 2 * n,
                   *const spare = uses + 2 * n, *const last = spare + 2 * n;
        memcpy(s.to->constant, t->constant, (size_t)t->constants * sizeof *t->constant);
        memcpy(s.to->from, t->from, (size_t)t->constants * sizeof *t->from);
        s.to->constants = t->constants, s.to->tables = t->tables;
        trace(&s, last);
        sort(&s, last, slot, uses); /* which are for later */
        memset(slot, 0, 4 * n * sizeof *slot);
        place(&s, last, slot, uses, spare);
    } else {
        free(s.to);
        s.to = NULL;
    }
    noe_arena_free(arena);
    return s.to;
}
