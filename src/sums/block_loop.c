/* Translates the program of a term to loops of machine code, with interpreted parts between them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/block_loop.h"

#include "base/status.h"
#include "sums/sums.h"

#include <stdlib.h>

enum {
    SLOTS = NOE_RDI,
    STORE = NOE_RSI,
    BYTES = NOE_RDX,
    AT = NOE_RCX,
    POINTERS = 10,
    PINS = 12,
    PINS_OF_FEW = 4,
    SHORTEST = 2
};

/* Registers that need not be saved for the caller come first. */
static const int pointer[POINTERS] = { NOE_R8,  NOE_R9,  NOE_R10, NOE_R11, NOE_RBX,
                                       NOE_RBP, NOE_R12, NOE_R13, NOE_R14, NOE_R15 };
enum { FREE = 4 };

typedef struct {
    const noe_block_program *p;     /* the program */
    noe_assembler            to;    /* receives the machine code */
    noe_register_step       *step;  /* [length] its instructions as steps on registers */
    noe_operand             *place; /* [slots] where each slot is in memory */
    int                     *uses;  /* of a slot, in the part at hand */
    noe_register_allocator   x;     /* registers of the part at hand */
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

/* Chooses the constants that are read most often, which get registers. */
static int choose_pins(looper *l, int *pin)
{
    const int most = l->to.wide ? PINS : PINS_OF_FEW;
    int       count = 0;
    for (; count < most; count++) {
        int best = -1;
        for (int i = l->p->inputs; i < l->p->inputs + l->p->constants; i++)
            if (l->uses[i] && (best < 0 || l->uses[i] > l->uses[best])) best = i;
        if (best < 0) break;
        pin[count] = best, l->uses[best] = 0;
    }
    return count;
}

/* One loop; AT counts the bytes of a block. */
static void loop_of(looper *l, int from, int to)
{
    int pin[PINS], pointers = 0;
    count_uses(l, from, to);
    for (int i = 1; i < l->p->inputs; i++) {
        l->place[i].reg = -1;
        if (!l->uses[i] || pointers == POINTERS) continue;
        if (pointers >= FREE) noe_assembler_push(&l->to, pointer[pointers]);
        noe_assembler_fetch(&l->to, pointer[pointers], SLOTS, 8 * i);
        l->place[i].reg = pointer[pointers++];
    }
    noe_register_allocator_pin(&l->x, pin, choose_pins(l, pin));
    noe_assembler_clear(&l->to, AT);
    const size_t top = l->to.used;
    noe_register_allocator_stretch(&l->x, from, to);
    noe_register_allocator_unpin(&l->x);
    noe_assembler_repeat(&l->to, top, AT, l->to.wide ? 64 : 32, BYTES);
    while (pointers-- > FREE) noe_assembler_pop(&l->to, pointer[pointers]);
    noe_assembler_return(&l->to);
}

static void places(looper *l)
{
    for (int i = 0; i < l->p->slots; i++)
        l->place[i] = (noe_operand){ true, input(l, i) ? -1 : STORE,
                                     constant(l, i) ? NOE_NO_INDEX : AT,
                                     input(l, i) ? 0 : 8 * NOE_TERM_PITCH * i, false };
}

static void assemble(looper *l, noe_block_loops *to, size_t *entry)
{
    for (int k = 0, end; k < l->p->length; k = end) {
        const bool straight = l->step[k].form != NOE_CALLED;
        for (end = k; end < l->p->length && (l->step[end].form != NOE_CALLED) == straight; end++) {
        }
        to->loop[to->loops] = (noe_loop){ k, end, NULL };
        entry[to->loops] = SIZE_MAX;
        if (straight && end - k >= SHORTEST) entry[to->loops] = l->to.used, loop_of(l, k, end);
        to->loops++;
    }
}

bool noe_block_loop_make(noe_block_loops *to, int level, const noe_block_program *p,
                         noe_arena *arena)
{
    const size_t length = (size_t)p->length + 1, slots = (size_t)p->slots + 1;
    looper       l = { .p = p, .to = { .wide = level > 1 } };
    *to = (noe_block_loops){ .loop = noe_arena_take(arena, length * sizeof *to->loop) };
    l.step = noe_arena_take(arena, length * sizeof *l.step);
    l.place = noe_arena_take(arena, slots * sizeof *l.place);
    l.uses = noe_arena_take(arena, slots * sizeof *l.uses);
    int32_t *scratch = noe_arena_take(arena, noe_register_allocator_scratch(p->length, p->slots)
                                                 * sizeof *scratch);
    size_t  *entry = noe_arena_take(arena, length * sizeof *entry);
    if (!to->loop || !l.step || !l.place || !l.uses || !scratch || !entry) return false;
    for (int k = 0; k < p->length; k++) l.step[k] = noe_block_loop_register_step(p->ins[k]);
    places(&l);
    l.x = (noe_register_allocator){ .to = &l.to,
                                    .step = l.step,
                                    .place = l.place,
                                    .steps = p->length,
                                    .slots = p->slots,
                                    .pointer_base = SLOTS };
    noe_register_allocator_begin(&l.x, scratch, p->out, p->outputs);
    assemble(&l, to, entry);
    to->size = l.to.used;
    if (l.to.failed)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes of machine code wanted",
                        2 * to->size);
    to->page = noe_assembler_executable(&l.to);
    for (int k = 0; to->page && k < to->loops; k++)
        if (entry[k] != SIZE_MAX)
            to->loop[k].run = (noe_loop_code *)noe_assembler_entry(to->page + entry[k]);
    return !l.to.failed;
}

void noe_block_loop_free(noe_block_loops *l) { noe_assembler_executable_free(l->page, l->size); }
