/* Sparse LDL^T factorization of a symmetric real or complex matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     P A P^T = L D L^T */
#ifndef NOE_MATRIX_LDL_H
#define NOE_MATRIX_LDL_H

#include <stdbool.h>
#include <stdint.h>

/* The lower triangle of a matrix by rows: columns ascending, so the diagonal, which is always
 * there, stands last. */
typedef struct {
    int      n;
    int64_t *start; /* [n + 1] */
    int32_t *col;
} noe_ldl_lower;

typedef struct noe_ldl noe_ldl;

/* Has the factor at most so many entries in the order given?  False without memory. */
bool noe_ldl_keeps(const noe_ldl_lower *, int64_t most, bool *keeps);
/* order[k]: which row comes k-th so that the factor stays sparse; false without memory. */
bool noe_ldl_order(const noe_ldl_lower *, int *order);
/* Room for so many factors of matrices with these entries, those from `real` on complex.  They
 * are kept in the order given.  NULL without memory, with a message. */
noe_ldl *noe_ldl_new(const noe_ldl_lower *, int factors, int real);
int64_t  noe_ldl_entries(const noe_ldl *); /* of L */
double   noe_ldl_work(const noe_ldl *);    /* products in making one */
/* Factor k of re + i im (NULL of a real one), in the entries of the pattern; false when a pivot
 * is 0 or not finite. */
bool noe_ldl_factor(noe_ldl *, int k, const double *re, const double *im);
int  noe_ldl_negative(const noe_ldl *, int k); /* pivots that are not positive, of a real one */
void noe_ldl_solve(const noe_ldl *, int k, double *re, double *im); /* in place */
void noe_ldl_free(noe_ldl *);

#endif
