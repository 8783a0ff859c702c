/* Eigenvalues and eigenvectors of a small matrix, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     A x = l x */
#ifndef NOE_MATRIX_SMALL_EIGEN_H
#define NOE_MATRIX_SMALL_EIGEN_H

#include "number/quad.h"

#include <stdbool.h>

enum { NOE_EIGEN_MOST = 16 };

/* Eigenvalues lambda[n] and eigenvectors x[n][n], one in each row, of norm 1 and with a real
 * largest entry. Real eigenvalues come first, then pairs, each with the positive imaginary part
 * before its conjugate, both in ascending order. A[n][n] by rows, n <= NOE_EIGEN_MOST, with
 * distinct eigenvalues: errors are 1e-20 of the largest eigenvalue where they differ by a
 * thousandth of it. False: a value is not finite, or complex eigenvalues are no pairs. */
bool noe_small_eigen_find(int n, const quad *A, quad_complex *lambda, quad_complex *x);

static inline __attribute__((unused)) quad_complex noe_small_eigen_complex(quad re, quad im)
{
    quad_complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

#endif
