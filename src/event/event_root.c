/* The zero of an event function within a step: g(fractional step of c h) = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A secant iteration on the fraction c, kept inside a bracket: a zero of the interpolation is the
 * first guess, and two to four fractional steps lead to rounding.  Where |g| is not small then, it
 * jumps or has a pole there, and the bracket is halved down to rounding. */
#include "event/event_end.h"
#include "between/fractional_step.h"
#include "number/rounding_unit.h"

#include <math.h>

enum {
    STEPS_MOST = 80, /* of the iteration by fractional steps */
    GUESS_STEPS = 60 /* of that on the interpolation, for its first guess */
};
/* Where the guess ends: the bracket, as part of the step, and |g| by that at its ends.  More would
 * be lost in the error of the interpolation; the iteration that follows is by fractional steps. */
static const double GUESS_BRACKET = 1e-10, GUESS_REST = 1e-14;
/* Part of g at the ends of the bracket that is left at a zero where g is continuous: there the
 * iteration leads to rounding, beside a jump all of it is left.  No other values were tried. */
static const quad SMALL_PART = 1e-6;
/* Fraction of the step between two values whose difference is a slope, at most. */
static const double DIFFERENCE_APART = 1e-4;
/* Beside a pole |g| grows by this factor or more from a bracket of WIDE_PART to one of rounding. */
static const quad WIDE_PART = 0x1p-20, GROWTH = 16;
/* Part of the bracket over which a 0 lasts. */
static const quad FLAT_PART = 0x1p-20;

/* A zero of the interpolation in the bracket, or its middle. */
static double guess(noe_event_state *x, noe_integrator *g, int k, double lo, double hi, int sign_hi)
{
    double a = noe_event_curve_value(x, g, k, lo) * sign_hi,
           b = noe_event_curve_value(x, g, k, hi) * sign_hi;
    if (!(a < 0 && b > 0)) return lo + (hi - lo) / 2;
    for (int i = 0; i < GUESS_STEPS && hi - lo > GUESS_BRACKET; i++) { /* Illinois */
        double c = lo + (hi - lo) * (-a / (b - a));
        if (!(c > lo && c < hi)) c = lo + (hi - lo) / 2;
        const double f = noe_event_curve_value(x, g, k, c) * sign_hi;
        if (f == 0) return c;
        if (f < 0) {
            lo = c, a = f, b /= i % 3 == 2 ? 2 : 1;
        } else {
            hi = c, b = f, a /= i % 3 == 2 ? 2 : 1;
        }
        if (fabs(f) < GUESS_REST * (fabs(a) + fabs(b))) return c;
    }
    return lo + (hi - lo) / 2;
}

/* dg/dc of the interpolation, over a distance that shows it and is small beside the bracket. */
static double slope_at(noe_event_state *x, noe_integrator *g, int k, double c, double lo, double hi)
{
    const double d = fmin(DIFFERENCE_APART, fmin(c - lo, hi - c) / 8), at = c > 0.5 ? c - d : c + d;
    return noe_event_end_slope(x, g, k, c, at);
}

/* g towards the sign at the end of the bracket, at a fraction of the step; false: failed. */
static bool value_at(noe_event_state *x, noe_integrator *g, int k, quad c, int sign_hi, quad *f)
{
    noe_integrator *y = noe_fractional_step_take(g, c * x->h);
    if (!y) return false;
    *f = sign_hi * noe_event_state_value(x, y, k);
    return finiteq(*f);
}

/* Is g 0 around c, where it is 0, too? */
static noe_event_root is_flat(noe_event_state *x, noe_integrator *g, int k, quad c, quad d)
{
    for (int side = -1; side <= 1; side += 2) {
        quad       f;
        const quad at = fminq(1, fmaxq(0, c + side * d));
        if (at == c) continue;
        if (!value_at(x, g, k, at, 1, &f)) return NOE_ROOT_FAILED;
        if (f == 0) return NOE_ROOT_FOUND;
    }
    return NOE_ROOT_NONE;
}

