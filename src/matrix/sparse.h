/* Sparse n x n matrices in compressed row form, and the product y = A x.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_SPARSE_H
#define NOE_MATRIX_SPARSE_H

#include "noether.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int      n;     /* the matrix is n x n */
    int64_t *start; /* [n + 1]: row i has the entries start[i] .. start[i+1] - 1 */
    int32_t *col;   /* [start[n]]: columns, ascending in each row */
    double  *value; /* [start[n]] of the entries */
} noe_sparse;

/* Copies a matrix given by columns. Entries at the same place are added; if all entries off the
 * diagonal are on one side of it, they stand for both sides. NULL with a message that begins
 * with `name` when an index is out of range or a value is not finite. */
noe_sparse *noe_sparse_from(const char *name, int n, const noe_csc *A);
/* The rows first .. last - 1 of it, numbered from 0, where A is without error; A needs the entries
 * of these rows alone, with `mirror` those of these columns, too.  The bits are those of the whole
 * matrix. */
noe_sparse *noe_sparse_rows_from(int n, const noe_csc *A, int first, int last, bool mirror);
/* Allocates a matrix for `entries` entries; the caller fills start, col and value. */
noe_sparse *noe_sparse_new(int n, int64_t entries);
void        noe_sparse_free(noe_sparse *);

/* d[n] (may be NULL) = the diagonal; false if there are non-zero entries off the diagonal. */
bool noe_sparse_diagonal(const noe_sparse *, double *d);
/* Are a_ij and a_ji equal to `tolerance` times the largest entry? If not, *row, *col is a place
 * where they differ. */
bool   noe_sparse_symmetric(const noe_sparse *, double tolerance, int *row, int *col);
double noe_sparse_at(const noe_sparse *, int row, int col);  /* a_ij, 0 where there is no entry */
bool   noe_sparse_row_is_empty(const noe_sparse *, int row); /* all its entries are 0 */
void   noe_sparse_times(const noe_sparse *, const double *x, double *y); /* y = A x */

#endif
