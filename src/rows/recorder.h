/* Rows of a run in the order of its steps, up to the last state whose energy is finite.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Before the steps to a row: noe_recorder_ready; after them noe_recorder_row.  Rows are kept until
 * there are eight (rows/row_buffer.h); noe_recorder_flush writes them at once.  Where the energy of
 * one is not finite, the integrator goes back to the row before it, and the status says why. */
#ifndef NOE_ROWS_RECORDER_H
#define NOE_ROWS_RECORDER_H

#include "rows/row_buffer.h"

typedef struct noe_recorder noe_recorder;
/* Takes a row [columns] of the recorder, and the energy of its state. */
typedef noe_status noe_recorder_writer(void *ctx, const double *row, double energy);

/* Rows from which on the machine code for eight at once is worth its millisecond. */
enum { NOE_RECORDER_MANY = 8192 };
/* many: there are so many rows. */
noe_recorder *noe_recorder_new(noe_integrator *, const noe_columns *, bool many,
                               noe_recorder_writer *, void *ctx);
void          noe_recorder_free(noe_recorder *);
/* Are rows kept, eight at a time? */
bool       noe_recorder_keeps(const noe_recorder *);
noe_status noe_recorder_read(noe_recorder *); /* writes a row of the present state, unchecked */
noe_status noe_recorder_ready(noe_recorder *);
/* The row of the present state, so many steps after the last one. */
noe_status noe_recorder_row(noe_recorder *, double steps);
noe_status noe_recorder_flush(noe_recorder *);
/* Steps that the integrator was made to go back, in all. */
double noe_recorder_undone(const noe_recorder *);

#endif
