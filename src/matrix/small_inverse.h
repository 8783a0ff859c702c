/* The inverse of a small matrix in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_SMALL_INVERSE_H
#define NOE_MATRIX_SMALL_INVERSE_H

#include "number/quad.h"

#include <stdbool.h>

/* W = A^-1, both [n][n] by rows; A is overwritten.  False: A is singular. */
bool noe_small_inverse(int n, quad *A, quad *W);

#endif
