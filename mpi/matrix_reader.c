/* Reads a matrix by all processes: each its part, each keeps its rows; the hash, the symmetry.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows, and so the hash, have the bits of one process: what a process gets of a row is in the
 * order of the file. */
#include "matrix_reader.h"

#include "matrix_part.h"

#include "base/hash.h"
#include "base/status.h"
#include "matrixfile/matrix_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As noe_structure_new allows it. */
static const double ASYMMETRY_MOST = 1e-9;

/* The largest of a number of each process. */
static int64_t most(int64_t x)
{
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

/* ---- files that are not read in parts ---- */

/* The own rows of a matrix that this process has whole, which is freed. */
static noe_sparse *own_rows(noe_sparse *A, const int *first)
{
    const int     lo = first[together.rank], n = first[together.rank + 1] - lo;
    const int64_t from = A->start[lo], entries = A->start[lo + n] - from;
    noe_sparse   *B = noe_sparse_new(n, entries);
    if (B) {
        for (int i = 0; i <= n; i++) B->start[i] = A->start[lo + i] - from;
        memcpy(B->col, A->col + from, (size_t)entries * sizeof *B->col);
        memcpy(B->value, A->value + from, (size_t)entries * sizeof *B->value);
    }
    noe_sparse_free(A);
    return B;
}

/* ---- the hash of the whole matrix ---- */

enum { OF_STARTS, OF_COLUMNS, OF_VALUES, PARTS };

static uint64_t hash_part(const noe_sparse *A, int64_t before, int part, uint64_t x)
{
    const size_t entries = (size_t)A->start[A->n];
    if (part == OF_COLUMNS) return noe_hash(x, A->col, entries * sizeof *A->col);
    if (part == OF_VALUES) return noe_hash(x, A->value, entries * sizeof *A->value);
    for (int i = together.rank > 0; i <= A->n; i++) {
        const int64_t start = before + A->start[i];
        x = noe_hash(x, &start, sizeof start);
    }
    return x;
}

/* As one process computes it, from one process to the next. */
static uint64_t hash_of(const noe_sparse *A)
{
    const int P = together.count, r = together.rank;
    int64_t   own = A->start[A->n], before = 0;
    uint64_t  x = NOE_HASH_BEGIN;
    MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (!r) before = 0;
    for (int part = 0; part < PARTS; part++) {
        if (r) MPI_Recv(&x, 1, MPI_UINT64_T, r - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = hash_part(A, before, part, x);
        if (r + 1 < P) MPI_Send(&x, 1, MPI_UINT64_T, r + 1, 3, MPI_COMM_WORLD);
        MPI_Bcast(&x, 1, MPI_UINT64_T, P - 1, MPI_COMM_WORLD);
    }
    return x;
}

/* ---- symmetry ---- */

/* Is a_ij = a_ji?  Each entry goes to the process of row j, which has a_ji. */
static noe_status compare(const noe_sparse *A, const int *first, bool *symmetric)
{
    const int     lo = first[together.rank];
    const int64_t entries = A->start[A->n];
    triplets      x = { .row = noe_status_alloc((size_t)entries + 1, sizeof *x.row) }, across;
    double        largest = 0;
    int64_t       apart = 0;
    noe_status    status = x.row ? NOE_OK : NOE_NO_MEMORY;
    for (int i = 0; i < A->n && !status; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            x.row[k] = lo + i;
            largest = fmax(largest, fabs(A->value[k]));
        }
    if ((status = together_agree(status))) return free(x.row), status;
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* (j, i, a_ij), sent to the owner of j */
    const triplets turned = { (size_t)entries, A->col, x.row, A->value };
    status = triplets_send(&turned, first, false, &across);
    for (size_t k = 0; k < across.count && !status; k++)
        apart += !(fabs(across.value[k] - noe_sparse_at(A, across.row[k] - lo, across.col[k]))
                   <= ASYMMETRY_MOST * largest);
    free(x.row);
    triplets_drop(&across);
    if (!status) *symmetric = most(apart) == 0;
    return status;
}

/* ---- reading ---- */

/* Rows of the entries that all processes have read. */
static noe_sparse *deal(matrix_part *x, const int *first, bool *mirror)
{
    bool       side[2];
    triplets   own = { x->r.count, x->r.row, x->r.col, x->r.value }, in = { .count = 0 };
    const bool symmetric = x->r.symmetric;
    noe_matrix_entries_sides(&x->r, &side[0], &side[1]);
    MPI_Allreduce(MPI_IN_PLACE, side, 2, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    *mirror = side[0] != side[1];
    noe_status status = noe_matrix_entries_fit(&x->r, side[0], side[1]) ? NOE_OK : NOE_INVALID;
    if ((status = together_agree(status))) return NULL;
    if (x->petsc) /* the entries are those of the own rows */
        return noe_matrix_entries_rows(&x->r, first[together.rank], first[together.rank + 1],
                                       false);
    if (triplets_send(&own, first, *mirror, &in)) return NULL;
    const noe_matrix_entries got = { .path = x->r.path,
                                     .symmetric = symmetric,
                                     .n = x->r.n,
                                     .count = in.count,
                                     .row = in.row,
                                     .col = in.col,
                                     .value = in.value };
    matrix_part_close(x);
    noe_sparse *A = noe_matrix_entries_rows(&got, first[together.rank], first[together.rank + 1],
                                            *mirror);
    triplets_drop(&in);
    return A;
}

noe_sparse *matrix_reader_read(const char *path, int rows, const int *first, uint64_t *hash,
                               bool *symmetric)
{
    matrix_part x;
    bool        mirror = false;
    noe_sparse *A = NULL;
    noe_status  status = matrix_part_open(&x, path, rows) ? NOE_OK : noe_status_last();
    *symmetric = true;
    if (!(status = together_agree(status))) {
        const int64_t bytes = (int64_t)x.bytes, all = most(bytes);
        if (all != bytes)
            status = noe_status_fail(NOE_IO,
                                     "%s: it has %lld bytes here and %lld for another process: the "
                                     "files of all processes must be the same",
                                     path, (long long)bytes, (long long)all);
        status = together_agree(status);
    }
    if (!status && x.divides) {
        if (x.petsc ? petsc_rows_read(&x, first) : matrix_part_read(&x))
            A = deal(&x, first, &mirror);
    } else if (!status && (A = noe_matrix_file_read(path, rows))) A = own_rows(A, first);
    matrix_part_close(&x);
    if (status || together_agree(A ? NOE_OK : noe_status_last())) return noe_sparse_free(A), NULL;
    *hash = hash_of(A);
    if (!mirror && compare(A, first, symmetric)) return noe_sparse_free(A), NULL;
    return A;
}

/* ---- whole matrices ---- */

noe_status matrix_reader_gather(double *x, const int *first)
{
    const int        P = together.count;
    int             *count = noe_status_alloc((size_t)P, sizeof *count);
    const noe_status status = together_agree(count ? NOE_OK : NOE_NO_MEMORY);
    for (int r = 0; r < P && !status; r++) count[r] = first[r + 1] - first[r];
    if (!status)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, count, first, MPI_DOUBLE,
                       MPI_COMM_WORLD);
    free(count);
    return status;
}

noe_status matrix_reader_complete(noe_sparse **to, const int *first)
{
    noe_sparse *A = *to, *B = NULL;
    const int   P = together.count, n = first[P];
    int64_t     entries = A->start[A->n], all = entries;
    int        *count = noe_status_alloc(2 * (size_t)P + 1, sizeof *count), *from = count + P;
    if (!count) return NOE_NO_MEMORY;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    noe_status status = all > INT_MAX ? noe_status_fail(NOE_NO_MEMORY,
                                                        "a matrix of %lld entries, which something "
                                                        "needs whole in every process",
                                                        (long long)all)
                                      : NOE_OK;
    if (!status && !(B = noe_sparse_new(n, all))) status = NOE_NO_MEMORY;
    if ((status = together_agree(status))) return free(count), noe_sparse_free(B), status;
    const int own = (int)entries;
    MPI_Allgather(&own, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < P; r++) from[r + 1] = from[r] + count[r];
    MPI_Allgatherv(A->col, own, MPI_INT32_T, B->col, count, from, MPI_INT32_T, MPI_COMM_WORLD);
    MPI_Allgatherv(A->value, own, MPI_DOUBLE, B->value, count, from, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 1; i <= A->n; i++)
        B->start[first[together.rank] + i] = A->start[i] + from[together.rank];
    for (int r = 0; r < P; r++) count[r] = first[r + 1] - first[r];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, B->start + 1, count, first, MPI_INT64_T,
                   MPI_COMM_WORLD);
    free(count);
    noe_sparse_free(A);
    *to = B;
    return NOE_OK;
}

noe_status matrix_reader_complete_structure(noe_structure *s)
{
    const int  P = together.count;
    int       *first = noe_status_alloc((size_t)P + 1, sizeof *first);
    noe_status status = together_agree(first ? NOE_OK : NOE_NO_MEMORY);
    for (int r = 0; r <= P && !status; r++) first[r] = noe_processes_row(&together, s->n, r);
    if (!status) status = matrix_reader_complete(&s->M, first);
    if (!status) status = matrix_reader_complete(&s->K, first);
    if (!status) s->complete = NULL, s->first = 0;
    free(first);
    return status;
}
