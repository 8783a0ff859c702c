/* Divides the terms of a system without tiles among threads:  F = sum_k F_k, k = 0 .. shares - 1.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Used for many bodies that all act on each other, and for lattices too narrow for tiles.  The
 * terms, in their order, are divided into shares of about equal cost.  Each share accumulates its
 * forces in an array of its own, which covers the sites that it touches; then the arrays are added
 * in their order.  The number of shares depends on the system alone, so the bits do not depend on
 * the number of threads. */
#ifndef NOE_SUMS_PARTITION_H
#define NOE_SUMS_PARTITION_H

#include "sums/tile.h"
#include "base/thread_team.h"

/* SHARES_MOST: limit of the number of shares.  SHARE_WORK: operations that make a share worth
 * while.  STRETCH: sites that a thread adds up at a time. */
enum { SHARES_MOST = 32, SHARE_WORK = 1 << 16, STRETCH = 2048 };

/* The blocks of terms from (group, run, block) up to the beginning of the next share. */
typedef struct {
    int     group;      /* index of the sum of like terms */
    int64_t run, block; /* index of the run, of the block in the run */
    int64_t lo, hi;     /* indices lo .. hi - 1 of the scratch arrays that its terms touch */
    double *F;          /* [hi - lo + NOE_TERM_BLOCK]: its forces */
} share;

/* All shares; the last element only marks the end. */
typedef struct {
    int   count;               /* 0: one thread computes all terms */
    share of[SHARES_MOST + 1]; /* [count + 1] */
} sharing;

static int64_t blocks_of(int64_t terms) { return (terms + NOE_TERM_BLOCK - 1) / NOE_TERM_BLOCK; }

/* Cost of a block of terms, in operations on a block: reading inputs, adding outputs and overhead
 * are about eight. */
static int64_t block_cost(const noe_sum_group *g) { return g->force->length + 8; }

/* Extends lo .. hi of a share by what blocks `from` .. `to` - 1 of a run touch. */
static void cover_blocks(const noe_sums *g, const noe_sum_group *group, int64_t run, int64_t from,
                         int64_t to, const tile_memory *d, share *s)
{
    const noe_terms *t = &group->terms;
    const int64_t last = to * NOE_TERM_BLOCK < t->count[run] ? to * NOE_TERM_BLOCK : t->count[run];
    all_here(g, t, run, d);
    for (int o = 0; o < group->force->outputs; o++) {
        const int     k = group->to[o];
        const int64_t stride = t->count[run] > 1 ? t->stride[k] : 0,
                      a = d->origin[k] + stride * from * NOE_TERM_BLOCK,
                      b = d->origin[k] + stride * (last - 1);
        s->lo = a < s->lo ? a : s->lo, s->lo = b < s->lo ? b : s->lo;
        s->hi = a >= s->hi ? a + 1 : s->hi, s->hi = b >= s->hi ? b + 1 : s->hi;
    }
}

/* Divides the terms, of total cost `work`, into `count` shares.  Returns the doubles of all their
 * arrays. */
static int64_t cut_shares(const noe_sums *g, const tile_memory *d, int64_t work, int count,
                          sharing *x)
{
    int64_t done = 0, doubles = 0;
    int     now = 0;
    for (int i = 0; i <= count; i++) x->of[i] = (share){ g->groups, 0, 0, INT64_MAX, 0, NULL };
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        for (int64_t r = 0; group->force && r < group->terms.runs; r++) {
            const int64_t blocks = blocks_of(group->terms.count[r]), each = block_cost(group);
            for (int64_t b = 0; b < blocks;) {
                const int64_t end = work * (now + 1) / count,
                              fit = now == count - 1 ? blocks - b : (end - done + each - 1) / each,
                              some = fit < 1          ? 1
                                   : fit < blocks - b ? fit
                                                      : blocks - b;
                if (x->of[now].hi == 0) {
                    x->of[now].group = k;
                    x->of[now].run = r;
                    x->of[now].block = b;
                }
                cover_blocks(g, group, r, b, b + some, d, &x->of[now]);
                b += some, done += some * each;
                if (done >= end && now < count - 1) now++;
            }
        }
    }
    for (x->count = 0; x->count < count && x->of[x->count].hi; x->count++)
        doubles += x->of[x->count].hi - x->of[x->count].lo;
    return doubles;
}

/* Chooses the number of shares and allocates their arrays; d is set up for the single tile.  False:
 * out of memory. */
