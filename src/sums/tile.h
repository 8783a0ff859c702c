/* Tiles: pieces of a chain or ring of sites, stepped one by one, each while it is in the cache.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tile owns the sites [lo, hi).  The result of a step at a site depends on sites at most
 * (evaluations of the forces) x (reach of a term) away; so wide at least is the halo.  A tile
 * computes its own sites and a halo on either side; the values in the halo become wrong during the
 * step, those of its own sites stay right, and only these are written.  So tiles are independent of
 * each other, and neither their order nor the number of threads changes a bit.
 *
 * For the same reason a tile with a deeper halo may make several steps while it is in the cache:
 * its sites are read and written once in so many steps, with the bits of single steps.  Only
 * splittings do, whose work does not depend on the values. */
#ifndef NOE_SUMS_TILE_H
#define NOE_SUMS_TILE_H

#include "sums/fused_loop.h"
#include "sums/block_interpreter.h"

/* TILE: sites of the smallest tile of an implicit method, whose scratch arrays then take 48 KB;
 * halos for FIRST_ROUNDS iterations are 2 % of it where a term reaches one site.  No other values
 * were tried.  TILE_ARRAYS: scratch arrays of a thread; READ: arrays that are copied where a tile
 * wraps around a ring or makes several steps (the state and 1/m). */
enum { TILE = 1024, TILE_ARRAYS = 6, READ = 6 };

/* The part of one family that lies in a tile, halos included. */
typedef struct {
    /* Sites first .. first + count - 1, at index `at` of the scratch arrays.  On a ring `first` may
     * be negative, and the sites may run past the last one. */
    int64_t first, count, at;
    /* index of the first site in the arrays that are read */
    int64_t from;
    /* sites that the tile owns, counted from `first` */
    int64_t mine, mine_end;
    /* place of the first site that the tile owns */
    int64_t to;
} segment;

enum {
    /* Largest number of outputs in a gathered force; forces of more are accumulated in an array. */
    SUMMANDS = 4,
    /* Largest number of runs of a system with strips, since every tile searches all runs. */
    STRIP_RUNS = 16,
    /* Most steps of a tile at once, a bound that short terms alone reach, and the part of a block
     * that one halo of them may take: 16 of 256 sites.  Halos of 8, 24 and 32 sites were slower
     * (doc/decisions.md, 100). */
    STEPS_MOST = 32,
    DEEP_PART = 16
};

/* A force as a sum of outputs of terms: F_k = sum_i sign_i from_i[k]. */
typedef struct {
    int           count;          /* of summands */
    int64_t       sites;          /* length of the segment for which the pointers were set */
    double        sign[SUMMANDS]; /* [count] +1 or -1 */
    const double *from[SUMMANDS]; /* [count] outputs of terms */
} summands;

/* All terms of one group in a tile, if they are contiguous: terms lo .. lo + count - 1 of a run.
 * count 0: none. */
typedef struct {
    term_memory term_memory; /* tape of the group */
    int64_t     run, lo;     /* index of the run; first term */
    int         count, ones; /* ones: number of nonzero elements in mask */
    int64_t    *at;   /* [slots]: index of the first term's coordinate in the scratch arrays */
    double     *mask; /* [NOE_TERM_PITCH]: all bits set for each term, then zeros */
} strip;

/* Memory of one thread for one tile after another. */
typedef struct {
    /* [groups]: tape of the forces with memory for a block of terms */
    term_memory *term_memory;
    /* [groups]: gather_forces.h */
    strip *strip;
    /* [families]: the forces of the tile */
    summands *sum;
    /* gathers: forces are gathered from strips; fuses: the fused loop applies to the tile */
    bool gathers, fuses;
    /* pointers and cells of the fused loop (fused_loop.h) */
    double **line, *cell;
    /* sites from the first on that have all their terms, for the fused loop without masks */
    int64_t whole;
    /* [families] */
    segment *segment;
    /* [slots]: where the coordinates of a run are read, and where its forces are added: see
     * `sources` */
    int64_t *origin, *landing;
    /* [nodes][doubles]: constant part, positions and forces at the implicit nodes */
    double **C, **Q, **F;
    /* [doubles] each: scratch */
    double *one[TILE_ARRAYS];
    /* [doubles] each: copies of state and 1/m of a tile that wraps around a ring, or that makes
     * several steps */
    double *copy[READ];
    /* state and 1/m of the tile: the arrays themselves, or `copy` */
    const double *read[READ - 1], *mass;
    bool          is_copied;
    /* doubles of a scratch array in use */
    int64_t doubles;
} tile_memory;

