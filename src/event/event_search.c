/* All events of a step: zeros of each event function g with a change of sign, in order of time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign of g at the ends of the step is that of its value.  Where the value is 0 to rounding,
 * |g| <= 4 eps (h |g'| + size), the end is at an event: the sign is then that just after, at both
 * steps that meet there, so that the event belongs to the step that leads to it and is found once.
 * A 0 that lasts counts as positive, so that what the event is follows from the state.
 * Between the ends the interpolation is sampled; where it has an extremum with another sign than
 * its surroundings, or so near to 0 that the interpolation cannot tell, g is evaluated there by a
 * fractional step.  Between points of different signs there is one event for each change. */
#include "event/event_end.h"

#include "base/status.h"
#include "integrate/fractional_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 24, /* points of the interpolation, both ends among them */
    POINTS = 2 * SAMPLES,
    REFINEMENTS_MOST = 4, /* parabolas to find an extremum */
    TRIALS = 3,           /* fractional steps to find the extremum of an undecided contact */
    HALVINGS = 48 /* down to 4e-15 of a step, where the sign just after an event is looked for */
};
/* Part of the variation of g within a step that the interpolation may be off. */
static const double INTERPOLATION_PART = 0.05;

/* Beside a pole the sign of g is known from this part of the step on. */
static const double POLE_PART = 0x1p-20;

/* A point of the step where the sign of g is known. */
typedef struct {
    quad c; /* part of the step, 0 .. 1 */
    int  sign;
} point;

/* The sign of g at a fraction of the step, by a fractional step; 0: failed. */
static int sign_at(noe_event_state *x, noe_integrator *g, int k, quad c)
{
    noe_integrator *y = noe_fractional_step_take(g, c * x->h);
    if (!y) return 0;
    return noe_event_state_value(x, y, k) < 0 ? -1 : 1;
}

/* Is g 0 to rounding at the state for which noe_event_state_value was called last?  There a motion
 * that touches does not cross. */
static bool is_contact(const noe_event_state *x, const noe_integrator *g, int k, quad value)
{
    const quad eps = g->digits > 15 ? (quad)0x1p-111 : (quad)0x1p-51;
    return fabsq(value) <= eps * x->out[k * NOE_WATCHED + NOE_WATCH_SIZE];
}

static bool add(noe_event_state *x, int k, quad tau, bool rising)
{
    const noe_event_way way = x->model->event[k].way;
    if (way != NOE_EITHER_WAY && (way == NOE_RISING) != rising) return true;
    if (x->founds == x->room) {
        const int        room = x->room ? 2 * x->room : 16;
        noe_event_found *wider = realloc(x->found, (size_t)room * sizeof *wider);
        if (!wider) return noe_status_fail(NOE_NO_MEMORY, "out of memory"), false;
        x->found = wider, x->room = room;
    }
    x->found[x->founds++] = (noe_event_found){ k, rising, tau };
    return true;
}

/* The vertex of the parabola through three values, inside their interval. */
static double vertex(const double c[3], const double f[3])
{
    const double a = (f[1] - f[0]) / (c[1] - c[0]), b = (f[2] - f[1]) / (c[2] - c[1]),
                 bend = (b - a) / (c[2] - c[0]);
    const double v = (c[0] + c[1]) / 2 - a / (2 * bend);
    return v > c[0] && v < c[2] ? v : c[1];
}

