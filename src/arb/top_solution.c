/* The heavy symmetric top in closed form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     L = I1 (theta'^2 + phi'^2 sin^2 theta)/2 + I3 (psi' + phi' cos theta)^2/2 - a cos theta
 *
 * u = cos theta is an elliptic function, the solution of a cubic equation, computed by Jacobi's
 * and by Weierstrass' functions; if the two differ, there is no result.  phi' = (p_phi - p_psi
 * u)/(I1 (1 - u^2)) and psi' = p_psi/I3 - u phi' are integrated by Arb's rigorous quadrature,
 * from the last time to the next and over whole periods at once.  Whittaker, section 71. */
#include "arb/closed_form.h"

#include "base/status.h"
#include "arb/weierstrass_cubic.h"

#include <math.h>
#include <stdlib.h>

#if __has_include(<acb_calc.h>)
#include <acb_calc.h>
#else
#include <flint/acb_calc.h>
#endif

typedef struct {
    /* indices of the coordinates; sign of a: w = sign u */
    int                   theta, phi, psi, sign;
    arb_t                 I1, I3, a, p_phi, p_psi; /* constants of L; conserved momenta */
    noe_weierstrass_cubic w;                       /* w = sign cos theta as a function of time */
    bool                  has_cubic;               /* w has been made */
    arb_t                 whole[2]; /* J_+ and J_-, int ds/(1 -+ u) over a period of w */
    /* the same from s = 0 to an amplitude `upto` in (-pi/2, pi/2) */
    arb_t upto, part[2];
} own;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_clear(y->I1), arb_clear(y->I3), arb_clear(y->a), arb_clear(y->p_phi), arb_clear(y->p_psi);
    arb_clear(y->upto);
    for (int k = 0; k < 2; k++) arb_clear(y->whole[k]), arb_clear(y->part[k]);
    if (y->has_cubic) noe_weierstrass_cubic_clear(&y->w);
    free(y);
}

/* Identifies the coordinates: a force acts on theta; psi has a constant mass, phi one that
 * depends on theta. */
static bool identify(noe_exact_solution *x)
{
    own        *y = x->own;
    const slong prec = x->prec;
    arb_t       mass[3];
    int         moved = 0;
    y->phi = y->psi = -1;
    for (int i = 0; i < 3; i++) arb_one(x->parameter_input + 1 + i), arb_init(mass[i]);
    noe_arb_program_run(x->jet->gradient, x->parameter_input, x->out, prec, false);
    for (int i = 0; i < 3; i++)
        if (!arb_is_zero(x->out + i)) {
            y->theta = i;
            moved++;
        }
    arb_set(y->a, x->out + y->theta);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec, false);
    for (int i = 0; i < 3; i++)
        arb_set(mass[i], x->out + (3 + i) * 6 + 3 + i), arb_set_d(x->parameter_input + 1 + i, 0.5);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec, false);
    arb_set(y->I1, mass[y->theta]);
    for (int i = 0; i < 3 && moved == 1; i++) {
        if (i == y->theta) continue;
        if (arb_overlaps(mass[i], x->out + (3 + i) * 6 + 3 + i) && y->psi < 0)
            y->psi = i, arb_set(y->I3, mass[i]);
        else y->phi = i;
        arb_zero(x->parameter_input + 1 + i);
    }
    arb_zero(x->parameter_input + 1 + y->theta);
    arb_one(x->out), arb_sin(x->out, x->out, prec);
    arb_div(y->a, y->a, x->out, prec); /* F_theta = a sin theta */
    for (int i = 0; i < 3; i++) arb_clear(mass[i]);
    y->sign = arb_is_negative(y->a) ? -1 : 1;
    if (moved == 1 && y->phi >= 0 && y->psi >= 0) x->slow[y->phi] = x->slow[y->psi] = true;
    return moved == 1 && y->psi >= 0 && y->phi >= 0 && arb_is_positive(y->I1)
        && arb_is_positive(y->I3) && !arb_contains_zero(y->a);
}

