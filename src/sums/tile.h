/* [lo, hi) of the sites and a rim around it: a stretch of a chain that a step goes through while it is in the cache.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a step does to a site depends on sites at most halo = (evaluations of the forces) x (reach of a term) away.
 * A tile works on so many sites more than it owns; those near its edge become wrong, its own stay right, and it
 * writes only its own.  So tiles need nothing from each other, and their order and number of threads leave no trace. */
#ifndef NOE_SUMS_TILE_H
#define NOE_SUMS_TILE_H

#include "sums/fused_loop.h"
#include "sums/block_interpreter.h"

enum { TILE = 1024, DESK_ARRAYS = 6, READ = 6 };

typedef struct { /* of one family, count sites in scratch arrays at `at` */
    int64_t first, count,
        at; /* of its sites; on a ring the first may be negative, and they may go on behind the last */
    int64_t from;           /* in the arrays that are read */
    int64_t mine, mine_end; /* those it owns, counted from the first */
    int64_t to;             /* the place of the first that it owns */
} segment;

enum {
    SUMMANDS = 4, /* of a force: more are added up in an array */
    STRIP_RUNS = 16
}; /* runs that every tile looks at */

typedef struct { /* F_k = sum of sign_i from_i[k] */
    int           count;
    int64_t       sites; /* of the segment that this is for */
    double        sign[SUMMANDS];
    const double *from[SUMMANDS];
} summands;

typedef struct
{ /* all terms of a group in the tile, lo .. lo + count - 1 of a run, fed to a bench; count 0: there are none */
    term_memory term_memory;
    int64_t     run, lo;
    int         count, ones;
    int64_t    *at;   /* [slots]: where the first term has its coordinate in the scratch arrays */
    double     *mask; /* ones for so many terms, then zeros */
} strip;

typedef struct {              /* what one thread works with */
    term_memory *term_memory; /* [groups] */
    strip       *strip;       /* [groups]: gather_forces.h */
    summands    *sum;         /* [families]: the forces of the tile in those */
    bool         gathers, fuses;
    double     **line, *cell;      /* of the fused loop: its pointers, its cells */
    int64_t      whole;            /* sites that have all their terms */
    segment     *segment;          /* [families] */
    int64_t     *origin, *landing; /* [slots] */
    double **C, **Q, **F; /* [nodes]: constant part, positions and forces at the implicit nodes */
    double  *one[DESK_ARRAYS];
    double  *bent[READ]; /* a tile that goes around the end of a ring is copied to here */
    const double *read[READ - 1], *mass; /* the state and 1/m, or those */
    bool          is_bent;
    int64_t       room;
} tile_memory;

typedef struct {
    int64_t sites, size, halo, reach; /* size: what a tile owns */
    bool    strip;                    /* a tile with its rims is no longer than a block */
    int64_t tiles;
    bool    ring; /* behind the last site comes the first */
    int64_t **
        site; /* [groups][runs][slots]: the site in its family, on a ring that near those of the other slots */
} tiling;

/* The sites of a run, near each other; the distance of the farthest two, -1: its terms do not keep together. */
static int64_t sites_of(const noe_sums *g, const noe_terms *t, int64_t run, int64_t n, bool *ring,
                        int64_t *site)
{
    int64_t lo = INT64_MAX, hi = INT64_MIN, stride = 0;
    for (int s = 0; s < t->slots; s++) {
        if (t->kind[s] != NOE_AT_COORDINATE) continue;
        site[s] = t->base[run * t->slots + s] - g->family[t->family[s]].first;
        if (t->count[run] > 1 && (t->stride[s] < 1 || (stride && t->stride[s] != stride)))
            return -1;
        stride = t->stride[s];
        if (n && hi >= lo && site[s] - lo > n / 2) site[s] -= n, *ring = true;
        else if (n && hi >= lo && hi - site[s] > n / 2) site[s] += n, *ring = true;
        lo = site[s] < lo ? site[s] : lo;
        hi = site[s] > hi ? site[s] : hi;
    }
    return hi > lo ? hi - lo : 0;
}

