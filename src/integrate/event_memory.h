/* Events of an integrator: the ends of the present step, event functions there, and tallies.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made and used in room event; an integrator owns it. */
#ifndef NOE_INTEGRATE_EVENT_MEMORY_H
#define NOE_INTEGRATE_EVENT_MEMORY_H

#include "integrate/integrator.h"
#include "system/event_tapes.h"

#include <stdlib.h>

/* An end of a step: time t; q, v, p [n]; energy H; outputs `out` of the tape `watch`
 * [events][NOE_WATCHED].  All but t in double, for the search. */
typedef struct {
    quad   t;
    double H, *q, *v, *p, *out;
} noe_event_end;

/* What is known of an event function at the beginning of a step. */
typedef enum {
    NOE_FROM_VALUE,   /* its sign is that of its value */
    NOE_FROM_UNKNOWN, /* it may be 0 there: if so, its sign is that just after */
    NOE_FROM_EVENT    /* it is 0 there: the event has just happened */
} noe_event_from;

/* An event in the present step. */
typedef struct {
    int  event;
    bool rising; /* g changes from - to + */
    quad tau;    /* time since the beginning of the step */
} noe_event_found;

typedef struct {
    double count;       /* events so far */
    quad   first, last; /* their times */
    /* Time between the last two, and between the two before; 0: there are none in this step. */
    quad           gap, gap_before;
    int            in_step;   /* events in the present step */
    noe_event_from from;      /* at the beginning of the present step */
    bool           rising;    /* the way of the last event */
    double         rate;      /* |dg/dt| just before what followed it; 0: not known */
    int            after;     /* sign just after it */
    bool           corrected; /* off is known */
    double         off[2];    /* exact less interpolated value at both ends of the step */
} noe_event_tally;

/* Called at an event with the state there, before what follows it; nonzero stops the run. */
typedef int noe_event_watcher(void *ctx, noe_integrator *at, int event);
/* Called for each part of a step without an event inside it, in order of time; the states in the
 * part are fractional steps of the run (between/fractional_step.h). */
typedef noe_status noe_event_passage(void *ctx, noe_integrator *run, quad from, quad to);

struct noe_event_state;
/* Called where event k changes the momenta of the state of an integrator from `before` to `after`
 * [n], which is in the step just made, or at its beginning where tau = 0. */
typedef noe_status noe_event_turning(void *ctx, struct noe_event_state *, noe_integrator *at, int k,
                                     quad tau, const quad *before, const quad *after);

typedef struct noe_event_queue noe_event_queue;

typedef struct noe_event_state {
    const noe_event_tapes *tapes;
    const noe_model       *model;
    int                    n;               /* coordinates */
    double                *slot;            /* slots of the tape `watch`, constants filled in */
    double               **value;           /* [events] slots of the tapes `value`, as well */
    quad                  *in, *wide, *out; /* inputs, slots and outputs of a tape in binary128 */
    noe_event_end          a, b;            /* ends of the present step */
    bool                   fresh;           /* no step was made since the start */
    noe_status             why;             /* of a search that failed */
    bool                   known;           /* `b` is the present state */
    quad                   h;               /* length of the present step, or piece of one */
    quad                   grid;            /* length of the whole step */
    bool                   landed;          /* the last step ended at an impact */
    double                *memory;          /* of both ends and of the curve */
    double                *q, *v;           /* [n] positions and velocities between the ends */
    noe_event_tally       *tally;           /* [events] */
    noe_event_found       *found;           /* [room] events of the present step, in time order */
    int                    founds, room;    /* events in `found`; there is room for */
    bool                   limited;         /* events past the time `limit` do not happen yet */
    quad                   limit;           /* a time */
    bool                   again;    /* the last step was taken back: its events happen again, */
    quad                   reported; /* and those up to this time have been reported */
    /* Of a differentiated motion, else NULL: S [2n][columns] after what followed the last event, at
     * its time, and d(that time)/dc [columns]. */
    quad *after;
    int   changes;              /* events that changed the motion at that time */
    quad  tau;                  /* that time since the beginning of the piece */
    void *begin,                /* [bytes] engine state before the present step */
        *turned;                /* the same at a grid point, before events change it */
    bool               quiet;   /* events are not reported, and stop nothing: noe_at */
    int                stop_at; /* event at which the run stops, whatever the model says; -1 */
    int                stopped; /* event that stopped the run; -1: none */
    noe_event_watcher *watcher;
    void              *ctx;          /* of the watcher */
    noe_event_passage *passage;      /* or NULL */
    void              *passage_ctx;  /* of `passage` */
    noe_event_turning *turning;      /* or NULL */
    void              *turning_ctx;  /* of `turning` */
    noe_observer      *observer;     /* of noe_watch */
    void              *observer_ctx; /* of `observer` */
    noe_event_queue   *queue;        /* of noe_next_event; NULL until it is called */
} noe_event_state;

/* The events of a step that are still to be reported, with the state at each. */
struct noe_event_queue {
    noe_integrator *reader;             /* stands at the event reported last */
    int    count, at, capacity, *event; /* events; the next one; room; [count] their numbers */
    size_t bytes;                       /* of an engine state */
    char  *memory;                      /* [capacity][bytes] engine states at the events */
    bool   lost;                        /* out of memory */
};

static inline void noe_event_memory_free(noe_event_state *x)
{
    if (!x) return;
    if (x->queue) free(x->queue->event), free(x->queue->memory), free(x->queue);
    if (x->value) free(x->value[0]);
    free(x->value);
    free(x->slot), free(x->in), free(x->memory), free(x->tally), free(x->begin), free(x->turned);
    free(x->found);
    free(x->after);
    free(x);
}

#endif
