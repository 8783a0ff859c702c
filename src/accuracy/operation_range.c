/* Encloses one operation y = f(a, b, c) over intervals of its operands.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives the range of y, bounds of its partial derivatives, and its hidden variation: the part of
 * the range that the values at a few nodes need not show.
 *
 * f counts as smooth over an interval, without hidden variation, where the Gauss quadrature with
 * s nodes converges fast enough: the error falls like rho^-2s, rho the sum of the half axes of
 * the largest Bernstein ellipse about the interval in which f is analytic and bounded (L. N.
 * Trefethen, Approximation Theory and Approximation Practice, ch. 8).  With the limits below rho
 * is about 2 or more. */
#include "accuracy/operation_range.h"

/* Largest widths of the argument over which a function counts as smooth: in radians (sin, cos),
 * in e-foldings (exp), in distances to the next pole, and as a quotient of its ends (1/x, log,
 * x^p). */
static const double RADIANS_MOST = 3, E_FOLDINGS_MOST = 4, POLE_DISTANCES_MOST = 2,
                    QUOTIENT_MOST = 16;

static const noe_interval everything = { -INFINITY, INFINITY };

static noe_operation_range smooth(noe_interval y, double partial, bool visible)
{
    return (noe_operation_range){ .y = y,
                                  .partial = { partial },
                                  .hidden = visible ? 0 : noe_interval_width(y) };
}

static noe_operation_range unknown(bool kink)
{
    return (noe_operation_range){ everything, { INFINITY, INFINITY, INFINITY }, INFINITY, kink };
}

static noe_operation_range tangent(noe_interval x)
{
    const double pi = 3.141592653589793;
    if (!isfinite(x.lo) || !isfinite(x.hi) || floor(x.lo / pi - 0.5) != floor(x.hi / pi - 0.5))
        return unknown(false);
    const noe_interval y = noe_interval_between(tan(x.lo), tan(x.hi));
    const double       most = noe_interval_largest(y),
                 away = atan(1 / most); /* distance of the nearer end to its pole */
    return smooth(y, 1 + most * most, x.hi - x.lo <= POLE_DISTANCES_MOST * away);
}

/* f is monotonic over x with the values a and b at the ends; away: distance to the next
 * singularity. */
static noe_operation_range between(double a, double b, double partial, noe_interval x, double away)
{
    return smooth(noe_interval_between(a, b), isnan(partial) ? INFINITY : partial,
                  noe_interval_width(x) <= POLE_DISTANCES_MOST * away);
}

static noe_operation_range arc(noe_interval x, double a, double b)
{
    const double most = noe_interval_largest(x);
    if (!(most <= 1)) return unknown(true);
    return between(a, b, 1 / sqrt((1 - most) * (1 + most)), x, 1 - most);
}

static noe_operation_range hyperbolic_tangent(noe_interval x)
{
    const double c = cosh(fmin(noe_interval_smallest(x), 300));
    return between(tanh(x.lo), tanh(x.hi), 1 / (c * c), x, 1);
}

static noe_operation_range hyperbolic_cosine(noe_interval x)
{
    return smooth(
        noe_interval_between(cosh(noe_interval_smallest(x)), cosh(noe_interval_largest(x))),
        fabs(sinh(noe_interval_largest(x))), noe_interval_width(x) <= E_FOLDINGS_MOST);
}

/* |x|; where x changes sign, |x| differs from a linear function by twice the shorter side at
 * most. */
static noe_operation_range magnitude(noe_interval x)
{
    const bool bends = x.lo < 0 && x.hi > 0;
    return (noe_operation_range){ .y = noe_interval_between(noe_interval_smallest(x),
                                                            noe_interval_largest(x)),
                                  .partial = { 1 },
                                  .hidden = bends ? 2 * fmin(-x.lo, x.hi) : 0,
                                  .kink = true };
}

