/* Tiles of a system of sums of which one process steps a share, and other processes the rest.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Process r of P steps the tiles T r/P .. T (r + 1)/P - 1.  All have arrays of all places, of which
 * they keep their own sites right, and the halos of their tiles. */
#ifndef NOE_SUMS_SUMS_SHARE_H
#define NOE_SUMS_SUMS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct noe_sums;

/* How the sites are divided: sums/tile.h. */
typedef struct {
    int64_t tiles, size, halo, sites; /* tiles; sites of a tile; of a halo; of the longest family */
    bool    ring;                     /* the last site is a neighbour of the first */
} noe_tile_plan;

/* The first tile of process r of `count`; r = count: their number. */
static inline int64_t noe_sums_share_tile(const noe_tile_plan *p, int r, int count)
{
    return p->tiles * r / count;
}

/* Process r of `count` has the sites *lo .. *hi - 1, of which the last ones may not be there. */
static inline void noe_sums_share_sites(const noe_tile_plan *p, int r, int count, int64_t *lo,
                                        int64_t *hi)
{
    *lo = noe_sums_share_tile(p, r, count) * p->size;
    *hi = noe_sums_share_tile(p, r + 1, count) * p->size;
}

enum { NOE_FETCH_ALL = 0, NOE_FETCH_HALOS = -1 };

typedef struct noe_sums_share {
    void *ctx;         /* first argument of the functions */
    int   rank, count; /* this process, of how many */
    /* Fetches the halos of this process, after so many steps, NOE_FETCH_HALOS: after none; or
     * NOE_FETCH_ALL: all places; of so many arrays. */
    void (*fetch)(void *ctx, const struct noe_sums *, const noe_tile_plan *, int steps, int arrays,
                  double *const *array);
    /* x[k] becomes its largest value in any process. */
    void (*largest)(void *ctx, int count, double *x);
    /* x [tiles][numbers]: fetches the numbers of the tiles of other processes. */
    void (*gather)(void *ctx, const noe_tile_plan *, int numbers, double *x);
    /* *x becomes its value in process `from`. */
    void (*broadcast)(void *ctx, int from, double *x);
} noe_sums_share;

#endif
