/* Static condensation of the coordinates b without mass: empty rows of M; sparse.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K_bb q_b = -K_ba q_a:   K <- K_aa + K_ab S,   S = -K_bb^-1 K_ba
 *
 * R. J. Guyan, AIAA Journal 3 (1965) 380.  For structures too large to look for other null
 * vectors of M. */
#include "matrix/axis_condensation.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 12000 }; /* coordinates kept, at most: the condensed K is nearly dense */
static const double NUMBERS_MOST = 1.5e8; /* numbers in S, at most */
/* Part of the largest entry of its row, of a symmetric matrix up to the diagonal, up to which one
 * is left out, 0.9 EPS: it would fill the matrix. */
static const double ROUNDING_ENTRY = 1e-16;
/* Part of its scale (undamped()) above which a damper acts on a coordinate without mass: S is right
 * to 1e-16 times the condition of K_bb.  Measured on the tests of loads: 3e-16
 * without a damper, 1 with one. */
static const double DAMPED_PART = 1e-6;

/* K_bb; place[i] = a for a coordinate that is kept, -1 - b for one that is eliminated. */
static noe_sparse *block_of_eliminated(const noe_sparse *K, const noe_condensation *x,
                                       const int *place)
{
    int64_t count = 0;
    for (int b = 0; b < x->eliminated; b++)
        count += K->start[x->eliminated_index[b] + 1] - K->start[x->eliminated_index[b]];
    noe_sparse *B = noe_sparse_new(x->eliminated, count);
    count = 0;
    for (int b = 0; B && b < x->eliminated; b++) {
        for (int64_t k = K->start[x->eliminated_index[b]]; k < K->start[x->eliminated_index[b] + 1];
             k++)
            if (place[K->col[k]] < 0) {
                B->col[count] = -1 - place[K->col[k]];
                B->value[count++] = K->value[k];
            }
        B->start[b + 1] = count;
    }
    return B;
}

static noe_status solve(const noe_sparse *K, noe_condensation *x, const int *place)
{
    double *g = noe_status_alloc(2 * (size_t)x->eliminated, sizeof *g),
           *y = g ? g + x->eliminated : NULL;
    noe_sparse   *B = g ? block_of_eliminated(K, x, place) : NULL;
    noe_structure s = { .n = x->eliminated, .M = B, .K = B };
    const bool    clean = !noe_error();
    x->stiffness_factors = B ? noe_factorization_new(&s, 0, 1, NOE_BITS_CHEAP) : NULL;
    x->blas = noe_factorization_blas(x->stiffness_factors);
    noe_sparse_free(B);
    if (!x->stiffness_factors) {
        free(g);
        if (noe_status_last() != NOE_SINGULAR) return noe_status_last();
        if (clean) noe_error_clear();
        return noe_status_fail(NOE_SINGULAR,
                               "a direction has neither mass nor stiffness, among the %d "
                               "coordinates without mass: its motion is not determined",
                               x->eliminated);
    }
    double most = 0;
    for (int a = 0; a < x->kept; a++) {
        const int i = x->keep[a];
        bool      any = false;
        memset(g, 0, (size_t)x->eliminated * sizeof *g);
        for (int64_t k = K->start[i]; k < K->start[i + 1]; k++)
            if (place[K->col[k]] < 0) {
                g[-1 - place[K->col[k]]] = -K->value[k];
                any |= K->value[k] != 0;
            }
        if (!any) continue;
        noe_factorization_solve(x->stiffness_factors, g, y);
        for (int b = 0; b < x->eliminated; b++) {
            x->S[(size_t)b * (size_t)x->kept + (size_t)a] = y[b];
            most += fabs(y[b]);
        }
    }
    free(g);
    return isfinite(most) ? NOE_OK
                          : noe_status_fail(NOE_SINGULAR,
                                            "a direction has neither mass nor stiffness, among the "
                                            "%d coordinates without mass",
                                            x->eliminated);
}

/* row[kept] = row i of A_aa + A_ab S, or of A_ba + A_bb S for an eliminated coordinate i. */
static void reduced(const noe_sparse *A, const noe_condensation *x, const int *place, int i,
                    double *row)
{
    memset(row, 0, (size_t)x->kept * sizeof *row);
    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
        const int     p = place[A->col[k]];
        const double *S = x->S + (p < 0 ? (size_t)(-1 - p) * (size_t)x->kept : 0), v = A->value[k];
        if (p >= 0) row[p] += v;
        else if (v != 0)
            for (int a = 0; a < x->kept; a++) row[a] += v * S[a];
    }
}

/* A <- A_aa + A_ab S. symmetric: only the lower triangle is kept, and mirrored, so the result is
 * exactly symmetric; of C all entries are kept. */
