/* The relative error of matrix entries from their printed digits; eigenvalues that are 0 within it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A value printed as 0.1234567890 has a relative error of at most 5e-10. */
#ifndef NOE_MATRIX_PRINTED_DIGITS_H
#define NOE_MATRIX_PRINTED_DIGITS_H

#include "matrix/sparse.h"

/* Relative error of the entries: half a unit of the last decimal that most entries have, when
 * they are written with 5 to 15 decimals; 2^-24 if they are numbers of single precision;
 * otherwise 2^-53. */
double noe_printed_digits_find(const noe_sparse *);
/* How many of the eigenvalues w[n], ascending, of a positive semidefinite matrix are 0: those
 * below the widest gap between neighbours. The gap must begin below the error of the
 * eigenvalues, of which `noise` is an estimate and |w[0]|, where w[0] < 0, another. */
int noe_printed_digits_cut(const double *w, int n, double noise);

#endif
