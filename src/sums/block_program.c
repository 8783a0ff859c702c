/* Simplifies the tape of a term: a b + c to the cheapest operation with the same bits, each once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/block_program.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int  value; /* number of the value: inputs first, then constants, then computed ones */
    bool minus; /* the slot holds the negative of the value */
} signed_value;

typedef struct {
    noe_block_program *to;   /* receives the program */
    signed_value      *at;   /* of each slot of the tape: what it holds now */
    noe_block_ins     *made; /* in terms of values; made[k] computes value first + k */
    /* first value that is computed; number of instructions so far */
    int  first, count;
    bool plain; /* the tape is taken without changes */
} maker;

enum { COSINE = -1, SEARCHED = 256 };

static bool   constant(const maker *m, int v) { return v >= m->to->inputs && v < m->first; }
static double number(const maker *m, signed_value x)
{
    return (x.minus ? -1 : 1) * m->to->constant[x.value - m->to->inputs];
}
static bool is(const maker *m, signed_value x, double y)
{
    return constant(m, x.value) && number(m, x) == y
        && !__builtin_signbit(number(m, x)) == !__builtin_signbit(y);
}

/* Returns the number of the value of an operation, which is computed once.  SINCOS, with two
 * results, is treated elsewhere. */
static int compute(maker *m, int op, int a, int b, int c)
{
    const noe_block_ins x = { op, 0, a, b, c };
    for (int k = m->count; k-- > 0 && k >= m->count - SEARCHED;)
        if (!memcmp(&m->made[k], &x, sizeof x)) return m->first + k;
    m->made[m->count] = x;
    return m->first + m->count++;
}

/* Returns the number of the value with its sign: the negatives of constants follow all
 * constants, others are multiplied by -1. */
static int whole(maker *m, signed_value x)
{
    if (!x.minus) return x.value;
    if (constant(m, x.value)) {
        const int half = m->to->constants / 2;
        return x.value < m->to->inputs + half ? x.value + half : x.value - half;
    }
    const int minus_one = m->to->inputs + 1;
    return compute(m, NOE_SCALE, x.value, 0, minus_one);
}

static signed_value sum(maker *m, signed_value x, signed_value y)
{
    if (constant(m, x.value)) {
        const signed_value swap = x;
        x = y, y = swap;
    }
    if (constant(m, y.value) && !constant(m, x.value))
        return (signed_value){
            compute(m, x.minus ? NOE_K_LESS : NOE_PLUS_K, x.value, 0, whole(m, y)), false
        };
    const bool one = x.value < y.value;
    const int  a = one ? x.value : y.value, b = one ? y.value : x.value;
    if (x.minus == y.minus) return (signed_value){ compute(m, NOE_PLUS, a, b, 0), x.minus };
    return (signed_value){ compute(m, NOE_LESS, a, b, 0), one ? x.minus : y.minus };
}

/* x y + z, without z where adding it changes nothing. */
static signed_value product_sum(maker *m, signed_value x, signed_value y, signed_value z)
{
    const bool none = is(m, z, -0.0);
    if (constant(m, x.value)) {
        const signed_value swap = x;
        x = y, y = swap;
    }
    if (is(m, y, 1) || is(m, y, -1)) {
        x.minus ^= number(m, y) < 0;
        return none ? x : sum(m, x, z);
    }
    const bool minus = x.minus != y.minus, scale = constant(m, y.value),
               plus_k = constant(m, z.value);
    const int k = scale ? y.value : 0, a = !scale && y.value < x.value ? y.value : x.value,
              b = a == x.value ? y.value : x.value;
    if (scale) {
        if (none) return (signed_value){ compute(m, NOE_SCALE, a, 0, k), minus };
        const int K = whole(m, (signed_value){ k, minus != (z.minus && !plus_k) });
        if (plus_k) return (signed_value){ compute(m, NOE_SCALE_PLUS_J, a, whole(m, z), K), false };
        return (signed_value){ compute(m, NOE_SCALE_PLUS, a, z.value, K), z.minus };
    }
    if (none) return (signed_value){ compute(m, NOE_TIMES, a, b, 0), minus };
    if (plus_k)
        return (signed_value){
            compute(m, minus ? NOE_K_LESS_TIMES : NOE_TIMES_PLUS_K, a, b, whole(m, z)), false
        };
    return (signed_value){ compute(m, minus == z.minus ? NOE_MULADD : NOE_SUBMUL, a, b, z.value),
                           z.minus };
}

