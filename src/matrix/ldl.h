/* Sparse LDL^T factorization of a symmetric real or complex matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A P^T = L D L^T */
#ifndef NOE_MATRIX_LDL_H
#define NOE_MATRIX_LDL_H

#include <stdbool.h>
#include <stdint.h>

/* The pattern of the lower triangle of a symmetric matrix by rows: columns ascending within a
 * row, so that the diagonal entry, which is always stored, is the last. */
typedef struct {
    int      n;     /* rows */
    int64_t *start; /* [n + 1]: row i has the entries start[i] .. start[i+1] - 1 */
    int32_t *col;   /* [start[n]] column of each entry */
} noe_ldl_lower;

typedef struct noe_ldl noe_ldl;

/* *keeps: whether the factor has at most `most` entries in the given order of rows. False: out
 * of memory. */
bool noe_ldl_keeps(const noe_ldl_lower *, int64_t most, bool *keeps);
/* An order in which the factor stays sparse: row order[k] is the k-th. False: out of memory. */
bool noe_ldl_order(const noe_ldl_lower *, int *order);
/* Allocates `factors` factors of matrices with this pattern, the first `real` of them real and
 * the others complex, in the given order of rows. NULL with a message: out of memory. */
noe_ldl *noe_ldl_new(const noe_ldl_lower *, int factors, int real);
int64_t  noe_ldl_entries(const noe_ldl *); /* number of entries of L */
double   noe_ldl_work(const noe_ldl *);    /* number of multiplications of one factorization */
/* Factorizes the matrix re + i im (im = NULL for a real one), whose values are in the order of
 * the pattern, as factor k. False when a pivot is 0 or not finite. */
bool noe_ldl_factor(noe_ldl *, int k, const double *re, const double *im);
/* number of pivots of a real factor k that are not positive */
int noe_ldl_negative(const noe_ldl *, int k);
/* solves A x = b with factor k; b is overwritten by x */
void noe_ldl_solve(const noe_ldl *, int k, double *re, double *im);
void noe_ldl_free(noe_ldl *);

#endif
