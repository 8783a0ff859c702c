/* Which momenta I = L_v xi + tau (L - L_v v) - f are not 0, and which are functions of others.
 * SPDX-License-Identifier: BSD-3-Clause */
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
 * of terms, then by name. */
static bool before(const noe_symmetries *s, const noe_symmetry *x, const noe_symmetry *y)
{
    if (x->kind != y->kind) return x->kind < y->kind;
    const int a = terms_of(s, x), b = terms_of(s, y);
    return a != b ? a < b : strcmp(x->name, y->name) < 0;
}

static void sort(noe_symmetries *s)
{
    for (int i = 1; i < s->count; i++)
        for (int k = i; k > 0 && before(s, &s->found[k], &s->found[k - 1]); k--) {
            const noe_symmetry swap = s->found[k];
            s->found[k] = s->found[k - 1], s->found[k - 1] = swap;
        }
}

/* g[2n] = dI/d(q, v) times the scales, by central differences in binary128 (error about 1e-20),
 * divided by its largest entry. */
static void slope(const noe_symmetries *s, noe_state_sampler *at, const noe_symmetry *y,
                  noe_random_state *x, quad *g)
{
    quad most = 0, size;
    for (int i = 0; i < 2 * s->n; i++) {
        quad      *z = i < s->n ? &x->q[i] : &x->v[i - s->n];
        const quad old = *z, scale = i < s->n ? at->q_scale[i] : at->v_scale[i - s->n],
                   d = scale * (quad)1e-11;
        *z = old + d, noe_random_state_evaluate(at, x);
        const quad up = value(s, y, x, &size);
        *z = old - d, noe_random_state_evaluate(at, x);
        g[i] = (up - value(s, y, x, &size)) / (2 * (quad)1e-11);
        *z = old;
        most = fmaxq(most, fabsq(g[i]));
    }
    noe_random_state_evaluate(at, x);
    for (int i = 0; i < 2 * s->n && most > 0; i++) g[i] /= most;
}

/* True if row i of G (N numbers a row) is a combination of the rows above it, which are
 * orthonormal; the row becomes 0 then, else orthonormal to them. */
static bool follows(quad *G, int i, int N)
{
    quad *g = G + (size_t)i * (size_t)N, before = 0, after = 0;
    for (int j = 0; j < N; j++) before += g[j] * g[j];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i; k++) {
            const quad *b = G + (size_t)k * (size_t)N;
            quad        c = 0;
            for (int j = 0; j < N; j++) c += g[j] * b[j];
            for (int j = 0; j < N; j++) g[j] -= c * b[j];
        }
    for (int j = 0; j < N; j++) after += g[j] * g[j];
    const bool nothing = after <= before * (quad)1e-16;
    for (int j = 0; j < N; j++) g[j] = nothing ? 0 : g[j] / sqrtq(after);
    return nothing;
}

bool noe_independent_momenta_sort(noe_symmetries *s, noe_state_sampler *at, noe_random_state *x)
{
    const int N = 2 * s->n;
    sort(s);
    for (int k = 0; k < 100 && !noe_random_state_draw(at, 1, x);) k++;
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        quad       size;
        const quad I = value(s, &s->found[i], x, &size);
        if (fabsq(I) > (quad)1e-13 * size) s->found[kept++] = s->found[i];
    }
    s->count = kept;
    quad *G = noe_status_alloc((size_t)s->count * (size_t)N + 1, sizeof *G);
    for (int i = 0; i < s->count && G; i++) {
        slope(s, at, &s->found[i], x, G + (size_t)i * (size_t)N);
        s->found[i].depends = follows(G, i, N);
    }
    free(G);
    return G != NULL;
}
