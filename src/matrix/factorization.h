/* Factorization of M + lambda k, and solves (M + lambda k) y = g with it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_FACTORIZATION_H
#define NOE_MATRIX_FACTORIZATION_H

#include "matrix/structure.h"

#include <complex.h>
#undef I

typedef struct noe_factorization noe_factorization;

/* The BLAS has different kernels for different processors, and these give different bits.  Without
 * it a factorization takes up to fifteen times as long; a solve takes no longer. */
typedef enum {
    /* without the BLAS where that takes seconds at most: NOE_BITS_WORK operations */
    NOE_BITS_CHEAP,
    NOE_BITS_SAME, /* without it */
    NOE_BITS_FAST  /* with it wherever it is faster */
} noe_factor_bits;
#define NOE_BITS_WORK 2e9

/* Factorizes M + lambda k, k = scale K rounded: diagonal, Cholesky, LDL^T or, if complex, LDL^T or
 * LU. NULL with a message: singular, or out of memory. */
noe_factorization *noe_factorization_new(const noe_structure *, double complex lambda, double scale,
                                         noe_factor_bits);
/* y[n] or, of a complex matrix, y[2n] = real parts, imaginary parts; likewise g.  y and g
 * differ. */
void        noe_factorization_solve(noe_factorization *, const double *g, double *y);
const char *noe_factorization_name(const noe_factorization *); /* "Cholesky" .. */
/* its bits are those of the BLAS of this processor; false of NULL */
bool    noe_factorization_blas(const noe_factorization *);
int64_t noe_factorization_entries(const noe_factorization *); /* of the factor */
/* pivots below 0: with lambda k = -K/s the modes with omega^2 > s */
int noe_factorization_negative(const noe_factorization *);
/* of a symmetric one: the smallest pivot of the largest */
double noe_factorization_spread(noe_factorization *);
void   noe_factorization_free(noe_factorization *);

/* Any square matrix given by rows, real: for block systems.  By LU. */
noe_factorization *noe_factorization_general(const noe_sparse *, noe_factor_bits);

#endif