/* w'^2 = A w^3 + c2 w^2 + c1 w + c0 of w = sign cos theta. */
static void equation(noe_exact_solution *x)
{
    own        *y = x->own;
    const slong prec = x->prec;
    arb_srcptr  theta = x->start + 1 + y->theta, rate = theta + 3, p = x->start + 7;
    arb_ptr     c = x->out, E = c + 3, A = E + 1, w0 = A + 1, w1 = w0 + 1, t = w1 + 1;
    arb_set(y->p_phi, p + y->phi), arb_set(y->p_psi, p + y->psi);
    arb_mul(t, y->p_psi, y->p_psi, prec);
    arb_div(E, t, y->I3, prec), arb_mul_2exp_si(E, E, -1), arb_sub(E, x->start + 10, E, prec);
    arb_mul_2exp_si(E, E, 1), arb_div(E, E, y->I1, prec); /* 2E'/I1 */
    arb_div(A, y->a, y->I1, prec), arb_mul_2exp_si(A, A, 1);
    arb_div(t, t, y->I1, prec), arb_div(t, t, y->I1, prec);
    arb_add(c + 2, E, t, prec), arb_neg(c + 2, c + 2);
    arb_mul(t, y->p_phi, y->p_psi, prec), arb_div(t, t, y->I1, prec), arb_div(t, t, y->I1, prec);
    arb_mul_2exp_si(t, t, 1), arb_sub(c + 1, t, A, prec);
    arb_mul(t, y->p_phi, y->p_phi, prec), arb_div(t, t, y->I1, prec), arb_div(t, t, y->I1, prec);
    arb_sub(c, E, t, prec);
    arb_mul_si(A, A, y->sign, prec), arb_mul_si(c + 1, c + 1, y->sign, prec);
    arb_sin_cos(w1, w0, theta, prec);
    arb_mul(w1, w1, rate, prec), arb_neg(w1, w1);
    arb_mul_si(w0, w0, y->sign, prec), arb_mul_si(w1, w1, y->sign, prec);
    noe_weierstrass_cubic_init(&y->w, A, c, w0, w1, prec);
    y->has_cubic = true;
}

static bool derive(noe_exact_solution *x)
{
    const slong prec = x->prec;
    arb_t       pi;
    if (x->n != 3)
        return noe_solution_refusal(x, "it has three coordinates, Euler's angles; the model has %d",
                                    x->n),
               false;
    own *y = x->own = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    arb_init(y->I1), arb_init(y->I3), arb_init(y->a), arb_init(y->p_phi), arb_init(y->p_psi);
    arb_init(y->upto);
    for (int k = 0; k < 2; k++) arb_init(y->whole[k]), arb_init(y->part[k]);
    if (!identify(x))
        return noe_solution_refusal(
                   x,
                   "expected Euler's angles in any order, I1/2 (theta'^2 + phi'^2 sin(theta)^2) + "
                   "I3/2 (psi' + phi' cos(theta))^2 - a cos(theta), a not 0"),
               false;
    arb_init(pi), arb_const_pi(pi, prec);
    const bool inside = arb_is_positive(x->start + 1 + y->theta)
                     && arb_lt(x->start + 1 + y->theta, pi);
    arb_clear(pi);
    if (!inside) return noe_solution_refusal(x, "theta starts outside 0 .. pi"), false;
    equation(x);
    arb_t one;
    arb_init(one), arb_one(one);
    bool apart = arb_lt(y->w.u2, one);
    arb_neg(one, one);
    apart &= arb_gt(y->w.u1, one);
    arb_clear(one);
    if (!apart)
        return noe_solution_refusal(
                   x, "its axis comes to the vertical, theta = 0 or pi, where Euler's angles end"),
               false;
    noe_weierstrass_cubic_amplitude(&y->w, y->upto, y->upto);
    x->rate = arf_get_d(arb_midref(y->w.kappa), ARF_RND_NEAR);
    x->rate = fmax(x->rate, fabs(arf_get_d(arb_midref(x->start + 4 + y->phi), ARF_RND_NEAR)));
    x->rate = fmax(x->rate, fabs(arf_get_d(arb_midref(x->start + 4 + y->psi), ARF_RND_NEAR)));
    if (!(x->rate > 0 && isfinite(x->rate)))
        return noe_solution_refusal(x, "the roots of its cubic are not found"), false;
    return true;
}

