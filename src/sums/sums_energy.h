/* The energy of a state of the sums engine, by compensated sums:  H = p.M^-1 p/2 + U(t, q).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where there are tiles, each has sums of its own, of its sites and of the terms whose first
 * coordinate is one of these; then those of all tiles are added in their order.  So neither threads
 * nor processes change a bit, and no process needs more than its own sites and their halos. */
#ifndef NOE_SUMS_SUMS_ENERGY_H
#define NOE_SUMS_SUMS_ENERGY_H

#include "sums/sums_factorization.h"

typedef struct {
    double sum, /* rounded */
        rest;   /* what rounding took from it */
} compensated;

/* The same in eight lanes, number i in lane i mod 8. */
typedef struct {
    lanes sum, rest;
} compensated_lanes;

INLINE void add_lanes(compensated_lanes *to, lanes x)
{
    lanes lost;
    to->sum = two_sum_lanes(to->sum, x, &lost);
    to->rest += lost;
}

static void add_compensated_sum(compensated *to, compensated x)
{
    noe_compensated_collect(&to->sum, &to->rest, x.sum);
    to->rest += x.rest;
}

static compensated across_lanes(const compensated_lanes *x)
{
    compensated y = { x->sum[0], x->rest[0] };
    for (int k = 1; k < LANES; k++) add_compensated_sum(&y, (compensated){ x->sum[k], x->rest[k] });
    return y;
}

/* The energies of a tile. */
typedef struct {
    compensated kinetic, potential;
} tile_energy;

enum { ENERGY_NUMBERS = sizeof(tile_energy) / sizeof(double) };

/* Arguments of energy_by. */
typedef struct {
    const work   *w;                    /* the engine */
    double        t;                    /* time of the state */
    const double *q, *p, *dp;           /* [places] arrays of the state */
    tile_energy  *of;                   /* [tiles] */
    bool          ok[NOE_THREADS_MOST]; /* false: a thread had no memory */
} energy_sums;

/* Adds p^2/(2 m) of the places from .. end - 1. */
static void add_kinetic(const energy_sums *x, int64_t from, int64_t end, compensated_lanes *to)
{
    const double *m = x->w->g->inverse;
    for (int64_t i = from; i < end; i += LANES) {
        const lanes P = VECTOR(x->p + i) + VECTOR(x->dp + i);
        add_lanes(to, first_of(P * P * VECTOR(m + i) / 2, end - i));
    }
}

/* Terms *from .. *end - 1 of a run are those whose first coordinate is at one of the sites
 * lo .. hi - 1; those without a coordinate belong to site 0. */
static void terms_of_sites(const noe_terms *t, int64_t run, const int64_t *site, int64_t lo,
                           int64_t hi, int64_t *from, int64_t *end)
{
    int s = 0;
    while (s < t->slots && t->kind[s] != NOE_ARGUMENT_COORDINATE) s++;
    const int64_t count = t->count[run], at = s < t->slots ? site[s] : 0,
                  stride = s < t->slots && count > 1 ? t->stride[s] : 1;
    *from = lo > at ? over(lo - at, stride) : 0;
    *end = hi > at ? over(hi - at, stride) : 0;
    if (s == t->slots) *from = 0, *end = lo == 0 ? count : 0;
    if (*end > count) *end = count;
}

/* Adds the values of terms lo .. hi - 1 of a run. */
static void add_potential(const energy_sums *x, const noe_terms *t, int64_t run, int64_t lo,
                          int64_t hi, const term_memory *b, compensated_lanes *to)
{
    const sources from = { .q = x->q };
    for (int64_t at = lo; at < hi; at += NOE_TERM_BLOCK) {
        const int count = (int)(hi - at < NOE_TERM_BLOCK ? hi - at : NOE_TERM_BLOCK);
        set_inputs(x->w->g, t, run, at, count, b, &from);
        interpret_program(b, count);
        const double *y = b->slot[b->program->out[0]], sign = b->program->minus[0] ? -1 : 1;
        for (int k = 0; k < count; k += LANES)
            add_lanes(to, first_of(sign * VECTOR(y + k), count - k));
    }
}

/* The energies of tile k.  b: [groups] memory for their values. */
static tile_energy energy_of_tile(const energy_sums *x, int64_t k, const term_memory *b)
{
    const noe_sums   *g = x->w->g;
    const tiling     *t = &x->w->tiles.plan;
    const int64_t     lo = k * t->size, hi = lo + t->size;
    compensated_lanes kinetic = { { 0 }, { 0 } }, potential = { { 0 }, { 0 } };
    for (int f = 0; f < g->families; f++) {
        const int64_t n = g->family[f].count, first = g->family[f].first;
        add_kinetic(x, first + clip(lo, n), first + clip(hi, n), &kinetic);
    }
    for (int i = 0; i < g->groups; i++) {
        const noe_terms *y = &g->group[i].terms;
        for (int64_t r = 0; g->group[i].value && r < y->runs; r++) {
            int64_t from, end;
            terms_of_sites(y, r, t->site[i] + r * y->slots, lo, hi, &from, &end);
            add_potential(x, y, r, from, end, &b[i], &potential);
        }
    }
    return (tile_energy){ across_lanes(&kinetic), across_lanes(&potential) };
}

