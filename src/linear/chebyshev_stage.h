/* A Galerkin step by Chebyshev iterations of fixed degree, as stages on ranges of rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     y = p(K) g */
#ifndef NOE_LINEAR_CHEBYSHEV_STAGE_H
#define NOE_LINEAR_CHEBYSHEV_STAGE_H

#include "base/thread_team.h"
#include "matrix/block_rows.h"
#include "method/stage_pencil.h"

/* Most products with K of one iteration, and the size of its arrays; where more are needed
 * linear/structure_prepare.c takes factors.  No other value was measured. */
enum { NOE_CHEBYSHEV_DEGREE_MOST = 48 };

/* The iteration for one shift, (1 + lambda M^-1 k) y = M^-1 g:  d_0 = first g;  y = sum_k d_k,
 * res -= d + lambda M^-1 k d, d_k = keep_k d_{k-1} + take_k res (Saad, Iterative Methods for
 * Sparse Linear Systems, algorithm 12.1). */
typedef struct {
    int degree; /* number of products with k; for a pair with both parts */
    /* lambda and all numbers below are complex; the second number is the imaginary part */
    bool   pair;
    double lambda[2], first[2], keep[NOE_CHEBYSHEV_DEGREE_MOST][2],
        take[NOE_CHEBYSHEV_DEGREE_MOST][2]; /* see above */
} noe_chebyshev_polynomial;

/* Degree and coefficients for M^-1 k between 0 and w: the error at round-off.  False: more than
 * NOE_CHEBYSHEV_DEGREE_MOST would be needed. */
bool noe_chebyshev_polynomial_make(noe_chebyshev_polynomial *, double complex lambda, double w);

/* All that the stages of a step read and write. */
typedef struct {
    const noe_block_rows    *k;              /* h^2 K/24 */
    const noe_stage_pencil  *x;              /* the shifts of the method */
    noe_chebyshev_polynomial c[NOE_PENCIL];  /* [shifts] the iteration of each shift */
    const double            *mass, *inverse; /* [n] the lumped mass M, and 1/M */
    double                   h2, alpha;      /* h^2, and the coefficient of alpha M in the pencil */
    /* [n] q, pi, their compensation terms, rho = k q */
    double *q, *p, *dq, *dp, *r;
    /* [n] solutions y_j; residual, the last two d, sum_j U_j y_j */
    double *y[NOE_PENCIL], *res, *d[2], *u;
    /* [n] their imaginary parts, for complex shifts */
    double  *yi[NOE_PENCIL], *resi, *di[2];
    double **f; /* [nodes of the pencil][n] loads at the nodes; NULL: no load */
    /* number of stages; of each stage the shift and the term of its iteration, -1: none */
    int stages, shift[NOE_PENCIL * NOE_CHEBYSHEV_DEGREE_MOST],
        term[NOE_PENCIL * NOE_CHEBYSHEV_DEGREE_MOST];
    bool huge[NOE_THREADS_MOST]; /* [thread]: the next step may not be finite */
} noe_chebyshev_step;

typedef struct {
    /* y = rows from .. to - 1 of k x; y[0] is row `from`. */
    void (*product)(const noe_block_rows *, int from, int to, const double *x, double *y);
    /* Stage i = 0 .. stages - 1 of a step, on block rows from .. to - 1. */
    void (*stage)(noe_chebyshev_step *, int i, int from, int to, int me);
} noe_chebyshev_stage;

/* The builds for all instruction sets give the same bits. */
const noe_chebyshev_stage *noe_chebyshev_dispatch(void);

#endif
