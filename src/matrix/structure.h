/* M q'' + C q' + K q = f(t),  p = M q':  a structure, as matrices.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_STRUCTURE_H
#define NOE_MATRIX_STRUCTURE_H

#include "matrix/sparse.h"

typedef struct noe_structure {
    int         n;
    noe_sparse *M, *C, *K;   /* C need not be symmetric and may be NULL */
    double      alpha, beta; /* the damping is alpha M + beta K + C */
    int         massless;    /* directions without mass that were eliminated before */
    bool        unknown; /* M is nearly singular: directions almost without mass are still there */
    bool        hidden;  /* some of them are no coordinate axes */
    bool        blas;    /* eliminated with the BLAS, whose bits are those of a processor */
    double     *mass;    /* the diagonal of a lumped M, else NULL */
    double     *weight,
        rest;       /* of a potential -weight.q - rest besides: then load is weight; NULL: none */
    noe_load *load; /* writes f(t) into f[n]; NULL: none */
    void     *ctx;
    void (*drop)(void *ctx); /* frees ctx with the structure; may be NULL */
} noe_structure;

/* A C that is alpha M + beta K to rounding is known for what it is, and dropped.  Takes the matrices over, also when it fails: NULL with a message when one is missing, not symmetric (M, K) or not
 * as large as the others. */
noe_structure *noe_structure_new(noe_sparse *M, noe_sparse *C, noe_sparse *K);
void           noe_structure_free(noe_structure *);

#endif
