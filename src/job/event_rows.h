/* The second table of the results of a run: event, t, positions and momenta at every event.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_EVENT_ROWS_H
#define NOE_JOB_EVENT_ROWS_H

#include "base/arena.h"
#include "integrate/event_memory.h"
#include "output/sink.h"

typedef struct {
    noe_arena   *memory;
    int          columns; /* 0: the model has no events */
    const char **column;  /* [columns] names */
    const char **event;   /* names of the events */
    noe_column  *what;    /* [columns]; the first is not used */
    quad        *row;     /* [columns] the row at hand */
} noe_event_rows;

/* Enters the table of events in the head of the results.  False with a message; _drop in either
 * case. */
bool noe_event_rows_make(noe_event_rows *, const noe_system *, noe_head *);
void noe_event_rows_drop(noe_event_rows *);
/* Writes the row of event k, from 0, of an integrator that stands at it; without a sink, as in a
 * process that writes nothing, its values are computed with the other processes. */
noe_status noe_event_rows_put(noe_event_rows *, noe_sink *, noe_integrator *at, int k);

#endif
