/* The order of splittings and compositions from their coefficients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     exp(x_1 h B) exp(x_2 h A) .. = exp(h (A + B)) + O(h^(order + 1)) */
#ifndef NOE_METHOD_ORDER_CONDITIONS_H
#define NOE_METHOD_ORDER_CONDITIONS_H

#include "number/quad.h"

#include <stdbool.h>

enum { NOE_ORDER_CONDITIONS_MOST = 11 }; /* the largest order that is searched */

/* Order of the n flows of lengths x[n], in steps, kicks (B) and drifts (A) alternately. quadratic:
 * the kinetic energy is quadratic in the momenta, so that [B,[B,[B,A]]] = 0; otherwise nothing is
 * assumed of A and B. */
int noe_order_conditions_of_splitting(int n, const quad *x, bool drift_first, bool quadratic);
/* Order of n steps of lengths x[n] of a symmetric method of order `base`. */
int noe_order_conditions_of_composition(int n, const quad *x, int base);

#endif
