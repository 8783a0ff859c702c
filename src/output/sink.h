/* A sink: rows (x_1 .. x_n) written to a file, which appears complete or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_SINK_H
#define NOE_OUTPUT_SINK_H

#include "base/table.h"

#include <stdbool.h>

typedef struct noe_sink noe_sink;

/* What is said of a run that has ended; NAN: not measured; "": nothing to say. */
typedef struct {
    double      local_error, energy_error, accumulated_error; /* the largest, relative */
    const char *warning, *note;                               /* texts */
} noe_judgement;

/* Results in memory; the caller frees the tables. */
typedef struct {
    noe_table *rows, /* NULL: no sink was opened */
        *events;     /* the head's table of events; NULL: it has none */
} noe_results;

/* Opens a sink; the ending of the path selects the format; path NULL: CSV on standard output.  The
 * head is not used after this call.  NULL with a message. */
noe_sink *noe_sink_open(const char *path, const noe_head *);
/* The same, with a status. */
noe_status noe_sink_make(const char *path, const noe_head *, noe_sink **);
/* A sink whose rows are kept in memory, also where it is dropped. */
noe_sink  *noe_sink_open_memory(noe_results *, const noe_head *);
noe_status noe_sink_row(noe_sink *, const quad *row); /* row [columns] */
/* The same of numbers in double. */
noe_status noe_sink_row_double(noe_sink *, const double *row);
/* A row [event_columns] of the table of events; formats without that table leave it out. */
noe_status noe_sink_event(noe_sink *, const quad *row);
/* noe_sink_row in more digits than quad has: formats of text write these decimals as they are, .h5
 * writes row. */
noe_status noe_sink_row_text(noe_sink *, const quad *row, char *const *text);
/* Do files of this name keep the state for a restart? */
bool noe_sink_stores_state(const char *path);
/* Can files of this name be written by noe_sink_place? */
bool noe_sink_can_place(const char *path);
/* Writes all but the head's `placed` rows, after noe_sink_ended, which may come once more; others
 * write these into data set NOE_SINK_TABLE of the file *path before noe_sink_close, which adds
 * nothing more to it. */
noe_status noe_sink_place(noe_sink *, const char **path);
#define NOE_SINK_TABLE "table"
/* Sets what is said of the run, which is kept until noe_sink_close. */
void noe_sink_set_judgement(noe_sink *, const noe_judgement *);
/* Sets the time up to which the events of the step after the state for a restart have been
 * reported, NAN: none; before noe_sink_close. */
void noe_sink_set_reported(noe_sink *, quad t);
/* Sets the reason why a run stopped before its end, NULL: it did not; before noe_sink_close. */
void noe_sink_ended(noe_sink *, const char *why);
/* Finishes the file, renames it to its path and frees the sink; after a failed row the file is
 * removed.  state [bytes]: data for a restart, stored by .h5 only; NULL: none. */
noe_status noe_sink_close(noe_sink *, const void *state, size_t bytes);
void       noe_sink_drop(
          noe_sink *); /* frees the sink; removes the file, not output on standard output */

#endif
