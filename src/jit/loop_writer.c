/* A loop of machine code over arrays: operations on the same element of each, registers in between.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "jit/loop_writer.h"

#include "base/status.h"

/* Registers that need not be saved for the caller come first. */
enum { POINTERS = 10, UNSAVED = 4 };
static const int pointer[POINTERS] = { NOE_R8,  NOE_R9,  NOE_R10, NOE_R11, NOE_RBX,
                                       NOE_RBP, NOE_R12, NOE_R13, NOE_R14, NOE_R15 };

void noe_loop_writer_begin(noe_loop_writer *l, const noe_register_step *step, int steps, int slots,
                           int32_t *scratch, const int *out, int outs)
{
    l->x = (noe_register_allocator){ .to = &l->to,
                                     .step = step,
                                     .place = l->place,
                                     .steps = steps,
                                     .slots = slots,
                                     .pointer_base = NOE_LOOP_SLOTS };
    noe_register_allocator_begin(&l->x, scratch, out, outs);
}

void noe_loop_writer_point(noe_loop_writer *l, int slot)
{
    if (l->pointers == POINTERS) return;
    const int reg = pointer[l->pointers++];
    if (l->pointers > UNSAVED) noe_assembler_push(&l->to, reg);
    noe_assembler_fetch(&l->to, reg, NOE_LOOP_SLOTS, 8 * slot);
    l->place[slot].reg = reg;
}

int noe_loop_writer_most_read(int *uses, int from, int to, int *pin, int count, int most)
{
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
    noe_assembler_clear(&l->to, NOE_LOOP_AT); /* first: a pinned slot may stand in an array */
    noe_register_allocator_pin(&l->x, pin, pins);
}

void noe_loop_writer_loop(noe_loop_writer *l, int from, int to)
{
    const size_t top = l->to.used;
    noe_register_allocator_stretch(&l->x, from, to);
    noe_assembler_repeat(&l->to, top, NOE_LOOP_AT, l->to.wide ? 64 : 32, NOE_LOOP_BYTES);
}

void noe_loop_writer_leave(noe_loop_writer *l)
{
    noe_register_allocator_unpin(&l->x);
    for (; l->pointers > 0; l->pointers--)
        if (l->pointers > UNSAVED) noe_assembler_pop(&l->to, pointer[l->pointers - 1]);
    noe_assembler_return(&l->to);
}

bool noe_loop_writer_seal(noe_loop_writer *l, size_t *size)
{
    *size = l->to.used;
    l->page = noe_assembler_executable(&l->to); /* frees what was written, on failure, too */
    if (l->to.failed)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes of machine code wanted",
                        2 * *size);
    return !l->to.failed;
}

noe_loop_code *noe_loop_writer_at(const noe_loop_writer *l, size_t entry)
{
    return l->page ? (noe_loop_code *)noe_assembler_entry(l->page + entry) : NULL;
}

void noe_loop_writer_free(uint8_t *page, size_t size) { noe_assembler_executable_free(page, size); }
