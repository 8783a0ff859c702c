/* M + lambda (scale K) of a structure, in the union of the rows of M and K.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_PENCIL_MATRIX_H
#define NOE_MATRIX_PENCIL_MATRIX_H

#include "matrix/structure.h"

#include <complex.h>
#undef I

/* The real parts, and in *imaginary, for free(), the imaginary ones in the same order; NULL without
 * memory.  lambda = 0: M. */
noe_sparse *noe_pencil_matrix_make(const noe_structure *, double complex lambda, double scale,
                                   double **imaginary);

#endif
