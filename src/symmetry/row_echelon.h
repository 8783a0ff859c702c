/* Gauss-Jordan reduction of rows in binary128, with pivots in given columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_ROW_ECHELON_H
#define NOE_SYMMETRY_ROW_ECHELON_H

#include "number/quad.h"

#include <stdbool.h>

/* Reduces rows first .. rows-1 of Z (N columns) over the columns with wanted[j]: a pivot is in the
 * first such column with an entry of at least 0.3 of the largest one left, so that the result is
 * readable.  Every row of Z is cleared in a pivot's column.  Pivot rows come to the front of the
 * range; returns their number. */
int noe_row_echelon_reduce(quad *Z, int rows, int N, int first, const bool *wanted);

#endif
