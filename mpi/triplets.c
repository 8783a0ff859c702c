/* Sends the entries of a matrix to the processes that have their rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_reader.h"

#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void triplets_drop(triplets *x)
{
    free(x->row), free(x->col), free(x->value);
    *x = (triplets){ .count = 0 };
}

static bool make(triplets *x, size_t count)
{
    *x = (triplets){ .count = count,
                     .row = noe_status_alloc(count + 1, sizeof *x->row),
                     .col = noe_status_alloc(count + 1, sizeof *x->col),
                     .value = noe_status_alloc(count + 1, sizeof *x->value) };
    return x->row && x->col && x->value;
}

/* The process that has row i, by bisection. */
static int owner(const int *first, int i)
{
    int low = 0, high = together.count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (first[middle] <= i) low = middle;
        else high = middle;
    }
    return low;
}

/* The processes that entry k goes to, one or two; their number. */
static int owners(const triplets *x, size_t k, const int *first, bool mirror, int to[2])
{
    to[0] = owner(first, x->row[k]);
    to[1] = mirror ? owner(first, x->col[k]) : to[0];
    return to[0] == to[1] ? 1 : 2;
}

/* Puts the entries into the order of the processes they go to; at[r]: where those of r begin. */
static void sort(const triplets *x, const int *first, bool mirror, int *at, triplets *out)
{
    int to[2];
    for (size_t k = 0; k < x->count; k++)
        for (int i = 0, m = owners(x, k, first, mirror, to); i < m; i++) {
            const int place = at[to[i]]++;
            out->row[place] = x->row[k];
            out->col[place] = x->col[k];
            out->value[place] = x->value[k];
        }
}

noe_status triplets_send(const triplets *x, const int *first, bool mirror, triplets *in)
{
    const size_t P = (size_t)together.count;
    int         *give = noe_status_alloc(5 * P, sizeof *give), *get = give + P, *from = get + P,
        *at = from + P, *next = at + P, to[2];
    triplets   out = { .count = 0 };
    size_t     gives = 0, gets = 0;
    noe_status status = give ? NOE_OK : NOE_NO_MEMORY;
    *in = (triplets){ .count = 0 };
    for (size_t k = 0; k < x->count && !status; k++)
        for (int i = 0, m = owners(x, k, first, mirror, to); i < m; i++, gives++) give[to[i]]++;
    if (!status && gives > INT_MAX)
        status = noe_status_fail(NOE_NO_MEMORY,
                                 "%zu entries of a matrix for one process: take more "
                                 "processes",
                                 gives);
    if (!status && !make(&out, gives)) status = NOE_NO_MEMORY;
    if (!(status = together_agree(status))) {
        MPI_Alltoall(give, 1, MPI_INT, get, 1, MPI_INT, MPI_COMM_WORLD);
        for (size_t r = 0; r < P; r++) gets += (size_t)get[r];
        for (size_t r = 1; r < P; r++) from[r] = from[r - 1] + give[r - 1];
        for (size_t r = 1; r < P && gets <= INT_MAX; r++) at[r] = at[r - 1] + get[r - 1];
        memcpy(next, from, P * sizeof *next);
        sort(x, first, mirror, next, &out);
        if (gets > INT_MAX || !make(in, gets)) status = NOE_NO_MEMORY;
    }
    if (!(status = together_agree(status))) {
        MPI_Alltoallv(out.row, give, from, MPI_INT, in->row, get, at, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoallv(out.col, give, from, MPI_INT, in->col, get, at, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoallv(out.value, give, from, MPI_DOUBLE, in->value, get, at, MPI_DOUBLE,
                      MPI_COMM_WORLD);
    }
    free(give);
    triplets_drop(&out);
    return status;
}
