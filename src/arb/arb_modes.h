/* The symmetric generalized eigenvalue problem, at any precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K x = lambda M x:   X^T M X = 1,   X^T K X = diag(lambda),   M > 0 */
#ifndef NOE_ARB_ARB_MODES_H
#define NOE_ARB_ARB_MODES_H

#include "arb/wide.h"

#include <stdbool.h>

/* Solves the problem for n x n matrices M, K: eigenvectors, the columns of X, and eigenvalues
 * lambda[n], in no order. Computes with the midpoints of balls only. False: M is not positive
 * definite. That the iteration did not converge is not told: see JACOBI_SWEEPS_MOST. */
bool noe_arb_modes_solve(arb_mat_t X, arb_ptr lambda, const arb_mat_t M, const arb_mat_t K,
                         slong prec);

#endif
