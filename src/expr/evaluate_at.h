/* Values of expressions for given values of their leaves, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_EVALUATE_AT_H
#define NOE_EXPR_EVALUATE_AT_H

#include "base/arena.h"
#include "expr/graph.h"

typedef struct {
    quad        t;         /* time */
    const quad *q, *v, *p; /* [n] positions, velocities, momenta */
} noe_leaf_values;

/* out[roots] = the values; NaN where an intermediate value is not finite.  A lack of memory leads
 * to g->stop. */
void noe_evaluate_at(noe_graph *, noe_arena *, const noe_ex *root, int roots, const quad *param,
                     const noe_leaf_values *, quad *out);

#endif
