/* A sparse matrix as rows of d x d blocks, in strips of rows that stay in the cache.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_BLOCK_ROWS_H
#define NOE_MATRIX_BLOCK_ROWS_H

#include "matrix/sparse.h"

typedef struct {
    int      n, d, rows; /* matrix is n x n, in blocks of d x d; rows = n / d block rows */
    int64_t *start;      /* [rows + 1]: block row i has the blocks start[i] .. start[i+1] - 1 */
    int32_t *col;   /* [start[rows]] block column of each block, ascending within a block row */
    double  *value; /* [start[rows]][d d] entries of each block, column by column */
    /* Strips of consecutive block rows: a block row has entries only in the columns of its own
     * strip and of at most `reach` strips before and after that strip. */
    /* [strips + 1]: strip k has the block rows strip[k] .. strip[k+1] - 1 */
    int strips, reach, *strip;
} noe_block_rows;

/* Number of d x d blocks with an entry in the rows of A, -1 where d does not divide their number or
 * that of the columns.  mark[columns / d] is scratch: the last block row that had a block in that
 * block column. */
int64_t noe_block_rows_count(const noe_sparse *A, int columns, int d, int32_t *mark);
/* Do so many blocks store few zeros beside the entries? */
bool noe_block_rows_fit(int64_t blocks, int d, int64_t entries);
/* The largest width d of 3, 2, 1 that adds few zeros, and the number of blocks; 0: out of
 * memory. */
int noe_block_rows_width(const noe_sparse *, int64_t *blocks);

/* Converts a matrix to blocks of the largest d of 3, 2, 1 that adds few zeros. products: number
 * of products with the matrix that share one pass through memory; the strips are made for that
 * many. NULL: out of memory. */
noe_block_rows *noe_block_rows_from(const noe_sparse *, int products);
/* Replaces the values by `factor` times those of the matrix, which has the same entries as
 * before. */
void   noe_block_rows_scale(noe_block_rows *, const noe_sparse *, double factor);
void   noe_block_rows_free(noe_block_rows *);
double noe_block_rows_bytes(const noe_block_rows *); /* memory of the matrix */
/* First block row of share i of m shares of a strip with about equal numbers of blocks; i = m:
 * the end of the strip. */
int noe_block_rows_share(const noe_block_rows *, int strip, int i, int m);

#endif
