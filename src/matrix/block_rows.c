/* Converts rows of a sparse matrix to rows of d x d blocks, and these to strips.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Stage k of strip i needs stage k - 1 of the strips i - reach .. i + reach.  So the stages k of
 * the strips t - (reach + 1) k are independent of each other, and go in one wave t = 0, 1, ..:
 * while a strip of K lies in the cache it serves many stages (the matrix powers kernel: Demmel,
 * Hoemmen, Mohiyuddin, Yelick, IPDPS 2008).  Where the matrix has no band, or all of it fits the
 * cache, one strip is all rows, and a wave one stage. */
#include "matrix/block_rows.h"

#include "base/status.h"

#include <stdlib.h>

/* allowed ratio of stored values, zeros included, to entries */
static const double FILL_MOST = 1.2;
/* bytes that the strips of all products in progress may take together */
static const double STRIP_BYTES = 12e6;
/* bytes up to which a matrix stays in the cache without strips */
static const double CACHED_BYTES = 4e6;

int64_t noe_block_rows_count(const noe_sparse *A, int columns, int d, int32_t *mark)
{
    int64_t blocks = 0;
    if (A->n % d || columns % d) return -1;
    for (int j = 0; j < columns / d; j++) mark[j] = -1;
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (mark[A->col[k] / d] != i / d) {
                mark[A->col[k] / d] = i / d;
                blocks++;
            }
    return blocks;
}

/* Fills block row `row`: merges the block columns of its d rows, then writes factor times their
 * values. */
static void fill_row(noe_block_rows *B, const noe_sparse *A, int row, double factor)
{
    const int d = B->d;
    int64_t   next[3], at = B->start[row];
    for (int i = 0; i < d; i++) next[i] = A->start[row * d + i];
    for (;; at++) {
        int32_t col = INT32_MAX;
        for (int i = 0; i < d; i++)
            if (next[i] < A->start[row * d + i + 1] && A->col[next[i]] / d < col)
                col = A->col[next[i]] / d;
        if (col == INT32_MAX) break;
        B->col[at] = col;
        for (int i = 0; i < d; i++)
            for (; next[i] < A->start[row * d + i + 1] && A->col[next[i]] / d == col; next[i]++)
                B->value[at * d * d + A->col[next[i]] % d * d + i] = factor * A->value[next[i]];
    }
    B->start[row + 1] = at;
}

/* Divides the block rows into strips half as high as the bandwidth if the strips of so many
 * products fit into the cache together; otherwise one strip has all rows. */
static bool strips(noe_block_rows *B, int products)
{
    int band = 1;
    for (int i = 0; i < B->rows; i++)
        if (B->start[i + 1] > B->start[i]) {
            const int left = i - B->col[B->start[i]], right = B->col[B->start[i + 1] - 1] - i;
            band = left > band ? left : band;
            band = right > band ? right : band;
        }
    const double row = noe_block_rows_bytes(B) / B->rows;
    int          high = (band + 1) / 2 > 64 ? (band + 1) / 2 : 64;
    const int    reach = (band + high - 1) / high;
    if (noe_block_rows_bytes(B) <= CACHED_BYTES || row * high * (reach + 1) * products > STRIP_BYTES
        || high > B->rows / 8)
        high = B->rows;
    B->reach = high == B->rows ? 0 : reach;
    B->strips = (B->rows + high - 1) / high;
    B->strip = noe_status_alloc((size_t)B->strips + 1, sizeof *B->strip);
    for (int i = 0; B->strip && i <= B->strips; i++)
        B->strip[i] = i < B->strips ? i * high : B->rows;
    return B->strip != NULL;
}

bool noe_block_rows_fit(int64_t blocks, int d, int64_t entries)
{
    return blocks > 0 && (double)blocks * d * d <= FILL_MOST * (double)entries;
}

int noe_block_rows_width(const noe_sparse *A, int64_t *blocks)
{
    int32_t *mark = noe_status_alloc((size_t)A->n, sizeof *mark);
    int      d = 3;
    *blocks = A->start[A->n];
    for (; mark && d > 1; d--) {
        const int64_t c = noe_block_rows_count(A, A->n, d, mark);
        if (noe_block_rows_fit(c, d, A->start[A->n])) {
            *blocks = c;
            break;
        }
    }
    free(mark);
    return mark ? d : 0;
}

noe_block_rows *noe_block_rows_from(const noe_sparse *A, int products)
{
    noe_block_rows *B = noe_status_alloc(1, sizeof *B);
    int64_t         blocks;
    const int       d = B ? noe_block_rows_width(A, &blocks) : 0;
    if (!d) return free(B), NULL;
    *B = (noe_block_rows){ .n = A->n, .d = d, .rows = A->n / d };
    B->start = noe_status_alloc((size_t)B->rows + 1, sizeof *B->start);
    B->col = noe_status_alloc((size_t)blocks + 1, sizeof *B->col);
    B->value = noe_status_alloc((size_t)blocks * (size_t)(d * d) + 4, sizeof *B->value);
    if (B->start && B->col && B->value) {
        for (int i = 0; i < B->rows; i++) fill_row(B, A, i, 1);
        if (strips(B, products)) return B;
    }
    noe_block_rows_free(B);
    return NULL;
}

void noe_block_rows_scale(noe_block_rows *B, const noe_sparse *A, double factor)
{
    for (int i = 0; i < B->rows; i++) fill_row(B, A, i, factor);
}

void noe_block_rows_free(noe_block_rows *B)
{
    if (!B) return;
    free(B->start), free(B->col), free(B->value), free(B->strip);
    free(B);
}

double noe_block_rows_bytes(const noe_block_rows *B)
{
    return (double)B->start[B->rows] * (8.0 * B->d * B->d + 4) + 8.0 * B->rows;
}

int noe_block_rows_share(const noe_block_rows *B, int strip, int i, int m)
{
    const int     from = B->strip[strip], to = B->strip[strip + 1];
    const int64_t target = B->start[from] + (B->start[to] - B->start[from]) / m * i;
    int           low = from, high = to;
    if (i <= 0) return from;
    if (i >= m) return to;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (B->start[middle] < target) low = middle + 1;
        else high = middle;
    }
    return low;
}
