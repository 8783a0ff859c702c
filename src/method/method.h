/* tableau: L_d = h sum_i b_i L(t + c_i h, q + h sum_m I_im a_m, sum_m l_im a_m).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A method is numbers.  The velocity over a step is a polynomial of degree s-1 with the modes a_m, in the
 * orthonormal Legendre basis l_m of [0, 1]; positions are its integral.  (The formulas hold in any basis and
 * the step is the same: method/basis.h.)  Stationary action gives, m < s,
 *     sum_i b_i ( l_im P_i - h X_im F_i ) = w_m p,   P = L_v, F = L_q at the nodes,
 *     q <- q + h sum_m w_m a_m,   p <- p + h sum_i b_i F_i.                      doc/theory.md, section 2 */
#ifndef NOE_METHOD_METHOD_H
#define NOE_METHOD_METHOD_H

#include "base/quad.h"
#include "noether.h"

#include <stdbool.h>

enum { NOE_MAX_DEGREE = 12, NOE_MAX_POINTS = 32 };

struct noe_method {
    char name[48];                           /* canonical: "simpson", "gauss 3", "P4 clenshaw 5" */
    int  s, r;                               /* degree of the positions, number of quadrature points */
    int  exact;                              /* polynomials up to this degree are integrated exactly */
    int  order;                              /* min(2s, exact + 1) */
    bool symmetric;                          /* c_i = 1 - c_{r+1-i}, b_i = b_{r+1-i} */
    quad c[NOE_MAX_POINTS], b[NOE_MAX_POINTS]; /* nodes in [0, 1], ascending; weights, sum 1 */
    quad l[NOE_MAX_POINTS][NOE_MAX_DEGREE];  /* l_im = l_m(c_i) */
    quad I[NOE_MAX_POINTS][NOE_MAX_DEGREE];  /* I_im = int_0^{c_i} l_m */
    quad X[NOE_MAX_POINTS][NOE_MAX_DEGREE];  /* X_im = int_{c_i}^1 l_m */
    quad w[NOE_MAX_DEGREE];                  /* w_m = int_0^1 l_m, 1 0 0 .. for Legendre */
    quad E[NOE_MAX_DEGREE][NOE_MAX_DEGREE];  /* a <- E a: the same polynomial over the next step */
};

#endif