static noe_status project(noe_sparse **A, const noe_condensation *x, const int *place,
                          bool symmetric)
{
    double *row = noe_status_alloc((size_t)x->kept, sizeof *row), *value = NULL;
    size_t *start = noe_status_alloc((size_t)x->kept + 1, sizeof *start), count = 0, capacity = 0;
    int    *col = NULL;
    bool    ok = row && start;
    for (int a = 0; ok && a < x->kept; a++) {
        const int last = symmetric ? a + 1 : x->kept;
        reduced(*A, x, place, x->keep[a], row);
        double most = 0;
        for (int j = 0; j < last; j++) most = fmax(most, fabs(row[j]));
        if (count + (size_t)last > capacity) {
            capacity = 2 * capacity + (size_t)x->kept;
            double *wider = realloc(value, capacity * sizeof *value);
            int    *more = wider ? realloc(col, capacity * sizeof *col) : NULL;
            if (wider) value = wider;
            if (more) col = more;
            ok = more != NULL;
        }
        for (int j = 0; ok && j < last; j++)
            if (fabs(row[j]) > ROUNDING_ENTRY * most || j == a) {
                col[count] = j;
                value[count++] = row[j];
            }
        start[a + 1] = count;
    }
    /* the rows of the lower triangle are the columns of the upper one */
    noe_sparse *small = NULL;
    if (ok && symmetric)
        small = noe_sparse_from("the condensed matrix", x->kept, &(noe_csc){ start, col, value });
    else if (ok && (small = noe_sparse_new(x->kept, (int64_t)count))) {
        for (int a = 0; a <= x->kept; a++) small->start[a] = (int64_t)start[a];
        for (size_t k = 0; k < count; k++) small->col[k] = col[k], small->value[k] = value[k];
    }
    free(row), free(start), free(col), free(value);
    if (!small)
        return noe_status_fail(NOE_NO_MEMORY,
                               "out of memory: the condensed matrix of %d coordinates", x->kept);
    noe_sparse_free(*A);
    *A = small;
    return NOE_OK;
}

noe_status noe_axis_condensation_refuse_damper(int about)
{
    return about < 0
             ? NOE_OK
             : noe_status_fail(
                 NOE_SINGULAR,
                 "a damper acts on what has no mass (about coordinate %d): that is no equation of "
                 "motion; give it a mass",
                 about + 1);
}

/* Error if damping acts on eliminated coordinates: allowed only where C_ba + C_bb S = 0.  The scale
 * of its entry b, a is sqrt(|C_bb|) times the largest sqrt(|C_ii|) |S_ia| and |C_ia|/sqrt(|C_ii|)
 * of all i that are eliminated: no other damper is in it, and no unit. */
static noe_status undamped(const noe_sparse *C, const noe_condensation *x, const int *place)
{
    double *row = noe_status_alloc(2 * (size_t)x->kept, sizeof *row),
           *most = row ? row + x->kept : NULL;
    int about = -1;
    if (!row) return NOE_NO_MEMORY;
    for (int b = 0; b < x->eliminated; b++) {
        const int     i = x->eliminated_index[b];
        const double *S = x->S + (size_t)b * (size_t)x->kept,
                     root = sqrt(fabs(noe_sparse_at(C, i, i)));
        if (root == 0) continue;
        for (int a = 0; a < x->kept; a++) most[a] = fmax(most[a], root * fabs(S[a]));
        for (int64_t k = C->start[i]; k < C->start[i + 1]; k++) {
            const int a = place[C->col[k]];
            if (a >= 0) most[a] = fmax(most[a], fabs(C->value[k]) / root);
        }
    }
    for (int b = 0; b < x->eliminated && about < 0; b++) {
        const int i = x->eliminated_index[b];
        if (noe_sparse_row_is_empty(C, i)) continue;
        const double root = sqrt(fabs(noe_sparse_at(C, i, i)));
        reduced(C, x, place, i, row);
        for (int a = 0; a < x->kept; a++)
            if (fabs(row[a]) > DAMPED_PART * root * most[a]) about = i;
    }
    free(row);
    return noe_axis_condensation_refuse_damper(about);
}

noe_status noe_axis_condensation_make(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                      noe_condensation *x)
{
    const int n = (*M)->n;
    int      *place = noe_status_alloc((size_t)n, sizeof *place);
    *x = (noe_condensation){ .n = n, .axes = true };
    if (!place) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) x->eliminated += noe_sparse_row_is_empty(*M, i);
    x->kept = n - x->eliminated;
    noe_status s = NOE_OK;
    if (x->eliminated && !x->kept)
        s = noe_status_fail(NOE_SINGULAR, "the mass matrix is 0: nothing moves");
    else if (x->eliminated
             && (x->kept > KEPT_MOST || (double)x->kept * x->eliminated > NUMBERS_MOST))
        s = noe_status_fail(NOE_SINGULAR,
                            "%d of %d coordinates have no mass: what is left of so large a "
                            "structure is a dense matrix; give them a small "
                            "mass, or condense them in the program that made it",
                            x->eliminated, n);
    else if (x->eliminated) {
        x->keep = noe_status_alloc((size_t)x->kept, sizeof *x->keep);
        x->eliminated_index = noe_status_alloc((size_t)x->eliminated, sizeof *x->eliminated_index);
        x->S = noe_status_alloc((size_t)x->eliminated * (size_t)x->kept, sizeof *x->S);
        if (!x->keep || !x->eliminated_index || !x->S) s = NOE_NO_MEMORY;
        for (int i = 0, a = 0, b = 0; !s && i < n; i++) {
            const bool eliminated = noe_sparse_row_is_empty(*M, i);
            place[i] = eliminated ? -1 - b : a;
            if (eliminated) x->eliminated_index[b++] = i;
            else x->keep[a++] = i;
        }
        if (!s) s = solve(*K, x, place);
        if (!s && *C) s = undamped(*C, x, place);
        if (!s && *C) s = project(C, x, place, false);
        if (!s) s = project(K, x, place, true);
        if (!s) s = project(M, x, place, true);
    }
    free(place);
    return s;
}
