/* A step with its events: the smooth step, or pieces of it between impacts; the grid stays.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EVENT_EVENT_STEP_H
#define NOE_EVENT_EVENT_STEP_H

#include "event/event_state.h"

/* Has the integrator act on the events of its model from now on; an error with a message where the
 * engine cannot.  Nothing to do where the model has no events. */
noe_status noe_event_step_attach(noe_integrator *);
/* One step; NOE_STOPPED at an event that stops the run: the state is then that at the event. */
noe_status noe_event_step_make(noe_integrator *);
/* Takes the last step back, of which the events up to the time `reported` have been reported: they
 * happen again in silence.  Without events: noe_fractional_step_return. */
void noe_event_step_take_back(noe_integrator *, quad reported);
/* After a restart: events of the next step up to the time `reported` were reported before the file
 * was written, and happen again in silence. */
void noe_event_step_set_reported(noe_integrator *, quad reported);

/* event_accumulation.c: do the events k accumulate before the end of the step?  Then the message
 * and the status.  t: the last of them, to: the end of the step. */
noe_status noe_event_accumulation_check(const noe_event_state *, int k, quad t, quad to);
/* The message where an impact leaves no motion away from the surface. */
noe_status noe_event_accumulation_rest(const noe_event_state *, int k, quad t);

#endif