typedef struct {
    const own *y;     /* the top */
    bool       minus; /* integrand 1/(1 - u), else 1/(1 + u) */
} integrand;

/* ds = dphi/(kappa sqrt(1 - m sin^2 phi)), u = +-(u1 + (u2 - u1) sin^2 phi):  ds/(1 - u) or
 * ds/(1 + u).  The amplitude phi as variable leaves a sine and a root, whose enclosures are
 * narrow. */
static int density(acb_ptr out, const acb_t phi, void *param, slong order, slong prec)
{
    const integrand             *f = param;
    const noe_weierstrass_cubic *w = &f->y->w;
    acb_t                        sine, root;
    arb_t                        d;
    acb_init(sine), acb_init(root), arb_init(d);
    acb_sin(sine, phi, prec), acb_mul(sine, sine, sine, prec);
    acb_mul_arb(root, sine, w->m.m, prec), acb_sub_ui(root, root, 1, prec), acb_neg(root, root);
    acb_sqrt_analytic(root, root, order != 0, prec);
    acb_mul_arb(root, root, w->kappa, prec);
    arb_sub(d, w->u2, w->u1, prec);
    acb_mul_arb(sine, sine, d, prec), acb_add_arb(sine, sine, w->u1, prec);
    if ((f->y->sign > 0) == f->minus) acb_neg(sine, sine);
    acb_add_ui(sine, sine, 1, prec);
    acb_mul(out, sine, root, prec), acb_inv(out, out, prec);
    acb_clear(sine), acb_clear(root), arb_clear(d);
    return 0;
}

/* sum += int_from^to */
static void integrate(const own *y, int k, const arb_t from, const arb_t to, arb_t sum)
{
    const slong prec = y->w.prec;
    integrand   f = { y, k == 0 };
    acb_t       a, b, J;
    mag_t       tolerance;
    acb_init(a), acb_init(b), acb_init(J), mag_init(tolerance);
    arb_set(acb_realref(a), from), arb_set(acb_realref(b), to);
    mag_set_ui_2exp_si(tolerance, 1, -prec);
    acb_calc_integrate(J, density, &f, a, b, prec, tolerance, NULL, prec);
    arb_add(sum, sum, acb_realref(J), prec);
    acb_clear(a), acb_clear(b), acb_clear(J), mag_clear(tolerance);
}

/* J_k over s, from the integrals computed last: a period of w is pi of phi. */
static void integrals(own *y, const arb_t s, arb_t J[2])
{
    const slong prec = y->w.prec;
    arb_t       n, rest, zero, pi;
    fmpz_t      turns;
    arb_init(n), arb_init(rest), arb_init(zero), arb_init(pi), fmpz_init(turns);
    arb_const_pi(pi, prec);
    noe_weierstrass_cubic_amplitude(&y->w, s, rest);
    arb_div(n, rest, pi, prec);
    arf_get_fmpz(turns, arb_midref(n), ARF_RND_NEAR);
    arb_mul_fmpz(n, pi, turns, prec), arb_sub(rest, rest, n, prec);
    for (int k = 0; k < 2; k++) {
        if (!fmpz_is_zero(turns) && arb_is_zero(y->whole[k]))
            integrate(y, k, zero, pi, y->whole[k]);
        integrate(y, k, y->upto, rest, y->part[k]);
        arb_set(J[k], y->part[k]);
        arb_addmul_fmpz(J[k], y->whole[k], turns, prec);
    }
    arb_set(y->upto, rest);
    arb_clear(n), arb_clear(rest), arb_clear(zero), arb_clear(pi), fmpz_clear(turns);
}

