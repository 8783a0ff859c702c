/* (M + lambda k) y = g, for ever the same matrix: factorised, or divided by.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_FACTORIZATION_H
#define NOE_MATRIX_FACTORIZATION_H

#include "matrix/structure.h"

#include <complex.h>
#undef I

typedef struct noe_shift noe_shift;

/* The BLAS has other kernels for every processor, and other bits with each.  Without it the same factors take up to fifteen times as
 * long, a solution no longer. */
typedef enum {
    NOE_BITS_CHEAP, /* without the BLAS where that takes seconds at most: NOE_BITS_WORK operations */
    NOE_BITS_SAME,  /* without it */
    NOE_BITS_FAST   /* with it wherever it is faster */
} noe_bits;
#define NOE_BITS_WORK 2e9

/* Factorises M + lambda k, k = scale K rounded: by its diagonal, by Cholesky, by LDL^T or, complex, by LDL^T or LU.
 * NULL with a message: singular, or out of memory. */
noe_shift *noe_shift_new(const noe_linear *, double complex lambda, double scale, noe_bits);
/* y[n] or, of a complex matrix, y[2n] = real parts, imaginary parts; likewise g.  y and g differ. */
void        noe_shift_solve(noe_shift *, const double *g, double *y);
const char *noe_shift_name(const noe_shift *); /* "Cholesky" .. */
bool        noe_shift_blas(const noe_shift *); /* its bits are those of the BLAS of this processor; false of NULL */
int64_t     noe_shift_entries(const noe_shift *); /* of the factor */
int         noe_shift_negative(const noe_shift *); /* pivots below 0: with lambda k = -K/s the modes with omega^2 > s */
double      noe_shift_spread(noe_shift *); /* of a symmetric one: the smallest pivot of the largest */
void        noe_shift_free(noe_shift *);

/* Any square matrix given by rows, real: for block systems.  By LU. */
noe_shift *noe_shift_general(const noe_sparse *, noe_bits);

#endif
