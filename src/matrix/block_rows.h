/* K as d x d blocks, and the order in which many products with it can go through the cache together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_BLOCK_ROWS_H
#define NOE_MATRIX_BLOCK_ROWS_H

#include "matrix/sparse.h"

typedef struct {
    int      n, d, rows; /* n = d rows */
    int64_t *start;      /* [rows + 1] of blocks */
    int32_t *col;        /* block columns, ascending */
    double  *value;      /* d d numbers a block, column by column */
    /* Waves: strips of rows; a row reads columns of at most `reach` strips before and behind its own. */
    int      strips, reach, *strip; /* [strips + 1] first rows */
} noe_blocked;

/* d = 3, 2 or 1, whichever fits.  products: how many go together. */
noe_blocked *noe_blocked_from(const noe_sparse *, int products);
void         noe_blocked_scale(noe_blocked *, const noe_sparse *, double factor); /* its values: factor times those */
void         noe_blocked_free(noe_blocked *);
double       noe_blocked_bytes(const noe_blocked *);
/* The first row of share i of m of the strip's rows; equal numbers of blocks. */
int          noe_blocked_share(const noe_blocked *, int strip, int i, int m);

#endif
