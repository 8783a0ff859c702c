/* The error of matrix entries from their printed digits; eigenvalues that are 0 within it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     |error of A_ij| <= relative |A_ij| + absolute
 *
 * 1.234567890e-3 among numbers of ten digits: relative 5e-10; 0.0012345678 among numbers of ten
 * places after the point: absolute 5e-11. */
#ifndef NOE_MATRIX_PRINTED_DIGITS_H
#define NOE_MATRIX_PRINTED_DIGITS_H

#include "matrix/sparse.h"

typedef struct {
    double relative; /* of the entry */
    double absolute; /* in the unit of the entries */
} noe_entry_error;

/* Half a unit of the last digit when most entries have as many digits, 5 to 15, or as many places
 * after the point; the sum of both when either describes the entries as well. Relative 2^-24 for
 * numbers of single precision; otherwise relative 2^-53. */
noe_entry_error noe_printed_digits_find(const noe_sparse *);
/* How many of the eigenvalues w[n], ascending, of a positive semidefinite matrix are 0: those
 * below the widest gap between neighbours. The gap must begin below the error of the
 * eigenvalues, of which `noise` is an estimate and |w[0]|, where w[0] < 0, another. */
int noe_printed_digits_cut(const double *w, int n, double noise);

#endif
