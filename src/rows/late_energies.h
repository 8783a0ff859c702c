/* Energies and velocities of rows, computed when somebody wants them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row is then what they follow from, 2 + 4 n numbers (noe_engine_batch.describe): two times,
 * positions, momenta, and what rounding left of these and a guess of the velocities. */
#ifndef NOE_ROWS_LATE_ENERGIES_H
#define NOE_ROWS_LATE_ENERGIES_H

#include "integrate/integrator.h"
#include "rows/column_list.h"

/* Can they be left at the rows of this integrator? */
bool noe_late_energies_possible(const noe_integrator *);
/* Names of the 2 + 4 n numbers, as a list of columns that the caller frees. */
noe_columns *noe_late_energies_columns(const noe_system *);
/* The numbers of the present state; `first`: before the first step, with its velocities.  False:
 * they cannot be left. */
bool noe_late_energies_row(noe_integrator *, bool first, double *row);
/* out[0][i] = energy, out[1 + j][i] = velocity j of row i, whose numbers are column[k][i]: the same
 * bits as in columns of the run. */
noe_status noe_late_energies_compute(const noe_integrator *, const double *const *column,
                                     size_t rows, double *const *out);

#endif
