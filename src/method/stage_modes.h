/* Diagonalizes the matrices of the stages of a Galerkin method on a linear system.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     G^-1 Theta = T mu T^-1,   G = sum_i b_i l_i l_i',   Theta = sum_i b_i X_i I_i' */
#ifndef NOE_METHOD_STAGE_MODES_H
#define NOE_METHOD_STAGE_MODES_H

#include "method/method.h"

typedef struct {
    /* degree; number of eigenvalues, a complex pair counted once; how many of these are real
     * (the first ones) */
    int s, shifts, real;
    /* [shifts] the eigenvalues mu, of a pair the one with mu_im > 0 */
    double mu_re[NOE_MAX_DEGREE], mu_im[NOE_MAX_DEGREE];
    /* to = T^-1 G^-1, right sides of the decoupled equations from residuals; from = T, modes
     * from their solutions. A real eigenvalue has one row of `to` and column of `from`; a pair
     * has two, the real and the imaginary part. */
    double to[NOE_MAX_DEGREE][NOE_MAX_DEGREE], from[NOE_MAX_DEGREE][NOE_MAX_DEGREE];
    /* [r][s] I_im and b_i X_im */
    double I[NOE_MAX_POINTS][NOE_MAX_DEGREE], bX[NOE_MAX_POINTS][NOE_MAX_DEGREE];
    /* [s][s] the matrix G; [s] w_m = int_0^1 l_m */
    double G[NOE_MAX_DEGREE][NOE_MAX_DEGREE], w[NOE_MAX_DEGREE];
} noe_stage_modes;

/* False when G is singular, or T nearly singular. */
bool noe_stage_modes_make(const noe_method *, noe_stage_modes *);

#endif
