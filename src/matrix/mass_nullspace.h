/* Finds the directions without mass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M N = 0 */
#ifndef NOE_MATRIX_MASS_NULLSPACE_H
#define NOE_MATRIX_MASS_NULLSPACE_H

#include "matrix/factorization.h"

/* N[m][n], vector by vector, the caller frees it; m = 0: M is regular, as far as it was looked
 * at (empty rows in any size, other directions up to NOE_NULLSPACE_MOST rows).  axes: all are
 * coordinate axes. */
noe_status noe_mass_nullspace_find(const noe_sparse *M, double **N, int *m, bool *axes);
/* Has M, scaled to a diagonal of 1, a factor with good pivots?  Its empty rows apart. */
bool noe_mass_nullspace_is_regular(const noe_sparse *M);

#endif
