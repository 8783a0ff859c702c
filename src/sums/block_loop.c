/* Translates the program of a term to loops of machine code, with interpreted parts between them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/block_loop.h"

#include "sums/sums.h"

#include <stdlib.h>

enum { SHORTEST_LOOP = 2 }; /* instructions that are worth a loop */

typedef struct {
    const noe_block_program *p;    /* the program */
    noe_loop_writer         *to;   /* receives the machine code */
    noe_register_step       *step; /* [length] its instructions as steps on registers */
    int                     *uses; /* of a slot, in the part at hand */
} looper;

noe_register_step noe_block_loop_register_step(noe_block_ins i)
{
#define STEP(form, a, b, c) \
    return (noe_register_step) { form, i.d, a, b, c, -1, 0 }
    switch (i.op) {
    case NOE_PLUS: STEP(NOE_SUM_OF, i.a, i.b, -1);
    case NOE_LESS: STEP(NOE_DIFFERENCE_OF, i.a, i.b, -1);
    case NOE_TIMES: STEP(NOE_PRODUCT_OF, i.a, i.b, -1);
    case NOE_PLUS_K: STEP(NOE_SUM_OF, i.a, i.c, -1);
    case NOE_K_LESS: STEP(NOE_DIFFERENCE_OF, i.c, i.a, -1);
    case NOE_SCALE: STEP(NOE_PRODUCT_OF, i.a, i.c, -1);
    case NOE_SCALE_PLUS: STEP(NOE_MULTIPLY_ADD, i.a, i.c, i.b);
    case NOE_SCALE_PLUS_J: STEP(NOE_MULTIPLY_ADD, i.a, i.c, i.b);
    case NOE_MULADD:
    case NOE_TIMES_PLUS_K: STEP(NOE_MULTIPLY_ADD, i.a, i.b, i.c);
    case NOE_SUBMUL:
    case NOE_K_LESS_TIMES: STEP(NOE_MULTIPLY_LESS, i.a, i.b, i.c);
    case NOE_DIV: STEP(NOE_QUOTIENT_OF, i.a, i.b, -1);
    case NOE_FN_sqrt: STEP(NOE_ROOT_OF, i.a, -1, -1);
    case NOE_SINCOS: return (noe_register_step){ NOE_CALLED, i.d, i.a, -1, -1, i.c, 0 };
    default:
        STEP(NOE_CALLED, i.a, noe_register_schedule_arity(i.op) > 1 ? i.b : -1,
             noe_register_schedule_arity(i.op) > 2 ? i.c : -1);
    }
#undef STEP
}

/* Slot 0, the time, is no such input: it has its own place. */
static bool input(const looper *l, int slot) { return slot > 0 && slot < l->p->inputs; }

static bool constant(const looper *l, int slot)
{
    return slot >= l->p->inputs && slot < l->p->inputs + l->p->constants;
}

static void count_uses(looper *l, int from, int to)
{
    for (int i = 0; i < l->p->slots; i++) l->uses[i] = 0;
    for (int k = from; k < to; k++) {
        const int in[] = { l->step[k].a, l->step[k].b, l->step[k].c };
        for (int j = 0; j < 3; j++)
            if (in[j] >= 0) l->uses[in[j]]++;
    }
}

/* One loop; the constants that are read most often get registers. */
static void loop_of(looper *l, int from, int to)
{
    int pin[NOE_LOOP_PINS];
    count_uses(l, from, to);
    for (int i = 1; i < l->p->inputs; i++) {
        noe_loop_writer_in_array(l->to, i);
        if (l->uses[i]) noe_loop_writer_point(l->to, i);
    }
    const int pins = noe_loop_writer_most_read(l->to, l->uses, l->p->inputs,
                                               l->p->inputs + l->p->constants, pin, 0);
    noe_loop_writer_enter(l->to, pin, pins);
    noe_loop_writer_loop(l->to, from, to, false);
    noe_loop_writer_leave(l->to);
}

static void places(looper *l)
{
    for (int i = 0; i < l->p->slots; i++) {
        const int32_t bytes = 8 * NOE_TERM_PITCH * i;
        if (input(l, i)) noe_loop_writer_in_array(l->to, i);
        else if (constant(l, i)) noe_loop_writer_in_store(l->to, i, bytes);
        else noe_loop_writer_along_store(l->to, i, bytes);
    }
}

static void assemble(looper *l, noe_block_loops *to, size_t *entry)
{
    for (int k = 0, end; k < l->p->length; k = end) {
        const bool straight = l->step[k].form != NOE_CALLED;
        for (end = k; end < l->p->length && (l->step[end].form != NOE_CALLED) == straight; end++) {
        }
        to->loop[to->loops] = (noe_loop){ k, end, NULL };
        entry[to->loops] = SIZE_MAX;
        if (straight && end - k >= SHORTEST_LOOP) {
            entry[to->loops] = noe_loop_writer_function(l->to);
            loop_of(l, k, end);
        }
        to->loops++;
    }
}

bool noe_block_loop_make(noe_block_loops *to, int level, const noe_block_program *p,
                         noe_arena *arena)
{
    const size_t length = (size_t)p->length + 1, slots = (size_t)p->slots + 1;
    looper       l = { .p = p, .to = noe_loop_writer_new(arena, level, p->length, p->slots + 1) };
    *to = (noe_block_loops){ .loop = noe_arena_take(arena, length * sizeof *to->loop) };
    l.step = noe_arena_take(arena, length * sizeof *l.step);
    l.uses = noe_arena_take(arena, slots * sizeof *l.uses);
    size_t *entry = noe_arena_take(arena, length * sizeof *entry);
    if (!l.to || !to->loop || !l.step || !l.uses || !entry) return false;
    for (int k = 0; k < p->length; k++) l.step[k] = noe_block_loop_register_step(p->ins[k]);
    places(&l);
    noe_loop_writer_begin(l.to, l.step, p->length, p->slots, p->out, p->outputs);
    assemble(&l, to, entry);
    const bool ok = noe_loop_writer_seal(l.to, &to->page, &to->size);
    for (int k = 0; k < to->loops; k++)
        if (entry[k] != SIZE_MAX) to->loop[k].run = noe_loop_writer_at(l.to, entry[k]);
    return ok;
}

void noe_block_loop_free(noe_block_loops *l) { noe_loop_writer_free(l->page, l->size); }
