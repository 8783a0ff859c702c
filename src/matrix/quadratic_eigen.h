/* The quadratic eigenvalue problem of a linearized motion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ( l^2 A + l B + C ) x = 0,   A = L_vv,  B = L_vq - L_qv,  C = -L_qq. */
#ifndef NOE_MATRIX_QUADRATIC_EIGEN_H
#define NOE_MATRIX_QUADRATIC_EIGEN_H

#include "number/quad.h"

#include <stdbool.h>

typedef struct {
    double fastest, slowest; /* |Im l|, radians per unit time; 0: nothing oscillates */
    double growth;           /* largest Re l; 0: nothing grows */
    int    zeros;            /* l = 0: directions that drift, two l each */
    int    infinite;         /* A is singular */
} noe_quadratic_spectrum;

enum { NOE_PENCIL_MOST = 256 }; /* coordinates: some 5 s */

/* Matrices n x n row by row, A symmetric.  An l below 1e-6 of the size of the pencil's solutions
 * counts as 0, and a real part below that as round-off.  False with a message: no memory. */
bool noe_quadratic_eigen_find(int n, const quad *A, const quad *B, const quad *C,
                              noe_quadratic_spectrum *);

/* 2-norm condition of a symmetric A whose rows and columns are scaled to largest entries of 1;
 * INFINITY when it is singular to the rounding of double, NAN when it is not finite. */
bool noe_quadratic_eigen_condition(int n, const quad *A, double *condition);

#endif
