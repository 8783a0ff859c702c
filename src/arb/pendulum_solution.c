/* The pendulum in closed form, below, on and above the separatrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M q'' = -A sin(q - c):  sin((q - c)/2) = k sn(w s + u0 | k^2) below, = sn(k w s + u0 | 1/k^2)
 * over the top.
 *
 * w^2 = A/M, k^2 = sin^2(x0/2) + (v0/2w)^2 with x = q - c; k = 1 is the separatrix,
 * sin(x/2) = tanh(w s + u0). E. T. Whittaker, Analytical Dynamics, section 44. */
#include "arb/closed_form.h"

#include "arb/arb_constants.h"
#include "base/status.h"
#include "arb/elliptic_functions.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    /* at rest, swings, turns over the top, or is on the separatrix */
    enum { REST, SWINGS, TURNS, NEITHER } kind;
    /* c: position of the minimum of V, plus whole turns; x0/2 in (-pi/2, pi/2]; w; k */
    arb_t                  c, half, w, k;
    int                    sign;  /* of v0 */
    noe_elliptic_modulus   m;     /* the elliptic modulus */
    noe_elliptic_functions first; /* at s = 0; NEITHER: tanh and 1/cosh */
} own;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_clear(y->c), arb_clear(y->half), arb_clear(y->w), arb_clear(y->k);
    noe_elliptic_functions_modulus_clear(&y->m), noe_elliptic_functions_clear(&y->first);
    free(y);
}

/* c of F(q) = -A sin(q - c), from F(0) = A sin c and -F'(0) = A cos c.  At the cut of atan2
 * either side is correct. */
static void minimum_of_potential(arb_t c, const arb_t F, const arb_t minus_slope, slong prec)
{
    arb_atan2(c, F, minus_slope, prec);
    if (mag_cmp_2exp_si(arb_radref(c), -prec / 2) < 0) return; /* half of the digits: no cut */
    arb_t y, x;
    arb_init(y), arb_init(x);
    arb_get_mid_arb(y, F), arb_get_mid_arb(x, minus_slope);
    arb_atan2(c, y, x, prec);
    arb_add_error_2exp_si(c, CUT_BITS - prec);
    arb_clear(y), arb_clear(x);
}

static void whole_turns(own *y, const arb_t q0, slong prec)
{
    arb_t  pi, n;
    fmpz_t whole;
    arb_init(pi), arb_init(n), fmpz_init(whole);
    arb_const_pi(pi, prec);
    arb_sub(y->half, q0, y->c, prec), arb_mul_2exp_si(y->half, y->half, -1);
    arb_div(n, y->half, pi, prec);
    arf_get_fmpz(whole, arb_midref(n), ARF_RND_NEAR);
    arb_mul_fmpz(n, pi, whole, prec);
    arb_sub(y->half, y->half, n, prec);
    arb_mul_2exp_si(n, n, 1), arb_add(y->c, y->c, n, prec);
    arb_clear(pi), arb_clear(n), fmpz_clear(whole);
}

/* Computes k and the modulus, and sn, cn, dn at the start. */
static void classify(own *y, const arb_t v0, slong prec)
{
    arb_t sine, cosine, r, m, over;
    arb_init(sine), arb_init(cosine), arb_init(r), arb_init(m), arb_init(over);
    arb_sin_cos(sine, cosine, y->half, prec);
    arb_div(r, v0, y->w, prec), arb_mul_2exp_si(r, r, -1); /* v0/2w */
    arb_mul(m, sine, sine, prec), arb_addmul(m, r, r, prec);
    arb_mul(over, r, r, prec), arb_submul(over, cosine, cosine, prec); /* k^2 - 1 */
    arb_sqrtpos(y->k, m, prec);
    y->sign = arb_is_negative(v0) ? -1 : 1;
    acb_t *sn = &y->first.sn, *cn = &y->first.cn, *dn = &y->first.dn;
    if (arb_is_zero(v0) && (arb_contains_zero(sine) || arb_contains_zero(cosine))) y->kind = REST;
    else if (arb_is_negative(over)) {
        y->kind = SWINGS;
        arb_div(acb_realref(*sn), sine, y->k, prec);
        arb_div(acb_realref(*cn), r, y->k, prec);
        arb_set(acb_realref(*dn), cosine);
    } else {
        y->kind = arb_is_positive(over) ? TURNS : NEITHER;
        arb_inv(m, m, prec);
        arb_set(acb_realref(*sn), sine), arb_set(acb_realref(*cn), cosine);
        arb_div(acb_realref(*dn), r, y->k, prec), arb_abs(acb_realref(*dn), acb_realref(*dn));
    }
    if (y->kind == REST || y->kind == NEITHER) arb_zero(m);
    noe_elliptic_functions_modulus_init(&y->m, m, prec);
    arb_clear(sine), arb_clear(cosine), arb_clear(r), arb_clear(m), arb_clear(over);
}

