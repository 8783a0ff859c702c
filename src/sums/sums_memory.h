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
    const int s = f->s, r = w->method.r = f->r;
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
        w->method.c[j] = (double)f->c[j], w->method.b[j] = (double)f->b[j];
        w->method.alpha[j] = w->method.rest[j] = 0;
        for (int m = 0; m < s; m++) {
            w->method.alpha[j] += f->I[j][m] * G[m][s];
            w->method.rest[j] += f->w[m] * G[m][s + 1 + j];
        }
        for (int i = 0; i < r; i++) {
            w->method.share[i][j] = 0;
            for (int m = 0; m < s; m++) w->method.share[i][j] += f->I[i][m] * G[m][s + 1 + j];
        }
    }
    w->method.first = f->c[0] == 0 && f->c[r - 1] == 1;
    w->method.last = w->method.first;
    w->method.lo = w->method.first, w->method.hi = r - w->method.last;
    return true;
}

/* Pointers, cells and masks of the fused loop for one thread.  The loop itself is compiled with the
 * memory of the first thread and serves all.  False: out of memory. */
static bool fused_tile(work *w, tile_memory *d)
{
    const noe_sums           *g = w->g;
    noe_fused_loop           *f = &w->machine.fused;
    bool                      ok = true;
    const noe_block_program **program = piece(w->arena, (size_t)g->groups, sizeof *program, &ok);
    for (int k = 0; ok && k < g->groups; k++) {
        strip *s = &d->strip[k];
        program[k] = g->group[k].force ? s->term_memory.program : NULL;
        s->mask = (double *)piece(w->arena, NOE_TERM_PITCH, sizeof(double), &ok) + NOE_MARGIN;
        if (ok) memset(s->mask - NOE_MARGIN, 0, NOE_TERM_PITCH * sizeof(double));
    }
    if (!ok || (d == w->tiles.tile_memory && !noe_fused_loop_make(f, g, program, w->arena)))
        return false;
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
    const size_t    r = (size_t)w->method.r + 1;
    bool            ok = true;
    d->segment = piece(w->arena, (size_t)g->families, sizeof *d->segment, &ok);
    d->origin = piece(w->arena, (size_t)w->tiles.slots, sizeof *d->origin, &ok);
    d->landing = piece(w->arena, (size_t)w->tiles.slots, sizeof *d->landing, &ok);
    d->term_memory = piece(w->arena, (size_t)g->groups, sizeof *d->term_memory, &ok);
    d->strip = piece(w->arena, (size_t)g->groups, sizeof *d->strip, &ok);
    d->sum = piece(w->arena, (size_t)g->families, sizeof *d->sum, &ok);
    d->C = piece(w->arena, r, sizeof *d->C, &ok);
    d->Q = piece(w->arena, r, sizeof *d->Q, &ok);
    d->F = piece(w->arena, r, sizeof *d->F, &ok);
    for (int i = 0; ok && i < g->groups; i++)
        if (g->group[i].force) {
            ok = make_term_memory(&d->term_memory[i], w->arena, g->group[i].force);
            if (NOE_BUILD_LEVEL > 0 && ok && d == w->tiles.tile_memory)
                ok = noe_block_loop_make(&w->machine.loops[i], NOE_BUILD_LEVEL,
                                         d->term_memory[i].program, w->arena);
            d->term_memory[i].loops = &w->machine.loops[i];
            if (!ok || !w->method.explicit) continue;
            ok = make_term_memory(&d->strip[i].term_memory, w->arena, g->group[i].force);
            d->strip[i].term_memory.loops = &w->machine.loops[i];
            d->strip[i].at = piece(w->arena, (size_t)w->tiles.slots, sizeof *d->strip[i].at, &ok);
        }
    /* A single tile never changes. */
    if (ok && w->tiles.plan.tiles == 1) set_segments(g, &w->tiles.plan, 0, 1, d);
    return ok && (!w->method.flows || NOE_BUILD_LEVEL < 2 || fused_tile(w, d));
}

/* State, tiles, memory of the first thread, and the largest number of threads with work.  False:
 * out of memory. */
