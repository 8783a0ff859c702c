/* The place of an event that changes the motion: the states on both sides, and derivatives there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A direction z [leaves] is (dq, dv, dp, dE, dt) of the state before the event. */
#ifndef NOE_EVENT_EVENT_PLACE_H
#define NOE_EVENT_EVENT_PLACE_H

#include "event/event_state.h"
#include "gradient/gradient.h"

typedef struct {
    const noe_event_derivatives *y;
    int                          n, leaves; /* coordinates; numbers of a direction, 3n + 2 */
    const quad                  *q, *v, *p; /* [n] before the event */
    quad                        *in;        /* inputs of tapes before the event */
    quad                        *v_after, *p_after; /* [n] after it */
    quad                        *end;  /* direction along the end of the step that led to it */
    quad                         rate; /* of the event function along `end` */
    const quad                  *out;  /* outputs of y->tape */
    noe_state_jet                before, after;
    void                        *memory, *jet[2]; /* what is to be freed */
} noe_event_place;

/* The place of event k at the state of an integrator, whose momenta change from `before` to `after`
 * [n], tau after the beginning of the step just made; an error with a message: the motion has no
 * derivative beyond it.  To be dropped in either case. */
noe_status noe_event_place_find(noe_event_state *, noe_integrator *at, int k, quad tau,
                                const quad *before, const quad *after, noe_event_place *);
/* A place without `end` and `rate` from in, v_after and p_after; false: no memory. */
bool noe_event_place_make(noe_event_place *, const noe_dynamics *, const noe_event_derivatives *,
                          const quad *in, const quad *v_after, const quad *p_after);
void noe_event_place_drop(noe_event_place *);
/* The message of a motion that has no derivative beyond event k. */
noe_status noe_event_place_refuse(const noe_event_state *, const noe_integrator *at, int k,
                                  const char *why);

/* The derivative of a row of y->tape along z, and by column c (-1: by none). */
quad noe_event_place_slope(const noe_event_place *, int row, const quad *z, int c);
/* L_vq dq + L_vt dt + P_c, to [n]. */
void noe_event_place_rest(const noe_event_place *, const noe_state_jet *, const quad *z, int c,
                          quad *to);
/* dp <- L_vv^-1 dp [n]; false: L_vv is singular. */
bool noe_event_place_divide(const noe_event_place *, const noe_state_jet *, quad *dp);
/* dv and dE of a direction whose dq, dp and dt are given; false: L_vv is singular. */
bool noe_event_place_complete(const noe_event_place *, quad *z, int c);

#endif
