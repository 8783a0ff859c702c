/* (M + lambda k) y = g, for ever the same matrix: factorised, or divided by, or a polynomial.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_SHIFT_H
#define NOE_LINEAR_SHIFT_H

#include "linear/linear.h"

#include <complex.h>
#undef I

typedef struct noe_shift noe_shift;

/* Factorises M + lambda k, k = scale K rounded: by its diagonal, by Cholesky, by LDL^T or, complex,
 * by LU.  NULL with a message: singular, or out of memory. */
noe_shift *noe_shift_new(const noe_linear *, double complex lambda, double scale);
/* y[n] or, of a complex matrix, y[2n] = real parts, imaginary parts; likewise g.  y and g differ. */
void        noe_shift_solve(noe_shift *, const double *g, double *y);
const char *noe_shift_name(const noe_shift *); /* "Cholesky" .. */
int64_t     noe_shift_entries(const noe_shift *); /* of the factor */
int         noe_shift_negative(const noe_shift *); /* pivots below 0: with lambda k = -K/s the modes with omega^2 > s */
double      noe_shift_spread(noe_shift *); /* of a symmetric one: the smallest pivot of the largest */
void        noe_shift_free(noe_shift *);

/* Any square matrix given by rows, real: for block systems.  By LU. */
noe_shift *noe_shift_general(const noe_sparse *);

#endif