/* How far apart the members of a term stand; -1: terms do not keep together. */
static int64_t reach_of(const noe_sums *g, tiling *t)
{
    int64_t far = 0, n = t->sites; /* a ring's families are all as long */
    for (int f = 0; f < g->families; f++)
        if (g->family[f].count != n) n = 0;
    for (int k = 0; k < g->groups; k++) {
        const noe_terms *x = &g->group[k].terms;
        for (int64_t r = 0; g->group[k].force && r < x->runs; r++) {
            const int64_t reach = sites_of(g, x, r, n, &t->ring, t->site[k] + r * x->slots);
            if (reach < 0) return -1;
            far = reach > far ? reach : far;
        }
    }
    return far;
}

static int64_t rim(const tiling *t, int rounds)
{
    return (t->reach * (rounds + 2) + LANES - 1) / LANES * LANES;
}

/* Tiles of a block, rims and all, for that many evaluations: while a step goes through one it stays in the nearest cache. */
static bool by_strips(const noe_sums *g, int rounds, tiling *t)
{
    const int64_t most = NOE_TERM_BLOCK - 2 * rim(t, rounds);
    int64_t       runs = 0;
    for (int k = 0; k < g->groups; k++) runs += g->group[k].terms.runs;
    if (most < NOE_TERM_BLOCK / 2 || runs > STRIP_RUNS) return false;
    t->tiles = (t->sites + most - 1) / most;
    t->size = ((t->sites + t->tiles - 1) / t->tiles + LANES - 1) / LANES * LANES;
    t->tiles = (t->sites + t->size - 1) / t->size;
    return t->strip = true;
}

/* Explicit: as many evaluations of the forces a step, 0: implicit.  False without memory. */
static bool tile(const noe_sums *g, noe_arena *arena, int explicit, tiling *t)
{
    *t = (tiling){ .tiles = 1 };
    for (int f = 0; f < g->families; f++)
        if (g->family[f].count > t->sites) t->sites = g->family[f].count;
    t->size = t->sites;
    if (t->sites < (explicit ? NOE_TERM_BLOCK : 2 * TILE)) return true;
    t->site = noe_arena_take(arena, (size_t)g->groups * sizeof *t->site);
    if (!t->site) return false;
    for (int k = 0; k < g->groups; k++) {
        const noe_terms *x = &g->group[k].terms;
        if (!(t->site[k] = noe_arena_take(arena,
                                          (size_t)(x->runs * x->slots) * sizeof **t->site + 1)))
            return false;
    }
    t->reach = reach_of(g, t);
    if (explicit && t->reach >= 0 && by_strips(g, explicit, t)) return true;
    const int64_t least = t->sites < 64 * TILE
                            ? TILE
                            : 2 * TILE, /* many tiles: rims cost more than the cache saves */
        size = 64 * t->reach > least ? (64 * t->reach + LANES - 1) / LANES * LANES : least;
    if (t->reach < 0 || t->sites < 2 * size) return true; /* size is at least TILE */
    int64_t few = t->sites / size; /* even numbers of tiles keep two and four threads busy */
    if (few < 64) few -= few > 3 ? few % 4 : few % 2;
    t->size = few < 64 ? ((t->sites + few - 1) / few + LANES - 1) / LANES * LANES : size;
    t->tiles = (t->sites + t->size - 1) / t->size;
    return true;
}

static int64_t clip(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }

/* Numbers of a tile in the scratch arrays, whole vectors a family. */
static int64_t room_of(const noe_sums *g, const tiling *t, int64_t halo)
{
    int64_t room = 0;
    for (int f = 0; f < g->families; f++) {
        const int64_t wide = t->size + 2 * halo, count = g->family[f].count;
        room += (t->ring || wide < count ? wide : count) / LANES * LANES + 2 * LANES;
    }
    return room + NOE_TERM_BLOCK;
}