/* The tiles of thread `me`. */
static void energy_by(void *ctx, int me)
{
    energy_sums    *x = ctx;
    const noe_sums *g = x->w->g;
    noe_arena      *arena = noe_arena_new();
    term_memory    *b = noe_arena_take(arena, (size_t)g->groups * sizeof *b + 1);
    bool            ok = b != NULL;
    for (int i = 0; ok && i < g->groups; i++) {
        if (!g->group[i].value) continue;
        ok = make_term_memory(&b[i], arena, g->group[i].value);
        if (ok) set_time(&b[i], x->t);
    }
    int64_t first, end;
    tiles_of_thread(x->w, me, true, &first, &end);
    for (int64_t k = first; ok && k < end; k++) x->of[k] = energy_of_tile(x, k, b);
    x->ok[me] = ok;
    noe_arena_free(arena);
}

/* May tiles have energies of their own?  Not where a sum that makes no forces has coordinates, for
 * its terms have no place among the tiles. */
static bool tiles_have_energies(const work *w)
{
    bool have = w->tiles.plan.tiles > 1;
    for (int i = 0; i < w->g->groups; i++) {
        const noe_sum_group *x = &w->g->group[i];
        for (int s = 0; x->value && !x->force && s < x->terms.slots; s++)
            have = have && x->terms.kind[s] != NOE_ARGUMENT_COORDINATE;
    }
    return have;
}

/* The energies of all tiles, also of those that other processes step.  False: one of these was out
 * of memory, or this one, which says so by `ok`. */
static bool share_energies(const work *w, tile_energy *of, bool ok)
{
    const noe_sums_share *share = w->g->share;
    const noe_tile_plan   plan = division(w);
    double                failed = !ok;
    share->largest(share->ctx, 1, &failed);
    if (failed == 0) share->gather(share->ctx, &plan, ENERGY_NUMBERS, (double *)of);
    return failed == 0;
}

/* By the sums of all tiles.  NaN: out of memory. */
static double energy_by_tiles(work *w, double *state, double *kinetic)
{
    const int64_t tiles = w->tiles.plan.tiles;
    const int     threads = noe_thread_team_size(w->tiles.team);
    energy_sums   x = { w,
                        state[T0] + state[COUNT] * state[STEP],
                        array(w, state, A_Q),
                        array(w, state, A_P),
                        array(w, state, A_DP),
                        noe_status_alloc((size_t)tiles, sizeof *x.of),
                        { false } };
    compensated   T = { 0, 0 }, U = { 0, 0 };
    bool          ok = x.of != NULL;
    if (ok) noe_thread_team_do(w->tiles.team, energy_by, &x);
    for (int i = 0; i < threads; i++) ok = ok && x.ok[i];
    if (shares_tiles(w)) ok = share_energies(w, x.of, ok);
    for (int64_t k = 0; ok && k < tiles; k++) {
        add_compensated_sum(&T, x.of[k].kinetic);
        add_compensated_sum(&U, x.of[k].potential);
    }
    free(x.of);
    *kinetic = T.sum + T.rest;
    add_compensated_sum(&T, U);
    return ok ? T.sum + T.rest : __builtin_nan("");
}

/* The same of all sites and terms in their order. */
static double energy_of_all(const work *w, double *state, double *kinetic)
{
    const noe_sums *g = w->g;
    const double *q = array(w, state, A_Q), *p = array(w, state, A_P), *dp = array(w, state, A_DP);
    const double  t = state[T0] + state[COUNT] * state[STEP];
    double        s[LANES] = { 0 }, e[LANES] = { 0 };
    for (int i = 0; i < g->places; i++) {
        const double P = p[i] + dp[i];
        noe_compensated_collect(&s[i % LANES], &e[i % LANES], P * P * g->inverse[i] / 2);
    }
    for (int k = 1; k < LANES; k++) noe_compensated_collect(&s[0], &e[0], s[k]), e[0] += e[k];
    *kinetic = s[0] + e[0];
    if (g->coupled) s[0] = *kinetic = coupled_energy(w, state), e[0] = 0;
    for (int k = 0; k < g->groups; k++) {
        double U;
        if (!g->group[k].value) continue;
        if (!total(g, &g->group[k], t, q, NULL, NULL, &U)) return __builtin_nan("");
        noe_compensated_collect(&s[0], &e[0], U);
    }
    return s[0] + e[0];
}

/* p.M^-1 p/2 + U of a state; the first term alone in *kinetic.  NaN: out of memory. */
static double energy_of(work *w, double *state, double *kinetic)
{
    if (tiles_have_energies(w) && !w->g->coupled) return energy_by_tiles(w, state, kinetic);
    if (w->state.partial && state == w->state.now) make_whole(w);
    return energy_of_all(w, state, kinetic);
}

#endif
