/* LU factorization of a square sparse matrix, real or complex.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * P A Q = L U, by KLU without the BLAS, or by UMFPACK with it. */
#ifndef NOE_MATRIX_SPARSE_LU_H
#define NOE_MATRIX_SPARSE_LU_H

#include "matrix/sparse.h"

typedef struct noe_sparse_lu noe_sparse_lu;

/* Of A by rows, with imaginary parts or NULL; both are kept until it is freed.  `blas` asks for
 * UMFPACK; a complex matrix is always its.  NULL with a message: singular (NOE_SINGULAR), or out
 * of memory. */
noe_sparse_lu *noe_sparse_lu_new(const noe_sparse *A, const double *imaginary, bool blas);
/* y[n] or, of a complex matrix, y[2n] = real parts, imaginary parts; likewise g.  y and g
 * differ.  It allocates nothing. */
void    noe_sparse_lu_solve(noe_sparse_lu *, const double *g, double *y);
int64_t noe_sparse_lu_entries(const noe_sparse_lu *); /* of L and U */
void    noe_sparse_lu_free(noe_sparse_lu *);
/* Operations in factorising a real one by KLU, as far as they can be told before; NAN without
 * memory. */
double noe_sparse_lu_work(const noe_sparse *A);

#endif
