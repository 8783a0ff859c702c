/* f(x) -> f(y):  an expression with other leaves, child by child; images stand in g->bar.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_SUBSTITUTE_H
#define NOE_EXPR_SUBSTITUTE_H

#include "expr/graph.h"

/* Node i, made of the images of its children; a leaf is its own.  g->bar may move: what it returns is stored afterwards. */
noe_ex noe_substitute_image(noe_graph *, noe_ex i);

/* The expression where all velocities are 0. */
noe_ex noe_substitute_at_rest(noe_graph *, noe_ex f);

#endif