static void translate(maker *m, const noe_ins *i, noe_op op)
{
    signed_value x = m->at[i->a], y = m->at[i->b], z = m->at[i->c];
    if (!m->plain && (op == NOE_MULADD || op == NOE_SUBMUL)) {
        x.minus ^= op == NOE_SUBMUL;
        m->at[i->d] = product_sum(m, x, y, z);
    } else if (!m->plain && op == NOE_DIV)
        m->at[i->d] = (signed_value){ compute(m, op, x.value, y.value, 0), x.minus != y.minus };
    else if (op == NOE_SINCOS) {
        const int a = whole(m, x);
        m->at[i->d] = (signed_value){ m->first + m->count, false };
        m->at[i->c] = (signed_value){ m->first + m->count + 1, false };
        m->made[m->count++] = (noe_block_ins){ NOE_SINCOS, 0, a, 0, 0 };
        m->made[m->count++] = (noe_block_ins){ COSINE, 0, 0, 0, 0 };
    } else
        m->at[i->d] = (signed_value){ compute(m, op, whole(m, x), whole(m, y), whole(m, z)),
                                      false };
}

/* Assigns slots to values; a slot is used again after the last operation that reads it. */
static bool place(maker *m, noe_arena *arena)
{
    noe_block_program *p = m->to;
    const int          values = m->first + m->count;
    int               *last = noe_arena_take(arena, (size_t)values * sizeof *last),
        *slot = noe_arena_take(arena, (size_t)values * sizeof *slot),
        *free = noe_arena_take(arena, (size_t)values * sizeof *free), spare = 0;
    if (!last || !slot || !free) return false;
    p->slots = m->first;
    for (int v = 0; v < values; v++) last[v] = -1, slot[v] = v;
    for (int k = 0; k < m->count; k++) {
        const noe_block_ins *x = &m->made[k];
        last[x->a] = last[x->b] = last[x->c] = k;
    }
    for (int o = 0; o < p->outputs; o++) last[p->out[o]] = m->count;
    for (int k = 0; k < m->count; k++) {
        noe_block_ins *x = &m->made[k];
        const int      in[3] = { x->a, x->b, x->c };
        for (int i = 0; i < 3; i++)
            if (in[i] >= m->first && last[in[i]] == k) {
                free[spare++] = slot[in[i]];
                last[in[i]] = -1;
            }
        slot[m->first + k] = spare ? free[--spare] : p->slots++;
        x->d = slot[m->first + k], x->a = slot[x->a], x->b = slot[x->b], x->c = slot[x->c];
    }
    for (int k = 0; k < m->count; k++) {
        noe_block_ins x = m->made[k];
        if (x.op == COSINE) continue;
        if (x.op == NOE_SINCOS) x.c = m->made[k + 1].d;
        p->ins[p->length++] = x;
    }
    for (int o = 0; o < p->outputs; o++) p->out[o] = slot[p->out[o]];
    return true;
}

static noe_block_program *program_of(const noe_tape *t, noe_arena *arena)
{
    enum { OPERANDS = 3 };
    const size_t       capacity = (size_t)t->length * (2 + OPERANDS) + 1;
    noe_block_program *p = noe_arena_take(arena, sizeof *p);
    maker              m = { .to = p,
                             .at = noe_arena_take(arena, (size_t)t->slots * sizeof *m.at),
                             .made = noe_arena_take(arena, capacity * sizeof *m.made) };
    if (!p || !m.at || !m.made) return NULL;
    *p = (noe_block_program){ .inputs = t->inputs,
                              .constants = 2 * t->constants,
                              .outputs = t->outputs,
                              .tables = t->tables };
    p->constant = noe_arena_take(arena, (size_t)p->constants * sizeof *p->constant);
    p->ins = noe_arena_take(arena, capacity * sizeof *p->ins);
    p->out = noe_arena_take(arena, (size_t)t->outputs * sizeof *p->out + 1);
    p->minus = noe_arena_take(arena, (size_t)t->outputs * sizeof *p->minus + 1);
    if (!p->constant || !p->ins || !p->out || !p->minus) return NULL;
    for (int i = 0; i < t->constants; i++) {
        p->constant[i] = (double)t->constant[i];
        p->constant[t->constants + i] = -p->constant[i];
    }
    m.first = p->inputs + p->constants;
    for (int i = 0; i < t->inputs + t->constants; i++) m.at[i] = (signed_value){ i, false };
    for (int k = 0; k < t->runs; k++) m.plain |= t->run[k].op == NOE_ATAN2;
    const noe_ins *i = t->ins;
    for (int k = 0; k < t->runs; k++)
        for (int left = t->run[k].count; left > 0; left--) translate(&m, i++, (noe_op)t->run[k].op);
    for (int o = 0; o < t->outputs; o++) {
        p->out[o] = m.at[t->out[o]].value;
        p->minus[o] = m.at[t->out[o]].minus;
    }
    return place(&m, arena) ? p : NULL;
}

noe_block_program *noe_block_program_make(const noe_tape *t, noe_arena *arena)
{
    noe_tape          *scheduled = noe_register_schedule_make(t);
    noe_block_program *p = scheduled ? program_of(scheduled, arena) : NULL;
    free(scheduled);
    return p;
}
