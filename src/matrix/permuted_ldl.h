/* L D L^T of a sparse complex matrix A whose rows and columns are put in a given order.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A P^T = L D L^T, without pivots */
#ifndef NOE_MATRIX_PERMUTED_LDL_H
#define NOE_MATRIX_PERMUTED_LDL_H

#include "matrix/sparse.h"

typedef struct noe_permuted_ldl noe_permuted_ldl;

/* Factorizes A with the imaginary parts [entries of A]; row order[k] of A is the k-th.  order[n]
 * belongs to the result, also where that is NULL: *singular, or with a message out of memory. */
noe_permuted_ldl *noe_permuted_ldl_new(const noe_sparse *A, const double *imaginary, int *order,
                                       bool *singular);
int64_t           noe_permuted_ldl_entries(const noe_permuted_ldl *); /* entries of L */
/* Solves A y = g: n real parts, then n imaginary parts. */
void noe_permuted_ldl_solve(noe_permuted_ldl *, const double *g, double *y);
void noe_permuted_ldl_free(noe_permuted_ldl *);

#endif