/* Sites a .. a + count - 1 of a ring of n. */
static void bend(double *to, const double *from, int64_t a, int64_t count, int64_t n)
{
    while (count > 0) {
        const int64_t at = a < 0  ? a + n
                         : a >= n ? a - n
                                  : a,
                      piece = n - at < count ? n - at : count;
        memcpy(to, from + at, (size_t)piece * sizeof *to);
        to += piece, a += piece, count -= piece;
    }
}

/* Where tile k is. */
static void cut(const noe_sums *g, const tiling *t, int64_t k, tile_memory *d)
{
    int64_t       at = 0;
    const int64_t lo = k * t->size, hi = lo + t->size, halo = t->tiles > 1 ? t->halo : 0;
    d->is_bent = t->ring && t->tiles > 1 && (lo < halo || hi + halo > t->sites);
    for (int f = 0; f < g->families; f++) {
        const int64_t n = g->family[f].count, mine = clip(lo, n), end = clip(hi, n),
                      place = g->family[f].first, a = d->is_bent ? mine - halo : clip(lo - halo, n),
                      b = d->is_bent ? end + halo : clip(hi + halo, n);
        d->segment[f] = (segment){ a,        b - a,   at,          d->is_bent ? at : place + a,
                                   mine - a, end - a, place + mine };
        at += (b - a) / LANES * LANES + 2 * LANES;
    }
    d->room = at;
}

/* The tile's part of an array of places, in `bent` where it is in two pieces. */
static const double *opened(const noe_sums *g, const tiling *t, const tile_memory *d,
                            const double *from, double *bent)
{
    for (int f = 0; d->is_bent && f < g->families; f++)
        bend(bent + d->segment[f].at, from + g->family[f].first, d->segment[f].first,
             d->segment[f].count, t->sites);
    return d->is_bent ? bent : from;
}

static int64_t over(int64_t x, int64_t stride)
{
    return stride == 1 ? x : (x + stride - 1) / stride;
}

/* Which terms of a run lie in the tile when its sites are moved by `by`; where those are in the scratch arrays. */
static void within(const noe_terms *t, int64_t run, const int64_t *site, int64_t by,
                   const tile_memory *d, int64_t *lo, int64_t *hi)
{
    *lo = 0, *hi = t->count[run];
    for (int s = 0; s < t->slots; s++) {
        if (t->kind[s] != NOE_AT_COORDINATE) continue;
        const segment *x = &d->segment[t->family[s]];
        const int64_t  stride = t->count[run] > 1 ? t->stride[s] : 1,
                      before = x->first - site[s] - by, end = before + x->count;
        const int64_t first = before > 0 ? over(before, stride) : 0,
                      last = end > 0 ? over(end, stride) : 0;
        d->origin[s] = x->at - before;
        if (first > *lo) *lo = first;
        if (last < *hi) *hi = last;
    }
}

static void all_here(const noe_sums *g, const noe_terms *t, int64_t run, const tile_memory *d)
{
    for (int s = 0; s < t->slots; s++)
        if (t->kind[s] == NOE_AT_COORDINATE)
            d->origin[s] = d->segment[t->family[s]].at + t->base[run * t->slots + s]
                         - g->family[t->family[s]].first;
}

/* F = -dU/dq at Q and time t, right wherever all terms of a site lie in the tile. */
static void forces(const noe_sums *g, const tiling *t, const tile_memory *d, double time,
                   const double *Q, double *F)
{
    const sources x = { .q = Q, .origin = d->origin };
    const int     turns = t->tiles > 1 && t->ring;
    memset(F, 0, (size_t)d->room * sizeof *F);
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        if (!group->force) continue;
        set_time(&d->term_memory[k], time);
        for (int64_t r = 0; r < group->terms.runs; r++)
            for (int turn = -turns; turn <= turns; turn++) {
                int64_t lo = 0, hi = group->terms.count[r];
                if (t->tiles > 1)
                    within(&group->terms, r, t->site[k] + r * group->terms.slots, turn * t->sites,
                           d, &lo, &hi);
                else all_here(g, &group->terms, r, d);
                add_terms(g, group, r, lo, hi, &d->term_memory[k], &x, F, true);
            }
    }
}

#endif
