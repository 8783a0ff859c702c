/* Layers of coordinates around those of a process; rows of the matrices from the processes that
 * read them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Layer k: the coordinates that layer k - 1 has entries with in K, M or C.  A process asks for the
 * rows of a layer once, and learns the next layer from them. */
#include "layers.h"

#include "together.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void layers_drop(layers *x)
{
    free(x->list), free(x->layer);
    for (int m = 0; m < LAYER_MATRICES; m++)
        free(x->rows[m].start), free(x->rows[m].col), free(x->rows[m].value);
    *x = (layers){ .count = 0 };
}

/* Memory for more rows and entries; new memory is not set. */
static bool make_room(row_list *x, int64_t rows, int64_t entries)
{
    if (x->rows + rows > x->room || !x->start) {
        x->room = x->rows + rows + x->room / 2;
        int64_t *start = realloc(x->start, ((size_t)x->room + 1) * sizeof *start);
        if (!start) return false;
        if (!x->start) *start = 0;
        x->start = start;
    }
    if (x->entries + entries <= x->entry_room && x->col) return true;
    x->entry_room = x->entries + entries + x->entry_room / 2;
    int32_t *col = realloc(x->col, ((size_t)x->entry_room + 1) * sizeof *col);
    if (col) x->col = col;
    double *value = realloc(x->value, ((size_t)x->entry_room + 1) * sizeof *value);
    if (value) x->value = value;
    return col && value;
}

/* ---- rows that this process has ---- */

static bool copy_rows(const noe_sparse *A, const int *list, int64_t count, row_list *to)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) entries += A->start[list[i] + 1] - A->start[list[i]];
    if (!make_room(to, count, entries)) return false;
    for (int64_t i = 0; i < count; i++) {
        const int64_t from = A->start[list[i]], m = A->start[list[i] + 1] - from;
        memcpy(to->col + to->entries, A->col + from, (size_t)m * sizeof *A->col);
        memcpy(to->value + to->entries, A->value + from, (size_t)m * sizeof *A->value);
        to->start[++to->rows] = to->entries += m;
    }
    return true;
}

/* ---- rows that other processes have ---- */

/* What is asked of each process, and what each asks. */
typedef struct {
    int *want, *want_at, *give, *give_at; /* [processes] rows; where they begin */
    int *part, *part_at, *out, *out_at;   /* [processes] the same of entries */
    int *asked, asks;                     /* [asks] rows that others ask for */
} request;

static void drop_request(request *x) { free(x->want), free(x->asked); }

static int places(int *at, const int *count)
{
    int sum = 0;
    for (int r = 0; r < together.count; r++) at[r] = sum, sum += count[r];
    return sum;
}

static noe_status ask(request *x, int n, const int *list, int64_t count)
{
    const size_t P = (size_t)together.count;
    *x = (request){ .want = noe_status_alloc(8 * P, sizeof *x->want) };
    noe_status status = together_agree(x->want ? NOE_OK : NOE_NO_MEMORY);
    if (status) return status;
    x->want_at = x->want + P, x->give = x->want_at + P, x->give_at = x->give + P;
    x->part = x->give_at + P, x->part_at = x->part + P, x->out = x->part_at + P;
    x->out_at = x->out + P;
    for (int64_t i = 0, r = 0; i < count; i++) {
        while (list[i] >= noe_processes_row(&together, n, (int)r + 1)) r++;
        x->want[r]++;
    }
    MPI_Alltoall(x->want, 1, MPI_INT, x->give, 1, MPI_INT, MPI_COMM_WORLD);
    places(x->want_at, x->want), x->asks = places(x->give_at, x->give);
    x->asked = noe_status_alloc((size_t)x->asks + 1, sizeof *x->asked);
    if ((status = together_agree(x->asked ? NOE_OK : NOE_NO_MEMORY))) return status;
    MPI_Alltoallv(list, x->want, x->want_at, MPI_INT, x->asked, x->give, x->give_at, MPI_INT,
                  MPI_COMM_WORLD);
    return NOE_OK;
}

/* Sums of the lengths of rows that go to or come from each process. */
static void add_up(int *to, const int *count, const int *at, const int *length)
{
    for (int r = 0; r < together.count; r++) {
        to[r] = 0;
        for (int i = 0; i < count[r]; i++) to[r] += length[at[r] + i];
    }
}

/* Appends the `count` rows asked for, of the matrix of which this process has the rows from `first`
 * on. */
