/* Rewrites expressions as cheaper operations: x^3 -> (x x) x;  a/b, c/b -> a r, c r with r = 1/b.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_LOWERING_H
#define NOE_TAPE_LOWERING_H

#include "expr/graph.h"

/* Replaces the roots.  Powers with constant integer and half-integer exponents become products and
 * roots; quotients with the same denominator share its reciprocal. */
void noe_lowering_apply(noe_graph *, noe_ex *root, int roots);

#endif
