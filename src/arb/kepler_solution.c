/* The Kepler problem in closed form, by Stumpff functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     r'' = -mu r/|r|^3:   r = f r0 + g v0,   s = r0 U1 + (r0.v0) U2 + mu U3 solved for tau,
 *          U_k = tau^k c_k(b tau^2)
 *
 * Universal variables: dt = |r| dtau, b = 2 mu/|r0| - v0^2.  Ellipses (b > 0), parabolas,
 * hyperbolas (also of a repelling centre, mu < 0), in the plane or in space, from any start: J.
 * M. A. Danby, Fundamentals of Celestial Mechanics, 6.9. */
#include "arb/closed_form.h"

#include "base/status.h"
#include "arb/arb_constants.h"
#include "arb/stumpff.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    arb_t mu, b, r0, sigma; /* sigma = r0 . v0 */
} own;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_clear(y->mu), arb_clear(y->b), arb_clear(y->r0), arb_clear(y->sigma);
    free(y);
}

static bool derive(noe_exact_solution *x)
{
    const int   n = x->n;
    const slong prec = x->prec;
    arb_srcptr  q = x->start + 1, v = q + n;
    if (n != 2 && n != 3)
        return noe_solution_refusal(x, "it has two or three coordinates, the model %d", n), false;
    own *y = x->own = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    arb_init(y->mu), arb_init(y->b), arb_init(y->r0), arb_init(y->sigma);
    arb_one(x->parameter_input + 1); /* at (1, 0, 0) the force is -k */
    noe_arb_program_run(x->jet->gradient, x->parameter_input, x->out, prec, false);
    arb_neg(y->mu, x->out);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec, false);
    arb_zero(x->parameter_input + 1);
    arb_div(y->mu, y->mu, x->out + n * 2 * n + n, prec);
    arb_dot(y->r0, NULL, 0, q, 1, q, 1, n, prec), arb_sqrtpos(y->r0, y->r0, prec);
    arb_dot(y->sigma, NULL, 0, q, 1, v, 1, n, prec);
    arb_dot(y->b, NULL, 1, v, 1, v, 1, n, prec); /* -v^2 */
    arb_div(x->out, y->mu, y->r0, prec), arb_mul_2exp_si(x->out, x->out, 1),
        arb_add(y->b, y->b, x->out, prec);
    const double mu = fabs(arf_get_d(arb_midref(y->mu), ARF_RND_NEAR)),
                 r = arf_get_d(arb_midref(y->r0), ARF_RND_NEAR);
    x->rate = sqrt(mu / (r * r * r))
            + fabs(arf_get_d(arb_midref(y->sigma), ARF_RND_NEAR)) / (r * r);
    if (arb_is_finite(y->b) && arb_is_positive(y->r0) && x->rate > 0 && isfinite(x->rate))
        return true;
    return noe_solution_refusal(
               x,
               "no force at a distance of 1, or a start in the centre: expected M/2 v^2 + k/|r|"),
           false;
}

/* U_0 .. U_3, then t and r there. */
static void motion(const own *y, const arb_t tau, arb_ptr U, slong prec)
{
    arb_ptr t = U + 4, r = U + 5;
    arb_mul(t, tau, tau, prec), arb_mul(t, t, y->b, prec);
    noe_stumpff(U, t, prec);
    arb_set(r, tau);
    for (int k = 1; k <= 3; k++) arb_mul(U + k, U + k, r, prec), arb_mul(r, r, tau, prec);
    arb_mul(t, y->r0, U + 1, prec), arb_addmul(t, y->sigma, U + 2, prec),
        arb_addmul(t, y->mu, U + 3, prec);
    arb_mul(r, y->r0, U, prec), arb_addmul(r, y->sigma, U + 1, prec),
        arb_addmul(r, y->mu, U + 2, prec);
}

/* Solves t(tau) = s: t grows with tau, so a bracket is bisected, then Newton's iteration is
 * made, whose last correction bounds the error.  Without a last one tau is not known. */
static void solve(const own *y, const arb_t s, arb_t tau, arb_ptr U, slong prec)
{
    arb_t lo, hi;
    arb_init(lo), arb_init(hi);
    arb_div(hi, s, y->r0, BRACKET_BITS), noe_wide_middle(hi);
    for (int k = 0; k < BRACKET_DOUBLINGS; k++, arb_mul_2exp_si(hi, hi, 1)) {
        motion(y, hi, U, BRACKET_BITS);
        if (arf_cmpabs(arb_midref(U + 4), arb_midref(s)) >= 0) break;
        arb_set(lo, hi);
    }
    for (int k = 0; k < BRACKET_HALVINGS; k++) {
        arb_add(tau, lo, hi, BRACKET_BITS), arb_mul_2exp_si(tau, tau, -1), noe_wide_middle(tau);
        motion(y, tau, U, BRACKET_BITS);
        if (arf_cmpabs(arb_midref(U + 4), arb_midref(s)) >= 0) arb_set(hi, tau);
        else arb_set(lo, tau);
    }
    bool last = false;
    for (int k = 0; k < KEPLER_ITERATIONS && !last; k++) {
        motion(y, tau, U, prec);
        arb_sub(lo, s, U + 4, prec), arb_div(lo, lo, U + 5, prec);
        last = arb_contains_zero(lo);
        if (last) arb_add_error(tau, lo); /* adds the radius of s and rounding */
        else arb_add(tau, tau, lo, prec), noe_wide_middle(tau);
    }
    if (!last) arb_indeterminate(tau);
    motion(y, tau, U, prec);
    arb_clear(lo), arb_clear(hi);
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own  *y = x->own;
    const int   n = x->n;
    const slong prec = x->prec;
    arb_srcptr  q0 = x->start + 1, v0 = q0 + n;
    arb_ptr     U = _arb_vec_init(6), f = _arb_vec_init(4);
    arb_t       tau, a;
    arb_init(tau), arb_init(a);
    solve(y, s, tau, U, prec);
    arb_ptr r = U + 5, g = f + 1, df = f + 2, dg = f + 3;
    arb_mul(a, y->mu, U + 2, prec);
    arb_div(f, a, y->r0, prec), arb_sub_ui(f, f, 1, prec), arb_neg(f, f);
    arb_div(dg, a, r, prec), arb_sub_ui(dg, dg, 1, prec), arb_neg(dg, dg);
    arb_mul(a, y->mu, U + 3, prec), arb_sub(g, s, a, prec);
    arb_mul(df, y->mu, U + 1, prec), arb_div(df, df, r, prec), arb_div(df, df, y->r0, prec),
        arb_neg(df, df);
    for (int i = 0; i < n; i++) {
        arb_mul(q + i, f, q0 + i, prec), arb_addmul(q + i, g, v0 + i, prec);
        arb_mul(v + i, df, q0 + i, prec), arb_addmul(v + i, dg, v0 + i, prec);
    }
    arb_clear(tau), arb_clear(a);
    _arb_vec_clear(U, 6), _arb_vec_clear(f, 4);
}

const noe_closed_form noe_kepler_solution = { "kepler", derive, at, drop };
