/* Frequencies of a motion with constraints, frozen at a state.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_TANGENT_PENCIL_H
#define NOE_INSPECT_TANGENT_PENCIL_H

#include "matrix/quadratic_eigen.h"
#include "constraint/constraint_point.h"

/* The spectrum of Z'AZ y'' + Z'BZ y' + Z'(C - sum_a lambda_a d2g_a/dq2)Z y = 0 at the state
 * (t, q, v), Z [n][n - m] an orthonormal basis of G z = 0.  False with a message. */
bool noe_tangent_pencil_find(noe_constraint_point *, quad t, const quad *q, const quad *v,
                             const quad *A, const quad *B, const quad *C, noe_quadratic_spectrum *);
/* force [n] = G' lambda at the state, the forces of the constraints; size: the sums of moduli. */
void noe_tangent_pencil_force(noe_constraint_point *, quad t, const quad *q, const quad *v,
                              quad *force, quad *size);

#endif
