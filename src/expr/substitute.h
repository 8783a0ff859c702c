/* Substitution f(x) -> f(y): an expression with its leaves replaced, operand by operand.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_SUBSTITUTE_H
#define NOE_EXPR_SUBSTITUTE_H

#include "expr/graph.h"

/* Node i, made again of the replacements of its operands, which are in g->bar; a leaf stays itself.
 * g->bar may be reallocated: the caller stores the result only after the call. */
noe_ex noe_substitute_image(noe_graph *, noe_ex i);

/* The expression with every leaf of a kind, with those of it that have the numbers index[count], or
 * with a node, replaced. */
noe_ex noe_substitute_leaves(noe_graph *, noe_ex f, noe_op leaf, noe_ex by);
noe_ex noe_substitute_members(noe_graph *, noe_ex f, noe_op leaf, const int *index,
                              const noe_ex *by, int count);
noe_ex noe_substitute_node(noe_graph *, noe_ex f, noe_ex node, noe_ex by);

/* The expression where all velocities are 0. */
noe_ex noe_substitute_at_rest(noe_graph *, noe_ex f);

#endif
