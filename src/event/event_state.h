/* Event functions at the ends of a step and between them, and what follows events.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EVENT_EVENT_STATE_H
#define NOE_EVENT_EVENT_STATE_H

#include "integrate/event_memory.h"

noe_event_state *noe_event_state_new(noe_integrator *);
/* Reads the present state of an integrator as the end of a step. */
void noe_event_state_read(noe_event_state *, noe_integrator *, noe_event_end *);
/* The value of event function k at the present state of an integrator, in binary128. */
quad noe_event_state_value(noe_event_state *, noe_integrator *, int k);
/* The inputs of tapes at the present state of an integrator: x->in. */
void noe_event_state_inputs(noe_event_state *, noe_integrator *);

/* event_curve.c: g at the fraction c of the present step, by interpolation between its ends; exact
 * at both.  */
double noe_event_curve_value(noe_event_state *, noe_integrator *, int k, double c);

/* The same without the correction at the ends. */
double noe_event_curve_raw(noe_event_state *, noe_integrator *, int k, double c);

/* event_bound.c: has g of event k, of the same sign at both ends and not 0 to rounding there,
 * surely no zero in the step?  By four or five values; for plain functions. */
bool noe_event_bound_excludes_zero(noe_event_state *, noe_integrator *, int k);

/* event_root.c: the zero of g between the fractions lo and hi of the step, where g is known to have
 * different signs, by fractional steps, or where it jumps from one sign to the other; none: a pole.
 * FAILED with a message. */
typedef enum { NOE_ROOT_FAILED, NOE_ROOT_FOUND, NOE_ROOT_NONE } noe_event_root;
noe_event_root noe_event_root_find(noe_event_state *, noe_integrator *, int k, quad lo, quad hi,
                                   int sign_hi, quad *c);

/* A piece of a step within which a motion is straight. */
static inline bool noe_event_state_is_short(const noe_event_state *x)
{
    return fabsq(x->h) < (quad)0x1p-30 * fabsq(x->grid);
}

/* event_search.c: all events of the present step in time order, in x->found; false with a
 * message. */
bool noe_event_search_step(noe_event_state *, noe_integrator *);

/* What the events of one time have done. */
typedef struct {
    bool changed; /* momenta have changed */
    bool booked;  /* the energy may have changed: the column `balance` counts it as work */
} noe_event_change;
/* event_jump.c: event k, which leads upwards or not, changes the momenta of the state of an
 * integrator to p [0 .. n-1], whose velocities are near p [n ..], and the sensitivities S, where
 * there are any.  *changed: this event did so; that of a body that leaves a surface does not.  An
 * error with a message. */
noe_status noe_event_jump_change(noe_event_state *, noe_integrator *at, int k, bool rising, quad *p,
                                 noe_event_change *all, bool *changed);

/* event_sensitivity.c: of a differentiated motion, x->after from the state of an integrator at the
 * event k, whose momenta have changed from `before` to `after` [n], in the step just made, or at
 * its beginning where tau = 0.  An error with a message. */
noe_status noe_event_sensitivity(noe_event_state *, noe_integrator *at, int k, quad tau,
                                 const quad *before, const quad *after);

#endif
