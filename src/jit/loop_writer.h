/* A loop of machine code over arrays: operations on the same element of each, registers in between.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The arrays of some slots are reached by pointers in registers, as many as there are; those of
 * others by the table of pointers, or at a place in the store.  An index runs over the bytes. */
#ifndef NOE_JIT_LOOP_WRITER_H
#define NOE_JIT_LOOP_WRITER_H

#include "jit/register_allocator.h"

/* slot: pointers to the arrays of the slots; store: memory of the slots that have no pointer; bytes
 * of each array, a multiple of those of a vector register. */
typedef void noe_loop_code(double *const *slot, const double *store, size_t bytes);

/* Where the arguments and the running index are. */
enum {
    NOE_LOOP_SLOTS = NOE_RDI,
    NOE_LOOP_STORE = NOE_RSI,
    NOE_LOOP_BYTES = NOE_RDX,
    NOE_LOOP_AT = NOE_RCX,
    NOE_LOOP_PINS = 12 /* most slots that stay in registers, with AVX-512 */
};

typedef struct {
    noe_assembler          to;       /* receives the machine code */
    noe_register_allocator x;        /* registers of the operations */
    noe_operand           *place;    /* [slots] where each slot is in memory */
    int                    pointers; /* registers that are pointers, in the loop at hand */
    uint8_t               *page;     /* executable memory, once it is sealed */
} noe_loop_writer;

/* to.wide and place are set before.  scratch: noe_register_allocator_scratch(); out[outs]: slots
 * that are read after the last operation. */
void noe_loop_writer_begin(noe_loop_writer *, const noe_register_step *, int steps, int slots,
                           int32_t *scratch, const int *out, int outs);
/* Gives the slot a pointer register, while there are any. */
void noe_loop_writer_point(noe_loop_writer *, int slot);
/* Appends to pin[count] those of the slots from .. to - 1 that are read most often, up to `most`;
 * their uses become 0.  Returns the new count. */
int noe_loop_writer_most_read(int *uses, int from, int to, int *pin, int count, int most);
/* Sets the index to 0; keeps slots in registers from here to the end. */
void noe_loop_writer_enter(noe_loop_writer *, const int *pin, int pins);
/* The loop over the operations from .. to - 1, from the present index to the number of bytes. */
void noe_loop_writer_loop(noe_loop_writer *, int from, int to);
/* Returns to the caller of the function. */
void noe_loop_writer_leave(noe_loop_writer *);
/* Makes all that was written executable.  False with a message: out of memory. */
bool           noe_loop_writer_seal(noe_loop_writer *, size_t *size);
noe_loop_code *noe_loop_writer_at(const noe_loop_writer *, size_t entry); /* NULL: not executable */
void           noe_loop_writer_free(uint8_t *page, size_t size);

#endif
