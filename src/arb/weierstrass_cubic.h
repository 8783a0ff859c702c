/* The motion w(s) in a cubic potential: the height of a top's axis.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     w'^2 = A (w - u1)(w - u2)(w - u3) */
#ifndef NOE_ARB_WEIERSTRASS_CUBIC_H
#define NOE_ARB_WEIERSTRASS_CUBIC_H

#include "arb/elliptic_functions.h"

typedef struct {
    arb_t                  A, u1, u2, u3, w0, rate; /* A > 0, u1 <= w0 <= u2 < u3; w'(0) */
    arb_t                  kappa;                   /* sqrt(A (u3 - u1))/2 */
    noe_elliptic_modulus   m;                       /* (u2 - u1)/(u3 - u1) */
    noe_elliptic_functions first;                   /* sn, cn, dn at s = 0 */
    slong                  prec;                    /* precision in bits */
} noe_weierstrass_cubic;

/* From w'^2 = A w^3 + c[2] w^2 + c[1] w + c[0] and w, w' at s = 0. */
void noe_weierstrass_cubic_init(noe_weierstrass_cubic *, const arb_t A, arb_srcptr c,
                                const arb_t w0, const arb_t rate, slong prec);
void noe_weierstrass_cubic_clear(noe_weierstrass_cubic *);
/* w(s) and w'(s) by Jacobi's functions, w = u1 + (u2 - u1) sn^2(kappa s + x0 | m); s real or
 * complex. */
void noe_weierstrass_cubic_jacobi(const noe_weierstrass_cubic *, const acb_t s, acb_t w,
                                  acb_t rate);
/* The amplitude phi = am(kappa s + x0), sn = sin phi, continuous from s = 0, where it lies in
 * (-pi, pi]. */
void noe_weierstrass_cubic_amplitude(const noe_weierstrass_cubic *, const arb_t s, arb_t phi);
/* w(s) by Weierstrass' function, w = 4/A P(s + c) + (u1 + u2 + u3)/3; not finite near the poles
 * of P. */
void noe_weierstrass_cubic_at_pole(const noe_weierstrass_cubic *, const arb_t s, arb_t w);

#endif