static noe_operation_range power(noe_interval x, noe_interval e)
{
    if (e.lo != e.hi) { /* a^b = exp(b log a) */
        if (!(x.lo > 0)) return unknown(false);
        const noe_interval u = noe_interval_product(noe_interval_between(log(x.lo), log(x.hi)), e);
        const noe_interval y = noe_interval_between(exp(u.lo), exp(u.hi));
        const double       most = fmax(fabs(log(x.lo)), fabs(log(x.hi)));
        return (noe_operation_range){
            .y = y,
            .partial = { y.hi * noe_interval_largest(e) / x.lo, y.hi * most },
            .hidden = noe_interval_width(u) <= E_FOLDINGS_MOST ? 0 : noe_interval_width(y)
        };
    }
    const double p = e.lo;
    const bool   whole = p == floor(p), even = whole && fmod(p, 2) == 0;
    if (x.lo <= 0 && (p < 0 || !whole))
        return x.lo == 0 && p > 0 ? between(0, pow(x.hi, p), INFINITY, x, 0) : unknown(false);
    noe_interval y = noe_interval_between(pow(x.lo, p), pow(x.hi, p));
    if (even && noe_interval_contains(x, 0)) y = noe_interval_between(0, fmax(y.lo, y.hi));
    const double partial = fabs(p)
                         * fmax(pow(noe_interval_largest(x), p - 1),
                                p < 1 ? pow(noe_interval_smallest(x), p - 1) : 0);
    const double least = noe_interval_smallest(y), most = noe_interval_largest(y);
    return smooth(y, partial,
                  (whole && p > 0 && p <= 16) || most <= QUOTIENT_MOST * QUOTIENT_MOST * least);
}

static noe_operation_range angle(noe_interval y, noe_interval x)
{
    const double pi = 3.141592653589793,
                 far = hypot(noe_interval_smallest(x), noe_interval_smallest(y));
    const double a = atan2(y.lo, x.lo), b = atan2(y.lo, x.hi), c = atan2(y.hi, x.lo),
                 d = atan2(y.hi, x.hi);
    noe_operation_range r = { .y = { fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)) },
                              .partial = { 1 / far, 1 / far } };
    const bool          branch = x.lo < 0 && noe_interval_contains(y, 0);
    if (branch) r.y = (noe_interval){ -pi, pi };
    if (branch
        || !(hypot(noe_interval_width(x), noe_interval_width(y)) <= POLE_DISTANCES_MOST * far)) {
        r.hidden = noe_interval_width(r.y);
        r.kink = branch;
    }
    return r;
}

static noe_operation_range quotient(noe_interval a, noe_interval b)
{
    if (noe_interval_contains(b, 0)) return unknown(false);
    const double        least = noe_interval_smallest(b), most = noe_interval_largest(b);
    noe_operation_range r = { .y = noe_interval_quotient(a, b),
                              .partial = { 1 / least, noe_interval_largest(a) / least / least } };
    r.hidden = most <= QUOTIENT_MOST * least ? 0 : noe_interval_width(r.y);
    return r;
}

/* 1 where a < b (a <= b), else 0; where the intervals allow both results, the jump 1 is hidden. */
static noe_operation_range comparison(noe_interval a, noe_interval b, bool equal)
{
    const bool yes = equal ? a.hi <= b.lo : a.hi < b.lo, no = equal ? a.lo > b.hi : a.lo >= b.hi;
    return (noe_operation_range){ .y = { yes, !no }, .hidden = yes || no ? 0 : 1, .kink = true };
}

static noe_operation_range choice(noe_interval condition, noe_interval b, noe_interval c)
{
    noe_operation_range r = { .kink = true };
    if (!noe_interval_contains(condition, 0)) r.y = b, r.partial[1] = 1;
    else if (condition.lo == 0 && condition.hi == 0) r.y = c, r.partial[2] = 1;
    else {
        r.y = (noe_interval){ fmin(b.lo, c.lo), fmax(b.hi, c.hi) }, r.partial[1] = r.partial[2] = 1;
        r.hidden = fmax(b.hi - c.lo, c.hi - b.lo);
    }
    return r;
}

/* max(a, b); where either may be the larger, max(a, b) differs from one operand by at most
 * `hidden`, the largest amount by which the other may exceed that operand. */
static noe_operation_range larger(noe_interval a, noe_interval b)
{
    noe_operation_range r = { .y = { fmax(a.lo, b.lo), fmax(a.hi, b.hi) },
                              .partial = { 1, 1 },
                              .kink = true };
    if (a.lo > b.hi) r.partial[1] = 0;
    else if (b.lo > a.hi) r.partial[0] = 0;
    else r.hidden = fmin(a.hi - b.lo, b.hi - a.lo);
    return r;
}

static noe_operation_range negative(noe_operation_range r)
{
    r.y = noe_interval_negative(r.y);
    return r;
}

/* A step function with the values a and b at the ends: all jumps between are hidden. */
static noe_operation_range stairs(double a, double b)
{
    return (noe_operation_range){ .y = { a, b }, .hidden = b - a, .kink = true };
}

