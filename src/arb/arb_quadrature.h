/* Quadratures on [0, 1] at any precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     int_0^1 f ~ sum_i b_i f(c_i),   i < r */
#ifndef NOE_ARB_ARB_QUADRATURE_H
#define NOE_ARB_ARB_QUADRATURE_H

#include "arb/wide.h"

#include <stdbool.h>

/* Nodes c[r] and weights b[r] of the rule with this name in method/quadrature.h; balls of radius
 * 0. False: there is no such rule. */
bool noe_arb_quadrature_make(const char *rule, int r, arb_ptr c, arb_ptr b, slong prec);
/* Value and derivative at x of the Lagrange polynomial for the n nodes d[n] that is 1 at d[k]
 * and 0 at the others. */
void noe_arb_quadrature_lagrange(int n, arb_srcptr d, int k, const arb_t x, arb_t value,
                                 arb_t slope, slong prec);

#endif
