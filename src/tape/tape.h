/* x_d <- x_a x_b + x_c: a function as straight-line code, in runs of one operation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums, differences, products and signs are all one operation, a b + c with two roundings (a + c is a 1 + c),
 * or its mirror c - a b, and operations are ordered so that equal ones follow each other: what an interpreter
 * pays for is the change of operation, not the operation (doc/decisions.md).  jit/tape_compiler.c makes machine code of them.
 *
 * Slots: the inputs; the constants, which begin with 1, -1, -0; what is computed (slots are used again when
 * their last reader is done).  What depends on parameters alone is a constant, worked out in binary128. */
#ifndef NOE_TAPE_TAPE_H
#define NOE_TAPE_TAPE_H

#include "expr/graph.h"

typedef struct {
    int32_t d, a, b, c; /* slots; NOE_SINCOS: d <- sin a, c <- cos a */
} noe_ins;

typedef struct {
    int32_t op, count; /* so many instructions of this operation */
} noe_run_of;

typedef struct {
    int   inputs, constants, slots, runs, length, outputs;
    quad *constant;
    noe_ex *
        from; /* what each constant is the value of; ~x: the negative of x's; the first three: themselves */
    noe_run_of       *run;
    noe_ins          *ins;
    int              *out;    /* the slot of each output */
    const noe_tables *tables; /* of the model, which must live as long; NULL: none */
} noe_tape;

enum { NOE_TAPE_OWN = 3 }; /* constants of every tape: 1, -1, -0 */

/* Inputs in this order: t, q (n), v (n), p (n), energy.  A slot of a sum that is no coordinate has its number in
 * the place of q. */
static inline int noe_tape_input(noe_op leaf, int index, int n)
{
    return leaf == NOE_T                  ? 0
         : leaf == NOE_Q || leaf == NOE_C ? 1 + index
         : leaf == NOE_V                  ? 1 + n + index
         : leaf == NOE_P                  ? 1 + 2 * n + index
                                          : 1 + 3 * n;
}
static inline int noe_tape_inputs(int n) { return 2 + 3 * n; }

/* The tape of the roots; NULL with a message.  Lowers the roots first.  free() frees it. */
noe_tape *noe_tape_new(noe_graph *, const quad *param, int n, const noe_ex *root, int roots);

/* An empty one with room for n operations, so many constants and as many outputs as roots; NULL with a message.  free() frees it. */
noe_tape *noe_tape_blank(int inputs, size_t n, size_t constants, int roots);

/* The same operations in an order for registers: each soon before it is read, functions together; NULL with a message. */
noe_tape *noe_register_schedule_make(const noe_tape *);
int       noe_register_schedule_arity(int op); /* how many of a, b, c an operation of tapes reads */

/* The same but for the values of constants?  Both may be NULL. */
bool noe_tape_same(const noe_tape *, const noe_tape *);

/* Runs it once in binary128, step by step: for what is asked once a row.  slot has room for tape->slots. */
void noe_tape_quad_run(const noe_tape *, const quad *input, quad *slot, quad *out);
/* The same in double; the inputs stand in slot, outputs are left there (tape->out).  What rounding does differs
 * from the core's in the last bits: for estimates. */
void noe_tape_double_run(const noe_tape *, double *slot);
void noe_tape_double_run_again(const noe_tape *,
                               double *slot); /* the constants stand in slot from the time before */

#endif
