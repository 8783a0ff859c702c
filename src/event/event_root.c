/* The zero of an event function within a step: g(fractional step of c h) = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A secant iteration on the fraction c, kept inside a bracket: a zero of the interpolation is the
 * first guess, and two to four fractional steps lead to rounding. */
#include "event/event_state.h"
#include "integrate/fractional_step.h"

#include <math.h>

enum { STEPS_MOST = 80, HALVINGS = 60 };

/* A zero of the interpolation in the bracket, or its middle. */
static double guess(noe_event_state *x, noe_integrator *g, int k, double lo, double hi, int sign_hi)
{
    double a = noe_event_curve_value(x, g, k, lo) * sign_hi,
           b = noe_event_curve_value(x, g, k, hi) * sign_hi;
    if (!(a < 0 && b > 0)) return lo + (hi - lo) / 2;
    for (int i = 0; i < HALVINGS && hi - lo > 1e-10; i++) { /* Illinois */
        double c = lo + (hi - lo) * (-a / (b - a));
        if (!(c > lo && c < hi)) c = lo + (hi - lo) / 2;
        const double f = noe_event_curve_value(x, g, k, c) * sign_hi;
        if (f == 0) return c;
        if (f < 0) {
            lo = c, a = f, b /= i % 3 == 2 ? 2 : 1;
        } else {
            hi = c, b = f, a /= i % 3 == 2 ? 2 : 1;
        }
        if (fabs(f) < 1e-14 * (fabs(a) + fabs(b))) return c;
    }
    return lo + (hi - lo) / 2;
}

bool noe_event_root_find(noe_event_state *x, noe_integrator *g, int k, quad lo, quad hi,
                         int sign_hi, quad *zero)
{
    const quad eps = g->digits > 15 ? (quad)0x1p-112 : (quad)0x1p-53;
    quad       c = guess(x, g, k, (double)lo, (double)hi, sign_hi), c0 = 0, f0 = 0, best = -1;
    quad       width = hi - lo;
    for (int i = 0; i < STEPS_MOST; i++) {
        noe_integrator *y = noe_fractional_step_take(g, c * x->h);
        if (!y) return false;
        const quad f = sign_hi * noe_event_state_value(x, y, k);
        if (!finiteq(f)) return false;
        if (best < 0 || fabsq(f) <= best) best = fabsq(f), *zero = c;
        /* Below the rounding of the state g has no sign. */
        if (fabsq(f) <= eps * x->out[k * NOE_WATCHED + NOE_WATCH_SIZE]) break;
        if (f < 0) lo = c;
        else hi = c;
        if (hi - lo <= 2 * eps) break;
        quad next = lo + (hi - lo) / 2;
        if (i > 0 && f != f0) {
            const quad secant = c - f * (c - c0) / (f - f0);
            if (fabsq(secant - c) <= eps / 2) break;
            if (secant > lo && secant < hi) next = secant;
        } else if (i == 0) { /* the slope of the interpolation, at a distance that shows it */
            const double d = 1e-4, at = (double)c > 0.5 ? (double)c - d : (double)c + d;
            const double slope = sign_hi
                               * (noe_event_curve_value(x, g, k, at)
                                  - noe_event_curve_value(x, g, k, (double)c))
                               / (at - (double)c);
            const quad newton = c - f / slope;
            if (newton > lo && newton < hi) next = newton;
        }
        if (i % 4 == 3 && hi - lo > width / 4) next = lo + (hi - lo) / 2;
        if (i % 4 == 3) width = hi - lo;
        if (next == c) break;
        c0 = c, f0 = f, c = next;
    }
    return true;
}