static bool partition_terms(const noe_sums *g, noe_arena *arena, const tile_memory *d, sharing *x)
{
    int64_t work = 0;
    x->count = 0;
    for (int k = 0; k < g->groups; k++)
        for (int64_t r = 0; g->group[k].force && r < g->group[k].terms.runs; r++)
            work += blocks_of(g->group[k].terms.count[r]) * block_cost(&g->group[k]);
    int count = work * NOE_TERM_BLOCK / SHARE_WORK < SHARES_MOST
                  ? (int)(work * NOE_TERM_BLOCK / SHARE_WORK)
                  : SHARES_MOST;
    /* Adding the arrays must be cheap against computing the forces. */
    while (count > 1 && cut_shares(g, d, work, count, x) > work + 4 * g->places) count /= 2;
    if (count < 2 || x->count < 2) {
        x->count = 0;
        return true;
    }
    for (int i = 0; i < x->count; i++)
        if (!(x->of[i].F = noe_arena_take(
                  arena, (size_t)(x->of[i].hi - x->of[i].lo + NOE_TERM_BLOCK) * sizeof(double))))
            return false;
    return true;
}

/* The forces of share i, in its own array. */
static void share_forces(const noe_sums *g, const sharing *x, int i, const tile_memory *d,
                         double time, const double *Q)
{
    const share  *s = &x->of[i], *next = &x->of[i + 1];
    const sources from = { .q = Q, .origin = d->origin, .landing = d->landing };
    memset(s->F, 0, (size_t)(s->hi - s->lo) * sizeof *s->F);
    for (int k = s->group; k < g->groups && k <= next->group; k++) {
        const noe_sum_group *group = &g->group[k];
        if (!group->force) continue;
        set_time(&d->term_memory[k], time);
        for (int64_t r = k == s->group ? s->run : 0; r < group->terms.runs; r++) {
            const bool first = k == s->group && r == s->run,
                       last = k == next->group && r == next->run;
            if (k == next->group && r > next->run) break;
            const int64_t count = group->terms.count[r], end = next->block * NOE_TERM_BLOCK;
            all_here(g, &group->terms, r, d);
            for (int j = 0; j < group->terms.slots; j++) d->landing[j] = d->origin[j] - s->lo;
            add_terms(g, group, r, first ? s->block * NOE_TERM_BLOCK : 0,
                      last && end < count ? end : count, &d->term_memory[k], &from, s->F, true);
            if (last) break;
        }
    }
}

/* F at indices from .. to - 1: the sum over the shares, in their order. */
static void add_shares(const sharing *x, int64_t from, int64_t to, double *F)
{
    memset(F + from, 0, (size_t)(to - from) * sizeof *F);
    for (int i = 0; i < x->count; i++) {
        const share  *s = &x->of[i];
        const int64_t a = s->lo > from ? s->lo : from, b = s->hi < to ? s->hi : to;
        const double *own = s->F - s->lo;
        for (int64_t k = a; k < b; k++) F[k] += own[k];
    }
}

/* Arguments of shared_forces. */
typedef struct {
    const noe_sums  *g;           /* the system */
    const sharing   *x;           /* the shares */
    noe_thread_team *team;        /* the threads */
    tile_memory     *tile_memory; /* [threads] */
    double           time;        /* time of the forces */
    const double    *Q;           /* positions, scratch array */
    double          *F;           /* forces, scratch array */
    int next; /* the first share that no thread has taken yet; accessed by atomic operations only */
} shared_work;

/* Thread `me`: takes shares until none is left; then, after a barrier, adds up its stretch of
 * sites. */
static void shares_of_thread(void *ctx, int me)
{
    shared_work  *s = ctx;
    const int64_t doubles = s->tile_memory->doubles, stretches = (doubles + STRETCH - 1) / STRETCH,
                  size = noe_thread_team_size(s->team);
    for (int i; (i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < s->x->count;)
        share_forces(s->g, s->x, i, &s->tile_memory[me], s->time, s->Q);
    noe_thread_team_meet(s->team);
    for (int64_t k = stretches * me / size; k < stretches * (me + 1) / size; k++)
        add_shares(s->x, k * STRETCH, k == stretches - 1 ? doubles : (k + 1) * STRETCH, s->F);
}

/* F = -dU/dq at positions Q by all threads. */
static void shared_forces(const noe_sums *g, const sharing *x, noe_thread_team *team,
                          tile_memory *tile_memories, double time, const double *Q, double *F)
{
    shared_work s = { g, x, team, tile_memories, time, Q, F, 0 };
    noe_thread_team_do(team, shares_of_thread, &s);
}

#endif
