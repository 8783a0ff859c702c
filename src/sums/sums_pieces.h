/* The state of the sums engine in pieces, from every thread at once: to be looked at, or copied.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of several processes, each has its own coordinates. */
#ifndef NOE_SUMS_SUMS_PIECES_H
#define NOE_SUMS_SUMS_PIECES_H

#include "sums/sums_memory.h"

/* The process that steps a place. */
static int owner_of(const work *w, int place)
{
    const noe_tile_plan plan = division(w);
    int                 f = 0, r = 0;
    int64_t             lo, hi = 0;
    while (f + 1 < w->g->families && place >= w->g->family[f + 1].first) f++;
    for (; r < w->g->share->count; r++) {
        noe_sums_share_sites(&plan, r, w->g->share->count, &lo, &hi);
        if (place - w->g->family[f].first < hi) break;
    }
    return r;
}

/* The places *first .. *end - 1 of family f that this process steps. */
static void own_places(const work *w, int f, int64_t *first, int64_t *end)
{
    const noe_tile_plan plan = division(w);
    const int64_t       n = w->g->family[f].count, at = w->g->family[f].first;
    int64_t             lo = 0, hi = n;
    if (shares_tiles(w))
        noe_sums_share_sites(&plan, w->g->share->rank, w->g->share->count, &lo, &hi);
    *first = at + clip(lo, n), *end = at + clip(hi, n);
}

/* What the threads hand out: the places of each, some at a time. */
typedef struct {
    work             *w;
    const double     *v;    /* velocities where masses are coupled; NULL: v = p/m */
    noe_engine_piece *take; /* who takes them */
    void             *ctx;  /* its first argument */
    int               threads;
    int               begin, end; /* the places begin .. end - 1 */
} pieces_at_hand;

static void pieces_of_thread(void *ctx, int me)
{
    enum { PIECE = 512 };
    const pieces_at_hand *x = ctx;
    const noe_sums       *g = x->w->g;
    const double *q = array(x->w, x->w->state.now, A_Q), *p = array(x->w, x->w->state.now, A_P);
    const int64_t places = x->end - x->begin;
    const int     from = x->begin + (int)(places * me / x->threads),
              end = x->begin + (int)(places * (me + 1) / x->threads);
    double q_of[PIECE], v_of[PIECE], p_of[PIECE];
    int    first = from, count = 0;
    /* coordinates are numbered without the fixed places, whose `inverse` is 0 */
    for (int i = 0; i < from && g->n < g->places; i++) first -= g->inverse[i] == 0;
    for (int i = from; i < end; i++) {
        if (g->inverse[i] != 0) {
            q_of[count] = q[i], p_of[count] = p[i];
            v_of[count++] = x->v ? x->v[i] : p[i] * g->inverse[i];
        }
        if (!count || (count < PIECE && i + 1 < end)) continue;
        x->take(x->ctx, first, count, q_of, v_of, p_of);
        first += count, count = 0;
    }
}

/* Does each process hand out its own coordinates alone?  Their numbers are those of places. */
static bool divides_pieces(const work *w) { return shares_tiles(w) && w->g->n == w->g->places; }

/* noe_engine_large.range */
static bool range(void *self, int k, int *first, int *end)
{
    const work     *w = self;
    const noe_sums *g = w->g;
    const bool      divides = divides_pieces(w);
    int64_t         lo = 0, hi = g->n;
    if (k >= (divides ? g->families : 1)) return false;
    if (divides) own_places(w, k, &lo, &hi);
    *first = (int)lo, *end = (int)hi;
    return true;
}

/* noe_engine_large.largest */
static void largest_of_all(void *self, int count, double *x)
{
    const work *w = self;
    if (divides_pieces(w)) w->g->share->largest(w->g->share->ctx, count, x);
}

/* noe_engine_large.pieces */
static void pieces(void *self, noe_engine_piece *take, void *ctx)
{
    work           *w = self;
    const noe_sums *g = w->g;
    const bool      alone = g->places < ONE_THREAD_PLACES, divides = divides_pieces(w);
    const int       threads = alone ? 1 : noe_thread_team_size(w->tiles.team);
    pieces_at_hand  x = { w, NULL, take, ctx, threads, 0, g->places };
    if (!divides) make_whole(w);
    if (g->coupled) x.v = coupled_velocities(w);
    for (int k = 0; !divides ? k < 1 : range(w, k, &x.begin, &x.end); k++)
        if (alone) pieces_of_thread(&x, 0);
        else noe_thread_team_do(w->tiles.team, pieces_of_thread, &x);
}

/* Arguments of copy_by. */
typedef struct {
    work   *w;
    double *to;   /* a state */
    bool    back; /* from there to the present state */
} state_copy;

/* The part of thread `me` of the places that this process steps, in every array that a step
 * rewrites; after a step by Newton's method, which every process makes for itself, of all places
 * and arrays. */
static void copy_by(void *ctx, int me)
{
    const state_copy *x = ctx;
    const work       *w = x->w;
    const int         size = noe_thread_team_size(w->tiles.team);
    const bool        frozen = (x->back ? x->to : w->state.now)[FROZEN] != 0;
    for (int f = 0; f < w->g->families; f++) {
        int64_t first = w->g->family[f].first, end = first + w->g->family[f].count;
        if (!frozen) own_places(w, f, &first, &end);
        const int64_t from = first + (end - first) * me / size,
                      until = first + (end - first) * (me + 1) / size;
        for (int k = 0; k < (frozen ? STATE_ARRAYS : ARRAYS); k++) {
            double *here = array(w, w->state.now, k), *there = array(w, x->to, k);
            memcpy((x->back ? here : there) + from, (x->back ? there : here) + from,
                   (size_t)(until - from) * sizeof *here);
        }
    }
}

/* noe_engine_large.copy */
static void copy_state(void *self, void *other, bool back)
{
    work      *w = self;
    state_copy x = { w, other, back };
    noe_thread_team_do(w->tiles.team, copy_by, &x);
    memcpy(back ? w->state.now : x.to, back ? x.to : w->state.now, HEAD_SCALARS * sizeof *x.to);
    if (back && shares_tiles(w)) fetch(w, w->state.now, NOE_FETCH_HALOS), w->state.partial = true;
}

#endif
