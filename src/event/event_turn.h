/* Where an event function g turns within a step: points between the ends where its sign matters.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EVENT_EVENT_TURN_H
#define NOE_EVENT_EVENT_TURN_H

#include "event/event_end.h"

/* A point of the step where the sign of g is known. */
typedef struct {
    quad c;    /* part of the step, 0 .. 1 */
    int  sign; /* of g there: 1, -1; 0: g rests at 0 from the beginning, or only touches it */
} noe_event_point;

enum { NOE_EVENT_TURNS_MOST = 24 }; /* points at most */

/* Part of the step within which a 0 that lasts, or the sign beside an event, is looked for. */
static const double NOE_EVENT_TURN_APART = 0x1p-10;

/* Puts the points of event function k after the fraction `from` into to[NOE_EVENT_TURNS_MOST], in
 * order; returns their number, -1 with a message.  sign_a, sign_b: just after the beginning, just
 * before the end. */
int noe_event_turn_points(noe_event_state *, noe_integrator *, int k, int sign_a, int sign_b,
                          double from, noe_event_point *to);

#endif
