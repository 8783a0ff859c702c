/* Machine code of tapes and of loops over arrays: all that other rooms use of this one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Additions and multiplications are those of the interpreters, each one rounded, so every bit is
 * the same; the operations 1 a, -1 a and a - 0, which round nothing, are left out.  Quotients and
 * square roots are instructions; of tapes, with AVX-512, sine and cosine too (jit/sine_code.h).
 * All other operations, also abs, min, max, if and comparisons, are called, as the interpreters
 * call them; in loops of sums sine and cosine are, too.  The code is for x86-64 with AVX2 or
 * AVX-512.  Pages of memory are written first and made executable afterwards, so they are never
 * both.  Where the system forbids that, on other machines, and with SSE2 alone there is no machine
 * code, and the interpreters do the same. */
#ifndef NOE_JIT_JIT_H
#define NOE_JIT_JIT_H

#include "base/arena.h"
#include "tape/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- tapes: jit/tape_compiler.c ---- */

enum { NOE_COMPILED_TAPES_MOST = 15 };
typedef struct noe_compiled_tapes noe_compiled_tapes; /* the machine code of several tapes */

/* evaluates a tape for one batch; each slot has eight doubles at its place in `frame` */
typedef void noe_machine_code(char *frame);

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

/* ---- loops: jit/loop_writer.c ---- */

typedef enum {
    NOE_SUM_OF,
    NOE_DIFFERENCE_OF,
    NOE_PRODUCT_OF, /* these three: a + b, a - b, a b */
    NOE_MULTIPLY_ADD,
    NOE_MULTIPLY_LESS, /* a b + c and c - a b, each with two roundings */
    NOE_QUOTIENT_OF,   /* a / b */
    NOE_ROOT_OF,       /* sqrt a */
    NOE_SINES_OF,      /* d <- sin a, e <- cos a; tapes alone */
    NOE_BITS_OF_BOTH,  /* a & b; a in a loop without masks */
    NOE_JOINED,        /* eight numbers of (a, b), beginning with number `by` of a; AVX-512 */
    NOE_CARRIED, /* copies a to the slot d, which stays in a register, for the next iteration */
    NOE_CALLED   /* a function call, which the caller makes: no instruction here */
} noe_form;

/* An operation on slots: a, b, c -> d and, if it is not -1, e. */
typedef struct {
    noe_form form;          /* the operation */
    int      d, a, b, c, e; /* slots; -1: not used */
    int      by;            /* NOE_JOINED: first lane of a */
} noe_register_step;

/* slot: pointers to the arrays of the slots; store: memory of the slots that have no pointer; bytes
 * of each array, a multiple of those of a vector register. */
typedef void noe_loop_code(double *const *slot, const double *store, size_t bytes);

enum { NOE_LOOP_PINS = 12 }; /* most slots that stay in registers during a loop */

typedef struct noe_loop_writer
    noe_loop_writer; /* loops that are being written, one function each */

/* In the arena, for at most so many operations and slots.  NULL with a message: out of memory. */
noe_loop_writer *noe_loop_writer_new(noe_arena *, int level, int steps, int slots);
/* Where a slot is: an element of the array that slot[] points to; at `bytes` of the store, the same
 * number in every iteration; from there on, another element in every iteration; where another slot
 * is.  To be called before the function that uses the slot is begun, and again for the next. */
void noe_loop_writer_in_array(noe_loop_writer *, int slot);
void noe_loop_writer_in_store(noe_loop_writer *, int slot, int32_t bytes);
void noe_loop_writer_along_store(noe_loop_writer *, int slot, int32_t bytes);
void noe_loop_writer_same_place(noe_loop_writer *, int slot, int as);
/* The operations; out[outs]: slots that are read after the last of them. */
void noe_loop_writer_begin(noe_loop_writer *, const noe_register_step *, int steps, int slots,
                           const int *out, int outs);
/* Begins a function; its number for noe_loop_writer_at(). */
size_t noe_loop_writer_function(const noe_loop_writer *);
/* Gives the array of a slot a register for its pointer, while there are any. */
void noe_loop_writer_point(noe_loop_writer *, int slot);
/* Adds to pin[count] those of the slots from .. to - 1 that are read most often, as long as there
 * are registers for them; their uses become 0. Returns the new count. */
int noe_loop_writer_most_read(const noe_loop_writer *, int *uses, int from, int to,
                              int pin[NOE_LOOP_PINS], int count);
/* Sets the index to 0; keeps slots in registers from here to the end of the function. */
void noe_loop_writer_enter(noe_loop_writer *, const int *pin, int pins);
/* The loop over the operations from .. to - 1, from the present index to the number of bytes.
 * bare: NOE_BITS_OF_BOTH has the value a. */
void noe_loop_writer_loop(noe_loop_writer *, int from, int to, bool bare);
/* The number of bytes of the next loop is an integer in the store, at `bytes`. */
void noe_loop_writer_bytes_from_store(noe_loop_writer *, int32_t bytes);
/* Ends the function. */
void noe_loop_writer_leave(noe_loop_writer *);
/* Makes all functions executable; *page, *size: for noe_loop_writer_free().  False with a message:
 * out of memory. */
bool noe_loop_writer_seal(noe_loop_writer *, uint8_t **page, size_t *size);
/* A function, after seal; NULL: memory cannot be made executable. */
noe_loop_code *noe_loop_writer_at(const noe_loop_writer *, size_t function);
void           noe_loop_writer_free(uint8_t *page, size_t size);

#endif
