/* A finite-element structure as matrices:  M q'' + C q' + K q = f(t),  p = M q'.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_STRUCTURE_H
#define NOE_MATRIX_STRUCTURE_H

#include "matrix/sparse.h"

typedef struct noe_structure {
    /* coordinates */
    int n;
    /* mass, damping, stiffness; C need not be symmetric and may be NULL */
    noe_sparse *M, *C, *K;
    /* the damping matrix is alpha M + beta K + C */
    double alpha, beta;
    /* number of directions without mass that were eliminated */
    int massless;
    /* M is nearly singular: there are still directions with almost no mass */
    bool unknown;
    /* some directions without mass are not coordinate axes */
    bool hidden;
    /* the elimination used the BLAS, so its last bits depend on the processor */
    bool blas;
    /* [n]: the diagonal of a lumped M, else NULL */
    double *mass;
    /* weight [n], rest: a further potential -weight.q - rest, whose force is the load; NULL:
     * none */
    double *weight, rest;
    /* writes f(t) to f[n]; NULL: no load */
    noe_load *load;
    void     *ctx; /* argument of the load */
    /* frees ctx together with the structure; may be NULL */
    void (*drop)(void *ctx);
} noe_structure;

/* Takes ownership of the matrices, also on failure.  A C that equals alpha M + beta K to rounding
 * is replaced by alpha and beta.  NULL with a message: a matrix is missing, M or K is not
 * symmetric, or their sizes differ. */
noe_structure *noe_structure_new(noe_sparse *M, noe_sparse *C, noe_sparse *K);
void           noe_structure_free(noe_structure *);

#endif
