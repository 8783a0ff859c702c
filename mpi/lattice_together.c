/* Lattices and chains of many processes: each steps its tiles, and fetches the halos of others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Process r owns the tiles T r/P .. T (r + 1)/P - 1, the sites between them in every family.  A
 * step of a tile depends on the sites of the tile and of the halo around it alone (sums/tile.h),
 * so all bits are those of one process. */
#include "engines.h"

#include "base/status.h"
#include "sums/sums.h"
#include "sums/sums_share.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t from, to; /* places from .. to - 1 */
} range;

enum { RANGES = 4 };

/* Sites lo .. hi - 1 of process r. */
static range sites_of(const noe_tile_plan *p, int r)
{
    range x;
    noe_sums_share_sites(p, r, together.count, &x.from, &x.to);
    return x;
}

static int64_t within(int64_t x, int64_t n) { return x < 0 ? 0 : x > n ? n : x; }

/* The places of family f that process r wants from process s; their number. */
static int wanted(const noe_sums *g, const noe_tile_plan *p, int f, int r, int s, range *to)
{
    const int64_t n = g->family[f].count, first = g->family[f].first;
    const range   own = sites_of(p, r), other = sites_of(p, s);
    const range   around[] = { { own.from - p->halo, own.from }, { own.to, own.to + p->halo } };
    int           count = 0;
    if (own.from >= own.to || r == s) return 0;
    for (int k = 0; k < 2; k++)
        for (int turn = -p->ring; turn <= p->ring; turn++) {
            const int64_t by = turn * p->sites, end = own.to < n ? own.to : n;
            /* on a ring the halo after the last site begins with the first one */
            const range x = k && p->ring ? (range){ end, end + p->halo } : around[k];
            int64_t     a = x.from + by, b = x.to + by;
            a = a > other.from ? a : other.from, b = b < other.to ? b : other.to;
            a = within(a, n), b = within(b, n);
            if (a < b && count < RANGES) to[count++] = (range){ first + a, first + b };
        }
    return count;
}

/* Copies between a message and the arrays: what process r wants from process s.  The number of
 * doubles; message NULL: only counts. */
static int64_t pack(const noe_sums *g, const noe_tile_plan *p, int r, int s, int arrays,
                    double *const *array, double *message, bool into)
{
    range   x[RANGES];
    int64_t at = 0;
    for (int f = 0; f < g->families; f++)
        for (int k = 0, count = wanted(g, p, f, r, s, x); k < count; k++)
            for (int a = 0; a < arrays; a++, at += x[k].to - x[k].from) {
                const size_t bytes = (size_t)(x[k].to - x[k].from) * sizeof(double);
                if (message && into) memcpy(message + at, array[a] + x[k].from, bytes);
                else if (message) memcpy(array[a] + x[k].from, message + at, bytes);
            }
    return at;
}

static double *room_for(double **room, int64_t *has, int64_t wants)
{
    if (wants <= *has) return *room;
    free(*room);
    *room = noe_status_alloc((size_t)wants, sizeof **room);
    *has = *room ? wants : 0;
    if (!*room) MPI_Abort(MPI_COMM_WORLD, 2);
    return *room;
}

static void fetch_halos(const noe_sums *g, const noe_tile_plan *p, int arrays, double *const *array)
{
    static double      *in, *out;
    static int64_t      in_has, out_has;
    static MPI_Request *request;
    const int           P = together.count, me = together.rank;
    int64_t             wants = 0, gives = 0, at = 0;
    int                 requests = 0;
    if (!request && !(request = noe_status_alloc(2 * (size_t)P, sizeof *request)))
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int s = 0; s < P; s++) {
        wants += pack(g, p, me, s, arrays, array, NULL, false);
        gives += pack(g, p, s, me, arrays, array, NULL, false);
    }
    room_for(&in, &in_has, wants), room_for(&out, &out_has, gives);
    for (int s = 0; s < P; s++) {
        const int64_t m = pack(g, p, me, s, arrays, array, NULL, false);
        if (m) MPI_Irecv(in + at, (int)m, MPI_DOUBLE, s, 2, MPI_COMM_WORLD, &request[requests++]);
        at += m;
    }
    at = 0;
    for (int r = 0; r < P; r++) {
        const int64_t m = pack(g, p, r, me, arrays, array, out + at, true);
        if (!m) continue;
        together_count((double)m * sizeof *out);
        MPI_Isend(out + at, (int)m, MPI_DOUBLE, r, 2, MPI_COMM_WORLD, &request[requests++]);
        at += m;
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    at = 0;
    for (int s = 0; s < P; s++) at += pack(g, p, me, s, arrays, array, in + at, false);
}

/* All places, in every process. */
static void fetch_all(const noe_sums *g, const noe_tile_plan *p, int arrays, double *const *array)
{
    const int P = together.count;
    int      *count = noe_status_alloc(2 * (size_t)P, sizeof *count), *from = count + P;
    if (!count) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int f = 0; f < g->families; f++) {
        const int64_t n = g->family[f].count;
        for (int r = 0; r < P; r++) {
            const range x = sites_of(p, r);
            from[r] = (int)within(x.from, n), count[r] = (int)within(x.to, n) - from[r];
        }
        for (int a = 0; a < arrays; a++)
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, array[a] + g->family[f].first, count,
                           from, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    free(count);
}

static void fetch(void *ctx, const noe_sums *g, const noe_tile_plan *p, int steps, int arrays,
                  double *const *array)
{
    (void)ctx;
    if (steps == NOE_FETCH_ALL) {
        fetch_all(g, p, arrays, array);
        return;
    }
    stepping = steps > 0;
    fetch_halos(g, p, arrays, array);
    stepping = false;
    if (steps > 0) in_steps.steps += steps;
}

static void largest(void *ctx, int count, double *x)
{
    (void)ctx;
    in_steps.reductions++;
    MPI_Allreduce(MPI_IN_PLACE, x, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void gather(void *ctx, const noe_tile_plan *p, int numbers, double *x)
{
    const int P = together.count;
    int      *count = noe_status_alloc(2 * (size_t)P, sizeof *count), *from = count + P;
    (void)ctx;
    if (!count) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int r = 0; r < P; r++) {
        from[r] = (int)noe_sums_share_tile(p, r, P) * numbers;
        count[r] = (int)noe_sums_share_tile(p, r + 1, P) * numbers - from[r];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, count, from, MPI_DOUBLE, MPI_COMM_WORLD);
    free(count);
}

static void broadcast(void *ctx, int from, double *x)
{
    (void)ctx;
    MPI_Bcast(x, 1, MPI_DOUBLE, from, MPI_COMM_WORLD);
}

void lattice_together(noe_sums *g)
{
    static noe_sums_share all;
    all =
        (noe_sums_share){ NULL, together.rank, together.count, fetch, largest, gather, broadcast };
    g->share = &all;
}