/* Halves the bracket down to rounding: where g jumps, has a pole, or leaves a 0 that lasts, which
 * counts as positive.  A pole: |g| grows on both sides as the bracket shrinks.  below, above: |g|
 * at the ends. */
static noe_event_root halve(noe_event_state *x, noe_integrator *g, int k, quad lo, quad hi,
                            int sign_hi, quad below, quad above, quad eps, quad *zero)
{
    const quad wide = (hi - lo) * WIDE_PART;
    quad       then = 0; /* the lesser |g| when the bracket was so wide */
    while (hi - lo > 2 * eps) {
        const quad c = lo + (hi - lo) / 2;
        quad       f;
        if (!value_at(x, g, k, c, sign_hi, &f)) return NOE_ROOT_FAILED;
        if (f < 0 || (f == 0 && sign_hi < 0)) lo = c, below = -f;
        else hi = c, above = f;
        if (hi - lo > wide) then = fminq(below, above);
    }
    *zero = hi;
    return then > 0 && fminq(below, above) > GROWTH * then ? NOE_ROOT_NONE : NOE_ROOT_FOUND;
}

noe_event_root noe_event_root_find(noe_event_state *x, noe_integrator *g, int k, quad lo, quad hi,
                                   int sign_hi, quad *zero)
{
    /* |g| is rounding: half a unit of a double, a unit of binary128. */
    const quad eps = g->digits > NOE_DIGITS_DOUBLE ? noe_rounding_unit_last_place(g->digits)
                                                   : noe_rounding_unit_half(g->digits);
    quad       c = guess(x, g, k, (double)lo, (double)hi, sign_hi), c0 = 0, f0 = 0, best = -1;
    quad       width = hi - lo;
    const quad first_lo = lo, first_hi = hi, a = fabs(noe_event_curve_value(x, g, k, (double)lo)),
               b = fabs(noe_event_curve_value(x, g, k, (double)hi));
    for (int i = 0; i < STEPS_MOST; i++) {
        quad f;
        if (!value_at(x, g, k, c, sign_hi, &f)) return NOE_ROOT_FAILED;
        if (i == 0 || fabsq(f) <= best) best = fabsq(f), *zero = c;
        if (f == 0 && x->tapes->kinked[k]) {
            const noe_event_root flat = is_flat(x, g, k, c, (first_hi - first_lo) * FLAT_PART);
            if (flat == NOE_ROOT_FAILED) return flat;
            if (flat == NOE_ROOT_NONE) return NOE_ROOT_FOUND;
            if (sign_hi < 0) lo = c;
            else hi = c;
            return halve(x, g, k, lo, hi, sign_hi, 0, 0, eps, zero);
        }
        /* Below the rounding of the state g has no sign. */
        if (fabsq(f) <= eps * x->out[k * NOE_WATCHED + NOE_WATCH_SIZE]) {
            if (fabsq(f) == best && best <= fmaxq(a, b)) return NOE_ROOT_FOUND;
            break; /* a pole */
        }
        if (f < 0) lo = c;
        else hi = c;
        if (hi - lo <= 2 * eps) break;
        quad next = lo + (hi - lo) / 2;
        if (i > 0 && f != f0) {
            const quad secant = c - f * (c - c0) / (f - f0);
            if (fabsq(secant - c) <= eps / 2) break;
            if (secant > lo && secant < hi) next = secant;
        } else if (i == 0) {
            const double slope = slope_at(x, g, k, (double)c, (double)first_lo, (double)first_hi);
            const quad   newton = c - f / (sign_hi * slope);
            if (newton > lo && newton < hi) next = newton;
        }
        if (i % 4 == 3 && hi - lo > width / 4) next = lo + (hi - lo) / 2;
        if (i % 4 == 3) width = hi - lo;
        if (next == c) break;
        c0 = c, f0 = f, c = next;
    }
    if (best <= SMALL_PART * fminq(a, b)) return NOE_ROOT_FOUND;
    return halve(x, g, k, first_lo, first_hi, sign_hi, a, b, eps, zero);
}
