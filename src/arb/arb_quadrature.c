/* Quadratures in any number of digits: the nodes are roots of polynomials with whole coefficients.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gauss: P_r; Lobatto: (1 - x^2) P_r-1'; Radau: P_r-1 +- P_r, with P_m Legendre's polynomials of
 * [-1, 1] (Abramowitz & Stegun 25.4.29 .. 32); Clenshaw & Curtis: cos(pi k/(r-1)).  All five
 * rules integrate the polynomial through their nodes, so the weights follow from the nodes; another
 * rule must do so, too, or bring its weights. */
#include "arb/arb_quadrature.h"

#include "arb/arb_constants.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<arb_fmpz_poly.h>)
#include <arb_fmpz_poly.h>
#include <arb_poly.h>
#else
#include <flint/arb_fmpz_poly.h>
#include <flint/arb_poly.h>
#endif
#if __has_include(<flint/fmpq_poly.h>)
#include <flint/fmpq_poly.h>
#endif

static int ascending(const void *a, const void *b)
{
    return arf_cmp(arb_midref((arb_srcptr)a), arb_midref((arb_srcptr)b));
}

/* The roots of p in [-1, 1], which are simple and real, mapped to [0, 1]. */
static void roots(arb_ptr c, const fmpq_poly_t p, slong prec)
{
    const slong n = fmpq_poly_degree(p);
    acb_ptr     z = _acb_vec_init(n);
    fmpz_poly_t whole;
    fmpz_poly_init(whole);
    fmpq_poly_get_numerator(whole, p);
    arb_fmpz_poly_complex_roots(z, whole, 0, prec + ROOT_BITS);
    for (slong i = 0; i < n; i++) {
        arb_add_ui(c + i, acb_realref(z + i), 1, prec);
        arb_mul_2exp_si(c + i, c + i, -1);
    }
    fmpz_poly_clear(whole);
    _acb_vec_clear(z, n);
}

static bool nodes(const char *rule, int r, arb_ptr c, slong prec)
{
    const bool  left = !strcmp(rule, "radau-left"), right = !strcmp(rule, "radau-right");
    const ulong n = (ulong)r;
    bool        known = true;
    fmpq_poly_t p, q;
    fmpq_poly_init(p), fmpq_poly_init(q);
    if (!strcmp(rule, "gauss")) {
        fmpq_poly_legendre_p(p, n);
        roots(c, p, prec);
    } else if (!strcmp(rule, "lobatto")) {
        fmpq_poly_legendre_p(p, n - 1);
        fmpq_poly_derivative(p, p);
        arb_zero(c), arb_one(c + r - 1);
        if (r > 2) roots(c + 1, p, prec);
    } else if (left || right) {
        fmpq_poly_legendre_p(p, n - 1), fmpq_poly_legendre_p(q, n);
        if (left) fmpq_poly_add(p, p, q);
        else fmpq_poly_sub(p, p, q);
        roots(c, p, prec);
    } else if (!strcmp(rule, "clenshaw")) {
        for (int k = 0; k < r; k++) {
            fmpq_t x;
            fmpq_init(x);
            fmpq_set_si(x, r > 1 ? k : 1, r > 1 ? n - 1 : 2);
            arb_cos_pi_fmpq(c + k, x, prec);
            arb_add_ui(c + k, c + k, 1, prec), arb_mul_2exp_si(c + k, c + k, -1);
            fmpq_clear(x);
        }
    } else known = false;
    fmpq_poly_clear(p), fmpq_poly_clear(q);
    return known;
}

static void weight(arb_t b, int n, arb_srcptr c, int k, slong prec)
{
    arb_poly_t p, x;
    arb_t      below, d;
    arb_poly_init(p), arb_poly_init(x), arb_init(below), arb_init(d);
    arb_poly_one(p), arb_one(below), arb_one(d);
    for (int i = 0; i < n; i++) {
        if (i == k) continue;
        arb_poly_set_coeff_si(x, 1, 1);
        arb_neg(d, c + i), arb_poly_set_coeff_arb(x, 0, d);
        arb_poly_mul(p, p, x, prec);
        arb_sub(d, c + k, c + i, prec), arb_mul(below, below, d, prec);
    }
    arb_poly_integral(p, p, prec);
    arb_one(d);
    arb_poly_evaluate(b, p, d, prec);
    arb_div(b, b, below, prec);
    arb_poly_clear(p), arb_poly_clear(x), arb_clear(below), arb_clear(d);
}

bool noe_arb_quadrature_make(const char *rule, int r, arb_ptr c, arb_ptr b, slong prec)
{
    const slong wide = 2 * prec
                     + NODE_BITS * r; /* the powers of x in Lagrange's polynomials cancel */
    if (!nodes(rule, r, c, wide)) return false;
    for (int k = 0; k < r; k++) noe_wide_middle(c + k);
    qsort(c, (size_t)r, sizeof *c, ascending);
    for (int k = 0; k < r; k++) weight(b + k, r, c, k, wide);
    for (int k = 0; k < r; k++) {
        arb_set_round(c + k, c + k, prec), arb_set_round(b + k, b + k, prec);
        noe_wide_middle(c + k), noe_wide_middle(b + k);
    }
    return true;
}

void noe_arb_quadrature_lagrange(int n, arb_srcptr d, int k, const arb_t x, arb_t value,
                                 arb_t slope, slong prec)
{
    arb_t term, f, g;
    arb_init(term), arb_init(f), arb_init(g);
    arb_one(value), arb_zero(slope);
    for (int i = 0; i < n; i++) { /* (u f)' = u' f + u f', f = (x - d_i)/(d_k - d_i) */
        if (i == k) continue;
        arb_sub(g, d + k, d + i, prec);
        arb_sub(f, x, d + i, prec), arb_div(f, f, g, prec);
        arb_div(term, value, g, prec);
        arb_mul(slope, slope, f, prec), arb_add(slope, slope, term, prec);
        arb_mul(value, value, f, prec);
    }
    arb_clear(term), arb_clear(f), arb_clear(g);
}