static bool derive(noe_exact_solution *x)
{
    const slong prec = x->prec;
    arb_t       F, A;
    if (x->n != 1)
        return noe_solution_refusal(x, "it has one coordinate, the model %d", x->n), false;
    own *y = x->own = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    arb_init(y->c), arb_init(y->half), arb_init(y->w), arb_init(y->k), arb_init(F), arb_init(A);
    noe_elliptic_functions_init(&y->first);
    noe_arb_program_run(x->jet->gradient, x->parameter_input, x->out, prec, false);
    arb_set(F, x->out);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec,
                        false); /* F_q F_v P_q P_v */
    arb_neg(x->out, x->out);
    arb_hypot(A, F, x->out, prec);
    minimum_of_potential(y->c, F, x->out, prec);
    arb_div(y->w, A, x->out + 3, prec), arb_sqrt(y->w, y->w, prec);
    x->rate = arf_get_d(arb_midref(y->w), ARF_RND_NEAR);
    const bool ok = arb_is_positive(y->w) && isfinite(x->rate);
    if (ok) {
        whole_turns(y, x->start + 1, prec);
        classify(y, x->start + 2, prec);
        x->rate = fmax(x->rate, x->rate * arf_get_d(arb_midref(y->k), ARF_RND_NEAR));
    } else {
        noe_elliptic_functions_modulus_init(&y->m, F, prec);
        noe_solution_refusal(x, "no force and no mass at q = 0: expected M/2 q'^2 + A cos(q - c)");
    }
    arb_clear(F), arb_clear(A);
    return ok;
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own             *y = x->own;
    const slong            prec = x->prec;
    noe_elliptic_functions z;
    arb_t                  u, k;
    if (y->kind == REST) {
        arb_set(q, x->start + 1), arb_zero(v);
        return;
    }
    noe_elliptic_functions_init(&z), arb_init(u), arb_init(k);
    arb_mul(u, y->w, s, prec);
    if (y->kind != SWINGS) {
        arb_mul_si(u, u, y->sign, prec);
        if (y->kind == TURNS) arb_mul(u, u, y->k, prec);
    }
    if (y->kind == NEITHER) noe_elliptic_functions_add_hyperbolic(&z, u, &y->first, prec);
    else {
        noe_elliptic_functions_real(&z, u, &y->m);
        noe_elliptic_functions_add(&z, &z, &y->first, &y->m);
    }
    arb_srcptr sn = acb_realref(z.sn), cn = acb_realref(z.cn), dn = acb_realref(z.dn);
    arb_mul_2exp_si(v, y->w, 1), arb_mul(v, v, y->k, prec);
    if (y->kind == SWINGS) {
        arb_mul(k, y->k, sn, prec);
        arb_atan2(q, k, dn, prec);
        arb_mul(v, v, cn, prec);
    } else {
        arb_atan2(q, sn, cn, prec);
        if (y->kind == TURNS) noe_elliptic_functions_unwind(q, u, y->half, &y->m, prec);
        arb_mul(v, v, dn, prec), arb_mul_si(v, v, y->sign, prec);
    }
    arb_mul_2exp_si(q, q, 1), arb_add(q, q, y->c, prec);
    noe_elliptic_functions_clear(&z), arb_clear(u), arb_clear(k);
}

const noe_closed_form noe_pendulum_solution = { "pendulum", derive, at, drop };
