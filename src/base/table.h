/* A table (name_j, x_ij), the result of a run: named columns of doubles, contiguous, grown by rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_TABLE_H
#define NOE_BASE_TABLE_H

#include "number/digits.h"
#include "number/quad.h"
#include "base/status.h"

/* Description of a result: the run that computed it.  Any text may be NULL. */
typedef struct {
    int                columns; /* number of columns */
    const char *const *name;    /* [columns] as in the head of a file */
    int                digits;  /* NOE_DIGITS_DOUBLE: shortest round trip; NOE_DIGITS_QUAD */
    const char        *model;   /* the whole model text */
    const char        *source;  /* name of the model file */
    const char        *changes; /* assignments made after loading, one a line */
    const char        *inputs;  /* the files that the model read, a line for each: hash and name */
    const char        *options; /* other options with which a continuation goes on */
    const char        *method, *system; /* name of the method; name of the system */
    quad               step, t0;        /* in units of t */
    /* The requested end; the time of the last whole step, which is earlier where the duration is no
     * multiple of the step. */
    quad        until, last;
    const char *ended; /* why the run stopped before its end; NULL: it did not */
    /* A second table, of events: the first column is the number of an event, from 1, in the list of
     * their names.  0 columns: there is none. */
    int                event_columns, events;
    const char *const *event_column; /* [event_columns] */
    const char *const *event;        /* [events] */
    /* rows that noe_sink_place makes room for; 0: rows are added one by one */
    size_t placed;
} noe_head;

noe_table *noe_table_new(int columns, const char *const *name);
/* Memory for so many rows at least, which spares copies; more can be added. */
noe_status noe_table_reserve(noe_table *, size_t rows);
noe_status noe_table_add(noe_table *,
                         const double *row); /* row [columns]; on failure the earlier rows remain */
noe_status noe_table_add_labelled(noe_table *, const double *row, const char *label);
/* Copies the texts, step, t0, until and last of the head for noe_table_write; columns, name and
 * digits of the table are unchanged. */
noe_status noe_table_head(noe_table *, const noe_head *);
noe_status noe_table_ended(noe_table *, const char *why); /* sets head.ended to a copy of `why` */
const noe_head *noe_table_about(const noe_table *);
const double   *noe_table_at(const noe_table *, size_t column); /* [rows] numbers of a column */

#endif
