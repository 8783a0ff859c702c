/* Small dense systems of equations, in double and in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_SMALL_SOLVE_H
#define NOE_MATRIX_SMALL_SOLVE_H

#include "number/quad.h"

#include <stdbool.h>

/* B <- A^-1 B, A [N][N] and B [N][columns] row by row; A is overwritten.  False: A is singular or
 * not finite.  In binary128, in double, and for complex numbers. */
bool noe_small_solve_columns(quad *A, int N, quad *B, int columns);
bool noe_small_solve_doubles(double *A, int N, double *B, int columns);
bool noe_small_solve_complex(quad_complex *A, int N, quad_complex *B, int columns);
/* W [N][N] = A^-1; the rest is as above. */
bool noe_small_solve_inverse(quad *A, int N, quad *W);

#endif
