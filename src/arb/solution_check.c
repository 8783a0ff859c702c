/* Checks that a closed form satisfies the equations of motion, d/dt L_v - L_q = 0, at random times.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * d/dt is a central difference over 2^-64 of the time scale of the motion, so that its error is
 * 1e-38; the state is known to 64 digits. A closed form for other forces, or with a wrong
 * amplitude or parameter, has a residual of the size of that mistake. */
#include "arb/arb_constants.h"
#include "arb/closed_form.h"

#include "number/random.h"
#include "tape/tape.h"

#include <math.h>

/* |x| / |y|; 0 / 0 is 0. */
static double ratio(const arb_t x, const arb_t y)
{
    arb_t r;
    if (arf_is_zero(arb_midref(x))) return 0;
    arb_init(r);
    arb_div(r, x, y, BOUND_BITS);
    const double d = arf_get_d(arb_midref(r), ARF_RND_NEAR);
    arb_clear(r);
    return isnan(d) ? INFINITY : fabs(d);
}

/* most <- max(most, |x|) */
static void raise_to(arb_t most, const arb_t x)
{
    if (arf_cmpabs(arb_midref(x), arb_midref(most)) > 0) arb_abs(most, x), noe_wide_middle(most);
}

/* max_i |d_i| relative to the largest term, of |x_i'|, |should_i| and rate |x_i|; d_i = x_i' -
 * should_i. */
static double error(const noe_exact_solution *x, arb_srcptr before, arb_srcptr after, arb_srcptr at,
                    arb_srcptr should, const arb_t span)
{
    const slong prec = 2 * noe_wide_bits(CHECKED_DIGITS);
    arb_t       d, worst, scale, rate;
    arb_init(d), arb_init(worst), arb_init(scale), arb_init(rate);
    arb_set_d(rate, x->rate);
    for (int i = 0; i < x->n; i++) {
        arb_mul(d, at + i, rate, prec), raise_to(scale, d);
        raise_to(scale, should + i);
        arb_sub(d, after + i, before + i, prec), arb_div(d, d, span, prec), raise_to(scale, d);
        arb_sub(d, d, should + i, prec), raise_to(worst, d);
        if (!arb_is_finite(d)) arb_pos_inf(worst);
    }
    const double e = ratio(worst, scale);
    arb_clear(d), arb_clear(worst), arb_clear(scale), arb_clear(rate);
    return e;
}

/* The largest |p' - F| and |q' - v| at time t, relative to their terms. */
static double residual(noe_exact_solution *x, const arb_t t)
{
    const int   n = x->n, inputs = noe_tape_inputs(n);
    const slong prec = 2 * noe_wide_bits(CHECKED_DIGITS);
    arb_ptr     before = _arb_vec_init(inputs), at = _arb_vec_init(inputs),
            after = _arb_vec_init(inputs);
    arb_t  e, left, right;
    double worst = INFINITY;
    arb_init(e), arb_init(left), arb_init(right);
    arb_set_d(e, 1 / x->rate);
    arb_mul_2exp_si(e, e, -DIFFERENCE_BITS);
    arb_sub(left, t, e, prec), arb_add(right, t, e, prec);
    arb_mul_2exp_si(e, e, 1);
    if (noe_solution_state_at(x, left, CHECKED_DIGITS, before)
        && noe_solution_state_at(x, right, CHECKED_DIGITS, after)
        && noe_solution_state_at(x, t, CHECKED_DIGITS, at)) {
        const int q = 1, v = 1 + n, p = 1 + 2 * n;
        noe_arb_program_run(x->jet->gradient, at, x->out, prec, false);
        worst = fmax(error(x, before + p, after + p, at + p, x->out, e),
                     error(x, before + q, after + q, at + q, at + v, e));
    }
    arb_clear(e), arb_clear(left), arb_clear(right);
    _arb_vec_clear(before, inputs), _arb_vec_clear(at, inputs), _arb_vec_clear(after, inputs);
    return worst;
}

/* The largest |q(t0) - q0| and |v(t0) - v0|, relative to the size of the motion. */
static double error_at_start(noe_exact_solution *x)
{
    const int   n = x->n;
    const slong prec = 2 * noe_wide_bits(CHECKED_DIGITS);
    arb_ptr     at = _arb_vec_init(2 * n);
    arb_t       d, rate, worst, scale;
    double      e = INFINITY;
    arb_init(d), arb_init(rate), arb_init(worst), arb_init(scale);
    if (noe_solution_state_derive(x, prec)) {
        arb_set_d(rate, x->rate);
        x->family->at(x, d, at, at + n);
        for (int i = 0; i < 2 * n; i++) {
            if (i == n) arb_one(rate);
            arb_mul(d, at + i, rate, prec), raise_to(scale, d);
            arb_sub(d, at + i, x->start + 1 + i, prec), arb_mul(d, d, rate, prec),
                raise_to(worst, d);
            if (!arb_is_finite(d)) arb_pos_inf(worst);
        }
        e = ratio(worst, scale);
    }
    arb_clear(d), arb_clear(rate), arb_clear(worst), arb_clear(scale);
    _arb_vec_clear(at, 2 * n);
    return e;
}

bool noe_solution_check(noe_exact_solution *x)
{
    uint64_t seed = 1;
    arb_t    t;
    double   worst = error_at_start(x), where = 0;
    if (!(worst <= RESIDUAL_MOST)) {
        noe_solution_refusal(x, "its solution does not pass through the start: off by %.1e", worst);
        return false;
    }
    arb_init(t);
    for (int k = 0; k < CHECKED_TIMES && worst <= RESIDUAL_MOST; k++) {
        arb_set_d(t, (2 * noe_random_uniform(&seed) - 1) * CHECKED_SPAN / x->rate);
        arb_add(t, t, x->start, 53);
        noe_wide_middle(t);
        where = arf_get_d(arb_midref(t), ARF_RND_NEAR);
        worst = residual(x, t);
    }
    arb_clear(t);
    if (worst <= RESIDUAL_MOST) return true;
    noe_solution_refusal(
        x,
        "it does not solve the equations of this model: at t = %.6g the residual of the "
        "Euler-Lagrange equations is %.1e of their terms, expected below %.0e",
        where, worst, RESIDUAL_MOST);
    return false;
}
