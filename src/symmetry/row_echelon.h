/* rows -> reduced rows with the same span, pivots where a reader wants them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_ROW_ECHELON_H
#define NOE_SYMMETRY_ROW_ECHELON_H

#include "number/quad.h"

#include <stdbool.h>

/* Gauss-Jordan on rows first .. rows-1 of Z (N columns) over the columns with wanted[j]: a pivot is in the first
 * such column that has 0.3 of the largest entry left.  Every row of Z is cleared in a pivot's column.  Pivot rows
 * come to the front of the range; returns how many there are. */
int noe_row_echelon_reduce(quad *Z, int rows, int N, int first, const bool *wanted);

#endif
