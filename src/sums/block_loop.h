/* Machine code for the program of a term: one loop over a block of terms for each straight part.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Between two calls of elementary functions all intermediate results of eight terms stay in
 * registers, and constants of the program stay in registers for the whole loop.  The bits are those
 * of the interpreter (block_interpreter.h), which calls the functions. */
#ifndef NOE_SUMS_BLOCK_LOOP_H
#define NOE_SUMS_BLOCK_LOOP_H

#include "jit/jit.h"
#include "sums/block_program.h"

/* Instructions from .. to - 1 of the program.  slot: where the block of each slot is; store: that
 * of the slots which have their own place, NOE_TERM_PITCH apart. */
typedef struct {
    int            from, to;
    noe_loop_code *run; /* NULL: interpreted */
} noe_loop;

typedef struct {
    noe_loop *loop;  /* [loops] parts of the program */
    int       loops; /* number of parts */
    size_t    size;  /* bytes of machine code */
    uint8_t  *page;  /* executable memory */
} noe_block_loops;

/* An operation of a program as a step on registers. */
noe_register_step noe_block_loop_register_step(noe_block_ins);

/* For that set of instructions, 1 or 2 (noe_engine_instruction_set()); the program lives as long.
 * false without memory, with a message. */
bool noe_block_loop_make(noe_block_loops *, int level, const noe_block_program *, noe_arena *);
void noe_block_loop_free(noe_block_loops *);

#endif
