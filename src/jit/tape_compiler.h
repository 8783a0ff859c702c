/* Compiles tapes to machine code.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * tape -> machine code: the same operations on the same numbers, without an interpreter between
 * them.
 *
 * A slot of the tape has its place in memory, registers are a cache of places: a number is
 * written back when its register is wanted for one that is needed sooner, when a function is
 * called, or at the end where it is an output. Additions and multiplications are those of the
 * interpreter, one by one and each rounded, so every bit is the same; 1 a, -1 a and a - 0, which
 * round nothing, are left out.  Sines are instructions too with AVX-512 (jit/sine_code.h); other
 * functions are called, as the interpreter calls them. Pages are written first and made
 * executable then, never both.  Where that is forbidden, on other machines and with SSE2 alone
 * the interpreter does the work. */
#ifndef NOE_JIT_TAPE_COMPILER_H
#define NOE_JIT_TAPE_COMPILER_H

#include "tape/tape.h"

typedef struct noe_compiled_tapes noe_compiled_tapes; /* the code of some tapes */

/* one batch of every slot: eight doubles at its place */
typedef void noe_machine_code(char *frame);
/* an operation on batches; places in bytes */
typedef void noe_compiled_call(char *frame, const noe_ins *, const noe_tape *);

/* For that set of instructions, 1 or 2 (noe_engine_instruction_set()), with functions for what
 * is not translated, by op.  NULL without memory, with a message. */
noe_compiled_tapes *noe_tape_compiler_new(int level, noe_compiled_call *const *call);
/* Tape number `number`; place[slot] in bytes; code: its instructions with places for slots,
 * which live as long.  false without memory, with a message. */
bool noe_tape_compiler_add(noe_compiled_tapes *, int number, const noe_tape *, const int *place,
                           const noe_ins *code);
/* No more tapes. */
void noe_tape_compiler_seal(noe_compiled_tapes *);
/* The code of a tape; NULL where there is none: it is too long, or memory cannot be made
 * executable. */
noe_machine_code *noe_tape_compiler_at(const noe_compiled_tapes *, int number);
size_t noe_tape_compiler_size(const noe_compiled_tapes *); /* in bytes; 0: there is none */
void   noe_tape_compiler_free(noe_compiled_tapes *);

#endif
