/* Jacobi's elliptic functions by theta functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * sn = th3 th1(z) / (th2 th4(z)), cn = th4 th2(z) / (th2 th4(z)), dn = th4 th3(z) / (th3
 * th4(z)), z = u/(2K).
 *
 * NIST Handbook of Mathematical Functions, 22.2; tau = i K(1 - m)/K(m), K(m) = pi/2 / agm(1,
 * sqrt(1 - m)). */
#include "arb/elliptic_functions.h"

#include "arb/arb_constants.h"

static void quarter(arb_t K, const arb_t complement, slong prec)
{
    arb_t one;
    arb_init(one);
    arb_one(one);
    arb_sqrtpos(K, complement, prec);
    arb_agm(K, one, K, prec);
    arb_const_pi(one, prec);
    arb_mul_2exp_si(one, one, -1);
    arb_div(K, one, K, prec);
    arb_clear(one);
}

void noe_elliptic_functions_modulus_init(noe_elliptic_modulus *x, const arb_t m, slong prec)
{
    arb_t r;
    acb_t zero, th1;
    arb_init(x->m), arb_init(x->K), acb_init(x->tau), acb_init(x->th2), acb_init(x->th3),
        acb_init(x->th4);
    arb_init(r), acb_init(zero), acb_init(th1);
    arb_set(x->m, m);
    x->prec = prec;
    /* m is 0 but for half of the digits or less; circular() adds its effect to the radius */
    x->circular = arb_contains_zero(m) && mag_cmp_2exp_si(arb_radref(m), -prec / 2) < 0
               && arf_cmpabs_2exp_si(arb_midref(m), -prec / 2) < 0;
    arb_sub_ui(r, m, 1, prec), arb_neg(r, r);
    quarter(x->K, r, prec);
    if (!x->circular) {
        quarter(r, m, prec);
        arb_div(acb_imagref(x->tau), r, x->K, prec);
        acb_modular_theta(th1, x->th2, x->th3, x->th4, zero, x->tau, prec);
    }
    arb_clear(r), acb_clear(zero), acb_clear(th1);
}

void noe_elliptic_functions_modulus_clear(noe_elliptic_modulus *x)
{
    arb_clear(x->m), arb_clear(x->K), acb_clear(x->tau), acb_clear(x->th2), acb_clear(x->th3),
        acb_clear(x->th4);
}

void noe_elliptic_functions_init(noe_elliptic_functions *x)
{
    acb_init(x->sn), acb_init(x->cn), acb_init(x->dn);
}
void noe_elliptic_functions_clear(noe_elliptic_functions *x)
{
    acb_clear(x->sn), acb_clear(x->cn), acb_clear(x->dn);
}

/* |sn - sin|, |cn - cos|, |dn - 1| <= |m| (|u| + 1) e^(3 |Im u|). */
static void circular(noe_elliptic_functions *x, const acb_t u, const noe_elliptic_modulus *k)
{
    arb_t e, a;
    arb_init(e), arb_init(a);
    acb_sin_cos(x->sn, x->cn, u, k->prec);
    acb_one(x->dn);
    acb_abs(e, u, BOUND_BITS), arb_add_ui(e, e, 1, BOUND_BITS);
    arb_abs(a, acb_imagref(u)), arb_mul_ui(a, a, 3, BOUND_BITS), arb_exp(a, a, BOUND_BITS);
    arb_mul(e, e, a, BOUND_BITS), arb_mul(e, e, k->m, BOUND_BITS);
    acb_add_error_arb(x->sn, e), acb_add_error_arb(x->cn, e), acb_add_error_arb(x->dn, e);
    arb_clear(e), arb_clear(a);
}

void noe_elliptic_functions_at(noe_elliptic_functions *x, const acb_t u,
                               const noe_elliptic_modulus *k)
{
    const slong prec = k->prec;
    acb_t       z, t[4];
    if (k->circular) {
        circular(x, u, k);
        return;
    }
    acb_init(z);
    for (int i = 0; i < 4; i++) acb_init(t[i]);
    acb_div_arb(z, u, k->K, prec), acb_mul_2exp_si(z, z, -1);
    acb_modular_theta(t[0], t[1], t[2], t[3], z, k->tau, prec);
    acb_mul(x->sn, k->th3, t[0], prec), acb_div(x->sn, x->sn, k->th2, prec),
        acb_div(x->sn, x->sn, t[3], prec);
    acb_mul(x->cn, k->th4, t[1], prec), acb_div(x->cn, x->cn, k->th2, prec),
        acb_div(x->cn, x->cn, t[3], prec);
    acb_mul(x->dn, k->th4, t[2], prec), acb_div(x->dn, x->dn, k->th3, prec),
        acb_div(x->dn, x->dn, t[3], prec);
    acb_clear(z);
    for (int i = 0; i < 4; i++) acb_clear(t[i]);
}

