/* Diagonalizes the stage pencil of a Galerkin method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * G^-1 Theta = T mu T^-1:  G = sum_i b_i l_i l_i',  Theta = sum_i b_i X_i I_i'  of a Galerkin
 * method. */
#ifndef NOE_METHOD_STAGE_MODES_H
#define NOE_METHOD_STAGE_MODES_H

#include "method/method.h"

typedef struct {
    int    s, shifts, real; /* eigenvalues, of a pair one; the real ones come first */
    double mu_re[NOE_MAX_DEGREE], mu_im[NOE_MAX_DEGREE];
    /* Right sides of the separate equations from residuals, T^-1 G^-1, and modes from their
     * solutions, T: row or column j of a real one; real and imaginary parts in two rows or
     * columns of a pair. */
    double to[NOE_MAX_DEGREE][NOE_MAX_DEGREE], from[NOE_MAX_DEGREE][NOE_MAX_DEGREE];
    /* I_im, b_i X_im */
    double I[NOE_MAX_POINTS][NOE_MAX_DEGREE], bX[NOE_MAX_POINTS][NOE_MAX_DEGREE];
    double G[NOE_MAX_DEGREE][NOE_MAX_DEGREE], w[NOE_MAX_DEGREE];
} noe_stage_modes;

/* False when G is singular, or T nearly so. */
bool noe_stage_modes_make(const noe_method *, noe_stage_modes *);

#endif
