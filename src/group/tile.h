/* [lo, hi) of the sites and a rim around it: a stretch of a chain that a step goes through while it is in the cache.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a step does to a site depends on sites at most halo = (evaluations of the forces) x (reach of a term) away.
 * A tile works on so many sites more than it owns; those near its edge become wrong, its own stay right, and it
 * writes only its own.  So tiles need nothing from each other, and their order and number of threads leave no trace. */
#ifndef NOE_GROUP_TILE_H
#define NOE_GROUP_TILE_H

#include "group/walk.h"

enum { TILE = 1024, DESK_ARRAYS = 6 };

typedef struct { /* of one family: places from .. from + count - 1, in scratch arrays at `at` */
    int64_t from, count, at;
    int64_t mine, mine_end; /* those it owns, counted from `from` */
} segment;

typedef struct { /* what one thread works with */
    bench   *bench;  /* [groups] */
    segment *segment; /* [families] */
    int64_t *shift;
    double **C, **Q, **F; /* [nodes]: constant part, positions and forces at the implicit nodes */
    double  *one[DESK_ARRAYS];
    int64_t  room;
} desk;

typedef struct {
    int64_t sites, size, halo, reach; /* size: what a tile owns */
    int64_t tiles;
} tiling;

/* How far apart the members of a term stand; -1: terms do not keep together. */
static int64_t reach_of(const noe_groups *g)
{
    int64_t far = 0;
    for (int k = 0; k < g->groups; k++) {
        const noe_terms *t = &g->group[k].terms;
        if (!g->group[k].force) continue;
        for (int64_t r = 0; r < t->runs; r++) {
            int64_t lo = INT64_MAX, hi = INT64_MIN;
            for (int s = 0; s < t->slots; s++) {
                if (t->kind[s] != NOE_AT_COORDINATE) continue;
                if (t->stride[s] != 1 && t->count[r] > 1) return -1;
                const int64_t site = t->base[r * t->slots + s] - g->family[t->family[s]].first;
                lo = site < lo ? site : lo;
                hi = site > hi ? site : hi;
            }
            if (hi > lo && hi - lo > far) far = hi - lo;
        }
    }
    return far;
}

static tiling tile(const noe_groups *g)
{
    tiling t = { .reach = reach_of(g), .tiles = 1 };
    for (int f = 0; f < g->families; f++)
        if (g->family[f].count > t.sites) t.sites = g->family[f].count;
    t.size = t.sites;
    const int64_t size = 64 * t.reach > TILE ? 64 * t.reach : TILE;
    if (t.reach < 0 || t.sites < 2 * size) return t;
    t.size = size;
    t.tiles = (t.sites + size - 1) / size;
    return t;
}

static int64_t clip(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }

/* Numbers of a tile in the scratch arrays, whole vectors a family. */
static int64_t room_of(const noe_groups *g, const tiling *t, int64_t halo)
{
    int64_t room = 0;
    for (int f = 0; f < g->families; f++)
        room += clip(t->size + 2 * halo, g->family[f].count) / LANES * LANES + 2 * LANES;
    return room + NOE_BLOCK;
}

static void cut(const noe_groups *g, const tiling *t, int64_t k, desk *d)
{
    int64_t       at = 0;
    const int64_t lo = k * t->size, hi = lo + t->size, halo = t->tiles > 1 ? t->halo : 0;
    for (int f = 0; f < g->families; f++) {
        const int64_t n = g->family[f].count, a = clip(lo - halo, n), b = clip(hi + halo, n);
        d->segment[f] = (segment){ g->family[f].first + a, b - a, at, clip(lo, n) - a, clip(hi, n) - a };
        d->shift[f] = at - (g->family[f].first + a);
        at += (b - a) / LANES * LANES + 2 * LANES;
    }
    d->room = at;
}

/* Which terms of a run lie in the tile. */
static void within(const noe_terms *t, int64_t run, const desk *d, int64_t *lo, int64_t *hi)
{
    *lo = 0, *hi = t->count[run];
    for (int s = 0; s < t->slots; s++) {
        if (t->kind[s] != NOE_AT_COORDINATE) continue;
        const segment *x = &d->segment[t->family[s]];
        const int64_t  first = x->from - t->base[run * t->slots + s], end = first + x->count;
        if (first > *lo) *lo = first;
        if (end < *hi) *hi = end;
    }
}

/* F = -dU/dq at Q and time t, right wherever all terms of a site lie in the tile. */
static void forces(const noe_groups *g, const tiling *t, const desk *d, double time, const double *Q, double *F)
{
    const sources x = { .q = Q, .shift = d->shift };
    memset(F, 0, (size_t)d->room * sizeof *F);
    for (int k = 0; k < g->groups; k++) {
        const noe_group *group = &g->group[k];
        if (!group->force) continue;
        set_time(&d->bench[k], time);
        for (int64_t r = 0; r < group->terms.runs; r++) {
            int64_t lo = 0, hi = group->terms.count[r];
            if (t->tiles > 1) within(&group->terms, r, d, &lo, &hi);
            add_terms(g, group, r, lo, hi, &d->bench[k], &x, F, true);
        }
    }
}

#endif
