/* The highest frequency of a structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     omega^2 = max_x  x.K x / x.M x */
#ifndef NOE_MATRIX_EIGEN_MAX_H
#define NOE_MATRIX_EIGEN_MAX_H

#include "matrix/factorization.h"

/* An upper bound of omega^2 by Gershgorin's circles; INFINITY when they give none (M consistent
 * and not diagonally dominant). */
double noe_eigen_max_bound(const noe_structure *);
/* An upper bound of omega^2 with a relative excess of 1e-3 or less, by Lanczos iteration with
 * M^-1 K; `mass` is a factorization of M. The start vector is fixed, so the result is
 * reproducible. NAN: out of memory. */
double noe_eigen_max_lanczos(const noe_structure *, noe_factorization *mass);

#endif
