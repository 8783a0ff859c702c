/* Small dense systems of equations in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_SMALL_SOLVE_H
#define NOE_MATRIX_SMALL_SOLVE_H

#include "number/quad.h"

#include <stdbool.h>

/* B <- A^-1 B, A [N][N] and B [N][cols] row by row; A is overwritten.  False: A is singular or not
 * finite. */
bool noe_small_solve_columns(quad *A, int N, quad *B, int cols);
/* W [N][N] = A^-1; the rest is as above. */
bool noe_small_solve_inverse(quad *A, int N, quad *W);

#endif
