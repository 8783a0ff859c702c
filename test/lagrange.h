/* v(c) = sum_k a_k L_k(c),  L_k(d_m) = 1 for k = m, else 0:  the same methods in another basis.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAGRANGE_H
#define LAGRANGE_H

#include "method/legendre_polynomials.h"
#include "method/method.h"
#include "method/quadrature.h"

/* int_a^b L_k; degree s-1, Gauss with s points is more than enough. */
static quad integral(int s, const quad *d, int k, quad a, quad b)
{
    quad x[NOE_MAX_DEGREE], g[NOE_MAX_DEGREE], sum = 0;
    noe_quadrature_gauss(s, x, g);
    for (int i = 0; i < s; i++)
        sum += g[i] * noe_legendre_polynomials_lagrange(s, d, k, a + (b - a) * x[i]);
    return (b - a) * sum;
}

/* l, I, X, w, E of Lagrange polynomials of s distinct nodes d: a are the velocities there. */
static void lagrange_basis(noe_method *t, const quad *d)
{
    for (int k = 0; k < t->s; k++) {
        for (int i = 0; i < t->r; i++) {
            t->l[i][k] = noe_legendre_polynomials_lagrange(t->s, d, k, t->c[i]);
            t->I[i][k] = integral(t->s, d, k, 0, t->c[i]);
            t->X[i][k] = integral(t->s, d, k, t->c[i], 1);
        }
        t->w[k] = integral(t->s, d, k, 0, 1);
        for (int m = 0; m < t->s; m++)
            t->E[m][k] = noe_legendre_polynomials_lagrange(t->s, d, k, 1 + d[m]);
    }
}

#endif
