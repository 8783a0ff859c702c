/* nodes -> operations a b + c, in an order of long runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_RUN_SCHEDULE_H
#define NOE_TAPE_RUN_SCHEDULE_H

#include "base/arena.h"
#include "expr/graph.h"

enum { NOE_ONE = -1, NOE_MINUS_ONE = -2, NOE_MINUS_ZERO = -3 }; /* operands that are no nodes */

typedef struct {
    noe_op op;
    noe_ex node, other; /* what it computes; other: the cosine beside a sine, or -1 */
    noe_ex in[3];
    bool   minus; /* in[0] is a constant to be read with the other sign */
    int    arity;
    int    waits, next; /* operands not computed yet; a list */
} noe_operation;

/* The operations that compute the roots, in order; memory from the arena; jumps to g->stop on failure.
 * list: the nodes that the roots need, children first, by noe_evaluate_reach just before. */
noe_operation *noe_run_schedule_make(noe_graph *, noe_arena *, const noe_ex *list, int count,
                                     const noe_ex *root, int roots, int *operations);

/* multiply_add.c: the same in no order.  Fills operation (room for count of them) and, for every node, maker: which
 * operation computes it, or -1.  Returns how many there are. */
int noe_multiply_add_make(noe_graph *, noe_arena *, const noe_ex *list, int count,
                          const noe_ex *root, int roots, noe_operation *operation, int *maker);

#endif
