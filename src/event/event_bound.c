/* A step without a zero of an event function, by few values: bounds of their polynomial.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * G, of degree 3 by values and rates at both ends, or of degree 4 by values where there are no
 * rates, lies within its Bernstein coefficients b_i.  It differs from g by about d, the largest
 * difference at two more places.  Where all b_i have one sign and the least of them is beyond 8
 * d, g has no zero. A step where G has an extremum near 0, which g could reach, is left to the
 * search. */
#include "event/event_state.h"

#include <math.h>

enum { SAFETY = 8 };
/* An extremum must be this part of the variation of g away from 0. */
static const double EXTREMUM_PART = 0.05;

/* The places where G is compared with g: at no simple fractions, so that oscillations show. */
static const double place[2] = { 0.2887, 0.6321 };

/* The polynomial of degree n with Bernstein coefficients b, at c: de Casteljau. */
static double bernstein(const double *b, int n, double c)
{
    double x[5];
    for (int i = 0; i <= n; i++) x[i] = b[i];
    for (int k = n; k > 0; k--)
        for (int i = 0; i < k; i++) x[i] += c * (x[i + 1] - x[i]);
    return x[0];
}

/* Of the quartic through values f at 0, 1/4, 1/2, 3/4, 1. */
static void quartic(const double f[5], double b[5])
{
    b[0] = f[0], b[4] = f[4];
    b[1] = (-13 * f[0] + 48 * f[1] - 36 * f[2] + 16 * f[3] - 3 * f[4]) / 12;
    b[2] = (13 * f[0] - 64 * f[1] + 120 * f[2] - 64 * f[3] + 13 * f[4]) / 18;
    b[3] = (-3 * f[0] + 16 * f[1] - 36 * f[2] + 48 * f[3] - 13 * f[4]) / 12;
}

bool noe_event_bound_excludes_zero(noe_event_state *x, noe_integrator *g, int k)
{
    const double *a = x->a.out + k * NOE_WATCHED, *e = x->b.out + k * NOE_WATCHED;
    const double  h = (double)x->h, ra = a[NOE_WATCH_RATE], rb = e[NOE_WATCH_RATE];
    const double  ga = a[NOE_WATCH_VALUE], gb = e[NOE_WATCH_VALUE];
    const int     n = isfinite(ra) && isfinite(rb) ? 3 : 4;
    double b[5], f[5] = { ga, 0, 0, 0, gb }, least = fabs(ga), inner = HUGE_VAL, d = 0, most = 0;
    if (!x->tapes->plain[k]) return false;
    if (n == 3) b[0] = ga, b[1] = ga + h * ra / 3, b[2] = gb - h * rb / 3, b[3] = gb;
    else {
        for (int i = 1; i < 4; i++) f[i] = noe_event_curve_raw(x, g, k, i / 4.0);
        quartic(f, b);
    }
    for (int i = 0; i <= n; i++) {
        if (!(b[i] * ga > 0)) return false;
        if (i > 0 && i < n) inner = fmin(inner, fabs(b[i]));
        most = fmax(most, fabs(b[i] - ga));
    }
    for (int i = 0; i < 2; i++)
        d = fmax(d, fabs(noe_event_curve_raw(x, g, k, place[i]) - bernstein(b, n, place[i])));
    least = fmin(least, fabs(gb));
    if (!(fmin(least, inner) > SAFETY * d)) return false;
    return inner >= least || inner > EXTREMUM_PART * most + SAFETY * d;
}
