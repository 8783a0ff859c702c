/* Exchange with neighbours: index lists, one message for all vectors of an exchange.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What process r wants of process s is a list of places of s: r asks once, s keeps the list. */
#include "halo.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* One list: to or from each process. */
typedef struct {
    int *count, *from, *at; /* [processes] places, first of them in `at`; [sum] places */
    int  all;               /* sum of the counts */
} lists;

struct halo {
    int          n, owned, *own; /* places; of these owned; [owned] which */
    lists        send, receive;
    double      *out, *in; /* messages */
    int          room;     /* vectors for which there is room in them */
    MPI_Request *request;  /* [2 processes] */
    /* of all processes, for halo_gather: places owned, their global numbers, first of them */
    int     *count, *from;
    int64_t *global;
    double  *packed; /* [all places] */
    int64_t  whole;  /* places of the whole vector */
};

static void drop_lists(lists *x) { free(x->count), free(x->from), free(x->at); }

void halo_free(halo *h)
{
    if (!h) return;
    drop_lists(&h->send), drop_lists(&h->receive);
    free(h->own), free(h->out), free(h->in), free(h->request);
    free(h->count), free(h->from), free(h->global), free(h->packed);
    free(h);
}

static bool make_lists(lists *x)
{
    const int P = together.count;
    x->from = noe_status_alloc((size_t)P, sizeof *x->from);
    for (int r = 0; x->from && r < P; r++) x->from[r] = x->all, x->all += x->count[r];
    x->at = noe_status_alloc((size_t)x->all + 1, sizeof *x->at);
    return x->from && x->at;
}

/* The place with this global number, by bisection. */
static int place_of(int n, const int64_t *global, int64_t what)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (global[middle] < what) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool list(halo *h, const int64_t *global, const int *owner)
{
    const int P = together.count;
    h->receive.count = noe_status_alloc((size_t)P, sizeof *h->receive.count);
    h->send.count = noe_status_alloc((size_t)P, sizeof *h->send.count);
    if (!h->receive.count || !h->send.count) return false;
    for (int i = 0; i < h->n; i++)
        if (owner[i] == together.rank) h->owned++;
        else h->receive.count[owner[i]]++;
    MPI_Alltoall(h->receive.count, 1, MPI_INT, h->send.count, 1, MPI_INT, MPI_COMM_WORLD);
    h->own = noe_status_alloc((size_t)h->owned + 1, sizeof *h->own);
    if (!h->own || !make_lists(&h->receive) || !make_lists(&h->send)) return false;
    int64_t *want = noe_status_alloc((size_t)h->receive.all + 1, sizeof *want),
            *asked = noe_status_alloc((size_t)h->send.all + 1, sizeof *asked);
    int       *next = noe_status_alloc((size_t)P, sizeof *next);
    const bool ok = want && asked && next;
    if (ok) {
        memcpy(next, h->receive.from, (size_t)P * sizeof *next);
        for (int i = 0, own = 0; i < h->n; i++)
            if (owner[i] == together.rank) h->own[own++] = i;
            else {
                const int k = next[owner[i]]++;
                h->receive.at[k] = i, want[k] = global[i];
            }
        MPI_Alltoallv(want, h->receive.count, h->receive.from, MPI_INT64_T, asked, h->send.count,
                      h->send.from, MPI_INT64_T, MPI_COMM_WORLD);
        for (int k = 0; k < h->send.all; k++) h->send.at[k] = place_of(h->n, global, asked[k]);
    }
    free(want), free(asked), free(next);
    return ok;
}

/* The numbers of all owned places, in every process. */
static bool number(halo *h, const int64_t *global)
{
    const int P = together.count;
    int64_t  *mine = noe_status_alloc((size_t)h->owned + 1, sizeof *mine);
    h->count = noe_status_alloc((size_t)P, sizeof *h->count);
    h->from = noe_status_alloc((size_t)P, sizeof *h->from);
    if (!mine || !h->count || !h->from) return free(mine), false;
    MPI_Allgather(&h->owned, 1, MPI_INT, h->count, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < P; r++) h->from[r] = (int)h->whole, h->whole += h->count[r];
    h->global = noe_status_alloc((size_t)h->whole + 1, sizeof *h->global);
    h->packed = noe_status_alloc((size_t)h->whole + 1, sizeof *h->packed);
    for (int i = 0; i < h->owned; i++) mine[i] = global[h->own[i]];
    if (h->global)
        MPI_Allgatherv(mine, h->owned, MPI_INT64_T, h->global, h->count, h->from, MPI_INT64_T,
                       MPI_COMM_WORLD);
    free(mine);
    return h->global && h->packed;
}

halo *halo_make(int n, const int64_t *global, const int *owner)
{
    halo *h = noe_status_alloc(1, sizeof *h);
    if (!h) return NULL;
    h->n = n;
    h->request = noe_status_alloc(2 * (size_t)together.count, sizeof *h->request);
    if (h->request && list(h, global, owner)) return h;
    halo_free(h);
    return NULL;
}

static bool make_room(halo *h, int count)
{
    if (count <= h->room) return true;
    free(h->out), free(h->in);
    h->out = noe_status_alloc((size_t)h->send.all * (size_t)count + 1, sizeof *h->out);
    h->in = noe_status_alloc((size_t)h->receive.all * (size_t)count + 1, sizeof *h->in);
    h->room = h->out && h->in ? count : 0;
    return h->room;
}

void halo_exchange(halo *h, int count, double *const *x)
{
    const int P = together.count;
    int       requests = 0;
    if (!make_room(h, count)) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int r = 0; r < P; r++)
        if (h->receive.count[r])
            MPI_Irecv(h->in + (size_t)h->receive.from[r] * (size_t)count,
                      h->receive.count[r] * count, MPI_DOUBLE, r, 1, MPI_COMM_WORLD,
                      &h->request[requests++]);
    for (int r = 0; r < P; r++) {
        const int m = h->send.count[r], *at = h->send.at + h->send.from[r];
        double   *to = h->out + (size_t)h->send.from[r] * (size_t)count;
        if (!m) continue;
        for (int k = 0; k < count; k++)
            for (int i = 0; i < m; i++) to[k * m + i] = x[k][at[i]];
        together_count((double)m * count * sizeof *to);
        MPI_Isend(to, m * count, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, &h->request[requests++]);
    }
    MPI_Waitall(requests, h->request, MPI_STATUSES_IGNORE);
    for (int r = 0; r < P; r++) {
        const int     m = h->receive.count[r], *at = h->receive.at + h->receive.from[r];
        const double *from = h->in + (size_t)h->receive.from[r] * (size_t)count;
        for (int k = 0; k < count; k++)
            for (int i = 0; i < m; i++) x[k][at[i]] = from[k * m + i];
    }
}

void halo_gather(halo *h, const double *x, double *all)
{
    const size_t first = (size_t)h->from[together.rank];
    for (int i = 0; i < h->owned; i++) h->packed[first + (size_t)i] = x[h->own[i]];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, h->packed, h->count, h->from, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    for (int64_t i = 0; i < h->whole; i++) all[h->global[i]] = h->packed[i];
}

bool halo_prepare_gather(halo *h, const int64_t *global) { return h->global || number(h, global); }

int        halo_owned(const halo *h) { return h->owned; }
const int *halo_own(const halo *h) { return h->own; }

int halo_neighbours(const halo *h)
{
    int count = 0;
    for (int r = 0; r < together.count; r++) count += h->send.count[r] > 0;
    return count;
}