void noe_elliptic_functions_real(noe_elliptic_functions *x, const arb_t u,
                                 const noe_elliptic_modulus *k)
{
    acb_t z;
    acb_init(z);
    arb_set(acb_realref(z), u);
    noe_elliptic_functions_at(x, z, k);
    arb_zero(acb_imagref(x->sn)), arb_zero(acb_imagref(x->cn)), arb_zero(acb_imagref(x->dn));
    acb_clear(z);
}

void noe_elliptic_functions_add(noe_elliptic_functions *x, const noe_elliptic_functions *a,
                                const noe_elliptic_functions *b, const noe_elliptic_modulus *k)
{
    const slong            prec = k->prec;
    noe_elliptic_functions y;
    acb_t                  d, e, f;
    noe_elliptic_functions_init(&y), acb_init(d), acb_init(e), acb_init(f);
    acb_mul(e, a->sn, b->sn, prec), acb_mul(d, e, e, prec), acb_mul_arb(d, d, k->m, prec);
    acb_sub_ui(d, d, 1, prec), acb_neg(d, d); /* 1 - m sn^2 sn^2 */
    acb_mul(f, a->dn, b->dn, prec);
    acb_mul(y.cn, a->cn, b->cn, prec), acb_submul(y.cn, e, f, prec);
    acb_mul_arb(e, e, k->m, prec), acb_mul(e, e, a->cn, prec);
    acb_mul(y.dn, e, b->cn, prec), acb_sub(y.dn, f, y.dn, prec);
    acb_mul(e, a->sn, b->cn, prec), acb_mul(y.sn, e, b->dn, prec);
    acb_mul(e, b->sn, a->cn, prec), acb_addmul(y.sn, e, a->dn, prec);
    acb_div(x->sn, y.sn, d, prec), acb_div(x->cn, y.cn, d, prec), acb_div(x->dn, y.dn, d, prec);
    noe_elliptic_functions_clear(&y), acb_clear(d), acb_clear(e), acb_clear(f);
}

void noe_elliptic_functions_add_hyperbolic(noe_elliptic_functions *x, const arb_t u,
                                           const noe_elliptic_functions *w, slong prec)
{
    arb_ptr    t = acb_realref(x->sn), s = acb_realref(x->cn);
    arb_srcptr wt = acb_realref(w->sn), ws = acb_realref(w->cn);
    arb_t      d;
    arb_init(d);
    arb_tanh(t, u, prec), arb_sech(s, u, prec);
    arb_mul(d, t, wt, prec), arb_add_ui(d, d, 1, prec);
    arb_add(t, t, wt, prec), arb_div(t, t, d, prec);
    arb_mul(s, s, ws, prec), arb_div(s, s, d, prec);
    arb_set(acb_realref(x->dn), s);
    arb_clear(d);
}

void noe_elliptic_functions_unwind(arb_t phi, const arb_t u, const arb_t first,
                                   const noe_elliptic_modulus *m, slong prec)
{
    arb_t  pi, turns;
    fmpz_t whole;
    arb_init(pi), arb_init(turns), fmpz_init(whole);
    arb_const_pi(pi, prec);
    arb_div(turns, u, m->K, prec), arb_mul(turns, turns, pi, prec),
        arb_mul_2exp_si(turns, turns, -1);
    arb_add(turns, turns, first, prec), arb_sub(turns, turns, phi, prec);
    arb_mul_2exp_si(pi, pi, 1), arb_div(turns, turns, pi, prec);
    arf_get_fmpz(whole, arb_midref(turns), ARF_RND_NEAR);
    arb_addmul_fmpz(phi, pi, whole, prec);
    arb_clear(pi), arb_clear(turns), fmpz_clear(whole);
}