/* How the sites are divided into tiles. */
typedef struct {
    /* sites of the longest family; sites owned by a tile; halo on either side of a tile that makes
     * one step; largest distance of sites in a term */
    int64_t sites, size, halo, reach;
    int     together;      /* steps that a tile may make at once */
    int64_t together_halo; /* halo on either side of a tile that makes so many steps */
    int64_t tiles;         /* number of tiles */
    bool    ring;          /* the last site is a neighbour of the first */
    /* [groups][runs][slots]: site within its family; on a ring shifted by its length to be near the
     * other slots */
    int64_t **site;
} tiling;

/* Site of each slot of a run; n: sites of the ring, 0: no ring.  Returns the largest distance of
 * two of them; -1: the slots of the run do not advance by the same positive stride, so its terms
 * are not local. */
static int64_t sites_of(const noe_sums *g, const noe_terms *t, int64_t run, int64_t n, bool *ring,
                        int64_t *site)
{
    int64_t lo = INT64_MAX, hi = INT64_MIN, stride = 0;
    for (int s = 0; s < t->slots; s++) {
        if (t->kind[s] != NOE_ARGUMENT_COORDINATE) continue;
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

/* The largest distance of two sites in a term; -1: the terms are not local. */
static int64_t reach_of(const noe_sums *g, tiling *t)
{
    /* On a ring all families have the same length. */
    int64_t far = 0, n = t->sites;
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

/* Halo for so many evaluations of the forces, in whole vectors.  An implicit step makes one more,
 * at its end; a second one is a margin, of explicit steps both are. */
static int64_t halo_width(const tiling *t, int rounds)
{
    return (t->reach * (rounds + 2) + LANES - 1) / LANES * LANES;
}

/* Chooses tiles of at most one block of terms, halos included, for `rounds` evaluations of the
 * forces in a step: the steps of such a tile stay in the first-level cache.  several: it may make
 * several.  False: the halos would take too much of a block, or there are too many runs. */
static bool by_strips(const noe_sums *g, int rounds, bool several, tiling *t)
{
    while (several && t->together < STEPS_MOST
           && halo_width(t, (t->together + 1) * rounds) <= NOE_TERM_BLOCK / DEEP_PART)
        t->together++;
    t->together_halo = halo_width(t, t->together * rounds);
    const int64_t most = NOE_TERM_BLOCK - 2 * t->together_halo;
    int64_t       runs = 0;
    for (int k = 0; k < g->groups; k++) runs += g->group[k].terms.runs;
    if (most < NOE_TERM_BLOCK / 2 || runs > STRIP_RUNS) {
        t->together = 1, t->together_halo = 0;
        return false;
    }
    t->tiles = (t->sites + most - 1) / most;
    t->size = ((t->sites + t->tiles - 1) / t->tiles + LANES - 1) / LANES * LANES;
    t->tiles = (t->sites + t->size - 1) / t->size;
    return true;
}

/* Chooses the tiles.  explicit: evaluations of the forces in a step, 0: an implicit method.
 * several: may a tile make several steps at once?  False: out of memory. */
static bool tile(const noe_sums *g, noe_arena *arena, int explicit, bool several, tiling *t)
{
    *t = (tiling){ .tiles = 1, .together = 1 };
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
    if (explicit && t->reach >= 0 && by_strips(g, explicit, several, t)) return true;
    /* With many tiles the halos cost more than the cache saves. */
    const int64_t least = t->sites < 64 * TILE ? TILE : 2 * TILE,
                  size = 64 * t->reach > least ? (64 * t->reach + LANES - 1) / LANES * LANES
                                               : least;
    if (t->reach < 0 || t->sites < 2 * size) return true; /* size is at least TILE */
    int64_t few = t->sites / size; /* even numbers of tiles keep two and four threads busy */
    if (few < 64) few -= few > 3 ? few % 4 : few % 2;
    t->size = few < 64 ? ((t->sites + few - 1) / few + LANES - 1) / LANES * LANES : size;
    t->tiles = (t->sites + t->size - 1) / t->size;
    return true;
}

static int64_t clip(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }

/* Doubles of a scratch array for any tile, whole vectors for each family. */
static int64_t tile_doubles(const noe_sums *g, const tiling *t, int64_t halo)
{
    int64_t doubles = 0;
    for (int f = 0; f < g->families; f++) {
        const int64_t wide = t->size + 2 * halo, count = g->family[f].count;
        doubles += (t->ring || wide < count ? wide : count) / LANES * LANES + 2 * LANES;
    }
    return doubles + NOE_TERM_BLOCK;
}

/* Copies sites a .. a + count - 1 of a ring of n sites. */
static void copy_wrapped(double *to, const double *from, int64_t a, int64_t count, int64_t n)
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

/* Sets the segments of tile k for so many steps. */
static void set_segments(const noe_sums *g, const tiling *t, int64_t k, int steps, tile_memory *d)
{
    int64_t       at = 0;
    const int64_t lo = k * t->size, hi = lo + t->size,
                  halo = t->tiles == 1 ? 0
                       : steps > 1     ? t->together_halo
                                       : t->halo;
    const bool wraps = t->ring && t->tiles > 1 && (lo < halo || hi + halo > t->sites);
    d->is_copied = wraps || steps > 1;
    for (int f = 0; f < g->families; f++) {
        const int64_t n = g->family[f].count, mine = clip(lo, n), end = clip(hi, n),
                      place = g->family[f].first, a = wraps ? mine - halo : clip(lo - halo, n),
                      b = wraps ? end + halo : clip(hi + halo, n);
        d->segment[f] = (segment){ a,        b - a,   at,          d->is_copied ? at : place + a,
                                   mine - a, end - a, place + mine };
        at += (b - a) / LANES * LANES + 2 * LANES;
    }
    d->doubles = at;
}

/* Asks the memory for the sites that the next tile will read and this one does not.  The processor
 * does not foresee them, since a tile stays in the cache for several steps. */
static void prefetch_next(const double *sites, const tiling *t, const segment *x)
{
    const double *from = sites + x->first + x->count;
    for (int64_t i = 0; i < t->size; i += LANES) __builtin_prefetch(from + i);
}

/* The array `from` of all places, to be read by the segments' `from`; copied to `copy` if the
 * tile is. */
static const double *sites_to_read(const noe_sums *g, const tiling *t, const tile_memory *d,
                                   const double *from, double *copy)
{
    for (int f = 0; d->is_copied && f < g->families; f++) {
        const double *sites = from + g->family[f].first;
        prefetch_next(sites, t, &d->segment[f]);
        copy_wrapped(copy + d->segment[f].at, sites, d->segment[f].first, d->segment[f].count,
                     t->sites);
    }
    return d->is_copied ? copy : from;
}

/* x/stride, rounded up. */
static int64_t over(int64_t x, int64_t stride)
{
    return stride == 1 ? x : (x + stride - 1) / stride;
}

/* Terms *lo .. *hi - 1 of a run that lie in the tile when the sites of the run are shifted by `by`
 * (a multiple of the length of a ring); sets d->origin. */
static void within(const noe_terms *t, int64_t run, const int64_t *site, int64_t by,
                   const tile_memory *d, int64_t *lo, int64_t *hi)
{
    *lo = 0, *hi = t->count[run];
    for (int s = 0; s < t->slots; s++) {
        if (t->kind[s] != NOE_ARGUMENT_COORDINATE) continue;
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

/* d->origin of a run if all its terms lie in the tile. */
static void all_here(const noe_sums *g, const noe_terms *t, int64_t run, const tile_memory *d)
{
    for (int s = 0; s < t->slots; s++)
        if (t->kind[s] == NOE_ARGUMENT_COORDINATE)
            d->origin[s] = d->segment[t->family[s]].at + t->base[run * t->slots + s]
                         - g->family[t->family[s]].first;
}

/* F = -dU/dq at positions Q and `time`; right at all sites of which all terms lie in the tile. */
static void forces(const noe_sums *g, const tiling *t, const tile_memory *d, double time,
                   const double *Q, double *F)
{
    const sources x = { .q = Q, .origin = d->origin };
    const int     images = t->tiles > 1 && t->ring;
    memset(F, 0, (size_t)d->doubles * sizeof *F);
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        if (!group->force) continue;
        set_time(&d->term_memory[k], time);
        for (int64_t r = 0; r < group->terms.runs; r++)
            for (int image = -images; image <= images; image++) {
                int64_t lo = 0, hi = group->terms.count[r];
                if (t->tiles > 1)
                    within(&group->terms, r, t->site[k] + r * group->terms.slots, image * t->sites,
                           d, &lo, &hi);
                else all_here(g, &group->terms, r, d);
                add_terms(g, group, r, lo, hi, &d->term_memory[k], &x, F, true);
            }
    }
}

#endif
