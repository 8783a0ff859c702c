/* The orthonormal Legendre polynomials of [0, 1].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * int_0^1 l_m l_n = delta_mn:  l_m(c) = sqrt(2m+1) P_m(2c-1). */
#ifndef NOE_METHOD_LEGENDRE_POLYNOMIALS_H
#define NOE_METHOD_LEGENDRE_POLYNOMIALS_H

#include "number/quad.h"

/* l[m] = l_m(c) for m < n; any real c. */
void noe_legendre_polynomials_values(int n, quad c, quad *l);
/* I[m] = int_0^c l_m and X[m] = int_c^1 l_m for m < n; exactly 0 and delta_m0 at the ends of [0,
 * 1]. */
void noe_legendre_polynomials_integrals(int n, quad c, quad *I, quad *X);
/* c[0..n-1] = the roots of the Jacobi polynomial P_n^(alpha,beta)(2c-1), ascending; alpha,
 * beta = 0 or 1. Absolute error a few 2^-113 (checked for n <= 32). */
void noe_legendre_polynomials_jacobi_roots(int n, int alpha, int beta, quad *c);
/* The Lagrange polynomial of the n distinct nodes d that is 1 at d[k] and 0 at the others, at c. */
quad noe_legendre_polynomials_lagrange(int n, const quad *d, int k, quad c);

#endif
