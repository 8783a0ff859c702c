/* Factorization of M + lambda k, and solves (M + lambda k) y = g with it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_FACTORIZATION_H
#define NOE_MATRIX_FACTORIZATION_H

#include "matrix/structure.h"

#include <complex.h>
#undef I

typedef struct noe_factorization noe_factorization;

/* Whether the bits of a result may depend on the processor: the BLAS has different kernels for
 * different processors, which round differently. Without the BLAS a factorization takes up to
 * fifteen times as long; a solve takes no longer. */
typedef enum {
    /* without the BLAS up to NOE_BITS_WORK operations (some seconds), with it beyond */
    NOE_BITS_CHEAP,
    NOE_BITS_SAME, /* without the BLAS */
    NOE_BITS_FAST  /* with the BLAS wherever that is faster */
} noe_factor_bits;
#define NOE_BITS_WORK 2e9

/* Factorizes A = M + lambda k, k = scale K rounded: by its diagonal, Cholesky, LDL^T or, if A is
 * complex, LDL^T or LU. NULL with a message: A is singular, or out of memory. */
noe_factorization *noe_factorization_new(const noe_structure *, double complex lambda, double scale,
                                         noe_factor_bits);
/* Solves A y = g; g and y are different arrays. A real: g[n], y[n]; A complex: g[2n], y[2n], the
 * n real parts and then the n imaginary parts. */
void noe_factorization_solve(noe_factorization *, const double *g, double *y);
/* The kind of the factorization for messages, "Cholesky" for instance. */
const char *noe_factorization_name(const noe_factorization *);
/* True if the BLAS was used, so that the bits depend on the processor; false for NULL. */
bool    noe_factorization_blas(const noe_factorization *);
int64_t noe_factorization_entries(const noe_factorization *); /* number of entries of the factor */
/* Number of negative pivots; with lambda k = -K/s it is the number of modes with omega^2 > s. */
int noe_factorization_negative(const noe_factorization *);
/* Ratio of the smallest to the largest pivot of a symmetric A, an estimate of 1 / condition. */
double noe_factorization_spread(noe_factorization *);
void   noe_factorization_free(noe_factorization *);

/* Solves A y = g with a matrix A[n per][n per] of a structure of which other processes have a
 * share, `per` unknowns a coordinate. */
noe_factorization *noe_factorization_shared(const noe_structure *, const noe_sparse *A, int per);

/* Factorizes any real square matrix, given by rows, by LU; for systems of blocks. */
noe_factorization *noe_factorization_general(const noe_sparse *, noe_factor_bits);

#endif
