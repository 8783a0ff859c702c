/* A Galerkin step by Chebyshev iterations of fixed degree, as stages on ranges of rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     y = p(K) g */
#ifndef NOE_LINEAR_CHEBYSHEV_STAGE_H
#define NOE_LINEAR_CHEBYSHEV_STAGE_H

#include "matrix/block_rows.h"
#include "method/stage_pencil.h"

enum { NOE_DEGREE = 48 };

/* One shift: (1 + lambda M^-1 k) y = M^-1 g.  d_0 = first g;  y = sum_k d_k,  res -= d + lambda
 * M^-1 k d, d_k = keep_k d_{k-1} + take_k res (Saad, Iterative Methods for Sparse Linear
 * Systems, algorithm 12.1). */
typedef struct {
    int degree; /* products; of a pair with both parts */
    /* lambda is complex, and so is all that follows: the second number is the imaginary part */
    bool   pair;
    double lambda[2], first[2], keep[NOE_DEGREE][2], take[NOE_DEGREE][2];
} noe_chebyshev_polynomial;

/* Degree and coefficients for M^-1 k between 0 and w: the error at round-off.  False: more than
 * NOE_DEGREE would be needed. */
bool noe_chebyshev_polynomial_make(noe_chebyshev_polynomial *, double complex lambda, double w);

/* All that the stages of a step read and write. */
typedef struct {
    const noe_block_rows    *k; /* h^2 K/24 */
    const noe_stage_pencil  *x;
    noe_chebyshev_polynomial c[NOE_PENCIL];
    const double            *mass, *inverse;      /* M, 1/M */
    double                   h2, alpha;           /* of the pencil */
    double                  *q, *p, *dq, *dp, *r; /* q, pi, what their sums have lost, rho = k q */
    double                  *y[NOE_PENCIL], *res, *d[2], *u; /* [n] */
    double                  *yi[NOE_PENCIL], *resi, *di[2];  /* imaginary parts, of pairs */
    double                 **f; /* [nodes of the pencil], NULL without a load */
    int                      stages, shift[NOE_PENCIL * NOE_DEGREE], term[NOE_PENCIL * NOE_DEGREE];
    bool                     huge[64]; /* by member: the next step may not be finite */
} noe_chebyshev_step;

typedef struct {
    /* y = rows from .. to - 1 of k x; y[0] belongs to the first of them. */
    void (*product)(const noe_block_rows *, int from, int to, const double *x, double *y);
    /* Stage i = 0 .. stages - 1 of a step, on block rows from .. to - 1. */
    void (*stage)(noe_chebyshev_step *, int i, int from, int to, int me);
} noe_chebyshev_stage;

/* all of them give the same bits */
const noe_chebyshev_stage *noe_chebyshev_polynomial_kernel(void);

#endif