static bool lay_out(work *w)
{
    const noe_sums *g = w->g;
    bool            ok = true;
    w->state.stride = ((size_t)g->places + 2 * NOE_TERM_BLOCK) / LANES * LANES;
    w->state.wide = ((size_t)g->places + LANES - 1) / LANES * LANES;
    w->state.now = piece(w->arena, HEAD_SCALARS + STATE_ARRAYS * w->state.stride, sizeof(double),
                         &ok);
    w->state.next = piece(w->arena, HEAD_SCALARS + STATE_ARRAYS * w->state.stride, sizeof(double),
                          &ok);
    w->state.streaming = 2 * ARRAYS * w->state.stride * sizeof(double) > CACHED_BYTES_MOST;
    w->cost.round = 0;
    for (int k = 0; k < g->groups; k++)
        if (g->group[k].force)
            w->cost.round += (double)g->group[k].terms.terms * g->group[k].force->length
                           * (w->method.hi - w->method.lo);
    if (!ok
        || !tile(g, w->arena, w->method.explicit ? evaluations(w) : 0, steps_together(w),
                 &w->tiles.plan))
        return false;
    for (int i = 0; i < g->groups; i++)
        w->tiles.slots = g->group[i].terms.slots > w->tiles.slots ? g->group[i].terms.slots
                                                                  : w->tiles.slots;
    w->state.length = 1;
    if (w->method.parts)
        w->state.before = piece(w->arena, HEAD_SCALARS + STATE_ARRAYS * w->state.stride,
                                sizeof(double), &ok);
    w->tiles.rounds = w->method.explicit      ? evaluations(w)
                    : w->tiles.plan.tiles > 1 ? FIRST_ROUNDS
                                              : ROUNDS_MOST;
    w->tiles.tile_memory = piece(w->arena, NOE_THREADS_MOST, sizeof *w->tiles.tile_memory, &ok);
    w->machine.loops = piece(w->arena, (size_t)g->groups, sizeof *w->machine.loops, &ok);
    if (!ok || !tile_memory_make(w, w->tiles.tile_memory) || !widen(w, w->tiles.rounds))
        return false;
    w->tiles.tile_memories = 1;
    if (w->tiles.plan.tiles == 1
        && !partition_terms(g, w->arena, w->tiles.tile_memory, &w->tiles.shares))
        return false;
    if (w->method.explicit && w->tiles.plan.tiles == 1)
        gather_forces(g, &w->tiles.plan, &w->machine.fused, w->tiles.tile_memory,
                      !w->tiles.shares.count, w->tiles.tile_memory->one[E_Q],
                      w->tiles.tile_memory->one[E_F]);
    const int64_t most = w->tiles.plan.tiles > 1
                           ? w->tiles.plan.sites < 2 * TILE ? 1 : w->tiles.plan.tiles
                       : w->tiles.shares.count ? w->tiles.shares.count
                                               : 1;
    w->tiles.most = most < NOE_THREADS_MOST ? (int)most : NOE_THREADS_MOST;
    return true;
}

/* Starts the threads, with memory for each, at the first step or when their number has changed.
 * False: out of memory. */
static bool start_threads(work *w)
{
    if (w->tiles.most == 1) return true;
    const int asked = w->tiles.threads ? w->tiles.threads : noe_thread_team_processors(),
              size = asked < w->tiles.most ? asked : w->tiles.most;
    if (size == noe_thread_team_size(w->tiles.team)) return true;
    noe_thread_team_free(w->tiles.team);
    w->tiles.team = NULL;
    for (; w->tiles.tile_memories < size; w->tiles.tile_memories++)
        if (!tile_memory_make(w, &w->tiles.tile_memory[w->tiles.tile_memories])
            || !scratch(w, &w->tiles.tile_memory[w->tiles.tile_memories]))
            return false;
    return size == 1 || (w->tiles.team = noe_thread_team_new(size)) != NULL;
}

static void drop(void *self)
{
    work *w = self;
    newton_free(w->newton);
    noe_thread_team_free(w->tiles.team);
    for (int k = 0; w->machine.loops && k < w->g->groups; k++)
        noe_block_loop_free(&w->machine.loops[k]);
    noe_fused_loop_free(&w->machine.fused);
    noe_arena_free(w->arena);
}

/* The coefficients of the method.  False: it has too few nodes, or out of memory. */
static bool numbers(work *w, const noe_method *f)
{
    if (f->kind != NOE_GALERKIN) return explicit_numbers(w, f);
    w->method.parts = f->parts;
    w->method.part = noe_arena_take(w->arena, ((size_t)f->parts + 1) * sizeof *w->method.part);
    for (int i = 0; w->method.part && i < f->parts; i++) w->method.part[i] = (double)f->part[i];
    if (!noe_stability_windows(f, INFINITY, &w->method.edge, 1)) w->method.edge = INFINITY;
    return w->method.part && coefficients(w, f) && noe_stage_modes_make(f, &w->method.modes);
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
