/* Solves w'^2 = cubic of w by elliptic functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * w'^2 = A (w - u1)(w - u2)(w - u3):  w = u1 + (u2 - u1) sn^2(kappa s + x0 | m) = 4/A
 * P(s + c) + (u1 + u2 + u3)/3.
 *
 * E. T. Whittaker, Analytical Dynamics, section 71.  Phases are used by the addition theorems
 * (Abramowitz & Stegun 16.17, 18.4), so that neither form needs an inverse function. */
#include "arb/weierstrass_cubic.h"

#if __has_include(<acb_elliptic.h>)
#include <acb_elliptic.h>
#else
#include <flint/acb_elliptic.h>
#endif

/* w'(0) = 0: w0 is a root, and the others solve A w^2 + (A w0 + c2) w + (A w0 + c2) w0 + c1. */
static void from_rest(noe_weierstrass_cubic *y, arb_srcptr c)
{
    const slong prec = y->prec;
    arb_t       b, d, other;
    arb_init(b), arb_init(d), arb_init(other);
    arb_mul(b, y->A, y->w0, prec), arb_add(b, b, c + 2, prec);
    arb_mul(d, b, y->w0, prec), arb_add(d, d, c + 1, prec), arb_mul(d, d, y->A, prec),
        arb_mul_2exp_si(d, d, 2);
    arb_submul(d, b, b, prec), arb_neg(d, d), arb_sqrtpos(d, d, prec);
    arb_sub(y->u3, d, b, prec), arb_div(y->u3, y->u3, y->A, prec),
        arb_mul_2exp_si(y->u3, y->u3, -1);
    arb_add(other, d, b, prec), arb_div(other, other, y->A, prec),
        arb_mul_2exp_si(other, other, -1), arb_neg(other, other);
    /* the motion starts at the smaller of the two heights */
    const bool low = arf_cmp(arb_midref(y->w0), arb_midref(other)) <= 0;
    arb_set(y->u1, low ? y->w0 : other), arb_set(y->u2, low ? other : y->w0);
    arb_clear(b), arb_clear(d), arb_clear(other);
}

/* The three real roots: 2 r cos(phi/3 - 2 pi k/3) - b/3. */
static void three_roots(noe_weierstrass_cubic *y, arb_srcptr c)
{
    const slong prec = y->prec;
    arb_ptr     root[3] = { y->u3, y->u2, y->u1 };
    arb_t       b, p, q, r, phi, two_pi;
    arb_init(b), arb_init(p), arb_init(q), arb_init(r), arb_init(phi), arb_init(two_pi);
    /* w^3 + 3 b w^2 + .. = y^3 + p y + q */
    arb_div(b, c + 2, y->A, prec), arb_div_ui(b, b, 3, prec);
    arb_div(p, c + 1, y->A, prec);
    arb_div(q, c, y->A, prec), arb_submul(q, b, p, prec);
    arb_mul(r, b, b, prec), arb_mul_ui(r, r, 3, prec), arb_sub(p, p, r, prec);
    arb_mul(r, b, b, prec), arb_mul(r, r, b, prec), arb_mul_2exp_si(r, r, 1),
        arb_add(q, q, r, prec);
    arb_div_si(r, p, -3, prec), arb_sqrtpos(r, r, prec); /* r = sqrt(-p/3) */
    arb_mul(phi, r, r, prec), arb_mul(phi, phi, r, prec), arb_mul_2exp_si(phi, phi, 1);
    /* cos phi = -q/(2 r^3) */
    arb_div(phi, q, phi, prec), arb_neg(phi, phi), arb_acos(phi, phi, prec);
    arb_const_pi(two_pi, prec), arb_mul_2exp_si(two_pi, two_pi, 1);
    for (int k = 0; k < 3; k++) {
        arb_submul_ui(phi, two_pi, k > 0, prec);
        arb_div_ui(q, phi, 3, prec), arb_cos(q, q, prec), arb_mul(q, q, r, prec),
            arb_mul_2exp_si(q, q, 1);
        arb_sub(root[k], q, b, prec);
    }
    arb_clear(b), arb_clear(p), arb_clear(q), arb_clear(r), arb_clear(phi), arb_clear(two_pi);
}

static void phase(noe_weierstrass_cubic *y, bool rest)
{
    const slong prec = y->prec;
    arb_ptr     sn = acb_realref(y->first.sn), cn = acb_realref(y->first.cn),
            dn = acb_realref(y->first.dn);
    arb_t d;
    arb_init(d);
    if (rest) {
        const bool low = arb_equal(y->w0, y->u1);
        arb_set_si(sn, !low), arb_set_si(cn, low);
    } else {
        arb_sub(d, y->u2, y->u1, prec);
        arb_sub(sn, y->w0, y->u1, prec), arb_div(sn, sn, d, prec), arb_sqrtpos(sn, sn, prec);
        arb_sub(cn, y->u2, y->w0, prec), arb_div(cn, cn, d, prec), arb_sqrtpos(cn, cn, prec);
        if (arb_is_negative(y->rate)) arb_neg(cn, cn);
    }
    arb_sub(d, y->u3, y->u1, prec);
    arb_sub(dn, y->u3, y->w0, prec), arb_div(dn, dn, d, prec), arb_sqrtpos(dn, dn, prec);
    arb_clear(d);
}

