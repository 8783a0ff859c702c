/* Compiles tapes to machine code: the same operations on the same numbers, without an interpreter.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each slot of the tape has a place in memory, and registers are a cache of these places: a
 * number is written back when its register is needed for another, when a function is called, or
 * at the end if it is an output. Additions and multiplications are those of the interpreter,
 * each one rounded, so every bit is the same; the operations 1 a, -1 a and a - 0, which round
 * nothing, are left out. Sines are instructions with AVX-512 (jit/sine_code.h); other functions
 * are called, as the interpreter calls them.
 *
 * Pages of memory are written first and made executable afterwards, so they are never both.
 * Where the system forbids that, on other machines, and with SSE2 alone, the interpreter is
 * used. */
#ifndef NOE_JIT_TAPE_COMPILER_H
#define NOE_JIT_TAPE_COMPILER_H

#include "tape/tape.h"

enum { NOE_COMPILED_TAPES_MOST = 13 };
typedef struct noe_compiled_tapes noe_compiled_tapes; /* the machine code of several tapes */

/* evaluates a tape for one batch; each slot has eight doubles at its place in `frame` */
typedef void noe_machine_code(char *frame);
/* one operation on batches; its operands are places in bytes */
typedef void noe_compiled_call(char *frame, const noe_ins *, const noe_tape *);

/* level: instruction set, 1 or 2, see noe_engine_instruction_set(); call[op]: functions for
 * operations that are not compiled. NULL with a message: out of memory. */
noe_compiled_tapes *noe_tape_compiler_new(int level, noe_compiled_call *const *call);
/* Compiles a tape and gives it `number`. place[slots]: in bytes; code: the tape's instructions
 * with places instead of slots, which must exist as long as the machine code. False with a
 * message: out of memory. */
bool noe_tape_compiler_add(noe_compiled_tapes *, int number, const noe_tape *, const int *place,
                           const noe_ins *code);
/* Ends the compilation: makes the machine code executable. */
void noe_tape_compiler_seal(noe_compiled_tapes *);
/* The machine code of a tape; NULL: the tape is too long, or memory cannot be made executable. */
noe_machine_code *noe_tape_compiler_at(const noe_compiled_tapes *, int number);
/* bytes of machine code; 0: there is none */
size_t noe_tape_compiler_size(const noe_compiled_tapes *);
void   noe_tape_compiler_free(noe_compiled_tapes *);

#endif
