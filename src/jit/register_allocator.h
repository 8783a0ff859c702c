/* Register allocation: operations on the slots of a tape become instructions on registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers are a cache of the places of the slots in memory. When a register is needed, the
 * number whose next use is farthest is written back (L. A. Belady, IBM Systems Journal 5 (1966)
 * 78); at the end of a part of the tape, all numbers that are read later are. */
#ifndef NOE_JIT_REGISTER_ALLOCATOR_H
#define NOE_JIT_REGISTER_ALLOCATOR_H

#include "jit/assembler.h"
#include "jit/jit.h"

typedef struct {
    noe_assembler           *to;   /* receives the instructions */
    const noe_register_step *step; /* [steps] the operations */
    /* [slots] place of each slot in memory; base -1: the address is loaded from pointer_base + 8
     * slot */
    const noe_operand *place;
    /* number of operations, of slots; register of a table of addresses */
    int      steps, slots, pointer_base;
    int32_t *after;     /* [steps][5] index of the next operation that reads a, b, c, d, e */
    int32_t *next;      /* [slots] index of the next operation that reads the slot */
    int     *where;     /* [slots] register that holds the slot, or -1 */
    int      slot[32];  /* [registers] slot that the register holds, or -1 */
    bool     dirty[32]; /* [registers] its number is not yet written to memory */
    /* registers below the first number may be allocated, those up to the second are pinned */
    int     registers, all;
    int32_t half; /* offset in bytes within the place of a slot */
    bool    bare; /* the form NOE_BITS_OF_BOTH has the value a */
    /* offset of code for the whole tape that is jumped to when the argument of a sine is too
     * large, and */
    size_t otherwise;
    void (*leave)(noe_assembler *); /* writes the instructions before that jump */
} noe_register_allocator;

enum { NOE_NEVER = INT32_MAX, NOE_USED_AT_END = INT32_MAX - 1 };

/* Memory for `after`, `next` and `where`, as a number of 32-bit integers. */
static inline size_t noe_register_allocator_scratch(int steps, int slots)
{
    return 5 * (size_t)steps + 2 * (size_t)slots + 1;
}
/* Begins. The members x.to .. x.pointer_base are set before; scratch: memory of the size above;
 * out[outs]: slots that are read after the last operation. */
void noe_register_allocator_begin(noe_register_allocator *, int32_t *scratch, const int *out,
                                  int outs);
/* Loads slots whose numbers never change to registers that hold them until they are unpinned. */
void noe_register_allocator_pin(noe_register_allocator *, const int *slot, int slots);
void noe_register_allocator_unpin(noe_register_allocator *);
/* Writes instructions for the operations from .. to - 1, none of them CALLED; all numbers are in
 * memory before and after. */
void noe_register_allocator_stretch(noe_register_allocator *, int from, int to);

#endif
