/* LU factorization of a square sparse matrix, real or complex.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A Q = L U
 *
 * By KLU without the BLAS, or by UMFPACK with it. */
#ifndef NOE_MATRIX_SPARSE_LU_H
#define NOE_MATRIX_SPARSE_LU_H

#include "matrix/sparse.h"

typedef struct noe_sparse_lu noe_sparse_lu;

/* Factorizes A, given by rows; imaginary: the imaginary parts of its entries or NULL. Both
 * arrays must exist until the factorization is freed. blas: use UMFPACK, which complex matrices
 * always do. NULL with a message: A is singular (NOE_SINGULAR), or out of memory. */
noe_sparse_lu *noe_sparse_lu_new(const noe_sparse *A, const double *imaginary, bool blas);
/* Solves A y = g; g and y are different arrays. A real: g[n], y[n]; A complex: g[2n], y[2n], the
 * n real parts and then the n imaginary parts. Allocates nothing. */
void    noe_sparse_lu_solve(noe_sparse_lu *, const double *g, double *y);
int64_t noe_sparse_lu_entries(const noe_sparse_lu *); /* number of entries of L and U */
void    noe_sparse_lu_free(noe_sparse_lu *);
/* Estimate of the operations in a factorization of a real A by KLU; NAN: out of memory. */
double noe_sparse_lu_work(const noe_sparse *A);

#endif
