/* K as blocks d x d, ordered so that many products with K reuse the cache.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_BLOCK_ROWS_H
#define NOE_MATRIX_BLOCK_ROWS_H

#include "matrix/sparse.h"

typedef struct {
    int      n, d, rows; /* n = d rows */
    int64_t *start;      /* [rows + 1] of blocks */
    int32_t *col;        /* block columns, ascending */
    double  *value;      /* d d numbers a block, column by column */
    /* Waves: strips of rows; a row reads columns of at most `reach` strips before and behind its
     * own. */
    int strips, reach, *strip; /* [strips + 1] first rows */
} noe_block_rows;

/* d = 3, 2 or 1, whichever fits.  products: how many go together. */
noe_block_rows *noe_block_rows_from(const noe_sparse *, int products);
/* its values: factor times those */
void   noe_block_rows_scale(noe_block_rows *, const noe_sparse *, double factor);
void   noe_block_rows_free(noe_block_rows *);
double noe_block_rows_bytes(const noe_block_rows *);
/* The first row of share i of m of the strip's rows; equal numbers of blocks. */
int noe_block_rows_share(const noe_block_rows *, int strip, int i, int m);

#endif
