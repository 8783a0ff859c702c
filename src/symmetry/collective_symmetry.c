/* Finds the symmetries that move all bodies alike: A(x[k], y[k]) is the same for every body k.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A body: the coordinates with one label (symmetry/name_stem.h).  A strict symmetry: xi = A q + b
 * (symmetry/generator_basis.h). */
#include "symmetry/symmetry.h"

#include "base/status.h"
#include "symmetry/row_echelon.h"
#include "symmetry/symmetry_thresholds.h"
#include "symmetry/name_stem.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const noe_symmetries *s;              /* the symmetries found */
    const noe_system     *system;         /* the system */
    int                   K, *row;        /* number and indices of the strict symmetries, A not 0 */
    int                   pivots, *pivot; /* number and pivot columns of the reduced conditions */
    quad                 *most;           /* [K] the largest coefficient of A */
    /* [K][K], `pivots` rows of them: conditions on the weights c of a combination, reduced. */
    quad *R;
} search;

/* Adds the condition sum_i r_i c_i = 0 to the reduced conditions, unless it follows from them. */
static void require(search *x, quad *r)
{
    quad most = 0, left = 0;
    int  at = 0;
    for (int i = 0; i < x->K; i++) most = fmaxq(most, fabsq(r[i]));
    for (int p = 0; p < x->pivots; p++) {
        const quad f = r[x->pivot[p]];
        for (int i = 0; i < x->K && f != 0; i++) r[i] -= f * x->R[p * x->K + i];
    }
    for (int i = 0; i < x->K; i++)
        if (fabsq(r[i]) > left) {
            left = fabsq(r[i]);
            at = i;
        }
    if (!(left > CONDITION_FOLLOWS * most)) return;
    const quad unit = r[at];
    for (int i = 0; i < x->K; i++) r[i] /= unit;
    for (int p = 0; p < x->pivots; p++) {
        const quad f = x->R[p * x->K + at];
        for (int i = 0; i < x->K && f != 0; i++) x->R[p * x->K + i] -= f * r[i];
    }
    memcpy(x->R + x->pivots * x->K, r, (size_t)x->K * sizeof *r);
    x->pivot[x->pivots++] = at;
}

static const char *name(const search *x, int i) { return noe_system_name(x->system, i); }
static const char *label(const search *x, int i) { return noe_name_stem_label(name(x, i)); }

/* The conditions: A is 0 between different bodies, and within a body equal to A of the first body
 * for the same stems. */
static void conditions(search *x, quad *r)
{
    const noe_symmetries *s = x->s;
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *y = &s->term[a];
        if (y->kind != NOE_TERM_A || y->k) continue;
        const bool within = !strcmp(label(x, y->i), label(x, y->j));
        int        alike = -1; /* the term of the first body with the same stems */
        for (int b = 0; b < a && within && alike < 0; b++) {
            const noe_basis_term *z = &s->term[b];
            if (z->kind == NOE_TERM_A && !z->k && !strcmp(label(x, z->i), label(x, z->j))
                && noe_name_stem_same(name(x, z->i), name(x, y->i))
                && noe_name_stem_same(name(x, z->j), name(x, y->j)))
                alike = b;
        }
        if (within && alike < 0) continue; /* the first body itself, or stems that it has not */
        for (int i = 0; i < x->K; i++) {
            const quad *c = s->found[x->row[i]].coef;
            r[i] = c[a] - (alike >= 0 ? c[alike] : 0);
            if (fabsq(r[i]) <= EXACT_COEFFICIENT_ZERO * x->most[i]) r[i] = 0;
        }
        require(x, r);
    }
}

/* What the term y with coefficient c moves, in scales of the coordinate that it moves, where
 * positions have the size of their scales. */
static quad moved(const noe_symmetries *s, const noe_basis_term *y, quad c)
{
    return y->kind == NOE_TERM_A ? fabsq(c) * s->q_scale[y->j] / s->q_scale[y->i]
         : y->kind == NOE_TERM_B ? fabsq(c) / s->q_scale[y->i]
                                 : 0;
}

/* A column of the conditions without a pivot is a free weight: with 1 there and the weights of the
 * pivots that follow, the combination takes the place of that symmetry. */
static bool replace(search *x)
{
    const noe_symmetries *s = x->s;
    const size_t          N = (size_t)s->terms;
    const int             count = x->K - x->pivots;
    quad                 *Z = noe_status_alloc((size_t)count * N + 1, sizeof *Z);
    bool                 *of_A = noe_status_alloc(N, sizeof *of_A);
    int                   free_row[x->K], used = 0;
    for (int f = 0; f < x->K && Z && of_A; f++) {
        bool pivot = false;
        for (int p = 0; p < x->pivots; p++) pivot |= x->pivot[p] == f;
        if (pivot) continue;
        quad *z = Z + (size_t)used * N;
        memcpy(z, s->found[x->row[f]].coef, N * sizeof *z);
        for (size_t a = 0; a < N; a++) {
            quad terms = fabsq(z[a]); /* what cancels in A, as in a translation, leaves rounding */
            for (int p = 0; p < x->pivots; p++) {
                const quad y = -x->R[p * x->K + f] * s->found[x->row[x->pivot[p]]].coef[a];
                z[a] += y, terms += fabsq(y);
            }
            if (fabsq(z[a]) < EXACT_COEFFICIENT_ZERO * terms) z[a] = 0;
        }
        free_row[used++] = x->row[f];
    }
    for (size_t a = 0; a < N && of_A; a++) of_A[a] = s->term[a].kind == NOE_TERM_A;
    if (Z && of_A) noe_row_echelon_reduce(Z, used, s->terms, 0, of_A);
    for (int i = 0; i < used; i++) {
        quad most = 0, *z = Z + (size_t)i * N, *to = s->found[free_row[i]].coef;
        for (size_t a = 0; a < N; a++) most = fmaxq(most, moved(s, &s->term[a], z[a]));
        for (size_t a = 0; a < N; a++) {
            const quad least = of_A[a] ? EXACT_COEFFICIENT_ZERO * most : 0;
            to[a] = moved(s, &s->term[a], z[a]) < least ? 0 : z[a];
        }
    }
    const bool ok = Z && of_A;
    free(Z), free(of_A);
    return ok;
}

bool noe_collective_symmetry_find(noe_symmetries *s, const noe_system *system, int rows)
{
    int    row[rows + 1], pivot[rows + 1];
    quad   largest[rows + 1];
    search x = { .s = s, .system = system, .row = row, .pivot = pivot, .most = largest };
    bool   bodies = false;
    for (int i = 0; i < s->n; i++)
        bodies |= noe_name_stem_label(noe_system_name(system, i))[0] != 0;
    for (int i = 0; i < rows && bodies; i++) {
        quad most = 0;
        for (int a = 0; a < s->terms; a++)
            if (s->term[a].kind == NOE_TERM_A) most = fmaxq(most, fabsq(s->found[i].coef[a]));
        if (s->found[i].strict && most > 0) largest[x.K] = most, row[x.K++] = i;
    }
    if (x.K < 2) return true;
    x.R = noe_status_alloc((size_t)x.K * (size_t)(x.K + 1), sizeof *x.R);
    if (!x.R) return false;
    conditions(&x, x.R + x.K * x.K); /* scratch: the row after the K rows of R */
    const bool ok = x.pivots == x.K || x.pivots == 0 || replace(&x);
    free(x.R);
    return ok;
}
