/* All events of a step: zeros of each event function g with a change of sign, in order of time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign of g at the ends of the step is that of its value.  Where the value is 0 to rounding,
 * |g| <= 4 eps (h |g'| + size), the end is at an event: the sign is then that just after, at both
 * steps that meet there, so that the event belongs to the step that leads to it and is found once.
 * A 0 that lasts counts as positive: its sign then follows from the state alone, not from the way
 * that led there, and a run that is taken up in the middle finds the same events.
 * Between the ends the interpolation is sampled; where it has an extremum with another sign than
 * its surroundings, or so near to 0 that the interpolation cannot tell, g is evaluated there by a
 * fractional step.  Between points of different signs there is one event for each change. */
#include "event/event_end.h"
#include "event/event_turn.h"

#include "base/status.h"
#include "between/fractional_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Down to 4e-15 of a step, where the sign just after an event is looked for. */
enum { LEAVE_HALVINGS = 48 };
/* The first point after an event at the beginning is not beyond this part of the step. */
static const double LEAVES_WITHIN = 0.25;
/* A rate below this part of that of the event before is rounding. */
static const double RATE_ROUNDING = 0x1p-20;

/* Beside a pole the sign of g is known from this part of the step on. */
static const double POLE_PART = 0x1p-20;

/* The sign of g at a fraction of the step, by a fractional step; 0: failed. */
static int sign_at(noe_event_state *x, noe_integrator *g, int k, quad c)
{
    noe_integrator *y = noe_fractional_step_take(g, c * x->h);
    if (!y) return 0;
    return noe_event_state_value(x, y, k) < 0 ? -1 : 1;
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

/* The first fraction at which g has the sign that it has just after an event at the beginning; 0:
 * none. */
static quad leave_zero(noe_event_state *x, noe_integrator *g, int k, int sign, double most)
{
    quad c = most;
    for (int i = 0; i < LEAVE_HALVINGS; i++, c /= 2)
        if (noe_event_end_sign(noe_event_curve_value(x, g, k, (double)c)) == sign
            && sign_at(x, g, k, c) == sign)
            return c;
    return 0;
}

/* After an event: is the rest of the step so short that g changes at one rate, or not at all?  The
 * values of g are then rounding. */
static bool is_short(const noe_event_state *x, int k)
{
    const double a = x->a.out[k * NOE_WATCHED + NOE_WATCH_RATE],
                 b = x->b.out[k * NOE_WATCHED + NOE_WATCH_RATE], hit = x->tally[k].rate;
    if (!(hit > 0) || !noe_event_state_is_short(x)) return false;
    return fabs(a) > NOE_EVENT_STILL * hit ? fabs(a - b) < fabs(a) / 2
                                           : fabs(b) < RATE_ROUNDING * hit;
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

/* Does the run stop where the motion leaves g = 0 like that?  A start there may be meant as the end
 * of the run or as its beginning.  One that leaves a surface in the direction that is not asked
 * for, or one that reflects both, is a beginning. */
static bool stops_at_start(const noe_event_state *x, int k, int sign)
{
    const noe_event *e = &x->model->event[k];
    if (!e->stop && k != x->stop_at) return false;
    return e->way == NOE_EITHER_WAY ? e->then != NOE_THEN_BOUNCE
                                    : sign == (e->way == NOE_RISING ? 1 : -1);
}

static bool refuse_stop(noe_event_state *x, int k, int sign)
{
    const noe_event *e = &x->model->event[k];
    char             other[80] = "";
    if (e->way == NOE_EITHER_WAY && sign)
        snprintf(other, sizeof other, "make it '%s' for the stop to be the next of these alone, ",
                 sign > 0 ? "falling" : "rising");
    x->why = noe_status_fail(
        NOE_INVALID,
        "the event '%.60s', which stops the run, is at its start, t = %.12g: start "
        "elsewhere, %sor leave out the stop",
        e->name, (double)x->a.t, other);
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
        || (least > NOE_EVENT_ROUNDING * size && noe_event_bound_excludes_zero(x, g, k));
}

/* The first point of the search where g is 0 at the beginning; *over: there is none. */
static bool leave_event(noe_event_state *x, noe_integrator *g, int k, double slope,
                        noe_event_point *to, bool *over)
{
    const noe_event     *e = &x->model->event[k];
    const noe_event_from from = x->tally[k].from;
    int                  sign = noe_event_end_sign_after(x, g, k, false, slope);
    const bool           lasting = from != NOE_FROM_EVENT
                      && (noe_event_end_is_within_zero(x, g, k, false)
                          || noe_event_end_is_flat(x, g, k, false, 1));
    if (lasting) sign = 1;
    if (x->fresh && !g->continued && stops_at_start(x, k, sign)) return refuse_stop(x, k, sign);
    x->tally[k].after = sign;
    if (from == NOE_FROM_UNKNOWN && starts_through(e, sign)) {
        if (x->fresh && !g->continued && x->h > 0) return refuse_start(x, k);
        /* Back over an impact at the grid point. */
        if (noe_event_end_leaves(x, k, false)) return *over = true, add(x, k, 0, sign > 0);
        x->tally[k].from = NOE_FROM_EVENT, x->tally[k].rising = sign > 0;
    }
    if (from == NOE_FROM_EVENT && is_short(x, k)) {
        if (!noe_event_end_leaves(x, k, false)) x->tally[k].after = 0;
        return *over = true;
    }
    to->c = sign && !lasting ? leave_zero(x, g, k, sign, LEAVES_WITHIN) : 0;
    to->sign = to->c == 0 && !lasting ? 0 : sign;
    return true;
}

static bool first_point(noe_event_state *x, noe_integrator *g, int k, noe_event_point *to,
                        bool *over)
{
    const noe_event_from from = x->tally[k].from;
    const double         ga = x->a.out[k * NOE_WATCHED + NOE_WATCH_VALUE];
    double               slope = 0;
    *to = (noe_event_point){ 0, noe_event_end_sign(ga) }, *over = false;
    if (from != NOE_FROM_EVENT && noe_event_end_is_pole(x, g, k, false)) {
        to->c = POLE_PART;
        return (to->sign = sign_at(x, g, k, to->c)) != 0;
    }
    if (from != NOE_FROM_EVENT && ga != 0
        && !(from == NOE_FROM_UNKNOWN && noe_event_end_is_zero(x, g, k, false, &slope)))
        return true;
    if (from == NOE_FROM_EVENT || ga == 0)
        slope = noe_event_end_slope(x, g, k, 0, NOE_EVENT_TURN_APART);
    return leave_event(x, g, k, slope, to, over);
}

/* The last point; *after: the sign just after it. */
static bool last_point(noe_event_state *x, noe_integrator *g, int k, noe_event_point *to,
                       int *after)
{
    double slope = 0;
    *to = (noe_event_point){ 1, noe_event_end_sign(x->b.out[k * NOE_WATCHED + NOE_WATCH_VALUE]) };
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
                 : noe_event_end_sign(noe_event_curve_value(x, g, k, 1 - NOE_EVENT_TURN_APART));
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
    const int       value = k * NOE_WATCHED + NOE_WATCH_VALUE;
    noe_event_point at[NOE_EVENT_TURNS_MOST + 2], last; /* the first, the inner ones, the last */
    bool            over;
    int             count = 1, after;
    if (!isfinite(x->a.out[value])) return refuse_value(x, k, &x->a);
    if (!isfinite(x->b.out[value])) return refuse_value(x, k, &x->b);
    if (has_no_zero(x, g, k)) return true;
    if (!first_point(x, g, k, &at[0], &over)) return false;
    if (over) return true;
    if (!last_point(x, g, k, &last, &after)) return false;
    if (!at[0].sign) at[0].sign = last.sign; /* it rests at 0, or only touches it */
    const int inner = noe_event_turn_points(x, g, k, at[0].sign, last.sign, (double)at[0].c,
                                            at + 1);
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
