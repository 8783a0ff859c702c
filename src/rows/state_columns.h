/* Rows of states alone, from which the observables are evaluated when somebody wants them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_STATE_COLUMNS_H
#define NOE_ROWS_STATE_COLUMNS_H

#include "integrate/integrator.h"

/* Coordinates up to which the state is in the default columns, in the rows of events and in those
 * that are buffered. */
enum { NOE_USUAL_COORDINATES_MOST = 64 };

/* Do the default columns of this integrator follow from time, positions, momenta, energy and
 * velocities in double? */
bool noe_state_columns_suffice(const noe_integrator *);
/* begin, then for each part the names of all coordinates, each in the place of its "%s", then end;
 * the caller frees it. */
char *noe_state_columns_name(const noe_system *, const char *begin, const char *const *part,
                             int parts, const char *end);
/* These columns as a list, which the caller frees, in the order of the inputs of a tape: t,
 * positions, velocities, momenta, energy. */
char *noe_state_columns_list(const noe_system *);
/* out[k][i] = the k-th observable of the default columns at row i, the same bits as in a column of
 * the run.  column [3n + 2] are those of the list, in its order. */
noe_status noe_state_columns_observe(const noe_system *, const double *const *column, size_t rows,
                                     double *const *out);

#endif
