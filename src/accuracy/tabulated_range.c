/* Encloses a tabulated function over an interval, with the hidden variation at its samples.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y(x) = c_0 + d (c_1 + d (c_2 + d c_3)) in each piece, d = x - x_k; the pieces meet at the samples
 * x_k, where a derivative of y jumps. */
#include "accuracy/operation_range.h"

/* to [4]: Taylor coefficients of the derivative of this order at the distance d from the beginning
 * of a piece with coefficients c [4]. */
static void expand(const double *c, int order, double d, double *to)
{
    static const double factor[4][4] = {
        { 1, 1, 1, 1 }, { 1, 2, 3, 0 }, { 2, 6, 0, 0 }, { 6, 0, 0, 0 }
    };
    double x[4] = { 0 };
    for (int j = 0; j + order < 4; j++) x[j] = factor[order][j] * c[j + order];
    to[0] = x[0] + d * (x[1] + d * (x[2] + d * x[3]));
    to[1] = x[1] + d * (2 * x[2] + d * 3 * x[3]);
    to[2] = x[2] + d * 3 * x[3];
    to[3] = x[3];
}

/* The range of x_0 + .. + x_3 d^3 over 0 <= d <= w: between its least and largest Bernstein
 * coefficient. */
static noe_interval bernstein(const double *x, double w)
{
    const double a = x[0], b = a + w * x[1] / 3, c = a + w * (2 * x[1] + w * x[2]) / 3;
    const double e = a + w * (x[1] + w * (x[2] + w * x[3]));
    return (noe_interval){ fmin(fmin(a, b), fmin(c, e)), fmax(fmax(a, b), fmax(c, e)) };
}

static void hull(noe_interval *x, noe_interval y)
{
    x->lo = fmin(x->lo, y.lo), x->hi = fmax(x->hi, y.hi);
}

/* Bound of the difference over the length w of two pieces that meet at a sample, by their Taylor
 * coefficients there: sum |left_j - right_j| w^j. */
static double hidden_at_sample(const double *left, const double *right, double w)
{
    double sum = 0, power = 1;
    for (int j = 0; j < 4; j++, power *= w) sum += fabs(left[j] - right[j]) * power;
    return sum;
}

/* Part of a piece beyond an end that counts as inside, as SLACK of expr/tabulated.c. */
static const double SLACK = 1e-9;
static const double none[4];

/* Adds to r the part of x beyond the last (high) or first sample, where y is constant or 0. */
static void add_end(const noe_tabulated *s, int order, noe_interval x, bool high,
                    noe_operation_range *r)
{
    const int64_t k = high ? s->pieces - 1 : 0;
    const double  at = high ? s->x_d[s->pieces] : s->x_d[0], beyond = high ? x.hi - at : at - x.lo;
    if (!(beyond > 0)) return;
    double end[4], outside[4] = { 0 };
    expand(s->c_d[k], order, at - s->x_d[k], end);
    if (s->outside == NOE_OUTSIDE_HELD && order == 0) outside[0] = end[0];
    hull(&r->y, noe_interval_between(outside[0], outside[0]));
    if (noe_interval_contains(x, at))
        r->hidden += hidden_at_sample(end, outside, fmin(beyond, x.hi - x.lo - beyond));
}

noe_operation_range noe_tabulated_range(const noe_tables *t, noe_interval x, int which)
{
    const noe_tabulated *s = t->item[noe_tabulated_item(which)];
    const int            order = noe_tabulated_order(which);
    const double         low = s->x_d[0], high = s->x_d[s->pieces];
    noe_operation_range  r = { .y = { INFINITY, -INFINITY }, .kink = true };
    noe_interval         partial = { 0, 0 };
    if (!isfinite(x.lo) || !isfinite(x.hi)
        || (s->outside == NOE_OUTSIDE_REFUSED
            && (x.lo < low - SLACK * (s->x_d[1] - low)
                || x.hi > high + SLACK * (high - s->x_d[s->pieces - 1]))))
        return (noe_operation_range){ { -INFINITY, INFINITY }, { INFINITY, 0, 0 }, INFINITY, true };
    if (s->outside != NOE_OUTSIDE_REFUSED)
        add_end(s, order, x, false, &r), add_end(s, order, x, true, &r);
    const noe_interval in = { fmax(x.lo, low), fmin(x.hi, high) };
    if (in.lo > in.hi) return r.partial[0] = 0, r;
    const int64_t first = noe_tabulated_piece(s, in.lo), last = noe_tabulated_piece(s, in.hi);
    for (int64_t k = first; k <= last; k++) {
        const double from = fmax(in.lo, s->x_d[k]), to = k < last ? s->x_d[k + 1] : in.hi;
        double       here[4], rate[4], before[4];
        expand(s->c_d[k], order, from - s->x_d[k], here);
        hull(&r.y, bernstein(here, to - from));
        /* the derivative of the next order; a cubic has no fourth one */
        expand(order < 3 ? s->c_d[k] : none, order < 3 ? order + 1 : 0, from - s->x_d[k], rate);
        hull(&partial, bernstein(rate, to - from));
        if (k == first) continue;
        expand(s->c_d[k - 1], order, s->x_d[k] - s->x_d[k - 1], before);
        /* beside one sample alone, over the shorter side of x */
        r.hidden += hidden_at_sample(before, here,
                                     last == first + 1 ? fmin(s->x_d[k] - x.lo, x.hi - s->x_d[k])
                                                       : x.hi - x.lo);
    }
    r.partial[0] = noe_interval_largest(partial);
    return r;
}
