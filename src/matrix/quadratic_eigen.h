/* The quadratic eigenvalue problem of a linearized motion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ( l^2 A + l B + C ) x = 0,   A = L_vv,  B = L_vq - L_qv,  C = -L_qq. */
#ifndef NOE_MATRIX_QUADRATIC_EIGEN_H
#define NOE_MATRIX_QUADRATIC_EIGEN_H

#include "number/quad.h"

#include <stdbool.h>

typedef struct {
    /* largest, smallest |Im l|, radians per unit time; 0: nothing oscillates */
    double fastest, slowest;
    double growth;   /* largest Re l, per unit time; 0: nothing grows */
    int    zeros;    /* number of eigenvalues l = 0; a free direction has two */
    int    infinite; /* number of infinite eigenvalues; 0 where A is regular */
} noe_quadratic_spectrum;

enum { NOE_PENCIL_MOST = 256 }; /* coordinates, at most: about 5 s */

/* Finds the spectrum; A, B, C [n][n] row by row, A symmetric. An |l| below 1e-6 of the largest
 * one counts as 0, and a real part below that as rounding. False with a message: out of memory,
 * or the QZ algorithm does not converge. */
bool noe_quadratic_eigen_find(int n, const quad *A, const quad *B, const quad *C,
                              noe_quadratic_spectrum *);

/* *condition: the 2-norm condition of a symmetric A, scaled so that the largest entry of each
 * row and column is 1; INFINITY when A is singular to the rounding of double, NAN when it is not
 * finite. False with a message. */
bool noe_quadratic_eigen_condition(int n, const quad *A, double *condition);

#endif
