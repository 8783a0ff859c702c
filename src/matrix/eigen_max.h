/* The highest frequency of a structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     omega^2 = max_x  x.K x / x.M x */
#ifndef NOE_MATRIX_EIGEN_MAX_H
#define NOE_MATRIX_EIGEN_MAX_H

#include "matrix/factorization.h"

/* A bound from above by Gershgorin's circles; INFINITY when they give none (M consistent and not
 * dominant). */
double noe_eigen_max_bound(const noe_structure *);
/* From above as well, to 1e-3 or better: Lanczos with M^-1, `mass` solves with M.
 * Deterministic. NAN: out of memory. */
double noe_eigen_max_lanczos(const noe_structure *, noe_factorization *mass);

#endif
