/* Null vectors of the mass matrix: the directions without mass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M N = 0 */
#ifndef NOE_MATRIX_MASS_NULLSPACE_H
#define NOE_MATRIX_MASS_NULLSPACE_H

#include "matrix/factorization.h"

/* *N[m][n]: null vectors, one after another; the caller frees the array. m = 0: none was found.
 * Empty rows are found for every n, other null vectors up to NOE_NULLSPACE_MOST rows with
 * entries. *axes: all null vectors are coordinate axes. NOE_INVALID: LAPACK is missing, or x.M x
 * is negative for some x by more than rounding; NOE_SINGULAR: the eigenvalues of M cannot be
 * computed. */
noe_status noe_mass_nullspace_find(const noe_sparse *M, double **N, int *m, bool *axes);
/* *regular: M without its empty rows, scaled to a diagonal of 1, is positive definite with pivots
 * that are not small.  On failure a message: out of memory, or SuiteSparse is missing. */
noe_status noe_mass_nullspace_check(const noe_sparse *M, bool *regular);

#endif
