/* The sums engine: coefficients of the method, memory of the tiles and threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_MEMORY_H
#define NOE_SUMS_SUMS_MEMORY_H

#include "sums/sums_solver.h"
#include "method/stability.h"

/* alpha_i = I_i . G^-1 w,  share_ij = beta_ij/b_j = I_i . G^-1 X_j  and  rest_j = w . G^-1 X_j of a
 * Galerkin method, in binary128, from the modes of the velocity a = G^-1 ( w p + h sum_i b_i X_i
 * F_i )/m.  False: G is singular. */
static bool coefficients(work *w, const noe_method *f)
{
    const int s = f->s, r = w->r = f->r;
    quad      G[NOE_MAX_DEGREE][NOE_MAX_DEGREE + 1 + NOE_MAX_POINTS] = { { 0 } };
    for (int m = 0; m < s; m++) {
        for (int k = 0; k < s; k++)
            for (int i = 0; i < r; i++) G[m][k] += f->b[i] * f->l[i][m] * f->l[i][k];
        G[m][s] = f->w[m];
        for (int i = 0; i < r; i++) G[m][s + 1 + i] = f->X[i][m];
    }
    /* Gauss-Jordan elimination without pivoting: G is positive definite. */
    for (int c = 0; c < s; c++) {
        if (!(G[c][c] > 0)) return false;
        for (int k = s + r; k >= c; k--) G[c][k] /= G[c][c];
        for (int m = 0; m < s; m++)
            for (int k = s + r; m != c && k >= c; k--) G[m][k] -= G[m][c] * G[c][k];
    }
    for (int j = 0; j < r; j++) {
        w->c[j] = (double)f->c[j], w->b[j] = (double)f->b[j];
        w->alpha[j] = w->rest[j] = 0;
        for (int m = 0; m < s; m++) {
            w->alpha[j] += f->I[j][m] * G[m][s];
            w->rest[j] += f->w[m] * G[m][s + 1 + j];
        }
        for (int i = 0; i < r; i++) {
            w->share[i][j] = 0;
            for (int m = 0; m < s; m++) w->share[i][j] += f->I[i][m] * G[m][s + 1 + j];
        }
    }
    w->first = f->c[0] == 0 && f->c[r - 1] == 1;
    w->last = w->first;
    w->lo = w->first, w->hi = r - w->last;
    return true;
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
    const size_t doubles = (size_t)tile_doubles(w->g, &w->t, w->t.halo);
    bool         ok = true;
    /* With a single tile all threads use the arrays of the first. */
    if (w->t.tiles == 1 && d != w->tile_memory) return true;
    for (int i = w->lo; i < w->hi; i++) {
        d->C[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->Q[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->F[i] = piece(w->arena, doubles, sizeof(double), &ok);
    }
    for (int i = 0; i < TILE_ARRAYS; i++)
        d->one[i] = (double *)piece(w->arena, doubles + NOE_MARGIN, sizeof(double), &ok)
                  + NOE_MARGIN;
    for (int i = 0; w->t.ring && i < READ; i++)
        d->wrapped[i] = piece(w->arena, doubles, sizeof(double), &ok);
    return ok;
}

/* Makes the halos of the tiles wide enough for `rounds` evaluations of the forces.  False: out of
 * memory. */
static bool widen(work *w, int rounds)
{
    bool ok = true;
    w->rounds = w->explicit || rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    w->t.halo = w->t.tiles > 1 ? rim(&w->t, w->rounds) : 0;
    for (int k = 0; ok && k < (w->tile_memories ? w->tile_memories : 1); k++)
        ok = scratch(w, &w->tile_memory[k]);
    return ok;
}

/* Pointers, cells and masks of the fused loop for one thread.  The loop itself is compiled with the
 * memory of the first thread and serves all.  False: out of memory. */
static bool fused_tile(work *w, tile_memory *d)
{
    const noe_sums           *g = w->g;
    noe_fused_loop           *f = &w->fused;
    bool                      ok = true;
    const noe_block_program **program = piece(w->arena, (size_t)g->groups, sizeof *program, &ok);
    for (int k = 0; ok && k < g->groups; k++) {
        strip *s = &d->strip[k];
        program[k] = g->group[k].force ? s->term_memory.program : NULL;
        s->mask = (double *)piece(w->arena, NOE_TERM_PITCH, sizeof(double), &ok) + NOE_MARGIN;
        if (ok) memset(s->mask - NOE_MARGIN, 0, NOE_TERM_PITCH * sizeof(double));
    }
    if (!ok || (d == w->tile_memory && !noe_fused_loop_make(f, g, program, w->arena))) return false;
    d->line = piece(w->arena, (size_t)f->slots, sizeof *d->line, &ok);
    d->cell = piece(w->arena, (size_t)f->slots * LANES, sizeof *d->cell, &ok);
    if (ok) memset(d->cell, 0, (size_t)f->slots * LANES * sizeof *d->cell);
    for (int k = 0; ok && f->run && k < g->groups; k++)
        for (int i = 0; program[k] && i < program[k]->constants; i++)
            fill(d->cell + (f->group[k].first + program[k]->inputs + i) * LANES,
                 program[k]->constant[i], 0, LANES);
    return ok;
}

/* The memory of one thread; the loops of machine code are made with that of the first.  False: out
 * of memory. */
static bool tile_memory_make(work *w, tile_memory *d)
{
    const noe_sums *g = w->g;
    const size_t    r = (size_t)w->r + 1;
    bool            ok = true;
    d->segment = piece(w->arena, (size_t)g->families, sizeof *d->segment, &ok);
    d->origin = piece(w->arena, (size_t)w->slots, sizeof *d->origin, &ok);
    d->landing = piece(w->arena, (size_t)w->slots, sizeof *d->landing, &ok);
    d->term_memory = piece(w->arena, (size_t)g->groups, sizeof *d->term_memory, &ok);
    d->strip = piece(w->arena, (size_t)g->groups, sizeof *d->strip, &ok);
    d->sum = piece(w->arena, (size_t)g->families, sizeof *d->sum, &ok);
    d->C = piece(w->arena, r, sizeof *d->C, &ok);
    d->Q = piece(w->arena, r, sizeof *d->Q, &ok);
    d->F = piece(w->arena, r, sizeof *d->F, &ok);
    for (int i = 0; ok && i < g->groups; i++)
        if (g->group[i].force) {
            ok = make_term_memory(&d->term_memory[i], w->arena, g->group[i].force);
            if (NOE_BUILD_LEVEL > 0 && ok && d == w->tile_memory)
                ok = noe_block_loop_make(&w->loops[i], NOE_BUILD_LEVEL, d->term_memory[i].program,
                                         w->arena);
            d->term_memory[i].loops = &w->loops[i];
            if (!ok || !w->explicit) continue;
            ok = make_term_memory(&d->strip[i].term_memory, w->arena, g->group[i].force);
            d->strip[i].term_memory.loops = &w->loops[i];
            d->strip[i].at = piece(w->arena, (size_t)w->slots, sizeof *d->strip[i].at, &ok);
        }
    /* A single tile never changes. */
    if (ok && w->t.tiles == 1) cut(g, &w->t, 0, d);
    return ok && (!w->flows || NOE_BUILD_LEVEL < 2 || fused_tile(w, d));
}

/* State, tiles, memory of the first thread, and the largest number of threads with work.  False:
 * out of memory. */
static bool lay_out(work *w)
{
    const noe_sums *g = w->g;
    bool            ok = true;
    w->stride = ((size_t)g->places + 2 * NOE_TERM_BLOCK) / LANES * LANES;
    w->wide = ((size_t)g->places + LANES - 1) / LANES * LANES;
    w->now = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->next = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->streaming = 2 * ARRAYS * w->stride * sizeof(double) > CACHE;
    w->per_round = 0;
    for (int k = 0; k < g->groups; k++)
        if (g->group[k].force)
            w->per_round += (double)g->group[k].terms.terms * g->group[k].force->length
                          * (w->hi - w->lo);
    if (!ok || !tile(g, w->arena, w->explicit ? evaluations(w) : 0, &w->t)) return false;
    for (int i = 0; i < g->groups; i++)
        w->slots = g->group[i].terms.slots > w->slots ? g->group[i].terms.slots : w->slots;
    w->length = 1;
    if (w->parts) w->before = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->rounds = w->explicit ? evaluations(w) : w->t.tiles > 1 ? FIRST_ROUNDS : MOST_ROUNDS;
    w->tile_memory = piece(w->arena, NOE_THREADS_MOST, sizeof *w->tile_memory, &ok);
    w->loops = piece(w->arena, (size_t)g->groups, sizeof *w->loops, &ok);
    if (!ok || !tile_memory_make(w, w->tile_memory) || !widen(w, w->rounds)) return false;
    w->tile_memories = 1;
    if (w->t.tiles == 1 && !partition_terms(g, w->arena, w->tile_memory, &w->shares)) return false;
    if (w->explicit && w->t.tiles == 1)
        gather_forces(g, &w->t, &w->fused, w->tile_memory, !w->shares.count,
                      w->tile_memory->one[E_Q], w->tile_memory->one[E_F]);
    const int64_t most = w->t.tiles > 1  ? w->t.sites < 2 * TILE ? 1 : w->t.tiles
                       : w->shares.count ? w->shares.count
                                         : 1;
    w->most = most < NOE_THREADS_MOST ? (int)most : NOE_THREADS_MOST;
    return true;
}

/* Starts the threads, with memory for each, at the first step or when their number has changed.
 * False: out of memory. */
static bool hire(work *w)
{
    if (w->most == 1) return true;
    const int asked = w->threads ? w->threads : noe_thread_team_processors(),
              size = asked < w->most ? asked : w->most;
    if (size == noe_thread_team_size(w->team)) return true;
    noe_thread_team_free(w->team);
    w->team = NULL;
    for (; w->tile_memories < size; w->tile_memories++)
        if (!tile_memory_make(w, &w->tile_memory[w->tile_memories])
            || !scratch(w, &w->tile_memory[w->tile_memories]))
            return false;
    return size == 1 || (w->team = noe_thread_team_new(size)) != NULL;
}

static void drop(void *self)
{
    work *w = self;
    newton_free(w->newton);
    noe_thread_team_free(w->team);
    for (int k = 0; w->loops && k < w->g->groups; k++) noe_block_loop_free(&w->loops[k]);
    noe_fused_loop_free(&w->fused);
    noe_arena_free(w->arena);
}

/* The coefficients of the method.  False: it has too few nodes, or out of memory. */
static bool numbers(work *w, const noe_method *f)
{
    if (f->kind != NOE_GALERKIN) return explicit_numbers(w, f);
    w->parts = f->parts;
    w->part = noe_arena_take(w->arena, ((size_t)f->parts + 1) * sizeof *w->part);
    for (int i = 0; w->part && i < f->parts; i++) w->part[i] = (double)f->part[i];
    if (!noe_stability_windows(f, INFINITY, &w->edge, 1)) w->edge = INFINITY;
    return w->part && coefficients(w, f) && noe_stage_modes_make(f, &w->modes);
}

static void *make(const noe_dynamics *dyn, const noe_method *f)
{
    noe_arena *arena = noe_arena_new();
    work      *w = noe_arena_take(arena, sizeof *w);
    if (w) {
        w->arena = arena, w->g = dyn->groups;
        if (!numbers(w, f))
            noe_status_fail(NOE_INVALID, "'%s' has too few points for so many coordinates",
                            noe_method_name(f));
        else if (lay_out(w) && (!w->g->coupled || newton_ready(w))) return w;
        drop(w);
    } else noe_arena_free(arena);
    return NULL;
}

#endif
