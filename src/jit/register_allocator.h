/* Allocates registers: operations on slots become instructions on registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * a + b, a b + c, .. on slots -> instructions on registers, which are a cache of the slots'
 * places in memory.
 *
 * A number is written back when its register is wanted for one that is needed sooner (L. A.
 * Belady, IBM Systems Journal 5 (1966) 78), or at the end of a stretch where it is read after
 * it. */
#ifndef NOE_JIT_REGISTER_ALLOCATOR_H
#define NOE_JIT_REGISTER_ALLOCATOR_H

#include "jit/assembler.h"

typedef enum {
    NOE_SUM_OF,
    NOE_DIFFERENCE_OF,
    NOE_PRODUCT_OF, /* a + b, a - b, a b */
    NOE_MULTIPLY_ADD,
    NOE_MULTIPLY_LESS, /* a b + c, c - a b, with two roundings */
    NOE_QUOTIENT_OF,
    NOE_ROOT_OF,      /* a / b, sqrt a */
    NOE_SINES_OF,     /* sin a -> d, cos a -> e */
    NOE_BITS_OF_BOTH, /* a & b; a where x.bare */
    NOE_JOINED,       /* eight lanes of a, then b, from lane `by` of a on; AVX-512 */
    NOE_CARRIED,      /* to slot d, which is pinned, for the next turn of a loop: a */
    NOE_CALLED
} noe_form; /* a, b, c -> d and, when it is not -1, e: no instruction here */

typedef struct {
    noe_form form;
    int      d, a, b, c, e; /* slots; -1: not used */
    int      by;
} noe_register_step;

typedef struct {
    noe_assembler           *to;
    const noe_register_step *step;
    /* [slots]: in memory; base -1: the base is fetched from pointer_base + 8 slot */
    const noe_operand *place;
    int                steps, slots, pointer_base;
    int32_t           *after;     /* [steps][5]: when a, b, c, d, e are read next */
    int32_t           *next;      /* [slots]: when its number is read next */
    int               *where;     /* [slots]: its register, or -1 */
    int                slot[32];  /* of a register, or -1 */
    bool               dirty[32]; /* memory does not know it yet */
    int registers, all; /* those below the first number are free, those below the second there */
    int32_t half;       /* bytes from the beginning of a place */
    bool    bare;       /* a & b is a */
    size_t  otherwise;  /* of large arguments of sines: code for all of the tape, */
    void (*leave)(noe_assembler *); /* and what comes before the jump to it */
} noe_register_allocator;

enum { NOE_NEVER = INT32_MAX, NOE_AT_END = INT32_MAX - 1 };

/* Room for `after`, `next` and `where`, in numbers of 32 bits. */
static inline size_t noe_register_allocator_scratch(int steps, int slots)
{
    return 5 * (size_t)steps + 2 * (size_t)slots + 1;
}
/* x.to .. x.pointer_base are set; room: as many numbers as that; out: the slots that are read
 * after all. */
void noe_register_allocator_begin(noe_register_allocator *, int32_t *scratch, const int *out,
                                  int outs);
/* Slots whose numbers never change to registers that they keep, from before a stretch until they
 * are let go. */
void noe_register_allocator_pin(noe_register_allocator *, const int *slot, int slots);
void noe_register_allocator_unpin(noe_register_allocator *);
/* Steps from .. to - 1, none of them called: from memory to memory. */
void noe_register_allocator_stretch(noe_register_allocator *, int from, int to);

#endif
