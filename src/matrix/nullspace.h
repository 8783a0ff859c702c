/* The null space of a matrix, in binary128 from a factorization in double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M x = 0 */
#ifndef NOE_MATRIX_NULLSPACE_H
#define NOE_MATRIX_NULLSPACE_H

#include "number/quad.h"

#include <stdbool.h>

typedef struct {
    int     dim, near; /* null vectors; vectors that are nearly so and were rejected */
    quad   *vector;    /* [dim][N], of the columns as they were given */
    quad   *unit;      /* [N]: column scales; vector_j / unit_j compare with each other */
    double *residual;  /* [dim]: |M x| / (|M| |x|) after scaling */
    double  exact;     /* residuals below this are zero to the rounding of binary128 */
    double  nearest;   /* smallest rejected residual, 1 when none */
} noe_nullspace;

/* M: m x N row by row, m >= N; rough: the same from double arithmetic, which tells the noise.
 * Vectors are null below 1e-16.  NULL with a message; noe_nullspace_free frees it. */
noe_nullspace *noe_nullspace_find(const quad *M, const double *rough, int m, int N);
void           noe_nullspace_free(noe_nullspace *);

#endif
