/* The program of a term: its tape, with operations chosen for evaluation on blocks of terms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On a single point an operation costs its latency; on a block it costs its loads and stores.  So
 * here a constant is part of the operation instead of an operand, and x - y, if y - x has been
 * computed, is that value with a sign, which the operations that read it take into account: the
 * forces on the two ends of a spring are computed once.  This changes no bit but the sign of a
 * zero, and not even that where atan2 could tell (a tape with atan2 is left as it is). */
#ifndef NOE_SUMS_BLOCK_PROGRAM_H
#define NOE_SUMS_BLOCK_PROGRAM_H

#include "base/arena.h"
#include "tape/tape.h"

/* K and J: the constants in the slots c and b.  Operations of the tape remain where these gain
 * nothing. */
#define NOE_SHORTCUTS(OPERATION)          \
    OPERATION(NOE_PLUS, A + B)            \
    OPERATION(NOE_LESS, A - B)            \
    OPERATION(NOE_TIMES, A *B)            \
    OPERATION(NOE_PLUS_K, A + K)          \
    OPERATION(NOE_K_LESS, K - A)          \
    OPERATION(NOE_SCALE, A *K)            \
    OPERATION(NOE_SCALE_PLUS, A *K + B)   \
    OPERATION(NOE_SCALE_PLUS_J, A *K + J) \
    OPERATION(NOE_TIMES_PLUS_K, A *B + K) \
    OPERATION(NOE_K_LESS_TIMES, K - A * B)

enum {
    NOE_BEFORE_SHORTCUTS = NOE_OPS - 1,
#define OPERATION(op, value) op,
    NOE_SHORTCUTS(OPERATION)
#undef OPERATION
};

typedef struct {
    int32_t op, d, a, b, c; /* operation; slot of the result; slots of the operands */
} noe_block_ins;

typedef struct {
    /* numbers of each; length: instructions */
    int               inputs, constants, slots, length, outputs;
    double           *constant; /* [constants] their values */
    noe_block_ins    *ins;      /* [length] instructions */
    int              *out;      /* [outputs] slot of each output */
    const noe_tables *tables;   /* of the tape */
    bool             *minus;    /* [outputs]: the output is the negative of its slot */
} noe_block_program;

/* NULL without memory. */
noe_block_program *noe_block_program_make(const noe_tape *, noe_arena *);

#endif
