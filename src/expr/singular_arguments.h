/* Lists arguments u at whose zeros an expression is singular (1/u, log u, tan) or has a kink.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_SINGULAR_ARGUMENTS_H
#define NOE_EXPR_SINGULAR_ARGUMENTS_H

#include "expr/graph.h"

/* Lists the different u that depend on coordinates and at whose zeros the roots are singular, at
 * most `capacity` of them; returns their number.  For a denominator its factors are listed, for
 * a root, a power or an absolute value the argument; not A + exp(x), A > 0, which is narrow. */
int noe_singular_arguments_divisors(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                    int capacity);

/* Lists u(t, q) that depend on q, are positive where exp, tanh, 1/cosh or 1/(A + exp) are nearly
 * constant, and below -5 where they are not, |x| < 1 of tanh(x), x > -3 of exp(x) (where_flat() in
 * the .c file; CORE in integrate/singular_barrier.c): the nodes of a step across such a narrow term
 * may miss it. */
int noe_singular_arguments_narrow(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity);

/* Lists u(t) that are positive where a smooth function of t alone is nearly constant, and
 * negative where it varies when u does: of exp, tanh and 1/cosh, of sine and cosine (below
 * NOE_PERIODIC_BELOW, by 10 times as much subtracted), and of denominators. */
int noe_singular_arguments_pulses(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity);
/* A mark, by which such u are told from the others; no measurement of other values is recorded. */
enum { NOE_PERIODIC_BELOW = -100000000 };

/* Lists u(t) at whose zeros there is a jump or kink: in abs, sign, min, max, floor, mod and
 * comparisons. */
int noe_singular_arguments_times(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                 int capacity);

/* The same without tables, and with atan2, which jumps by 2 pi. */
int noe_singular_arguments_cuts(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                int capacity);

/* Lists u(t, q) that depend on q, at whose zeros there is a jump or kink, by the same functions. */
int noe_singular_arguments_places(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                  int capacity);

/* Lists u(t, q, v) that depend on velocities and at whose zeros there is a jump or kink: in
 * abs, sign, min, max, floor, mod and comparisons. */
int noe_singular_arguments_kinks(noe_graph *, const noe_ex *root, int roots, noe_ex *found,
                                 int capacity);

#endif
