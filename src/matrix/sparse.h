/* Sparse n x n matrices in compressed row form, and the product y = A x.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_SPARSE_H
#define NOE_MATRIX_SPARSE_H

#include "noether.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int      n;
    int64_t *start; /* [n + 1]: row i has the entries start[i] .. start[i+1] - 1 */
    int32_t *col;   /* [start[n]]: columns, ascending in each row */
    double  *value; /* [start[n]] */
} noe_sparse;

/* A copy of A given by columns.  Entries at one place add up; entries on one side of the diagonal
 * only stand for both sides.  NULL with a message that begins with `name` when an index or value is
 * none. */
noe_sparse *noe_sparse_from(const char *name, int n, const noe_csc *A);
/* memory for so many; start and col are the caller's to fill */
noe_sparse *noe_sparse_new(int n, int64_t entries);
void        noe_sparse_free(noe_sparse *);

/* d[n], unless NULL; false when there is more than that */
bool noe_sparse_diagonal(const noe_sparse *, double *d);
/* relative to the largest entry */
bool   noe_sparse_symmetric(const noe_sparse *, double tolerance, int *row, int *col);
double noe_sparse_at(const noe_sparse *, int row, int col);
void   noe_sparse_times(const noe_sparse *, const double *x, double *y); /* y = A x */

#endif
