/* Gathers the forces of a tile from the outputs of its terms, without an array of forces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     F_k = sum_i sign_i f_i[k - a_i],   f_i the outputs of the terms.
 *
 * If the terms of each group in a tile are one block, every output is an array parallel to the
 * sites, shifted by a_i places, with zeros where there is no term.  So no array of forces has to be
 * cleared, accumulated and read again.  The terms always read the same scratch array, so their
 * input pointers are set once for each tile.  The order of the sums is that of add_outputs
 * (block_interpreter.h): the bits are the same whether forces are gathered or not. */
#ifndef NOE_SUMS_GATHER_FORCES_H
#define NOE_SUMS_GATHER_FORCES_H

#include "sums/tile.h"

/* Adds output o of `count` terms, the first at index `at` of the scratch arrays, to the summands of
 * a segment.  False: it does not cover the sites of the segment, or there are too many summands. */
static bool gather_output(const term_memory *b, int o, int64_t at, int count, const segment *x,
                          summands *to)
{
    const noe_block_program *p = b->program;
    const int64_t            a = at - x->at;
    if (p->out[o] < p->inputs + p->constants || to->count == SUMMANDS) return false;
    if (a < 0 || a > NOE_MARGIN || x->count - (a + count) > NOE_MARGIN) return false;
    to->sign[to->count] = p->minus[o] ? -1 : 1;
    to->from[to->count++] = b->slot[p->out[o]] - a;
    return true;
}

/* Whether the terms of group k are placed as the fused loop assumes; if so, sets its pointers. */
static bool strips_are_aligned(const noe_sums *g, int k, const noe_fused_loop *f, tile_memory *d)
{
    const noe_terms         *t = &g->group[k].terms;
    const noe_fused_sum     *x = &f->group[k];
    strip                   *s = &d->strip[k];
    const noe_block_program *p = s->term_memory.program;
    int64_t                  least = INT64_MAX;
    for (int i = 0; i < t->slots; i++)
        if (t->kind[i] == NOE_ARGUMENT_COORDINATE && s->at[i] - d->segment[t->family[i]].at < least)
            least = s->at[i] - d->segment[t->family[i]].at;
    for (int i = 0; i < t->slots; i++) {
        if (t->kind[i] == NOE_ARGUMENT_COORDINATE
            && s->at[i] - d->segment[t->family[i]].at != least + x->ahead[i])
            return false;
        /* Nothing stands before parameters. */
        if (t->kind[i] == NOE_ARGUMENT_NUMBER && least > 0) return false;
    }
    for (int i = 1; i < p->inputs; i++) d->line[x->first + i] = s->term_memory.slot[i] - least;
    for (int i = 0; i < t->slots; i++)
        if (x->next[i] >= 0)
            d->line[x->next[i]] = s->term_memory.slot[noe_tape_input(NOE_Q, i, t->slots)] - least
                                + LANES;
    d->line[x->mask] = s->mask - least;
    for (; s->ones < s->count; s->ones++) memset(s->mask + s->ones, 0xff, sizeof(double));
    for (; s->ones > s->count; s->ones--) s->mask[s->ones - 1] = 0;
    const int64_t whole = least ? 0 : s->count / LANES * LANES;
    d->whole = whole < d->whole ? whole : d->whole;
    return true;
}

/* Terms lo .. lo + count - 1 of a run; at: index of the first term's first coordinate in the
 * scratch arrays. */
typedef struct {
    int64_t run, lo, count, at; /* see above */
} terms_piece;

enum { PIECES = 8 };

/* One more piece, in the order of the sites.  False: too many, or its terms are not made as those
 * of the others, whose slots stand at s->at. */
static bool add_piece(const noe_terms *x, const int64_t *origin, terms_piece new, const strip *s,
                      terms_piece *all, int *count)
{
    if (*count == PIECES) return false;
    for (int i = 0; i < x->slots && *count; i++) {
        if (x->kind[i] == NOE_ARGUMENT_COORDINATE
            && origin[i] + new.lo - s->at[i] != new.at - all->at)
            return false;
        if (x->kind[i] == NOE_ARGUMENT_COORDINATE) continue;
        if (x->stride[i] || x->base[new.run * x->slots + i] != x->base[all->run * x->slots + i])
            return false;
    }
    int k = (*count)++;
    for (; k && all[k - 1].at > new.at; k--) all[k] = all[k - 1];
    all[k] = new;
    return true;
}

/* The group's terms in the tile, if they stand side by side: those of one run, or around the end of
 * a ring of more; *same: as they were in the tile before. */
