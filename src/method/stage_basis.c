/* Integrals of the velocity basis at the nodes, and the coefficients of the next step's prediction.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * I_im = int_0^{c_i} l_m,  X_im = int_{c_i}^1 l_m,  w_m = int_0^1 l_m,  l_k(1+c) = sum_m E_mk
 * l_m(c). */
#include "method/stage_basis.h"

#include "method/legendre_polynomials.h"
#include "method/quadrature.h"

/* E_mk = int_0^1 l_m(c) l_k(1+c): degree 2s-2, so Gauss with s points is exact. */
void noe_stage_basis_legendre(noe_method *t)
{
    quad x[NOE_MAX_DEGREE], g[NOE_MAX_DEGREE], l[NOE_MAX_DEGREE], next[NOE_MAX_DEGREE];
    for (int i = 0; i < t->r; i++) {
        noe_legendre_polynomials_values(t->s, t->c[i], t->l[i]);
        noe_legendre_polynomials_integrals(t->s, t->c[i], t->I[i], t->X[i]);
    }
    for (int m = 0; m < t->s; m++) {
        t->w[m] = m == 0;
        for (int k = 0; k < t->s; k++) t->E[m][k] = 0;
    }
    noe_quadrature_gauss(t->s, x, g);
    for (int i = 0; i < t->s; i++) {
        noe_legendre_polynomials_values(t->s, x[i], l);
        noe_legendre_polynomials_values(t->s, 1 + x[i], next);
        for (int m = 0; m < t->s; m++)
            for (int k = 0; k < t->s; k++) t->E[m][k] += g[i] * l[m] * next[k];
    }
}
