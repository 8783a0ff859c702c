/* Where an event function g turns within a step: points between the ends where its sign matters.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The interpolation of g is sampled.  Where it has an extremum with another sign than its
 * surroundings, or so near to 0 that the interpolation cannot tell, g is evaluated there by a
 * fractional step. */
#include "event/event_turn.h"

#include "between/fractional_step.h"
#include "number/rounding_unit.h"

#include <math.h>

enum {
    SAMPLES = 24, /* points of the interpolation, both ends among them */
    TURNS_MOST = NOE_EVENT_TURNS_MOST,
    REFINEMENTS_MOST = 4, /* parabolas to find an extremum */
    TRIALS = 3            /* fractional steps to find the extremum of an undecided contact */
};
_Static_assert(TURNS_MOST >= SAMPLES, "one for each inner sample, one beside each end");
static const double
    /* Part of the variation of g within a step that the interpolation may be off. */
    INTERPOLATION_PART = 0.05,
    /* Fractions of the step: between the values that give a slope, and between the first three
     * points of a parabola through an undecided contact. */
    TANGENT_APART = 0x1p-10, CONTACT_APART = 1e-3;

/* Is g 0 to rounding at the state for which noe_event_state_value was called last?  There a motion
 * that touches does not cross. */
static bool is_contact(const noe_event_state *x, const noe_integrator *g, int k, quad value)
{
    /* two units in the last place: an extremum is known less well than a zero that is crossed */
    const quad eps = 2 * noe_rounding_unit_last_place(g->digits);
    return fabsq(value) <= eps * x->out[k * NOE_WATCHED + NOE_WATCH_SIZE];
}

/* The vertex of the parabola through three values. */
static double vertex(const double c[3], const double f[3])
{
    const double a = (f[1] - f[0]) / (c[1] - c[0]), b = (f[2] - f[1]) / (c[2] - c[1]),
                 bend = (b - a) / (c[2] - c[0]);
    return (c[0] + c[1]) / 2 - a / (2 * bend);
}

/* Sharpens the extremum of the interpolation between c[0] and c[2]. */
static void refine_extremum(noe_event_state *x, noe_integrator *g, int k, double c[3], double f[3])
{
    const int up = f[1] > f[0] ? 1 : -1;
    for (int i = 0; i < REFINEMENTS_MOST; i++) {
        const double v = vertex(c, f);
        if (!(v > c[0] && v < c[2]) || v == c[1]) return;
        const double value = noe_event_curve_value(x, g, k, v);
        const bool   better = up * value > up * f[1];
        const int    side = v > c[1] ? 2 : 0; /* the end that moves in */
        if (better) {
            c[2 - side] = c[1], f[2 - side] = f[1];
            c[1] = v, f[1] = value;
        } else {
            c[side] = v, f[side] = value;
        }
    }
}

/* Does g turn beside an end of the samples, so that the next of them does not show it?  *at: where,
 * by the parabola through both values with the slope at the end. */
static bool turns_beside(double slope, double c, double f, double next, double f_next, double *at)
{
    const double d = next - c,
                 bend = (f_next - f) / d - slope; /* d times the second derivative / 2 */
    *at = c - slope * d / (2 * bend);
    return slope * (f_next - f) * d < 0 && (*at - c) / d > 0 && (*at - c) / d < 1;
}

/* dg/dc at an end of the samples: by the state, which has no rate of a velocity, or by five values
 * of the interpolation, exact to degree 4. */
static double end_slope(noe_event_state *x, noe_integrator *g, int k, double from, bool end)
{
    static const double weight[5] = { -25.0 / 12, 4, -3, 4.0 / 3, -0.25 };
    const double        rate = (end ? x->b.out : x->a.out)[k * NOE_WATCHED + NOE_WATCH_RATE];
    const double        c = end ? 1 : from, apart = end ? -TANGENT_APART : TANGENT_APART;
    if (isfinite(rate) && (end || from == 0)) return (double)x->h * rate;
    double sum = 0;
    for (int i = 0; i < 5; i++) sum += weight[i] * noe_event_curve_value(x, g, k, c + i * apart);
    return sum / apart;
}

/* The extrema of the interpolation, in order. */
typedef struct {
    int    count;             /* how many */
    double place[TURNS_MOST], /* fractions of the step */
        value[TURNS_MOST];    /* g of the interpolation there */
    double first,             /* g at the first sample */
        range;                /* max |g - first| over the samples */
} extrema;

static void add_extremum(extrema *to, double place, double value)
{
    to->place[to->count] = place;
    to->value[to->count++] = value;
}

