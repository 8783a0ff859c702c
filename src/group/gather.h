/* F_k = sum_i sign_i f_i[k - a_i]: the forces of a tile from what its terms put out, read where they are needed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where all terms of a tile are one block a group, each output lies beside the sites, a_i places apart, and zeros stand where
 * there is no term.  So no array of forces is filled with zeros, added to and read again.  The terms read the same array
 * each time, so where they read is found out once a tile.  The order of the sums is that of `deliver` (walk.h): the
 * same bits whether a tile gathers or not. */
#ifndef NOE_GROUP_GATHER_H
#define NOE_GROUP_GATHER_H

#include "group/tile.h"

/* Output o of `count` terms, the first at `at` in the scratch arrays; false: not beside the sites of the segment. */
static bool gather_output(const bench *b, int o, int64_t at, int count, const segment *x, summands *to)
{
    const noe_block_program *p = b->program;
    const int64_t            a = at - x->at;
    if (p->out[o] < p->inputs + p->constants || to->count == SUMMANDS) return false;
    if (a < 0 || a > NOE_MARGIN || x->count - (a + count) > NOE_MARGIN) return false;
    to->sign[to->count] = p->minus[o] ? -1 : 1;
    to->from[to->count++] = b->slot[p->out[o]] - a;
    return true;
}

/* Do the terms stand as the fused loop takes for granted?  Then its pointers are set. */
static bool line_up(const noe_groups *g, int k, const noe_fused *f, const desk *d, int64_t lo)
{
    const noe_group         *group = &g->group[k];
    const noe_fused_group   *x = &f->group[k];
    const noe_block_program *p = d->strip[k].program;
    int64_t                  least = INT64_MAX;
    for (int o = 0; o < p->outputs; o++) {
        const int s = group->to[o];
        if (x->shift[o] == 0) least = d->origin[s] + lo - d->segment[group->terms.family[s]].at;
    }
    for (int o = 0; o < p->outputs; o++) {
        const int s = group->to[o];
        if (d->origin[s] + lo - d->segment[group->terms.family[s]].at - least != x->shift[o]) return false;
    }
    for (int s = 0; s < group->terms.slots; s++) {
        if (group->terms.kind[s] == NOE_AT_NUMBER && group->terms.stride[s] == 1 && least > 0) return false; /* nothing stands before them */
        if (group->terms.kind[s] == NOE_AT_COORDINATE && d->origin[s] + lo - d->segment[group->terms.family[s]].at < least) return false;
    }
    for (int i = 1; i < p->inputs; i++) d->line[x->first + i] = d->strip[k].slot[i] - least;
    d->line[x->mask] = d->mask[k] - least;
    if (d->masked[k] != d->strips[k]) {
        memset(d->mask[k], 0xff, (size_t)d->strips[k] * sizeof(double));
        memset(d->mask[k] + d->strips[k], 0, (size_t)(NOE_BLOCK + NOE_MARGIN - d->strips[k]) * sizeof(double));
        d->masked[k] = d->strips[k];
    }
    return true;
}

/* Terms lo .. hi - 1 of a run are all that the tile has of the group. */
static bool gather_strip(const noe_groups *g, int k, int64_t run, int64_t lo, int64_t hi, const noe_fused *fused, desk *d, const sources *x)
{
    const noe_terms *t = &g->group[k].terms;
    const int        outputs = g->group[k].force->outputs;
    for (int s = 0; s < t->slots; s++)
        if (t->kind[s] == NOE_AT_COORDINATE && t->stride[s] != 1) return false;
    if (d->strips[k] || hi - lo > NOE_BLOCK) return false;
    d->strips[k] = (int)(hi - lo);
    feed_terms(g, t, run, lo, d->strips[k], &d->strip[k], x);
    for (int o = 0; o < outputs; o++) {
        const int s = g->group[k].to[o];
        if (!gather_output(&d->strip[k], o, d->origin[s] + lo, d->strips[k], &d->segment[t->family[s]], &d->sum[t->family[s]])) return false;
    }
    d->fuses = d->fuses && line_up(g, k, fused, d, lo);
    return true;
}

static bool gather_group(const noe_groups *g, const tiling *t, int k, const noe_fused *fused, desk *d, const sources *x)
{
    const noe_terms *terms = &g->group[k].terms;
    const int        turns = t->tiles > 1 && t->ring;
    d->strips[k] = 0;
    for (int64_t r = 0; g->group[k].force && r < terms->runs; r++)
        for (int turn = -turns; turn <= turns; turn++) {
            int64_t lo = 0, hi = terms->count[r];
            if (t->tiles > 1) within(terms, r, t->site[k] + r * terms->slots, turn * t->sites, d, &lo, &hi);
            else all_here(g, terms, r, d);
            if (lo < hi && !gather_strip(g, k, r, lo, hi, fused, d, x)) return false;
        }
    d->fuses = d->fuses && (d->strips[k] || !g->group[k].force);
    return true;
}

static summands alone(const double *F) { return (summands){ 1, { 1 }, { F } }; }

/* The tile before the desk, its positions in Q; where that is not so, or may not be, its forces are added up in F. */
static void gather(const noe_groups *g, const tiling *t, const noe_fused *fused, desk *d, bool may, const double *Q, const double *F)
{
    const sources x = { .q = Q, .origin = d->origin };
    for (int f = 0; f < g->families; f++) d->sum[f].count = 0;
    d->gathers = may, d->fuses = may && fused->run;
    for (int f = 1; f < g->families; f++) d->fuses = d->fuses && d->segment[f].count == d->segment[0].count;
    for (int k = 0; k < g->groups && d->gathers; k++) d->gathers = gather_group(g, t, k, fused, d, &x);
    for (int f = 0; f < g->families && !d->gathers; f++) d->sum[f] = alone(F + d->segment[f].at);
}

/* f_i at those positions. */
static void work_strips(const noe_groups *g, const desk *d, double time)
{
    for (int k = 0; k < g->groups; k++) {
        const bench             *b = &d->strip[k];
        const noe_block_program *p = b->program;
        if (!d->strips[k]) continue;
        set_time(b, time);
        walk(b, d->strips[k]);
        for (int o = 0; o < p->outputs; o++) *(loose *)(b->slot[p->out[o]] + d->strips[k]) = (loose){ 0 };
    }
}

#endif
