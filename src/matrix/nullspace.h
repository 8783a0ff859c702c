/* The null space of a matrix, in binary128 from a factorization in double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M x = 0 */
#ifndef NOE_MATRIX_NULLSPACE_H
#define NOE_MATRIX_NULLSPACE_H

#include "number/quad.h"

#include <stdbool.h>

typedef struct {
    /* number of null vectors; number of rejected vectors with residuals below 1e-5 */
    int     dim, near;
    quad   *vector;   /* [dim][N] null vectors of M as it was given, without scaling */
    quad   *unit;     /* [N] column scales: the numbers vector_j / unit_j have comparable sizes */
    double *residual; /* [dim] |M x| / (|M| |x|) of the scaled M */
    double  nearest;  /* smallest residual of a rejected vector; 1: none was rejected */
} noe_nullspace;

/* Finds the null vectors, those with residuals below 1e-16. M[m][N], row by row, m >= N;
 * rough[m][N]: the same matrix computed in double, whose difference from M measures the noise.
 * NULL with a message. */
noe_nullspace *noe_nullspace_find(const quad *M, const double *rough, int m, int N);
void           noe_nullspace_free(noe_nullspace *);

#endif