/* Those after the fraction `from`. */
static extrema find_extrema(noe_event_state *x, noe_integrator *g, int k, double from)
{
    const int z = SAMPLES - 1;
    double    c[SAMPLES], f[SAMPLES], at;
    extrema   to = { 0 };
    for (int i = 0; i < SAMPLES; i++) {
        c[i] = from + (1 - from) * i / (SAMPLES - 1);
        f[i] = noe_event_curve_value(x, g, k, c[i]);
        to.range = fmax(to.range, fabs(f[i] - f[0]));
    }
    to.first = f[0];
    if (turns_beside(end_slope(x, g, k, from, false), c[0], f[0], c[1], f[1], &at))
        add_extremum(&to, at, noe_event_curve_value(x, g, k, at));
    for (int i = 1; i < z; i++) {
        if ((f[i] - f[i - 1]) * (f[i + 1] - f[i]) > 0 || f[i] == f[i + 1]) continue;
        double w[3] = { c[i - 1], c[i], c[i + 1] }, y[3] = { f[i - 1], f[i], f[i + 1] };
        refine_extremum(x, g, k, w, y);
        add_extremum(&to, w[1], y[1]);
    }
    if (turns_beside(end_slope(x, g, k, from, true), c[z], f[z], c[z - 1], f[z - 1], &at))
        add_extremum(&to, at, noe_event_curve_value(x, g, k, at));
    return to;
}

/* An undecided contact: looks for the extremum of g itself near `at`, by parabolas through values
 * of fractional steps, until one has another sign than `own`; false with a message. */
static bool decide_contact(noe_event_state *x, noe_integrator *g, int k, int own,
                           noe_event_point *at)
{
    const double place = (double)at->c;
    double       w[3], y[3];
    for (int j = 0; j < 3; j++) {
        w[j] = fmin(1, fmax(0, place + (j - 1) * CONTACT_APART));
        noe_integrator *z = noe_fractional_step_take(g, (quad)w[j] * x->h);
        if (!z) return false;
        y[j] = (double)noe_event_state_value(x, z, k);
    }
    for (int j = 0; j < TRIALS && at->sign == own; j++) {
        const double v = vertex(w, y);
        if (!(v > 0 && v < 1) || v == w[1]) break;
        noe_integrator *z = noe_fractional_step_take(g, (quad)v * x->h);
        if (!z) return false;
        const double there = (double)noe_event_state_value(x, z, k);
        at->c = v;
        at->sign = is_contact(x, g, k, there) ? own : there < 0 ? -1 : 1;
        const int far = fabs(w[0] - v) > fabs(w[2] - v) ? 0 : 2;
        w[far] = w[1], y[far] = y[1];
        w[1] = v, y[1] = there;
        if (w[0] > w[2] || w[1] == w[0] || w[1] == w[2]) break;
    }
    return true;
}

/* The point at an extremum, whose value in the interpolation has the sign `own`; unsure: g itself
 * may have the other one.  *is: the sign matters there.  False with a message.
 * edges: the signs before and after are not positive. */
static bool point_at(noe_event_state *x, noe_integrator *g, int k, double place, int own,
                     bool unsure, bool edges, noe_event_point *to, bool *is)
{
    const quad      c = place;
    noe_integrator *there = noe_fractional_step_take(g, c * x->h);
    *is = false;
    if (!there) return false;
    const quad value = noe_event_state_value(x, there, k);
    if (value == 0 && x->tapes->kinked[k] && edges) { /* a 0 that lasts, or a contact */
        there = noe_fractional_step_take(g, (c + NOE_EVENT_TURN_APART) * x->h);
        if (!there) return false;
        *is = noe_event_state_value(x, there, k) == 0;
        *to = (noe_event_point){ c, 1 };
        return true;
    }
    if (is_contact(x, g, k, value)) return true;
    *is = true;
    *to = (noe_event_point){ c, value < 0 ? -1 : 1 };
    return !unsure || to->sign != own || decide_contact(x, g, k, own, to);
}

int noe_event_turn_points(noe_event_state *x, noe_integrator *g, int k, int sign_a, int sign_b,
                          double from, noe_event_point *to)
{
    const extrema e = find_extrema(x, g, k, from);
    int           count = 0;
    for (int i = 0; i < e.count; i++) {
        const bool last = i + 1 == e.count;
        const int  own = noe_event_end_sign(e.value[i]),
                  before = i ? noe_event_end_sign(e.value[i - 1]) : sign_a,
                  after = last ? sign_b : noe_event_end_sign(e.value[i + 1]);
        const double value_before = i ? e.value[i - 1] : e.first;
        /* An extremum on the side of 0, so near to it that the interpolation cannot tell. */
        const bool unsure = own * (value_before - e.value[i]) > 0
                         && fabs(e.value[i]) < INTERPOLATION_PART * e.range && own == before
                         && own == after;
        const bool differs = own != before && own != after;
        bool       is;
        if (!differs && !unsure) continue;
        if (!point_at(x, g, k, e.place[i], own, unsure, before <= 0 && after <= 0, to + count, &is))
            return -1;
        count += is;
    }
    return count;
}
