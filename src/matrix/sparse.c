/* Sparse matrices: reads columns, checks and completes them, and sorts them into rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/sparse.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

noe_sparse *noe_sparse_new(int n, int64_t entries)
{
    noe_sparse *A = noe_status_alloc(1, sizeof *A);
    if (!A) return NULL;
    A->n = n;
    A->start = noe_status_alloc((size_t)n + 2, sizeof *A->start);
    A->col = noe_status_alloc((size_t)entries + 1, sizeof *A->col);
    A->value = noe_status_alloc((size_t)entries + 1, sizeof *A->value);
    if (A->start && A->col && A->value) return A;
    noe_sparse_free(A);
    return NULL;
}

void noe_sparse_free(noe_sparse *A)
{
    if (!A) return;
    free(A->start);
    free(A->col);
    free(A->value);
    free(A);
}

/* Error if an index is out of range or a value is not finite; *below, *above: are there entries
 * below, above the diagonal? */
static noe_status check(const char *name, int n, const noe_csc *A, bool *below, bool *above)
{
    *below = *above = false;
    if (!A->start || (A->start[n] && (!A->row || !A->value)))
        return noe_status_fail(NOE_INVALID, "%s: an array is missing", name);
    if (A->start[0])
        return noe_status_fail(NOE_INVALID, "%s: column 1 begins at entry %zu, expected 0", name,
                               A->start[0]);
    for (int j = 0; j < n; j++) {
        if (A->start[j + 1] < A->start[j])
            return noe_status_fail(NOE_INVALID, "%s: column %d ends before it begins", name, j + 1);
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->row[k] < 0 || A->row[k] >= n)
                return noe_status_fail(NOE_INVALID, "%s: column %d has an entry in row %lld of %d",
                                       name, j + 1, A->row[k] + 1LL, n);
            if (!isfinite(A->value[k]))
                return noe_status_fail(NOE_INVALID,
                                       "%s: the entry in row %d, column %d is not a finite number",
                                       name, A->row[k] + 1, j + 1);
            *below |= A->row[k] > j;
            *above |= A->row[k] < j;
        }
    }
    return NOE_OK;
}

/* Appends an entry to a row. Columns are visited in order, so the entries of a row come sorted
 * and equal places next to each other, except for entries that are mirrored at the diagonal. */
static void place(noe_sparse *T, int row, int col, double value)
{
    const int64_t at = T->start[row + 1]++;
    T->col[at] = col;
    T->value[at] = value;
}

/* Rows first .. first + T->n - 1 of a matrix of n columns. */
static void fill(noe_sparse *T, int n, const noe_csc *A, int first, bool mirror)
{
    const int last = first + T->n;
    for (int j = 0; j < n; j++)
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const int i = A->row[k];
            if (i >= first && i < last) T->start[i - first + 2]++;
            if (mirror && i != j && j >= first && j < last) T->start[j - first + 2]++;
        }
    for (int i = 1; i <= T->n + 1; i++)
        /* start[i + 1] is now the beginning of row i, and advances as the row is filled */
        T->start[i] += T->start[i - 1];
    for (int j = 0; j < n; j++)
        for (size_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const int i = A->row[k];
            if (i >= first && i < last) place(T, i - first, j, A->value[k]);
            if (mirror && i != j && j >= first && j < last) place(T, j - first, i, A->value[k]);
        }
}

static void swap(noe_sparse *T, int64_t a, int64_t b)
{
    const int32_t c = T->col[a];
    const double  v = T->value[a];
    T->col[a] = T->col[b], T->value[a] = T->value[b];
    T->col[b] = c, T->value[b] = v;
}

/* Sorts the entries a .. a + m - 1 of a row by column, by heap sort. It is not stable: values at
 * the same place are added in their original order only if the row was sorted already, as in a
 * matrix without mirrored entries. */
static void sort(noe_sparse *T, int64_t a, int64_t m)
{
    for (int64_t i = 1; i < m; i++)
        if (T->col[a + i - 1] > T->col[a + i]) goto unsorted;
    return;
unsorted:
    for (int64_t root = m / 2 - 1, end = m; end > 1;) {
        if (root >= 0) {
            for (int64_t r = root--, c; (c = 2 * r + 1) < end; r = c) {
                if (c + 1 < end && T->col[a + c] < T->col[a + c + 1]) c++;
                if (T->col[a + r] >= T->col[a + c]) break;
                swap(T, a + r, a + c);
            }
            continue;
        }
        swap(T, a, a + --end);
        for (int64_t r = 0, c; (c = 2 * r + 1) < end; r = c) {
            if (c + 1 < end && T->col[a + c] < T->col[a + c + 1]) c++;
            if (T->col[a + r] >= T->col[a + c]) break;
            swap(T, a + r, a + c);
        }
    }
}

static void add_up(noe_sparse *T)
{
    int64_t at = 0;
    for (int i = 0; i < T->n; i++) {
        const int64_t from = T->start[i], to = T->start[i + 1], first = at;
        sort(T, from, to - from);
        T->start[i] = first;
        for (int64_t k = from; k < to; k++)
            if (at > first && T->col[at - 1] == T->col[k]) T->value[at - 1] += T->value[k];
            else T->col[at] = T->col[k], T->value[at++] = T->value[k];
    }
    T->start[T->n] = at;
}

noe_sparse *noe_sparse_from(const char *name, int n, const noe_csc *A)
{
    bool below, above;
    if (check(name, n, A, &below, &above)) return NULL;
    return noe_sparse_rows_from(n, A, 0, n, below != above);
}

noe_sparse *noe_sparse_rows_from(int n, const noe_csc *A, int first, int last, bool mirror)
{
    noe_sparse *T = noe_sparse_new(last - first, (int64_t)A->start[n] * (mirror ? 2 : 1));
    if (!T) return NULL;
    fill(T, n, A, first, mirror);
    add_up(T);
    return T;
}

bool noe_sparse_diagonal(const noe_sparse *A, double *d)
{
    for (int i = 0; i < A->n; i++) {
        if (d) d[i] = 0;
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (A->col[k] == i && d) d[i] = A->value[k];
            else if (A->col[k] != i && A->value[k] != 0) return false;
    }
    return true;
}

double noe_sparse_at(const noe_sparse *A, int row, int col)
{
    int64_t low = A->start[row], high = A->start[row + 1];
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (A->col[middle] < col) low = middle + 1;
        else high = middle;
    }
    return low < A->start[row + 1] && A->col[low] == col ? A->value[low] : 0;
}

bool noe_sparse_symmetric(const noe_sparse *A, double tolerance, int *row, int *col)
{
    double most = 0;
    for (int64_t k = 0; k < A->start[A->n]; k++) most = fmax(most, fabs(A->value[k]));
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (fabs(A->value[k] - noe_sparse_at(A, A->col[k], i)) > tolerance * most)
                return *row = i, *col = A->col[k], false;
    return true;
}

bool noe_sparse_row_is_empty(const noe_sparse *A, int row)
{
    for (int64_t k = A->start[row]; k < A->start[row + 1]; k++)
        if (A->value[k] != 0) return false;
    return true;
}

void noe_sparse_times(const noe_sparse *A, const double *x, double *y)
{
    for (int i = 0; i < A->n; i++) {
        double sum = 0;
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) sum += A->value[k] * x[A->col[k]];
        y[i] = sum;
    }
}
