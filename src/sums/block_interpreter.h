/* Interprets the program of a term for a block of terms, one operation after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_BLOCK_INTERPRETER_H
#define NOE_SUMS_BLOCK_INTERPRETER_H

#include "base/status.h"
#include "number/compensated.h"
#include "tape/elementary.h"
#include "sums/term_evaluation.h"
#include "sums/block_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* eight doubles without alignment */
typedef double loose __attribute__((vector_size(8 * sizeof(double)), aligned(8), may_alias));

/* A tape with memory for a block in each of its slots; inputs point to where the numbers are. */
typedef struct {
    const noe_block_program *program; /* instructions of the tape */
    const noe_block_loops *loops; /* its straight parts as machine code; NULL: all is interpreted */
    double               **slot;  /* [slots] where the numbers of each slot are */
    double                *store; /* [slots][NOE_TERM_PITCH] memory for them */
} term_memory;

static double *own_place(const term_memory *b, int slot)
{
    return b->store + (size_t)slot * NOE_TERM_PITCH;
}

static bool make_term_memory(term_memory *b, noe_arena *arena, const noe_tape *t)
{
    const noe_block_program *p = noe_block_program_make(t, arena);
    if (!p) return false;
    const size_t doubles = (size_t)p->slots * NOE_TERM_PITCH + NOE_MARGIN;
    double      *store = noe_arena_take(arena, doubles * sizeof *store);
    *b = (term_memory){ p, NULL, noe_arena_take(arena, (size_t)p->slots * sizeof *b->slot),
                        store + NOE_MARGIN };
    if (!b->slot || !store) return false;
    memset(store, 0, doubles * sizeof *store);
    for (int i = 0; i < p->slots; i++) b->slot[i] = own_place(b, i);
    for (int i = 0; i < p->constants; i++)
        for (int k = 0; k < NOE_TERM_BLOCK; k++) b->slot[p->inputs + i][k] = p->constant[i];
    return true;
}

/* x in all lanes, also -0, which 0 + x would not give. */
INLINE lanes splat(double x) { return (lanes){ x, x, x, x, x, x, x, x }; }

/* Instructions from .. to-1 for numbers 0 .. count-1 of every slot, count rounded up to whole
 * vectors. */
static void interpret_block(const term_memory *w, int from, int to, int count)
{
#define OPERATION(op, value)                                                       \
    case op: {                                                                     \
        const lanes J = splat(*b), K = splat(*c);                                  \
        for (int k = 0; k < count; k += LANES) *(loose *)(d + k) = (loose)(value); \
        (void)J, (void)K;                                                          \
        break;                                                                     \
    }
#define A ((lanes) * (const loose *)(a + k))
#define B ((lanes) * (const loose *)(b + k))
#define C ((lanes) * (const loose *)(c + k))
#define F(name) f_##name
#define TABLES w->program->tables
    for (const noe_block_ins *i = w->program->ins + from, *end = w->program->ins + to; i < end;
         i++) {
        const double *a = w->slot[i->a], *b = w->slot[i->b], *c = w->slot[i->c];
        double       *d = w->slot[i->d];
        switch (i->op) {
            NOE_SHORTCUTS(OPERATION)
#include "expr/operations.def"
        case NOE_SINCOS:
            for (int k = 0; k < count; k += LANES) {
                lanes sine, cosine;
                f_sincos(A, &sine, &cosine);
                *(loose *)(d + k) = sine;
                *(loose *)(w->slot[i->c] + k) = cosine;
            }
            break;
        default: __builtin_unreachable();
        }
    }
#undef OPERATION
#undef A
#undef B
#undef C
#undef F
#undef TABLES
}

static void interpret_program(const term_memory *w, int count)
{
    const size_t bytes = (size_t)(count + LANES - 1) / LANES * LANES * sizeof(double);
    if (!w->loops || !w->loops->page) interpret_block(w, 0, w->program->length, count);
    else
        for (const noe_loop *l = w->loops->loop, *end = l + w->loops->loops; l < end; l++) {
            if (l->run) l->run(w->slot, w->store, bytes);
            else interpret_block(w, l->from, l->to, count);
        }
}

/* The arrays of the coordinates: slot s in term e of a run is at index origin[s] + stride[s] e
 * of q, v and p. */