static noe_status answer(request *x, const noe_sparse *A, int first, int64_t count, row_list *to)
{
    int     *length = noe_status_alloc((size_t)(x->asks + count) + 1, sizeof *length), *comes;
    row_list out = { .rows = 0 };
    bool     ok = length != NULL;
    for (int i = 0; i < x->asks && ok; i++) x->asked[i] -= first;
    ok = ok && copy_rows(A, x->asked, x->asks, &out);
    for (int i = 0; i < x->asks && ok; i++) {
        x->asked[i] += first;
        length[i] = (int)(out.start[i + 1] - out.start[i]);
    }
    noe_status status = together_agree(ok ? NOE_OK : NOE_NO_MEMORY);
    comes = length + x->asks;
    if (!status) {
        MPI_Alltoallv(length, x->give, x->give_at, MPI_INT, comes, x->want, x->want_at, MPI_INT,
                      MPI_COMM_WORLD);
        add_up(x->out, x->give, x->give_at, length), add_up(x->part, x->want, x->want_at, comes);
        places(x->out_at, x->out);
        ok = make_room(to, count, places(x->part_at, x->part));
        status = together_agree(ok ? NOE_OK : NOE_NO_MEMORY);
    }
    if (!status) {
        MPI_Alltoallv(out.col, x->out, x->out_at, MPI_INT32_T, to->col + to->entries, x->part,
                      x->part_at, MPI_INT32_T, MPI_COMM_WORLD);
        MPI_Alltoallv(out.value, x->out, x->out_at, MPI_DOUBLE, to->value + to->entries, x->part,
                      x->part_at, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int64_t i = 0; i < count; i++) to->start[++to->rows] = to->entries += comes[i];
    }
    free(length), free(out.start), free(out.col), free(out.value);
    return status;
}

/* Appends the rows of list[0 .. count - 1], which ascend. */
static noe_status fetch(layers *x, const noe_structure *s, const int *list, int64_t count)
{
    const noe_sparse *const matrix[LAYER_MATRICES] = { s->K, s->M, s->C };
    request                 y = { .want = NULL };
    noe_status              status = NOE_OK;
    if (s->complete) status = ask(&y, s->n, list, count);
    for (int m = 0; m < LAYER_MATRICES && !status; m++) {
        if (!matrix[m]) continue;
        if (s->complete) status = answer(&y, matrix[m], s->first, count, &x->rows[m]);
        else status = copy_rows(matrix[m], list, count, &x->rows[m]) ? NOE_OK : NOE_NO_MEMORY;
    }
    drop_request(&y);
    return status;
}

/* ---- layers ---- */

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Appends the coordinates that the rows from `row` on have entries with. */
static void next_layer(layers *x, int64_t row, int k)
{
    const int64_t from = x->count;
    for (int m = 0; m < LAYER_MATRICES; m++) {
        const row_list *a = &x->rows[m];
        for (int64_t e = a->rows ? a->start[row] : 0; e < a->entries; e++)
            if (x->layer[a->col[e]] < 0) {
                x->layer[a->col[e]] = k;
                x->list[x->count++] = a->col[e];
            }
    }
    qsort(x->list + from, (size_t)(x->count - from), sizeof *x->list, by_number);
}

static bool beyond(const layers *x, int64_t own, double most)
{
    int far = (double)(x->count - own) > most * (double)own;
    MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return far;
}

noe_status layers_find(layers *x, const noe_structure *s, const int *owner, int depth, bool keep,
                       double most)
{
    *x = (layers){ .list = noe_status_alloc((size_t)s->n + 1, sizeof *x->list),
                   .layer = noe_status_alloc((size_t)s->n + 1, sizeof *x->layer) };
    noe_status status = together_agree(x->list && x->layer ? NOE_OK : NOE_NO_MEMORY);
    if (status) return status;
    for (int i = 0; i < s->n; i++) {
        x->layer[i] = owner[i] == together.rank ? 0 : -1;
        if (!x->layer[i]) x->list[x->count++] = i;
    }
    const int64_t own = x->count;
    int64_t       from = 0, row = 0;
    for (int k = 1; k <= depth + keep && !status; k++) {
        const int64_t end = x->count;
        for (int m = 0; m < LAYER_MATRICES && !keep; m++) x->rows[m].rows = x->rows[m].entries = 0;
        row = keep ? from : 0;
        status = fetch(x, s, x->list + from, end - from);
        if (!(status = together_agree(status)) && k <= depth) next_layer(x, row, k);
        from = end;
        if (!status && k <= depth && beyond(x, own, most)) break;
    }
    return status;
}
