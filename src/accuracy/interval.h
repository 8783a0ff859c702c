/* Interval arithmetic without directed rounding.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * [a, b] op [c, d]: ranges of sums, products, quotients, sin and cos, correct to rounding
 * errors. */
#ifndef NOE_ACCURACY_INTERVAL_H
#define NOE_ACCURACY_INTERVAL_H

#include <math.h>
#include <stdbool.h>

typedef struct {
    double lo, hi; /* ends, lo <= hi */
} noe_interval;

static inline noe_interval noe_interval_between(double a, double b)
{
    if (isnan(a) || isnan(b)) return (noe_interval){ -INFINITY, INFINITY };
    return (noe_interval){ fmin(a, b), fmax(a, b) };
}
static inline double noe_interval_width(noe_interval x) { return x.hi > x.lo ? x.hi - x.lo : 0; }
static inline double noe_interval_largest(noe_interval x) { return fmax(fabs(x.lo), fabs(x.hi)); }
static inline bool   noe_interval_contains(noe_interval x, double y)
{
    return x.lo <= y && y <= x.hi;
}
static inline double noe_interval_smallest(noe_interval x)
{
    return noe_interval_contains(x, 0) ? 0 : fmin(fabs(x.lo), fabs(x.hi));
}

/* a b with 0 * inf = 0: an unknown bound (inf) of a term with factor 0 contributes nothing. */
static inline double noe_interval_times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static inline noe_interval noe_interval_add(noe_interval a, noe_interval b)
{
    return noe_interval_between(a.lo + b.lo, a.hi + b.hi);
}

static inline noe_interval noe_interval_negative(noe_interval a)
{
    return (noe_interval){ -a.hi, -a.lo };
}

static inline noe_interval noe_interval_product(noe_interval a, noe_interval b)
{
    const double x = noe_interval_times(a.lo, b.lo), y = noe_interval_times(a.lo, b.hi),
                 z = noe_interval_times(a.hi, b.lo);
    const double w = noe_interval_times(a.hi, b.hi);
    return (noe_interval){ fmin(fmin(x, y), fmin(z, w)), fmax(fmax(x, y), fmax(z, w)) };
}

static inline noe_interval noe_interval_square(noe_interval a)
{
    const double least = noe_interval_smallest(a), most = noe_interval_largest(a);
    return (noe_interval){ least * least, most * most };
}

static inline noe_interval noe_interval_quotient(noe_interval a, noe_interval b)
{
    if (noe_interval_contains(b, 0)) return (noe_interval){ -INFINITY, INFINITY };
    return noe_interval_product(a, noe_interval_between(1 / b.lo, 1 / b.hi));
}

/* Does the interval x contain phase + 2 pi k for an integer k? */
static inline bool noe_interval_peak(noe_interval x, double phase)
{
    const double two_pi = 6.283185307179586;
    return floor((x.hi - phase) / two_pi) != floor((x.lo - phase) / two_pi)
        || x.hi - x.lo >= two_pi;
}

static inline noe_interval noe_interval_cos(noe_interval x)
{
    noe_interval y = { -1, 1 };
    if (!isfinite(x.lo) || !isfinite(x.hi)) return y;
    const double a = cos(x.lo), b = cos(x.hi);
    if (!noe_interval_peak(x, 0)) y.hi = fmax(a, b);
    if (!noe_interval_peak(x, 3.141592653589793)) y.lo = fmin(a, b);
    return y;
}

static inline noe_interval noe_interval_sin(noe_interval x)
{
    noe_interval y = { -1, 1 };
    if (!isfinite(x.lo) || !isfinite(x.hi)) return y;
    const double a = sin(x.lo), b = sin(x.hi);
    if (!noe_interval_peak(x, 1.5707963267948966)) y.hi = fmax(a, b);
    if (!noe_interval_peak(x, -1.5707963267948966)) y.lo = fmin(a, b);
    return y;
}

#endif
