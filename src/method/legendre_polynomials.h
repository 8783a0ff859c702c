/* Orthonormal Legendre polynomials of [0, 1]: l_m(c) = sqrt(2m+1) P_m(2c-1).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     int_0^1 l_m l_n = delta_mn */
#ifndef NOE_METHOD_LEGENDRE_POLYNOMIALS_H
#define NOE_METHOD_LEGENDRE_POLYNOMIALS_H

#include "number/quad.h"

/* l[n] = the values l_m(c), m < n, for any real c. */
void noe_legendre_polynomials_values(int n, quad c, quad *l);
/* I[n] = int_0^c l_m and X[n] = int_c^1 l_m, m < n; exactly 0 or delta_m0 at c = 0 and c = 1. */
void noe_legendre_polynomials_integrals(int n, quad c, quad *I, quad *X);
/* c[n] = the roots of the Jacobi polynomial P_n^(alpha,beta)(2c-1), ascending; alpha, beta = 0
 * or 1. Absolute error a few 2^-113 (tested for n <= 32). */
void noe_legendre_polynomials_jacobi_roots(int n, int alpha, int beta, quad *c);
/* Value at c of the Lagrange polynomial for the n distinct nodes d[n] that is 1 at d[k] and 0 at
 * the others. */
quad noe_legendre_polynomials_lagrange(int n, const quad *d, int k, quad c);

#endif
