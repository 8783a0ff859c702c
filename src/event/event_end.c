/* An event function at the ends of a step: 0 there, a pole, and its sign just after.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 0 to rounding:  |g| <= 4 eps (h |g'| + size).  By the state at that end as far as it can be, so
 * that both steps that meet there say the same. */
#include "event/event_end.h"

#include "number/rounding_unit.h"

#include <math.h>

/* At a pole g is larger by this than elsewhere in the step. */
static const double POLE_GROWTH = 0x1p24;

double noe_event_end_slope(noe_event_state *x, noe_integrator *g, int k, double from, double to)
{
    return (noe_event_curve_value(x, g, k, to) - noe_event_curve_value(x, g, k, from))
         / (to - from);
}

bool noe_event_end_is_zero(noe_event_state *x, noe_integrator *g, int k, bool end, double *slope)
{
    const double *out = (end ? x->b.out : x->a.out) + k * NOE_WATCHED;
    const double  value = fabs(out[NOE_WATCH_VALUE]), size = out[NOE_WATCH_SIZE],
                 d = NOE_EVENT_END_APART;
    const double eps = noe_rounding_unit_last_place(g->digits);
    const double other = fabs((end ? x->a.out : x->b.out)[k * NOE_WATCHED + NOE_WATCH_VALUE]);
    if (value > NOE_EVENT_ROUNDING * (size + value + other)) return false;
    *slope = end ? noe_event_end_slope(x, g, k, 1 - d, 1) : noe_event_end_slope(x, g, k, 0, d);
    /* By the state alone, so that both steps that meet there say the same. */
    const double rate = out[NOE_WATCH_RATE];
    const double change = isfinite(rate) && !g->stepped.clock ? (double)x->grid * rate : *slope;
    return value <= 4 * eps * (size + fabs(change));
}

bool noe_event_end_is_flat(noe_event_state *x, noe_integrator *g, int k, bool end, int side)
{
    return x->tapes->kinked[k]
        && noe_event_curve_raw(x, g, k, end + side * NOE_EVENT_END_APART) == 0
        && noe_event_curve_raw(x, g, k, end + side * 0x1p-6) == 0;
}

bool noe_event_end_is_within_zero(noe_event_state *x, noe_integrator *g, int k, bool end)
{
    const double *out = (end ? x->b.out : x->a.out) + k * NOE_WATCHED;
    return x->tapes->kinked[k] && out[NOE_WATCH_VALUE] == 0 && !(fabs(out[NOE_WATCH_RATE]) > 0)
        && (noe_event_curve_raw(x, g, k, end + NOE_EVENT_END_APART) == 0
            || noe_event_curve_raw(x, g, k, end - NOE_EVENT_END_APART) == 0);
}

bool noe_event_end_leaves(const noe_event_state *x, int k, bool end)
{
    const double *out = (end ? x->b.out : x->a.out) + k * NOE_WATCHED,
                 *other = (end ? x->a.out : x->b.out) + k * NOE_WATCHED,
                 exact = (double)x->h * out[NOE_WATCH_RATE], hit = x->tally[k].rate,
                 least = NOE_EVENT_STILL * fabs((double)x->h * other[NOE_WATCH_RATE])
                       + 64 * 0x1p-52 * out[NOE_WATCH_SIZE];
    return fabs(exact) > least
        || (!end && x->tally[k].from == NOE_FROM_EVENT && hit > 0
            && fabs(out[NOE_WATCH_RATE]) > NOE_EVENT_STILL * hit);
}

int noe_event_end_sign_after(noe_event_state *x, noe_integrator *g, int k, bool end, double slope)
{
    const double *out = (end ? x->b.out : x->a.out) + k * NOE_WATCHED;
    const double  near = out[NOE_WATCH_SIZE] + fabs((double)x->grid) * x->tally[k].rate;
    const bool    jumped = !end && x->tally[k].from == NOE_FROM_EVENT
                     && fabs(out[NOE_WATCH_VALUE]) > NOE_EVENT_ROUNDING * near;
    if (!jumped && noe_event_end_leaves(x, k, end))
        return noe_event_end_sign((double)x->h
                                  * (end ? x->b.out : x->a.out)[k * NOE_WATCHED + NOE_WATCH_RATE]);
    const double d = 0x1p-7, there = noe_event_curve_value(x, g, k, end ? 1 + d : d);
    if (jumped || fabs(slope) * d < fabs(there) / 4) return noe_event_end_sign(there);
    return noe_event_end_sign(slope);
}

bool noe_event_end_is_pole(noe_event_state *x, noe_integrator *g, int k, bool end)
{
    const double *out = (end ? x->b.out : x->a.out) + k * NOE_WATCHED,
                 *far = (end ? x->a.out : x->b.out) + k * NOE_WATCHED,
                 value = fabs(out[NOE_WATCH_VALUE]),
                 d = end ? -NOE_EVENT_END_APART : NOE_EVENT_END_APART;
    if (far[NOE_WATCH_VALUE] == 0 /* a 0 that lasts */
        || !(value > POLE_GROWTH * fabs(far[NOE_WATCH_VALUE]))
        || !(fabs((double)x->h * out[NOE_WATCH_RATE]) > POLE_GROWTH * value))
        return false;
    const double inside = fabs(noe_event_curve_raw(x, g, k, end + d));
    return inside > 0 && value > POLE_GROWTH * inside;
}
