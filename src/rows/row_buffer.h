/* Rows whose energies and velocities are still to be computed, of eight states at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_ROW_BUFFER_H
#define NOE_ROWS_ROW_BUFFER_H

#include "integrate/integrator.h"

typedef struct noe_row_buffer noe_row_buffer;
enum { NOE_ROW_BUFFER_MOST = 8 }; /* rows that are computed at once */

/* Do energy and velocities of the states of this integrator follow from few numbers, in lanes? */
bool noe_row_buffer_applies(const noe_integrator *);
/* A buffer for rows of these columns; NULL, without a message, where they are to be read one by
 * one: for other columns than t, q, v, p and the energy, other engines than that of one trajectory
 * in double, and motions that events change. */
noe_row_buffer *noe_row_buffer_new(noe_integrator *, const noe_columns *);
void            noe_row_buffer_free(noe_row_buffer *);
/* Is there place for a row? */
bool noe_row_buffer_full(const noe_row_buffer *);
int  noe_row_buffer_count(const noe_row_buffer *);
/* Takes the present state; false where it has to be read at once. */
bool noe_row_buffer_take(noe_row_buffer *, noe_integrator *);
/* Computes the rows [count][columns] that were taken and their energies [count], and empties the
 * buffer.  Returns the number of rows before the first whose energy is not finite. */
int noe_row_buffer_compute(noe_row_buffer *, noe_integrator *, const double **rows,
                           double energies[NOE_ROW_BUFFER_MOST]);

#endif