typedef struct {
    const double  *q, *v, *p; /* [places] positions, velocities, momenta */
    const int64_t *origin;    /* [slots] NULL: the place itself is the index */
    const int64_t *landing;   /* the same for the outputs; NULL: as origin */
} sources;

static void fill(double *to, double first, double stride, int count)
{
    for (int k = 0; k < count; k++) to[k] = first + stride * k;
}

/* Input `input` of the block <- count numbers from x on. */
INLINE void set_input(const term_memory *b, int input, const double *x, int64_t stride, int count)
{
    /* arrays have memory for a block behind their end */
    b->slot[input] = stride == 1 ? (double *)x : own_place(b, input);
    for (int k = 0; k < count && stride != 1; k++) b->slot[input][k] = x[stride * k];
}

/* The inputs of terms e .. e + count - 1 of a run. */
static void set_inputs(const noe_sums *g, const noe_terms *t, int64_t run, int64_t e, int count,
                       const term_memory *b, const sources *x)
{
    const int64_t *base = t->base + run * t->slots, *origin = x->origin ? x->origin : base;
    for (int s = 0; s < t->slots; s++) {
        const int64_t stride = t->stride[s], at = base[s] + stride * e,
                      from = origin[s] + stride * e;
        const int q = noe_tape_input(NOE_Q, s, t->slots);
        if (t->kind[s] == NOE_ARGUMENT_INDEX) {
            b->slot[q] = own_place(b, q);
            fill(b->slot[q], (double)at, (double)stride, count);
        } else if (t->kind[s] == NOE_ARGUMENT_NUMBER) {
            set_input(b, q, g->number + at, stride, count);
        } else {
            set_input(b, q, x->q + from, stride, count);
            if (x->v) set_input(b, noe_tape_input(NOE_V, s, t->slots), x->v + from, stride, count);
            if (x->p) set_input(b, noe_tape_input(NOE_P, s, t->slots), x->p + from, stride, count);
        }
    }
}

/* Stores the first `left` of eight numbers; memory behind them is written, too, with its old
 * values. */
INLINE void store_some(double *to, lanes x, int64_t left)
{
    static const lane_mask number = { 0, 1, 2, 3, 4, 5, 6, 7 };
    *(loose *)to = (loose)(left < LANES ? lanes_if(number < left, x, (lanes) * (const loose *)to)
                                        : x);
}

/* One output that goes to places side by side: to_k += sign x_k. */
INLINE void add_one(double *to, const double *x, double sign, int64_t count)
{
    for (int64_t k = 0; k < count; k += LANES)
        store_some(to + k, (lanes)(*(const loose *)(to + k) + sign * *(const loose *)(x + k)),
                   count - k);
}

INLINE void add_few(double *to, const double *x, double sign, int64_t count)
{
    for (int64_t k = 0; k < count; k++) to[k] += sign * x[k];
}

/* Adds two outputs whose places are `by` apart in one pass over the places, first x, then y, as
 * if one after the other. */
static void add_two(double *to, const double *x, double sign, int64_t by, const double *y,
                    double other, int64_t count)
{
    const int64_t apart = by < 0 ? -by : by, both = count - apart;
    double       *at = by < 0 ? to : to + by;
    const double *from = by < 0 ? x : x + by, *more = by < 0 ? y - by : y;
    for (int64_t k = 0; k < both; k += LANES)
        store_some(at + k,
                   (lanes)((*(const loose *)(at + k) + sign * *(const loose *)(from + k))
                           + other * *(const loose *)(more + k)),
                   both - k);
    if (by < 0) add_few(to + by, y, other, apart), add_few(to + both, x + both, sign, apart);
    else add_few(to, x, sign, apart), add_few(to + count, y + both, other, apart);
}

/* Adds the outputs of a block to their places, those with the largest index first: where terms are
 * adjacent, the sum at a place is then in the order of the terms.  So the bits do not depend on
 * which thread computes which blocks. */
