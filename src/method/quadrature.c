/* Nodes, weights and exactness of quadratures on [0, 1].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * sum_i b_i f(c_i):  nodes c_i are roots of Jacobi polynomials or Chebyshev points,
 * b_i = int_0^1 L_i.
 *
 * Davis & Rabinowitz, Methods of Numerical Integration, 2.7 (Gauss, Lobatto, Radau), 2.5.5
 * (Clenshaw-Curtis). A new quadrature is one function that fills nodes and weights, and one line
 * of noe_quadrature_rules; for more than 33 digits a branch in nodes() of arb/arb_quadrature.c. */
#include "method/quadrature.h"

#include "method/legendre_polynomials.h"
#include "method/method.h"
#include "method/method_rounding.h"

/* Makes a symmetric rule symmetric to the last bit, so that rounding is the same in a step and
 * its reverse. */
static void symmetrise(int r, quad *c, quad *b)
{
    for (int i = 0; i < r / 2; i++) {
        c[r - 1 - i] = 1 - c[i];
        b[r - 1 - i] = b[i];
    }
    if (r % 2) c[r / 2] = (quad)1 / 2;
}

/* Christoffel: 1/b_i = sum_{m<r} l_m(c_i)^2, because l_0 .. l_r-1 are orthonormal under the
 * rule. */
void noe_quadrature_gauss(int r, quad *c, quad *b)
{
    quad l[NOE_MAX_POINTS];
    noe_legendre_polynomials_jacobi_roots(r, 0, 0, c);
    for (int i = 0; i < r; i++) {
        quad sum = 0;
        noe_legendre_polynomials_values(r, c[i], l);
        for (int m = 0; m < r; m++) sum += l[m] * l[m];
        b[i] = 1 / sum;
    }
    symmetrise(r, c, b);
}

/* Weights b_i = int_0^1 L_i for given nodes: L_i has degree r-1, for which Gauss's rule with
 * (r+1)/2 points is exact. */
static void weights(int r, const quad *c, quad *b)
{
    quad x[NOE_MAX_POINTS], w[NOE_MAX_POINTS];
    int  n = (r + 1) / 2;
    noe_quadrature_gauss(n, x, w);
    for (int i = 0; i < r; i++) {
        b[i] = 0;
        for (int k = 0; k < n; k++) b[i] += w[k] * noe_legendre_polynomials_lagrange(r, c, i, x[k]);
    }
}

static void lobatto(int r, quad *c, quad *b)
{
    c[0] = 0;
    c[r - 1] = 1;
    noe_legendre_polynomials_jacobi_roots(r - 2, 1, 1, c + 1);
    weights(r, c, b);
    symmetrise(r, c, b);
}

static void radau_left(int r, quad *c, quad *b)
{
    c[0] = 0;
    noe_legendre_polynomials_jacobi_roots(r - 1, 0, 1, c + 1);
    weights(r, c, b);
}

static void radau_right(int r, quad *c, quad *b)
{
    quad left[NOE_MAX_POINTS], w[NOE_MAX_POINTS];
    radau_left(r, left, w);
    for (int i = 0; i < r; i++) {
        c[i] = 1 - left[r - 1 - i];
        b[i] = w[r - 1 - i];
    }
}

/* c_i = (1 - cos(pi i/(r-1)))/2, computed as sin^2, since the difference loses digits near 0. */
static void clenshaw(int r, quad *c, quad *b)
{
    const quad pi = acosq(-1);
    for (int i = 0; i < r; i++) {
        quad s = sinq(pi * i / (2 * (r - 1)));
        c[i] = s * s;
    }
    weights(r, c, b);
    symmetrise(r, c, b);
}

const noe_quadrature noe_quadrature_rules[] = {
    { "gauss", 1, noe_quadrature_gauss }, { "lobatto", 2, lobatto },
    { "radau-left", 1, radau_left },      { "radau-right", 1, radau_right },
    { "clenshaw", 2, clenshaw },          { NULL, 0, NULL }
};

/* From the integrals of l_m, not of c^m: a rule of degree 63 integrates c^64 with an error of
 * only 1e-39, but l_64 with a large one. */
int noe_quadrature_exact(int r, const quad *c, const quad *b)
{
    quad l[2 * NOE_MAX_POINTS],
        moment[2 * NOE_MAX_POINTS] = { -1 }; /* minus the exact integral of l_0 */
    int m = 0;
    for (int i = 0; i < r; i++) {
        noe_legendre_polynomials_values(2 * r, c[i], l);
        for (int k = 0; k < 2 * r; k++) moment[k] += b[i] * l[k];
    }
    while (m < 2 * r && fabsq(moment[m]) < COEFFICIENTS_EQUAL) m++;
    return m - 1;
}
