/* u -> 0 where 1/u, log u or tan has no value, and where abs(u) has a kink: arguments whose zeros matter.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_SINGULAR_ARGUMENTS_H
#define NOE_EXPR_SINGULAR_ARGUMENTS_H

#include "expr/graph.h"

/* Lists the different u that depend on coordinates, at most `room` of them, and returns how many were listed: of a
 * denominator its factors, of a root, a power or an absolute value what is below it. */
int noe_singular_arguments_divisors(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                    int room);

/* The same of u(t, q) that are positive where exp, tanh and 1/cosh are nearly constant and below -5 where they are not: a step from
 * one side to the other does not see what stands between. */
int noe_singular_arguments_narrow(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                  int room);

/* The same of u(t) at whose sign something jumps or bends: in abs, sign, min, max and comparisons. */
int noe_singular_arguments_times(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                 int room);

/* The same of the different u(t, q, v) that depend on velocities and at whose sign something jumps or bends: in abs, sign, min,
 * max and comparisons. */
int noe_singular_arguments_kinks(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                 int room);

#endif