static double sign(double x) { return x < 0 ? -1 : x > 0; }

/* a mod b = a - b k; smooth while k is constant over a and b is a constant; else the range is a
 * whole period, hidden. */
static noe_operation_range modulo(noe_interval a, noe_interval b)
{
    if (noe_interval_contains(b, 0)) return unknown(true);
    const double k = floor(a.lo / b.lo), least = noe_interval_smallest(b),
                 most = noe_interval_largest(b);
    noe_operation_range r = { .y = { fmin(0, b.lo), fmax(0, b.hi) },
                              .partial = { 1, noe_interval_largest(a) / least + 1 },
                              .hidden = most,
                              .kink = true };
    if (b.lo != b.hi || !(k == floor(a.hi / b.lo))) return r;
    r.y = noe_interval_between(fmax(r.y.lo, fmin(a.lo - k * b.lo, r.y.hi)),
                               fmax(r.y.lo, fmin(a.hi - k * b.lo, r.y.hi)));
    r.hidden = 0;
    return r;
}

static noe_operation_range function(noe_op op, noe_interval x)
{
    const double most = noe_interval_largest(x), least = noe_interval_smallest(x);
    const bool   positive = x.lo > 0;
    switch (op) {
    case NOE_FN_sin: return smooth(noe_interval_sin(x), 1, noe_interval_width(x) <= RADIANS_MOST);
    case NOE_FN_cos: return smooth(noe_interval_cos(x), 1, noe_interval_width(x) <= RADIANS_MOST);
    case NOE_FN_tan: return tangent(x);
    case NOE_FN_asin: return arc(x, asin(x.lo), asin(x.hi));
    case NOE_FN_acos: return arc(x, acos(x.lo), acos(x.hi));
    case NOE_FN_atan: return between(atan(x.lo), atan(x.hi), 1 / (1 + least * least), x, 1 + least);
    case NOE_FN_sinh:
        return smooth(noe_interval_between(sinh(x.lo), sinh(x.hi)), cosh(most),
                      noe_interval_width(x) <= E_FOLDINGS_MOST);
    case NOE_FN_cosh: return hyperbolic_cosine(x);
    case NOE_FN_tanh: return hyperbolic_tangent(x);
    case NOE_FN_exp:
        return smooth(noe_interval_between(exp(x.lo), exp(x.hi)), exp(x.hi),
                      noe_interval_width(x) <= E_FOLDINGS_MOST);
    case NOE_FN_log:
        return positive ? smooth(noe_interval_between(log(x.lo), log(x.hi)), 1 / x.lo,
                                 x.hi <= QUOTIENT_MOST * x.lo)
                        : unknown(false);
    case NOE_FN_sqrt:
        return x.lo >= 0 ? smooth(noe_interval_between(sqrt(x.lo), sqrt(x.hi)), 0.5 / sqrt(x.lo),
                                  x.hi <= QUOTIENT_MOST * x.lo)
                         : unknown(false);
    case NOE_FN_abs: return magnitude(x);
    case NOE_FN_sign: return stairs(sign(x.lo), sign(x.hi));
    case NOE_FN_floor: return stairs(floor(x.lo), floor(x.hi));
    default: return unknown(true);
    }
}

noe_operation_range noe_operation_range_apply(noe_op op, const noe_tables *tables, noe_interval a,
                                              noe_interval b, noe_interval c)
{
    switch (op) {
    case NOE_MULADD:
        return (noe_operation_range){ .y = noe_interval_add(noe_interval_product(a, b), c),
                                      .partial = { noe_interval_largest(b), noe_interval_largest(a),
                                                   1 } };
    case NOE_SUBMUL:
        return (noe_operation_range){
            .y = noe_interval_add(c, noe_interval_negative(noe_interval_product(a, b))),
            .partial = { noe_interval_largest(b), noe_interval_largest(a), 1 }
        };
    case NOE_DIV: return quotient(a, b);
    case NOE_POW: return power(a, b);
    case NOE_ATAN2: return angle(a, b);
    case NOE_MOD: return modulo(a, b);
    case NOE_TABLE: return noe_tabulated_range(tables, a, (int)b.lo);
    case NOE_LT: return comparison(a, b, false);
    case NOE_LE: return comparison(a, b, true);
    case NOE_MAX: return larger(a, b);
    case NOE_MIN: return negative(larger(noe_interval_negative(a), noe_interval_negative(b)));
    case NOE_IF: return choice(a, b, c);
    default: return function(op, a);
    }
}
