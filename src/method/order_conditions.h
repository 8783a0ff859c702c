/* The order of a splitting from its coefficients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * product of exponentials = exp(A + B) + O(order + 1). */
#ifndef NOE_METHOD_ORDER_CONDITIONS_H
#define NOE_METHOD_ORDER_CONDITIONS_H

#include "number/quad.h"

#include <stdbool.h>

enum { NOE_ORDER_CONDITIONS_MOST = 11 }; /* the largest order that is looked for */

/* The order of n flows of lengths x, kicks (B) and drifts (A) in turn.  quadratic: T is
 * quadratic in the momenta, so [B,[B,[B,A]]] = 0; else nothing is assumed of A and B. */
int noe_order_conditions_of_splitting(int n, const quad *x, bool drift_first, bool quadratic);
/* The order of steps of lengths x of a symmetric method of order `base`. */
int noe_order_conditions_of_composition(int n, const quad *x, int base);

#endif