static bool find_strip(const noe_sums *g, const tiling *t, int k, tile_memory *d, bool *same)
{
    const noe_terms *x = &g->group[k].terms;
    const int        images = t->tiles > 1 && t->ring;
    strip           *s = &d->strip[k];
    const int64_t    before = s->count;
    terms_piece      all[PIECES];
    int              pieces = 0, first = 0;
    s->count = 0;
    while (first < x->slots && x->kind[first] != NOE_ARGUMENT_COORDINATE) first++;
    for (int64_t r = 0; g->group[k].force && r < x->runs; r++)
        for (int image = -images; image <= images; image++) {
            int64_t lo = 0, hi = x->count[r];
            if (t->tiles > 1)
                within(x, r, t->site[k] + r * x->slots, image * t->sites, d, &lo, &hi);
            else all_here(g, x, r, d);
            if (lo >= hi) continue;
            const terms_piece old = pieces ? *all : (terms_piece){ 0 };
            if (!add_piece(x, d->origin, (terms_piece){ r, lo, hi - lo, d->origin[first] + lo }, s,
                           all, &pieces))
                return false;
            if (pieces > 1 && all->at == old.at) continue;
            for (int i = 0; i < x->slots; i++) { /* a new first one */
                const int64_t at = x->kind[i] == NOE_ARGUMENT_COORDINATE ? d->origin[i] + lo
                                 : x->stride[i]                          ? lo
                                                                         : 0;
                if (x->kind[i] == NOE_ARGUMENT_COORDINATE && x->stride[i] != 1) return false;
                *same = *same && s->at[i] == at;
                s->at[i] = at;
            }
        }
    for (int i = 0; i < pieces; i++) {
        if (i && all[i].at != all[i - 1].at + all[i - 1].count) return false;
        s->count += (int)all[i].count;
        if (s->count > NOE_TERM_BLOCK) return false;
    }
    if (pieces) *same = *same && s->run == all->run, s->run = all->run, s->lo = all->lo;
    *same = *same && s->count == before;
    return true;
}

/* Sets the inputs of the strip of group k and adds its outputs to the summands.  False: they cannot
 * be gathered. */
static bool set_up_strip(const noe_sums *g, int k, tile_memory *d, const double *Q)
{
    const noe_terms *t = &g->group[k].terms;
    strip           *s = &d->strip[k];
    const sources    x = { .q = Q, .origin = d->origin };
    for (int i = 0; i < t->slots; i++) d->origin[i] = s->at[i] - s->lo;
    set_inputs(g, t, s->run, s->lo, s->count, &s->term_memory, &x);
    for (int o = 0; o < g->group[k].force->outputs; o++) {
        const int i = g->group[k].to[o], f = t->family[i], before = g->group[k].to[o ? o - 1 : 0];
        /* the order would not be that of add_outputs */
        if (t->family[before] == f && s->at[before] < s->at[i]) return false;
        if (!gather_output(&s->term_memory, o, s->at[i], s->count, &d->segment[f], &d->sum[f]))
            return false;
    }
    return true;
}

static summands alone(const double *F) { return (summands){ 1, 0, { 1 }, { F } }; }

/* Decides whether the forces of the present tile, at positions Q, are gathered and whether the
 * fused loop applies; if not gathered (or not `may`), the forces are accumulated in F. */
static void gather_forces(const noe_sums *g, const tiling *t, const noe_fused_loop *fused,
                          tile_memory *d, bool may, const double *Q, const double *F)
{
    bool same = d->gathers, fuses = fused->run;
    for (int f = 0; f < g->families; f++) {
        same = same && d->sum[f].sites == d->segment[f].count;
        fuses = fuses && d->segment[f].count == d->segment->count;
    }
    d->gathers = may;
    for (int k = 0; k < g->groups && d->gathers; k++) d->gathers = find_strip(g, t, k, d, &same);
    if (d->gathers && same) return;
    for (int f = 0; f < g->families; f++) {
        d->sum[f].count = 0;
        d->sum[f].sites = d->segment[f].count;
    }
    for (int k = 0; k < g->groups && d->gathers; k++)
        d->gathers = !d->strip[k].count || set_up_strip(g, k, d, Q);
    for (int f = 0; f < g->families && !d->gathers; f++) d->sum[f] = alone(F + d->segment[f].at);
    d->fuses = fuses && d->gathers, d->whole = d->segment->count;
    for (int k = 0; k < g->groups && d->fuses; k++)
        d->fuses = !g->group[k].force || (d->strip[k].count && strips_are_aligned(g, k, fused, d));
    const int64_t all = (d->segment->count + LANES - 1) / LANES * LANES;
    if (d->whole >= all) d->whole = all - LANES; /* one is left for the loop with masks */
}

/* Evaluates the outputs f_i of all strips; zeros follow the last term. */
static void work_strips(const noe_sums *g, const tile_memory *d, double time)
{
    for (int k = 0; k < g->groups; k++) {
        const strip             *s = &d->strip[k];
        const noe_block_program *p = s->term_memory.program;
        if (!s->count) continue;
        set_time(&s->term_memory, time);
        interpret_program(&s->term_memory, s->count);
        for (int o = 0; o < p->outputs; o++)
            *(loose *)(s->term_memory.slot[p->out[o]] + s->count) = (loose){ 0 };
    }
}

#endif
