/* sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree up to the order.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_RUNGE_KUTTA_H
#define NOE_METHOD_RUNGE_KUTTA_H

#include "method/method.h"

/* Fills A, b, c and the traits from a table as in named_methods.def. */
void noe_runge_kutta_fill(noe_method *, const char *table);
/* The order of the table in A, b, c, found up to 8. */
int noe_runge_kutta_order(const noe_method *);

#endif
