/* Terms of t alone in a Lagrangian, f(t): they change no motion, being dF/dt with F' = f.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_TIME_ALONE_H
#define NOE_EXPR_TIME_ALONE_H

#include "expr/graph.h"

/* The expression without those terms of its sum, and of sums times a constant, that depend on t and
 * on nothing else that moves.  What is left of an energy is defined as well as before, and its
 * balance needs no quadrature of f. */
noe_ex noe_time_alone_drop(noe_graph *, noe_ex);

#endif
