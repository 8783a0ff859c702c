/* A sink: rows (x_1 .. x_n) written to a file, which appears complete or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_SINK_H
#define NOE_OUTPUT_SINK_H

#include "base/table.h"

typedef struct noe_sink noe_sink;

/* The format follows the path's ending; NULL is CSV on standard output.  The head is read here
 * only. */
noe_sink *noe_sink_open(const char *path, const noe_head *);
/* the same, with the reason */
noe_status noe_sink_make(const char *path, const noe_head *, noe_sink **);
noe_status noe_sink_row(noe_sink *, const quad *row); /* as many numbers as the head has columns */
/* The same in more digits than quad has: formats of text write these decimals as they are, .h5
 * writes row. */
noe_status noe_sink_row_text(noe_sink *, const quad *row, char *const *text);
/* Before its end: the largest local error, NAN where it is not measured, and a warning or "". */
void noe_sink_judged(noe_sink *, double local_error, const char *warning);
/* before its end: the file says so; NULL: it did not */
void noe_sink_ended(noe_sink *, const char *why);
/* Finishes the file, renames it into place and frees the sink; after a failed row there is nothing
 * to keep. state is what a restart needs, opaque here; only .h5 keeps it; NULL: none. */
noe_status noe_sink_close(noe_sink *, const void *state, size_t bytes);
void       noe_sink_drop(noe_sink *); /* removes the file; what went to standard output stays */

/* What an .h5 file stores for a restart.  Texts that the file lacks are NULL. */
typedef struct {
    char  *model, *source, *changes, *inputs, *method;
    quad   step, t0;
    int    digits;
    void  *state;
    size_t bytes;
} noe_restart;

noe_status noe_restart_read(const char *path, noe_restart *);
void       noe_restart_free(noe_restart *); /* frees what it holds */

#endif
