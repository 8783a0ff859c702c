/* Energies and velocities of rows, computed when somebody wants them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row is then what they follow from, 2 + 4 n numbers (noe_engine_batch.describe): two times,
 * positions, momenta, and what rounding left of these and a guess of the velocities.  Rows stand
 * one after the other: nothing but these numbers is written in a step. */
#ifndef NOE_ROWS_LATE_ENERGIES_H
#define NOE_ROWS_LATE_ENERGIES_H

#include "integrate/integrator.h"
#include "rows/column_list.h"

/* Rows from which on they are worth it: what evaluates eight at once takes a millisecond to make.
 */
enum { NOE_LATE_ROWS_LEAST = 1024 };
/* Can they be left at the rows of this integrator? */
bool noe_late_energies_possible(const noe_integrator *);
/* The rows of a run. */
typedef struct {
    double *x;              /* [rows][2 + 4 n], from malloc; NULL: no memory was needed */
    size_t  rows, capacity; /* number of rows; rows that fit into x */
    /* Energy and velocities of the first row, which they do not give: [1 + n]. */
    double first[65];
} noe_late_rows;
/* Memory for so many rows; more are copied where they grow. */
noe_status noe_late_energies_reserve(noe_late_rows *, const noe_system *, size_t rows);
/* Adds the present state: before the first step, and after one.  *possible: the numbers of this
 * one can be left. */
noe_status noe_late_energies_begin(noe_late_rows *, noe_integrator *);
noe_status noe_late_energies_add(noe_late_rows *, noe_integrator *, bool *possible);
/* Names of time, positions and momenta, as a list of columns that the caller frees. */
noe_columns *noe_late_energies_columns(const noe_system *);
/* out[0][i] = energy, out[1 + j][i] = velocity j of row i of x[rows][2 + 4 n]: the same bits as in
 * columns of the run. */
noe_status noe_late_energies_compute(const noe_integrator *, const double *x, size_t rows,
                                     double *const *out);

#endif