/* Computes theta and the three velocities. */
static void nutation(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own  *y = x->own;
    const slong prec = x->prec;
    acb_t       w, rate, z;
    arb_t       u, sine, a;
    acb_init(w), acb_init(rate), acb_init(z), arb_init(u), arb_init(sine), arb_init(a);
    arb_set(acb_realref(z), s);
    noe_weierstrass_cubic_jacobi(&y->w, z, w, rate);
    if (!y->w.m.circular) { /* the form by Weierstrass' function must give the same number */
        noe_weierstrass_cubic_at_pole(&y->w, s, u);
        if (arb_is_finite(u) && !arb_overlaps(u, acb_realref(w))) arb_indeterminate(acb_realref(w));
    }
    arb_mul_si(u, acb_realref(w), y->sign, prec);
    arb_acos(q + y->theta, u, prec);
    arb_mul(sine, u, u, prec), arb_sub_ui(sine, sine, 1, prec), arb_neg(sine, sine);
    arb_mul(a, y->p_psi, u, prec), arb_sub(a, y->p_phi, a, prec), arb_div(a, a, sine, prec);
    arb_div(v + y->phi, a, y->I1, prec);
    arb_mul(a, u, v + y->phi, prec);
    arb_div(v + y->psi, y->p_psi, y->I3, prec), arb_sub(v + y->psi, v + y->psi, a, prec);
    arb_sqrtpos(sine, sine, prec);
    arb_div(v + y->theta, acb_realref(rate), sine, prec);
    arb_mul_si(v + y->theta, v + y->theta, -y->sign, prec);
    acb_clear(w), acb_clear(rate), acb_clear(z), arb_clear(u), arb_clear(sine), arb_clear(a);
}

/* phi' = ((p_phi - p_psi)/(1 - u) + (p_phi + p_psi)/(1 + u))/(2 I1), u phi' = (.. - ..)/(2
 * I1) + p_psi/I1. */
static void angles(noe_exact_solution *x, const arb_t s, arb_ptr q)
{
    own        *y = x->own;
    const slong prec = x->prec;
    arb_srcptr  q0 = x->start + 1;
    arb_t       a, plus, minus, J[2];
    arb_init(a), arb_init(plus), arb_init(minus), arb_init(J[0]), arb_init(J[1]);
    integrals(y, s, J);
    arb_sub(minus, y->p_phi, y->p_psi, prec), arb_mul(minus, minus, J[0], prec);
    arb_add(plus, y->p_phi, y->p_psi, prec), arb_mul(plus, plus, J[1], prec);
    arb_add(a, minus, plus, prec), arb_div(a, a, y->I1, prec), arb_mul_2exp_si(a, a, -1);
    arb_add(q + y->phi, q0 + y->phi, a, prec);
    arb_sub(a, minus, plus, prec), arb_mul_2exp_si(a, a, -1);
    arb_addmul(a, y->p_psi, s, prec), arb_div(a, a, y->I1, prec); /* int u phi' */
    arb_div(plus, y->p_psi, y->I3, prec), arb_mul(plus, plus, s, prec);
    arb_sub(plus, plus, a, prec), arb_add(q + y->psi, q0 + y->psi, plus, prec);
    arb_clear(a), arb_clear(plus), arb_clear(minus), arb_clear(J[0]), arb_clear(J[1]);
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    _arb_vec_set(q, x->start + 1, 3);
    nutation(x, s, q, v);
    if (x->all) angles(x, s, q);
}

const noe_closed_form noe_top_solution = { "top", derive, at, drop };
