/* An event function at the ends of a step: 0 there, a pole, and its sign just after.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EVENT_EVENT_END_H
#define NOE_EVENT_EVENT_END_H

#include "event/event_state.h"

/* Part of the size of g below which rounding could change its sign. */
static const double NOE_EVENT_ROUNDING = 0x1p-20;
/* Part of dg/dt at the other end of the step below which dg/dt at an event is rounding: after an
 * impact without restitution it is some 1e-16 of that before. */
static const double NOE_EVENT_STILL = 0x1p-40;

/* Part of the step between an end and the values that give the slope there. */
static const double NOE_EVENT_END_APART = 0x1p-10;

static inline int noe_event_end_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* dg/dc between two fractions of the step, by the interpolation. */
double noe_event_end_slope(noe_event_state *x, noe_integrator *g, int k, double from, double to);
/* Is g 0 to rounding at this end?  *slope: dg/dc there. */
bool noe_event_end_is_zero(noe_event_state *x, noe_integrator *g, int k, bool end, double *slope);
/* Is g exactly 0 for a time after this end (side = 1), or before it? */
bool noe_event_end_is_flat(noe_event_state *x, noe_integrator *g, int k, bool end, int side);
/* Is this end within a time for which g is exactly 0? */
bool noe_event_end_is_within_zero(noe_event_state *x, noe_integrator *g, int k, bool end);
/* Is dg/dt at an end where g is 0 known, and not 0 to rounding? */
bool noe_event_end_leaves(const noe_event_state *x, int k, bool end);
/* Sign just after an end where g is 0: by dg/dt where it is known and not 0 to rounding, as
 * after an impact that the next follows within a small part of the step; else by the slope of
 * the interpolation, without a slope by a value a little later. */
int noe_event_end_sign_after(noe_event_state *x, noe_integrator *g, int k, bool end, double slope);
/* Is there a pole at this end, to rounding, so that the sign of g there is chance? */
bool noe_event_end_is_pole(noe_event_state *x, noe_integrator *g, int k, bool end);

#endif
