/* int_0^1 f ~ sum_i b_i f(c_i), i < r, at any precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ARB_ARB_QUADRATURE_H
#define NOE_ARB_ARB_QUADRATURE_H

#include "arb/wide.h"

#include <stdbool.h>

/* By the name of a rule, as in method/quadrature.h; false: there is none.  Middles only. */
bool noe_arb_quadrature_make(const char *rule, int r, arb_ptr c, arb_ptr b, slong prec);
/* Lagrange's polynomial of the n nodes d that is 1 at d[k], at x: its value and its derivative. */
void noe_arb_quadrature_lagrange(int n, arb_srcptr d, int k, const arb_t x, arb_t value,
                                 arb_t slope, slong prec);

#endif