static void add_outputs(const noe_sum_group *g, int64_t run, int64_t e, int count,
                        const term_memory *b, double *out, const int64_t *origin, bool add)
{
    const noe_terms         *t = &g->terms;
    const noe_block_program *p = b->program;
    const int64_t           *base = origin ? origin : t->base + run * t->slots;
    for (int o = 0; o < p->outputs; o++) {
        const int     s = g->to[o];
        const double *x = b->slot[p->out[o]], sign = p->minus[o] ? -1 : 1;
        const int64_t stride = t->stride[s];
        double       *to = out + base[s] + stride * e;
        int           k = 0;
        if (add && stride == 1) {
            const int next = o + 1 < p->outputs && t->stride[g->to[o + 1]] == 1 ? g->to[o + 1] : s;
            const int64_t by = base[next] - base[s];
            if (by == 0 || by >= count || by <= -count) add_one(to, x, sign, count);
            else o++, add_two(to, x, sign, by, b->slot[p->out[o]], p->minus[o] ? -1 : 1, count);
            continue;
        }
        if (!add)
            for (; k < count; k++) to[stride * k] = sign * x[k];
        else if (!stride) { /* all in one place: in lanes, then across */ lanes sum = { 0 };
            for (; k + LANES <= count; k += LANES) sum += *(const loose *)(x + k);
            *to += sign
                 * (((sum[0] + sum[4]) + (sum[1] + sum[5]))
                    + ((sum[2] + sum[6]) + (sum[3] + sum[7])));
        }
        for (; k < count; k++) to[stride * k] += sign * x[k];
    }
}

/* Terms lo .. hi-1 of a run, in blocks that begin at multiples of NOE_TERM_BLOCK. */
static void add_terms(const noe_sums *g, const noe_sum_group *group, int64_t run, int64_t lo,
                      int64_t hi, const term_memory *b, const sources *x, double *out, bool add)
{
    while (lo < hi) {
        const int64_t next = (lo / NOE_TERM_BLOCK + 1) * NOE_TERM_BLOCK,
                      end = next < hi ? next : hi;
        const int count = (int)(end - lo);
        set_inputs(g, &group->terms, run, lo, count, b, x);
        interpret_program(b, count);
        add_outputs(group, run, lo, count, b, out, x->landing ? x->landing : x->origin, add);
        lo = end;
    }
}

static void set_time(const term_memory *b, double t)
{
    b->slot[0] = b->store;
    if (b->store[0] != t) fill(b->store, t, 0, NOE_TERM_BLOCK);
}

static bool scatter(const noe_sums *g, const noe_sum_group *group, const double *q, double *out,
                    bool add)
{
    noe_arena    *arena = noe_arena_new();
    term_memory   b;
    const sources x = { .q = q };
    const bool    ok = arena && make_term_memory(&b, arena, group->force);
    for (int64_t r = 0; ok && r < group->terms.runs; r++)
        add_terms(g, group, r, 0, group->terms.count[r], &b, &x, out, add);
    noe_arena_free(arena);
    return ok;
}

static bool total(const noe_sums *g, const noe_sum_group *group, double t, const double *q,
                  const double *v, const double *p, double *sum)
{
    noe_arena    *arena = noe_arena_new();
    term_memory   b;
    const sources x = { .q = q, .v = v, .p = p };
    const bool    ok = arena && make_term_memory(&b, arena, group->value);
    double        s[LANES] = { 0 }, e[LANES] = { 0 };
    if (ok) set_time(&b, t);
    for (int64_t r = 0; ok && r < group->terms.runs; r++)
        for (int64_t at = 0; at < group->terms.count[r]; at += NOE_TERM_BLOCK) {
            const int64_t left = group->terms.count[r] - at;
            const int     count = left < NOE_TERM_BLOCK ? (int)left : NOE_TERM_BLOCK;
            set_inputs(g, &group->terms, r, at, count, &b, &x);
            interpret_program(&b, count);
            const double *y = b.slot[b.program->out[0]], sign = b.program->minus[0] ? -1 : 1;
            for (int k = 0; k < count; k++)
                noe_compensated_collect(&s[k % LANES], &e[k % LANES], sign * y[k]);
        }
    for (int k = 1; ok && k < LANES; k++) noe_compensated_collect(&s[0], &e[0], s[k]), e[0] += e[k];
    *sum = s[0] + e[0];
    noe_arena_free(arena);
    return ok;
}

#endif
