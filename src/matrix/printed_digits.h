/* The uncertainty of a matrix from its printed digits, and which eigenvalues are 0 within it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * 0.1234567890 = x (1 + 5e-10 or less). */
#ifndef NOE_MATRIX_PRINTED_DIGITS_H
#define NOE_MATRIX_PRINTED_DIGITS_H

#include "matrix/sparse.h"

/* By how much an entry may differ from what was meant, relative to it: half a unit of the last
 * of the decimals that most entries have, when they are written with 5 to 15; 2^-24 of numbers
 * of single precision; else 2^-53. */
double noe_printed_digits_find(const noe_sparse *);
/* How many of the eigenvalues w[n], ascending, of a matrix that should have none below 0 are 0:
 * those below the widest gap. The gap must begin where rounding may reach: `noise` does so, and
 * what is below 0 says that it has. */
int noe_printed_digits_cut(const double *w, int n, double noise);

#endif
