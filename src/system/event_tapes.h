/* Event functions of a model as tapes: g, its rate, the size of its terms, and what follows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_EVENT_TAPES_H
#define NOE_SYSTEM_EVENT_TAPES_H

#include "model/model.h"
#include "tape/tape.h"

/* Outputs of `watch` for each event. */
typedef enum {
    /* g = left - right. */
    NOE_WATCH_VALUE,
    /* dg/dt = g_t + g_q . v; NAN where g contains velocities, momenta or the energy. */
    NOE_WATCH_RATE,
    /* |left| + |right| + |t g_t| + sum |q_j g_qj| + sum |v_j g_vj|: what a relative change of the
     * state, of 1, makes of g. */
    NOE_WATCH_SIZE,
    NOE_WATCHED
} noe_watched;

typedef struct noe_event_tapes {
    int        count;         /* number of events */
    bool       acts;          /* some event stops the run or changes the state */
    bool       shocks;        /* some event changes the state */
    bool       heeds_momenta; /* momenta or the energy occur: the tapes read them */
    noe_tape **value;         /* [count] g alone */
    bool      *plain;  /* [count] g is made of sums, products, powers, roots, |x|, min and max */
    bool      *kinked; /* [count] g has conditions, min, max, |x|, sign, floor or mod */
    noe_tape  *watch;  /* outputs [count][NOE_WATCHED] */
    /* [count] outputs of what follows an event: of a bounce g_q [n] and g_t, of assignments their
     * values; NULL: nothing follows. */
    noe_tape **then;
} noe_event_tapes;

/* The tapes of the events of a model; NULL with a message, also where a function is identically
 * zero.  A model without events has none: call it only where m->events > 0. */
noe_event_tapes *noe_event_tapes_make(noe_model *);
void             noe_event_tapes_free(noe_event_tapes *);

#endif
