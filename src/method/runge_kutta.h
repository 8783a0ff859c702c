/* Explicit Runge-Kutta methods: the tableau, and the order from the order conditions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree up to the order */
#ifndef NOE_METHOD_RUNGE_KUTTA_H
#define NOE_METHOD_RUNGE_KUTTA_H

#include "method/method.h"

/* Fills A, b, c and the properties of the method from a table of named_methods.def. */
void noe_runge_kutta_fill(noe_method *, const char *table);
/* Order of the tableau A, b, c, from the order conditions up to order 8. */
int noe_runge_kutta_order(const noe_method *);

#endif
