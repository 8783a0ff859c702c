/* A loop of machine code over arrays: operations on the same element of each, registers in between.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The arrays of some slots are reached by pointers in registers, as many as there are; those of
 * others by the table of pointers, or at a place in the store.  An index runs over the bytes. */
#include "base/status.h"
#include "jit/jit.h"
#include "jit/register_allocator.h"

/* Where the arguments and the running index are. */
enum { SLOTS = NOE_RDI, STORE = NOE_RSI, BYTES = NOE_RDX, INDEX = NOE_RCX };

/* Slots that stay in registers where there are 16 registers, not 32. */
enum { PINS_OF_AVX2 = 4 };

/* Registers that need not be saved for the caller come first. */
enum { POINTERS = 10, UNSAVED = 4 };
static const int pointer[POINTERS] = { NOE_R8,  NOE_R9,  NOE_R10, NOE_R11, NOE_RBX,
                                       NOE_RBP, NOE_R12, NOE_R13, NOE_R14, NOE_R15 };

struct noe_loop_writer {
    noe_assembler          to;       /* receives the machine code */
    noe_register_allocator x;        /* registers of the operations */
    noe_operand           *place;    /* [slots] where each slot is in memory */
    int32_t               *scratch;  /* memory of the register allocator */
    int                    pointers; /* registers that are pointers, in the function at hand */
    uint8_t               *page;     /* executable memory, once it is sealed */
};

noe_loop_writer *noe_loop_writer_new(noe_arena *arena, int level, int steps, int slots)
{
    noe_loop_writer *l = noe_arena_take(arena, sizeof *l);
    noe_operand     *place = noe_arena_take(arena, (size_t)slots * sizeof *place);
    int32_t         *scratch = noe_arena_take(arena, noe_register_allocator_scratch(steps, slots)
                                                         * sizeof *scratch);
    if (!l || !place || !scratch) return NULL;
    *l = (noe_loop_writer){ .to = { .wide = level > 1 }, .place = place, .scratch = scratch };
    return l;
}

void noe_loop_writer_in_array(noe_loop_writer *l, int slot)
{
    l->place[slot] = (noe_operand){ true, -1, INDEX, 0, false };
}

void noe_loop_writer_in_store(noe_loop_writer *l, int slot, int32_t bytes)
{
    l->place[slot] = (noe_operand){ true, STORE, NOE_NO_INDEX, bytes, false };
}

void noe_loop_writer_along_store(noe_loop_writer *l, int slot, int32_t bytes)
{
    l->place[slot] = (noe_operand){ true, STORE, INDEX, bytes, false };
}

void noe_loop_writer_same_place(noe_loop_writer *l, int slot, int as)
{
    l->place[slot] = l->place[as];
}

void noe_loop_writer_begin(noe_loop_writer *l, const noe_register_step *step, int steps, int slots,
                           const int *out, int outs)
{
    l->x = (noe_register_allocator){ .to = &l->to,
                                     .step = step,
                                     .place = l->place,
                                     .steps = steps,
                                     .slots = slots,
                                     .pointer_base = SLOTS };
    noe_register_allocator_begin(&l->x, l->scratch, out, outs);
}

size_t noe_loop_writer_function(const noe_loop_writer *l) { return l->to.used; }

void noe_loop_writer_point(noe_loop_writer *l, int slot)
{
    if (l->pointers == POINTERS) return;
    const int reg = pointer[l->pointers++];
    if (l->pointers > UNSAVED) noe_assembler_push(&l->to, reg);
    noe_assembler_fetch(&l->to, reg, SLOTS, 8 * slot);
    l->place[slot].reg = reg;
}

int noe_loop_writer_most_read(const noe_loop_writer *l, int *uses, int from, int to,
                              int pin[NOE_LOOP_PINS], int count)
{
    const int most = l->to.wide ? NOE_LOOP_PINS : PINS_OF_AVX2;
    for (; count < most; count++) {
        int best = -1;
        for (int i = from; i < to; i++)
            if (uses[i] > 0 && (best < 0 || uses[i] > uses[best])) best = i;
        if (best < 0) break;
        pin[count] = best, uses[best] = 0;
    }
    return count;
}

void noe_loop_writer_enter(noe_loop_writer *l, const int *pin, int pins)
{
    noe_assembler_clear(&l->to, INDEX); /* first: a pinned slot may stand in an array */
    noe_register_allocator_pin(&l->x, pin, pins);
}

void noe_loop_writer_loop(noe_loop_writer *l, int from, int to, bool bare)
{
    const size_t top = l->to.used;
    l->x.bare = bare;
    noe_register_allocator_stretch(&l->x, from, to);
    noe_assembler_repeat(&l->to, top, INDEX, l->to.wide ? 64 : 32, BYTES);
}

void noe_loop_writer_bytes_from_store(noe_loop_writer *l, int32_t bytes)
{
    noe_assembler_fetch(&l->to, BYTES, STORE, bytes);
}

void noe_loop_writer_leave(noe_loop_writer *l)
{
    noe_register_allocator_unpin(&l->x);
    for (; l->pointers > 0; l->pointers--)
        if (l->pointers > UNSAVED) noe_assembler_pop(&l->to, pointer[l->pointers - 1]);
    noe_assembler_return(&l->to);
}

bool noe_loop_writer_seal(noe_loop_writer *l, uint8_t **page, size_t *size)
{
    *size = l->to.used;
    *page = l->page = noe_assembler_executable(
        &l->to); /* frees what was written, on failure, too */
    if (l->to.failed)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes of machine code wanted",
                        2 * *size);
    return !l->to.failed;
}

noe_loop_code *noe_loop_writer_at(const noe_loop_writer *l, size_t function)
{
    return l->page ? (noe_loop_code *)noe_assembler_entry(l->page + function) : NULL;
}

void noe_loop_writer_free(uint8_t *page, size_t size) { noe_assembler_executable_free(page, size); }
