/* Orders the operations of a tape so that equal operations form long runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_RUN_SCHEDULE_H
#define NOE_TAPE_RUN_SCHEDULE_H

#include "base/arena.h"
#include "expr/graph.h"

/* Operands that are no nodes: the constants 1, -1, -0. */
enum { NOE_ONE = -1, NOE_MINUS_ONE = -2, NOE_MINUS_ZERO = -3 };

typedef struct {
    noe_op op;          /* the operation */
    noe_ex node, other; /* the node it computes; the cosine computed with a sine, or -1 */
    noe_ex in[3];       /* [arity] operands: nodes, or one of the constants above */
    bool   minus;       /* in[0] is a constant, to be read with the opposite sign */
    int    arity;       /* number of operands */
    int    waits, next; /* operands not computed yet; link of a list of ready operations */
} noe_operation;

/* The operations that compute the roots, in order; memory from the arena; jumps to g->stop on
 * failure. list: the nodes that the roots need, children first, by noe_evaluate_reach just
 * before. */
noe_operation *noe_run_schedule_make(noe_graph *, noe_arena *, const noe_ex *list, int count,
                                     const noe_ex *root, int roots, int *operations);

/* multiply_add.c: the operations without an order.  Fills operation (memory for `count`) and, for
 * every node, maker: the number of the operation that computes it, or -1.  Returns the number of
 * operations. */
int noe_multiply_add_make(noe_graph *, noe_arena *, const noe_ex *list, int count,
                          const noe_ex *root, int roots, noe_operation *operation, int *maker);

#endif
