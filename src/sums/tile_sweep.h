/* One step of all tiles, divided among the threads: reads the present state, writes the next one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_TILE_SWEEP_H
#define NOE_SUMS_TILE_SWEEP_H

#include "sums/tile_explicit.h"

/* So many steps of tile k, one but by a splitting, with the memory of one thread. */
static outcome step_tile(const work *w, tile_memory *d, int64_t k, int steps, int *rounds,
                         double *residual)
{
    const double h = w->state.length * w->state.now[STEP],
                 t = w->state.now[T0] + w->state.now[COUNT] * w->state.now[STEP];
    outcome o = SOLVED;
    open_tile(w, d, k, steps);
    *rounds = 0, *residual = 0;
    if (w->method.explicit && w->tiles.plan.tiles > 1)
        gather_forces(w->g, &w->tiles.plan, &w->machine.fused, d, true, d->one[E_Q], d->one[E_F]);
    if (w->method.flows) return split_tile(w, d, steps, h);
    if (w->method.explicit) return stages_tile(w, d, h);
    const double size = predict(w, d, h);
    if (w->method.lo < w->method.hi) o = solve(w, d, h, t, size, rounds, residual);
    if (o != SOLVED) return o;
    return arrive(w, d, h, t) && deliver_state(w, d) ? SOLVED : BROKEN;
}

/* n elements of the arena; NULL, and *ok = false, if there is no memory or *ok was false before. */
static void *piece(noe_arena *a, size_t n, size_t size, bool *ok)
{
    void *p = *ok ? noe_arena_take(a, (n ? n : 1) * size) : NULL;
    *ok = p != NULL;
    return p;
}

/* Scratch arrays of one thread, of the length of a tile with its halos.  False: out of memory. */
static bool scratch(const work *w, tile_memory *d)
{
    const tiling *t = &w->tiles.plan;
    const size_t  doubles = (size_t)tile_doubles(
         w->g, t, t->together_halo > t->halo ? t->together_halo : t->halo);
    bool ok = true;
    /* With a single tile all threads use the arrays of the first. */
    if (w->tiles.plan.tiles == 1 && d != w->tiles.tile_memory) return true;
    for (int i = w->method.lo; i < w->method.hi; i++) {
        d->C[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->Q[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->F[i] = piece(w->arena, doubles, sizeof(double), &ok);
    }
    for (int i = 0; i < TILE_ARRAYS; i++)
        d->one[i] = (double *)piece(w->arena, doubles + NOE_MARGIN, sizeof(double), &ok)
                  + NOE_MARGIN;
    for (int i = 0; (t->ring || t->together > 1) && i < READ; i++)
        d->copy[i] = piece(w->arena, doubles, sizeof(double), &ok);
    return ok;
}

/* Makes the halos of the tiles wide enough for `rounds` evaluations of the forces.  False: out of
 * memory. */
static bool widen(work *w, int rounds)
{
    bool ok = true;
    w->tiles.rounds = w->method.explicit || rounds < ROUNDS_MOST ? rounds : ROUNDS_MOST;
    w->tiles.plan.halo = w->tiles.plan.tiles > 1 ? halo_width(&w->tiles.plan, w->tiles.rounds) : 0;
    for (int k = 0; ok && k < (w->tiles.tile_memories ? w->tiles.tile_memories : 1); k++)
        ok = scratch(w, &w->tiles.tile_memory[k]);
    return ok;
}

/* Wider halos, whose sites other processes have. */
static bool widen_halos(work *w)
{
    if (!widen(w, 2 * w->tiles.rounds)) return false;
    if (w->state.partial) fetch(w, w->state.now, NOE_FETCH_HALOS);
    return true;
}

/* Results of each thread, padded to a cache line: worst outcome, most iterations, largest residual
 * of its tiles. */
typedef struct {
    const work *w;     /* the engine */
    int         steps; /* of each tile */
    struct {
        outcome worst;
        double  rounds, residual; /* the most; the largest */
        double  rest[5];          /* of the cache line */
    } of[NOE_THREADS_MOST];
} stepping;

/* Steps the tiles of thread `me`. */
static void step_by(void *ctx, int me)
{
    stepping   *x = ctx;
    const work *w = x->w;
    int64_t     first, end;
    x->of[me].worst = SOLVED, x->of[me].rounds = x->of[me].residual = 0;
    tiles_of_thread(w, me, true, &first, &end);
    for (int64_t k = first; k < end; k++) {
        int           n;
        double        rest;
        const outcome o = step_tile(w, &w->tiles.tile_memory[me], k, x->steps, &n, &rest);
        if (o > x->of[me].worst) x->of[me].worst = o;
        if (n > x->of[me].rounds) x->of[me].rounds = n;
        if (rest > x->of[me].residual) x->of[me].residual = rest;
    }
}

/* The worst outcome, the most iterations and the largest residual in all processes. */
static outcome in_all(const work *w, outcome worst, double *rounds, double *residual)
{
    double x[] = { worst, *rounds, *residual };
    w->g->share->largest(w->g->share->ctx, 3, x);
    *rounds = x[1], *residual = x[2];
    return (outcome)x[0];
}

/* So many steps of all tiles from state.now, which stays as it is, into state.next; repeated with
 * wider halos where an iteration needs them. */
static outcome step_tiles(work *w, int steps, double *rounds, double *residual)
{
    outcome  worst;
    stepping x;
    x.w = w, x.steps = steps;
    take_length(w, w->state.length * w->state.now[STEP]);
    if (w->state.partial && w->state.put_back) fetch(w, w->state.now, NOE_FETCH_HALOS);
    w->state.put_back = false;
    do {
        worst = SOLVED, *rounds = *residual = 0;
        const int size = w->tiles.plan.tiles > 1 ? noe_thread_team_size(w->tiles.team) : 1;
        if (size > 1) noe_thread_team_do(w->tiles.team, step_by, &x);
        else step_by(&x, 0);
        for (int i = 0; i < size; i++) {
            if (x.of[i].worst > worst) worst = x.of[i].worst;
            if (x.of[i].rounds > *rounds) *rounds = x.of[i].rounds;
            if (x.of[i].residual > *residual) *residual = x.of[i].residual;
        }
        if (shares_tiles(w)) worst = in_all(w, worst, rounds, residual);
    } while (worst == MORE && widen_halos(w));
    if (shares_tiles(w) && worst == SOLVED) fetch(w, w->state.next, steps), w->state.partial = true;
    return worst;
}

#endif