void noe_weierstrass_cubic_init(noe_weierstrass_cubic *y, const arb_t A, arb_srcptr c,
                                const arb_t w0, const arb_t rate, slong prec)
{
    arb_t m, d;
    arb_init(y->A), arb_init(y->u1), arb_init(y->u2), arb_init(y->u3), arb_init(y->w0),
        arb_init(y->rate);
    arb_init(y->kappa), noe_elliptic_functions_init(&y->first), arb_init(m), arb_init(d);
    arb_set(y->A, A), arb_set(y->w0, w0), arb_set(y->rate, rate);
    y->prec = prec;
    const bool rest = arb_is_zero(rate);
    if (rest) from_rest(y, c);
    else three_roots(y, c);
    arb_sub(d, y->u3, y->u1, prec);
    arb_mul(y->kappa, d, A, prec), arb_sqrtpos(y->kappa, y->kappa, prec),
        arb_mul_2exp_si(y->kappa, y->kappa, -1);
    arb_sub(m, y->u2, y->u1, prec), arb_div(m, m, d, prec);
    noe_elliptic_functions_modulus_init(&y->m, m, prec);
    phase(y, rest);
    arb_clear(m), arb_clear(d);
}

void noe_weierstrass_cubic_clear(noe_weierstrass_cubic *y)
{
    arb_clear(y->A), arb_clear(y->u1), arb_clear(y->u2), arb_clear(y->u3), arb_clear(y->w0),
        arb_clear(y->rate);
    arb_clear(y->kappa), noe_elliptic_functions_clear(&y->first),
        noe_elliptic_functions_modulus_clear(&y->m);
}

void noe_weierstrass_cubic_jacobi(const noe_weierstrass_cubic *y, const acb_t s, acb_t w,
                                  acb_t rate)
{
    const slong            prec = y->prec;
    noe_elliptic_functions z;
    arb_t                  d;
    acb_t                  u;
    noe_elliptic_functions_init(&z), arb_init(d), acb_init(u);
    acb_mul_arb(u, s, y->kappa, prec);
    noe_elliptic_functions_at(&z, u, &y->m);
    noe_elliptic_functions_add(&z, &z, &y->first, &y->m);
    arb_sub(d, y->u2, y->u1, prec);
    if (rate) { /* 2 kappa (u2 - u1) sn cn dn */
        acb_mul(rate, z.sn, z.cn, prec), acb_mul(rate, rate, z.dn, prec),
            acb_mul_arb(rate, rate, d, prec);
        acb_mul_arb(rate, rate, y->kappa, prec), acb_mul_2exp_si(rate, rate, 1);
    }
    acb_mul(u, z.sn, z.sn, prec), acb_mul_arb(u, u, d, prec), acb_add_arb(w, u, y->u1, prec);
    noe_elliptic_functions_clear(&z), arb_clear(d), acb_clear(u);
}

void noe_weierstrass_cubic_amplitude(const noe_weierstrass_cubic *y, const arb_t s, arb_t phi)
{
    const slong            prec = y->prec;
    noe_elliptic_functions z;
    arb_t                  u, first;
    noe_elliptic_functions_init(&z), arb_init(u), arb_init(first);
    arb_mul(u, s, y->kappa, prec);
    noe_elliptic_functions_real(&z, u, &y->m);
    noe_elliptic_functions_add(&z, &z, &y->first, &y->m);
    arb_atan2(phi, acb_realref(z.sn), acb_realref(z.cn), prec);
    arb_atan2(first, acb_realref(y->first.sn), acb_realref(y->first.cn), prec);
    noe_elliptic_functions_unwind(phi, u, first, &y->m, prec);
    noe_elliptic_functions_clear(&z), arb_clear(u), arb_clear(first);
}

void noe_weierstrass_cubic_at_pole(const noe_weierstrass_cubic *y, const arb_t s, arb_t w)
{
    const slong prec = y->prec;
    arb_t       mean, P0, R0, period;
    acb_t       z, PR[2];
    arb_init(mean), arb_init(P0), arb_init(R0), arb_init(period), acb_init(z), acb_init(PR[0]),
        acb_init(PR[1]);
    arb_div(period, y->m.K, y->kappa, prec), arb_mul_2exp_si(period, period, 1); /* 2 omega_1 */
    arb_div(acb_realref(z), s, period, prec);
    acb_elliptic_p(PR[0], z, y->m.tau, prec), acb_elliptic_p_prime(PR[1], z, y->m.tau, prec);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < k + 2; i++) acb_div_arb(PR[k], PR[k], period, prec);
    arb_add(mean, y->u1, y->u2, prec), arb_add(mean, mean, y->u3, prec),
        arb_div_ui(mean, mean, 3, prec);
    arb_sub(P0, y->w0, mean, prec), arb_mul(P0, P0, y->A, prec), arb_mul_2exp_si(P0, P0, -2);
    arb_mul(R0, y->rate, y->A, prec), arb_mul_2exp_si(R0, R0, -2);
    /* P(s + c) = ((P'(s) - P'(c))/(P(s) - P(c)))^2/4 - P(s) - P(c) */
    arb_ptr P = acb_realref(PR[0]), R = acb_realref(PR[1]);
    arb_sub(R, R, R0, prec), arb_sub(period, P, P0, prec), arb_div(R, R, period, prec);
    arb_mul(R, R, R, prec), arb_mul_2exp_si(R, R, -2);
    arb_sub(R, R, P, prec), arb_sub(R, R, P0, prec);
    arb_div(w, R, y->A, prec), arb_mul_2exp_si(w, w, 2), arb_add(w, w, mean, prec);
    arb_clear(mean), arb_clear(P0), arb_clear(R0), arb_clear(period), acb_clear(z),
        acb_clear(PR[0]), acb_clear(PR[1]);
}
