/* Which momenta I = L_v xi + tau (L - L_v v) - f are not 0, and which are functions of others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With constraints: as functions on the surface g = 0, G v + g_t = 0, whose normals count as
 * gradients of functions that are 0. */
#include "symmetry/symmetry.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The momentum at a state; size: the sum of the moduli of its terms. */
static quad value(const noe_symmetries *s, const noe_symmetry *y, const noe_random_state *x,
                  quad *size)
{
    quad H = -x->L, I = 0;
    *size = 0;
    for (int i = 0; i < s->n; i++) H += x->P[i] * x->v[i];
    for (int a = 0; a < s->terms; a++) {
        const quad term = y->coef[a] == 0 ? 0
                                          : noe_generator_basis_momentum(&s->term[a], y->coef[a],
                                                                         x->t, x->q, x->P, H);
        I += term;
        *size += fabsq(term);
    }
    return I;
}

static int terms_of(const noe_symmetries *s, const noe_symmetry *y)
{
    int count = 0;
    for (int a = 0; a < s->terms; a++) count += y->coef[a] != 0;
    return count;
}

/* Order of the list: translations, boosts, rotations, others, energy; within a kind by the number
 * of terms; equal ones stay in the order in which they were found. */
static bool before(const noe_symmetries *s, const noe_symmetry *x, const noe_symmetry *y)
{
    return x->kind != y->kind ? x->kind < y->kind : terms_of(s, x) < terms_of(s, y);
}

static void sort(noe_symmetries *s)
{
    for (int i = 1; i < s->count; i++)
        for (int k = i; k > 0 && before(s, &s->found[k], &s->found[k - 1]); k--) {
            const noe_symmetry swap = s->found[k];
            s->found[k] = s->found[k - 1], s->found[k - 1] = swap;
        }
}

/* The terms of the momentum at a state that contain coordinates of a block; its part of H. */
static quad value_of(const noe_symmetries *s, const noe_state_sampler *at, const noe_symmetry *y,
                     const noe_random_state *x, int b)
{
    quad H = at->several ? -x->part[2 * b] : -x->L, I = 0;
    for (int i = 0; i < s->n; i++)
        if (at->block[i] == b) H += x->P[i] * x->v[i];
    for (int a = 0; a < s->terms; a++)
        if (y->coef[a] != 0 && noe_generator_basis_touches(&s->term[a], at->block, b))
            I += noe_generator_basis_momentum(&s->term[a], y->coef[a], x->t, x->q, x->P, H);
    return I;
}

/* What is 0, measured by the search in 68 systems of systems/.  A conserved quantity by its
 * terms: 0 exactly, or 0.033 at least.  Of the square of a slope what is left beside the
 * others: 7.4e-41 at most, the rounding of the differences, or 3.9e-5 at least. */
static const quad VALUE_ZERO = (quad)1e-13, FOLLOWS_PART = (quad)1e-16;
/* A momentum is 0, too, below this part of its terms where the constraints do not hold: p and q of
 * a body whose place is fixed are rounding. */
static const quad FIXED_ZERO = (quad)1e-20;
/* Part of the scales over which slopes are differences: its square and the rounding of binary128
 * divided by it are about equal. */
static const quad DIFFERENCE_PART = (quad)1e-11;

/* g[2n] = dI/d(q, v) times the scales, by central differences in binary128 (error about 1e-20 of
 * the terms that contain the block of the coordinate), divided by its largest entry. */
static void slope(const noe_symmetries *s, noe_state_sampler *at, const noe_symmetry *y,
                  noe_random_state *x, quad *g)
{
    quad most = 0;
    for (int i = 0; i < 2 * s->n; i++) {
        const int  k = i < s->n ? i : i - s->n, b = at->block[k];
        quad      *z = i < s->n ? &x->q[k] : &x->v[k];
        const quad old = *z, scale = i < s->n ? at->q_scale[k] : at->v_scale[k],
                   d = scale * DIFFERENCE_PART;
        *z = old + d, noe_state_values_find(at, x);
        const quad up = value_of(s, at, y, x, b);
        *z = old - d, noe_state_values_find(at, x);
        g[i] = (up - value_of(s, at, y, x, b)) / (2 * DIFFERENCE_PART);
        *z = old;
        most = fmaxq(most, fabsq(g[i]));
    }
    noe_state_values_find(at, x);
    for (int i = 0; i < 2 * s->n && most > 0; i++) g[i] /= most;
}