/* Sharpens the extremum of the interpolation between c[0] and c[2]. */
static void refine_extremum(noe_event_state *x, noe_integrator *g, int k, double c[3], double f[3])
{
    const int up = f[1] > f[0] ? 1 : -1;
    for (int i = 0; i < REFINEMENTS_MOST; i++) {
        const double v = vertex(c, f);
        if (v == c[1]) return;
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

/* The points between the ends where the sign of g matters, in order; their number, -1 with a
 * message.  sign_a, sign_b: just after the beginning, just before the end. */
static int inner_points(noe_event_state *x, noe_integrator *g, int k, int sign_a, int sign_b,
                        double from, point *to)
{
    double c[SAMPLES], f[SAMPLES], most = 0, value[POINTS], place[POINTS];
    int    turns = 0, count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        c[i] = from + (1 - from) * i / (SAMPLES - 1);
        f[i] = noe_event_curve_value(x, g, k, c[i]);
        most = fmax(most, fabs(f[i] - f[0]));
    }
    const double *a = x->a.out + k * NOE_WATCHED, *b = x->b.out + k * NOE_WATCHED, h = (double)x->h,
                 d = 0x1p-12;
    const double first = from > 0 ? noe_event_end_slope(x, g, k, from, from + d)
                                  : h * a[NOE_WATCH_RATE],
                 last = h * b[NOE_WATCH_RATE];
    if (turns_beside(first, c[0], f[0], c[1], f[1], &place[0]))
        value[turns++] = noe_event_curve_value(x, g, k, place[0]);
    for (int i = 1; i + 1 < SAMPLES; i++) {
        if ((f[i] - f[i - 1]) * (f[i + 1] - f[i]) > 0 || f[i] == f[i + 1]) continue;
        double w[3] = { c[i - 1], c[i], c[i + 1] }, y[3] = { f[i - 1], f[i], f[i + 1] };
        refine_extremum(x, g, k, w, y);
        place[turns] = w[1], value[turns++] = y[1];
    }
    if (turns_beside(last, c[SAMPLES - 1], f[SAMPLES - 1], c[SAMPLES - 2], f[SAMPLES - 2],
                     &place[turns])) {
        value[turns] = noe_event_curve_value(x, g, k, place[turns]);
        turns++;
    }
    for (int i = 0; i < turns; i++) {
        const int own = noe_event_sign(value[i]),
                  before = i ? noe_event_sign(value[i - 1]) : sign_a,
                  after = i + 1 < turns ? noe_event_sign(value[i + 1]) : sign_b;
        const double before_it = i ? value[i - 1] : f[0];
        const bool   towards = own * (before_it - value[i]) > 0; /* an extremum on the side of 0 */
        const bool   differs = own != before && own != after;
        const bool   unsure = towards && fabs(value[i]) < INTERPOLATION_PART * most && own == before
                         && own == after;
        if (!differs && !unsure) continue;
        quad            at = place[i];
        noe_integrator *at_turn = noe_fractional_step_take(g, at * x->h);
        if (!at_turn) return -1;
        const quad exact = noe_event_state_value(x, at_turn, k);
        if (exact == 0 && x->tapes->kinked[k] && before <= 0
            && after <= 0) { /* a 0 that lasts, or a contact */
            at_turn = noe_fractional_step_take(g, (at + 0x1p-10) * x->h);
            if (!at_turn) return -1;
            if (noe_event_state_value(x, at_turn, k) == 0) to[count++] = (point){ at, 1 };
            continue;
        }
        if (is_contact(x, g, k, exact)) continue;
        int sign = exact < 0 ? -1 : 1;
        /* An undecided contact: the extremum of g itself. */
        if (unsure && sign == own) {
            double       w[3], y[3];
            const double d = 1e-3;
            for (int j = 0; j < 3; j++) {
                w[j] = fmin(1, fmax(0, place[i] + (j - 1) * d));
                noe_integrator *z = noe_fractional_step_take(g, (quad)w[j] * x->h);
                if (!z) return -1;
                y[j] = (double)noe_event_state_value(x, z, k);
            }
            for (int j = 0; j < TRIALS && sign == own; j++) {
                const double a = (y[1] - y[0]) / (w[1] - w[0]), b = (y[2] - y[1]) / (w[2] - w[1]);
                const double v = (w[0] + w[1]) / 2 - a / (2 * (b - a) / (w[2] - w[0]));
                if (!(v > 0 && v < 1) || v == w[1]) break;
                noe_integrator *z = noe_fractional_step_take(g, (quad)v * x->h);
                if (!z) return -1;
                const double there = (double)noe_event_state_value(x, z, k);
                at = v, sign = is_contact(x, g, k, there) ? own : there < 0 ? -1 : 1;
                const int far = fabs(w[0] - v) > fabs(w[2] - v) ? 0 : 2;
                w[far] = w[1], y[far] = y[1], w[1] = v, y[1] = there;
                if (w[0] > w[2] || w[1] == w[0] || w[1] == w[2]) break;
            }
        }
        to[count++] = (point){ at, sign };
    }
    return count;
}

/* The first fraction at which g has the sign that it has just after an event at the beginning; 0:
 * none. */
static quad leave_zero(noe_event_state *x, noe_integrator *g, int k, int sign, double most)
{
    quad c = most;
    for (int i = 0; i < HALVINGS; i++, c /= 2)
        if (noe_event_sign(noe_event_curve_value(x, g, k, (double)c)) == sign
            && sign_at(x, g, k, c) == sign)
            return c;
    return 0;
}

/* Is the piece after an event so short that g only leaves 0, at one rate, or does not move?  Its
 * values are rounding there. */
static bool is_short(const noe_event_state *x, int k)
{
    const double a = x->a.out[k * NOE_WATCHED + NOE_WATCH_RATE],
                 b = x->b.out[k * NOE_WATCHED + NOE_WATCH_RATE], hit = x->tally[k].rate;
    if (!(hit > 0) || !noe_event_is_short(x)) return false;
    return fabs(a) > NOE_EVENT_STILL * hit ? fabs(a - b) < fabs(a) / 2 : fabs(b) < 0x1p-20 * hit;
}

/* Does the motion go through the surface of an impact, from a start on it? */
static bool starts_through(const noe_event *e, int sign)
{
    return e->then == NOE_THEN_BOUNCE
        && ((e->way == NOE_RISING && sign > 0) || (e->way == NOE_FALLING && sign < 0));
}

static bool refuse_start(noe_event_state *x, int k)
{
    x->why = noe_status_fail(
        NOE_INVALID,
        "the start, t = %.12g, is on the surface of the event '%.60s' and the motion goes "
        "through it: start away from the surface, or with a velocity that leaves it",
        (double)x->a.t, x->model->event[k].name);
    return false;
}

/* Is g far from 0 all along the step, or its polynomial away from 0? */
static bool has_no_zero(noe_event_state *x, noe_integrator *g, int k)
{
    const double *a = x->a.out + k * NOE_WATCHED, *b = x->b.out + k * NOE_WATCHED;
    const double ga = a[NOE_WATCH_VALUE], gb = b[NOE_WATCH_VALUE], least = fmin(fabs(ga), fabs(gb)),
                 most = fabs((double)x->h) * fmax(fabs(a[NOE_WATCH_RATE]), fabs(b[NOE_WATCH_RATE])),
                 size = fmax(a[NOE_WATCH_SIZE], b[NOE_WATCH_SIZE]) + fabs(ga) + fabs(gb);
    if (x->tally[k].from == NOE_FROM_EVENT || !(ga * gb > 0)) return false;
    if (noe_event_end_is_pole(x, g, k, false) || noe_event_end_is_pole(x, g, k, true)) return false;
    return least > 2 * (most + fabs(gb - ga))
        || (least > NOE_EVENT_ROUNDING * size && noe_event_bound_calm(x, g, k));
}

/* The first point of the search where g is 0 at the beginning; *over: there is none. */
static bool leave_event(noe_event_state *x, noe_integrator *g, int k, double slope, point *to,
                        bool *over)
{
    const noe_event     *e = &x->model->event[k];
    const noe_event_from from = x->tally[k].from;
    if (x->fresh && !g->continued && (e->stop || k == x->stop_at)) {
        x->why = noe_status_fail(
            NOE_INVALID,
            "the event '%.60s', which stops the run, is at its start, t = %.12g: start "
            "elsewhere, or leave out the stop",
            e->name, (double)x->a.t);
        return false;
    }
    int        sign = noe_event_end_sign_after(x, g, k, false, slope);
    const bool lasting = from != NOE_FROM_EVENT
                      && (noe_event_end_is_within_zero(x, g, k, false)
                          || noe_event_end_is_flat(x, g, k, false, 1));
    if (lasting) sign = 1;
    x->tally[k].after = sign;
    if (from == NOE_FROM_REST && starts_through(e, sign)) {
        if (x->fresh && !g->continued && x->h > 0) return refuse_start(x, k);
        /* Back over an impact at the grid point. */
        if (noe_event_end_leaves(x, k, false)) return *over = true, add(x, k, 0, sign > 0);
        x->tally[k].from = NOE_FROM_EVENT, x->tally[k].rising = sign > 0;
    }
    if (from == NOE_FROM_EVENT && is_short(x, k)) {
        if (!noe_event_end_leaves(x, k, false)) x->tally[k].after = 0;
        return *over = true;
    }
    to->c = sign && !lasting ? leave_zero(x, g, k, sign, 0.25) : 0;
    to->sign = to->c == 0 && !lasting ? 0 : sign;
    return true;
}

static bool first_point(noe_event_state *x, noe_integrator *g, int k, point *to, bool *over)
{
    const noe_event_from from = x->tally[k].from;
    const double         ga = x->a.out[k * NOE_WATCHED + NOE_WATCH_VALUE];
    double               slope = 0;
    *to = (point){ 0, noe_event_sign(ga) }, *over = false;
    if (from != NOE_FROM_EVENT && noe_event_end_is_pole(x, g, k, false)) {
        to->c = POLE_PART;
        return (to->sign = sign_at(x, g, k, to->c)) != 0;
    }
    if (from != NOE_FROM_EVENT && ga != 0
        && !(from == NOE_FROM_REST && noe_event_end_is_zero(x, g, k, false, &slope)))
        return true;
    if (from == NOE_FROM_EVENT || ga == 0) slope = noe_event_end_slope(x, g, k, 0, 0x1p-10);
    return leave_event(x, g, k, slope, to, over);
}

/* The last point; *after: the sign just behind it. */
static bool last_point(noe_event_state *x, noe_integrator *g, int k, point *to, int *after)
{
    double slope = 0;
    *to = (point){ 1, noe_event_sign(x->b.out[k * NOE_WATCHED + NOE_WATCH_VALUE]) };
    *after = to->sign;
    if (noe_event_end_is_pole(x, g, k, true)) {
        to->c = 1 - (quad)POLE_PART;
        return (*after = to->sign = sign_at(x, g, k, to->c)) != 0;
    }
    if (!noe_event_end_is_zero(x, g, k, true, &slope)) return true;
    const bool within = noe_event_end_is_within_zero(x, g, k, true);
    *after = within || noe_event_end_is_flat(x, g, k, true, 1)
               ? 1
               : noe_event_end_sign_after(x, g, k, true, slope);
    to->sign = within || noe_event_end_is_flat(x, g, k, true, -1)
                 ? 1
                 : noe_event_sign(noe_event_curve_value(x, g, k, 1 - 0x1p-10));
    return true;
}

static bool refuse_value(const noe_event_state *x, int k, const noe_event_end *e)
{
    noe_status_fail(NOE_NOT_FINITE,
                    "the event '%.60s' is not finite at t = %.12g: a division by zero, or a root "
                    "or logarithm without a value there",
                    x->model->event[k].name, (double)e->t);
    return false;
}

static bool search_one(noe_event_state *x, noe_integrator *g, int k)
{
    const int value = k * NOE_WATCHED + NOE_WATCH_VALUE;
    point     at[POINTS + 3], last;
    bool      over;
    int       count = 1, after;
    if (!isfinite(x->a.out[value])) return refuse_value(x, k, &x->a);
    if (!isfinite(x->b.out[value])) return refuse_value(x, k, &x->b);
    if (has_no_zero(x, g, k)) return true;
    if (!first_point(x, g, k, &at[0], &over)) return false;
    if (over) return true;
    if (!last_point(x, g, k, &last, &after)) return false;
    if (!at[0].sign) at[0].sign = last.sign; /* it rests at 0, or only touches it */
    const int inner = inner_points(x, g, k, at[0].sign, last.sign, (double)at[0].c, at + 1);
    if (inner < 0) return false;
    count += inner;
    at[count++] = last;
    for (int i = 1; i < count; i++) {
        if (at[i].sign == at[i - 1].sign || !at[i].sign || !at[i - 1].sign) continue;
        quad                 c;
        const noe_event_root r = noe_event_root_find(x, g, k, at[i - 1].c, at[i].c, at[i].sign, &c);
        if (r == NOE_ROOT_FAILED) return false;
        if (r == NOE_ROOT_FOUND && !add(x, k, c * x->h, at[i].sign > 0)) return false;
    }
    return after == last.sign || add(x, k, x->h, after > 0);
}

static int earlier(const void *left, const void *right)
{
    const noe_event_found *a = left, *b = right;
    const quad             s = fabsq(a->tau), t = fabsq(b->tau);
    return s < t ? -1 : s > t ? 1 : a->event - b->event;
}

bool noe_event_search_step(noe_event_state *x, noe_integrator *g)
{
    x->founds = 0;
    for (int k = 0; k < x->tapes->count; k++)
        if (!search_one(x, g, k)) return false;
    if (x->founds > 1) qsort(x->found, (size_t)x->founds, sizeof *x->found, earlier);
    return true;
}
