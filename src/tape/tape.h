/* A tape: a function as straight-line code, x_d <- op(x_a, x_b, x_c), in runs of equal operations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums, differences, products and signs are all one operation, a b + c with two roundings (a + c is
 * a 1 + c), or c - a b.  Operations are ordered so that equal ones follow each other: the cost of
 * an interpreter is the change of operation, not the operation (doc/decisions.md).
 * jit/tape_compiler.c makes machine code of tapes.
 *
 * Slots hold, in this order: the inputs; the constants, beginning with 1, -1, -0; computed values
 * (a slot is used again after its last reader).  Whatever depends on parameters alone is a
 * constant, computed in binary128. */
#ifndef NOE_TAPE_TAPE_H
#define NOE_TAPE_TAPE_H

#include "expr/graph.h"

typedef struct {
    int32_t d, a, b, c; /* slots of result and operands; NOE_SINCOS: d <- sin a, c <- cos a */
} noe_ins;

typedef struct {
    int32_t op, count; /* a noe_op; the number of consecutive instructions of this operation */
} noe_run_of;

typedef struct {
    int   inputs, constants, slots, runs, length, outputs; /* numbers of each; length: of ins */
    quad *constant;                                        /* [constants] their values */
    /* [constants] node whose value the constant is; ~x: the negative of node x; the first
     * NOE_TAPE_OWN have none. */
    noe_ex     *from;
    noe_run_of *run; /* [runs] */
    noe_ins    *ins; /* [length] */
    int        *out; /* [outputs] slot of each output */
    /* tabulated functions of the model, which must live as long; or NULL */
    const noe_tables *tables;
} noe_tape;

/* One operation on batches; its operands are places in the frame, in bytes. */
typedef void noe_compiled_call(char *frame, const noe_ins *, const noe_tape *);

enum { NOE_TAPE_OWN = 3 }; /* constants of every tape: 1, -1, -0 */

/* Slot of an input.  Inputs in this order: t, q (n), v (n), p (n), energy.  In the term of a sum
 * numbers that are no coordinates (NOE_C) stand among the q. */
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

/* An empty tape with memory for n operations, `constants` constants and `roots` outputs; NULL
 * with a message.  free() frees it. */
noe_tape *noe_tape_blank(int inputs, size_t n, size_t constants, int roots);

/* The same operations in an order for registers: each is computed soon before it is read, and calls
 * of functions stand together; NULL with a message. */
noe_tape *noe_register_schedule_make(const noe_tape *);
/* The number of operands a, b, c that an operation of tapes reads. */
int noe_register_schedule_arity(int op);

/* Are two tapes equal except for the values of constants?  Both may be NULL. */
bool noe_tape_same(const noe_tape *, const noe_tape *);

/* Evaluates the tape in binary128; slow, for values needed once a row.  slot has memory for
 * tape->slots. */
void noe_tape_quad_run(const noe_tape *, const quad *input, quad *slot, quad *out);
/* Evaluates the tape in double, for estimates: results differ from those of the engines by
 * rounding. The inputs are in the first slots, the outputs are left in the slots tape->out. */
void noe_tape_double_run(const noe_tape *, double *slot);
/* The same with the constants still in their slots from the evaluation before. */
void noe_tape_double_run_again(const noe_tape *, double *slot);

#endif
