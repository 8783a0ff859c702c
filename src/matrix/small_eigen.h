/* Eigenvalues and eigenvectors of a small matrix, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     A x = l x */
#ifndef NOE_MATRIX_SMALL_EIGEN_H
#define NOE_MATRIX_SMALL_EIGEN_H

#include "number/quad.h"

#include <stdbool.h>

enum { NOE_EIGEN_MOST = 16 };

/* lambda[n], and x[n][n], one vector a row, of size 1 with its largest entry real: real ones
 * first, then pairs, that with the positive imaginary part before its conjugate, in ascending
 * order.  A[n][n] by rows, n <= NOE_EIGEN_MOST, of separate eigenvalues: to 1e-20 of the largest
 * where they are a thousandth apart.  False: no iteration ended. */
bool noe_small_eigen_find(int n, const quad *A, quad_complex *lambda, quad_complex *x);

/* x <- A^-1 x, partial pivoting; A[n][n] by rows is destroyed.  False where it is singular. */
bool noe_small_eigen_solve(int n, quad_complex *A, quad_complex *x);

static inline __attribute__((unused)) quad_complex noe_complex(quad re, quad im)
{
    quad_complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

#endif
