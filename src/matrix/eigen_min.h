/* The lowest frequencies of a structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K x = omega^2 M x */
#ifndef NOE_MATRIX_EIGEN_MIN_H
#define NOE_MATRIX_EIGEN_MIN_H

#include "matrix/structure.h"

typedef struct {
    /* x.K x / x.M x of the eigenvector x; negative where K is not positive semidefinite */
    double omega2;
    /* change of omega2 by the rounding of the entries of K; an |omega2| below it may be 0 */
    double rounding;
} noe_mode;

/* Iterations of ARPACK that are allowed for each shift. */
enum { NOE_LOWEST_ITERATIONS_MOST = 300 };

/* The `count` lowest modes, ascending, by ARPACK's shift-and-invert mode; top2: an upper bound
 * of omega^2 of the highest mode. Relative errors about 1e-10. Returns how many were found
 * within `iterations` iterations: fewer than count for n <= count, where eigenvalues lie too
 * close, or where K + sigma M cannot be factorised; then there may be others between those
 * found. -1 with a message: out of memory, or ARPACK or SuiteSparse is missing. */
int noe_eigen_min_find(const noe_structure *, double top2, int count, int iterations, noe_mode *);
/* The same of `count` eigenvectors x[count][n] that were found in another way. */
void noe_eigen_min_of(const noe_structure *, const double *x, int count, noe_mode *);

#endif