/* Sums of squares of the entries of each block, square [blocks]; returns that of all. */
static quad squares(const noe_state_sampler *at, const quad *g, quad *square)
{
    quad all = 0;
    memset(square, 0, (size_t)at->blocks * sizeof *square);
    for (int i = 0; i < at->n; i++)
        square[at->block[i]] += g[i] * g[i] + g[at->n + i] * g[at->n + i];
    for (int b = 0; b < at->blocks; b++) all += square[b];
    return all;
}

/* True if row i of G (2n numbers a row) is a combination of the rows above it, which are
 * orthonormal; the row becomes 0 then, else orthonormal to them.  What is left is judged in every
 * block relative to what the row had there. */
static bool follows(const noe_state_sampler *at, quad *G, int i)
{
    const int N = 2 * at->n;
    quad     *g = G + (size_t)i * (size_t)N, before[at->blocks], after[at->blocks];
    squares(at, g, before);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i; k++) {
            const quad *b = G + (size_t)k * (size_t)N;
            quad        c = 0;
            for (int j = 0; j < N; j++) c += g[j] * b[j];
            for (int j = 0; j < N; j++) g[j] -= c * b[j];
        }
    bool       nothing = true;
    const quad left = squares(at, g, after);
    for (int b = 0; b < at->blocks; b++) nothing &= after[b] <= before[b] * FOLLOWS_PART;
    for (int j = 0; j < N; j++) g[j] = nothing ? 0 : g[j] / sqrtq(left);
    return nothing;
}

/* Number of normals of the surface of the constraints, the first rows of G [2n a row]. */
static int normals(noe_state_sampler *at, const noe_random_state *x, quad *G)
{
    const int N = 2 * at->n, count = at->surface ? 2 * at->system->dyn.constraints : 0;
    if (count) noe_constraint_surface_normals(at->surface, x->t, x->q, x->v, at->v_scale, G);
    for (int a = 0; a < count; a++) {
        quad *g = G + (size_t)a * (size_t)N, most = 0;
        for (int i = 0; i < N; i++) most = fmaxq(most, fabsq(g[i]));
        for (int i = 0; i < N && most > 0; i++) g[i] /= most;
        follows(at, G, a);
    }
    return count;
}

/* Drops the symmetries whose momentum is 0 at a state of motion, by its terms there and by those at
 * a state anywhere. */
static void drop_zeros(noe_symmetries *s, noe_state_sampler *at, noe_random_state *x)
{
    quad size[s->count + 1], elsewhere[s->count + 1];
    int  kept = 0;
    for (int k = 0; k < 100 && (!noe_random_state_draw(at, 1, x) || at->on_surface);) k++;
    for (int i = 0; i < s->count; i++) value(s, &s->found[i], x, &elsewhere[i]);
    for (int k = 0; k < 100 && !noe_random_state_motion(at, x);) k++;
    for (int i = 0; i < s->count; i++) {
        const quad I = value(s, &s->found[i], x, &size[i]);
        if (fabsq(I) > VALUE_ZERO * size[i] && fabsq(I) > FIXED_ZERO * elsewhere[i])
            s->found[kept++] = s->found[i];
    }
    s->count = kept;
}

bool noe_independent_momenta_sort(noe_symmetries *s, noe_state_sampler *at, noe_random_state *x)
{
    const size_t N = 2 * (size_t)s->n, rows = (size_t)(s->count + 2 * at->system->dyn.constraints);
    sort(s);
    drop_zeros(s, at, x);
    quad *G = noe_status_alloc(rows * N + 1, sizeof *G);
    if (!G) return false;
    const int first = normals(at, x, G);
    for (int i = 0; i < s->count; i++) {
        slope(s, at, &s->found[i], x, G + (size_t)(first + i) * N);
        s->found[i].depends = follows(at, G, first + i);
    }
    free(G);
    return true;
}
