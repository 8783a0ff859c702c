/* Eliminates directions without mass by static condensation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M N = 0, N^T K q = 0   ->   q = T q_a,   M <- T^T M T,   K <- T^T K T
 *
 * R. J. Guyan, Reduction of stiffness and mass matrices, AIAA Journal 3 (1965) 380, is exact for
 * what has no mass; here a massless direction need not be a coordinate: a consistent M may lose
 * rank anywhere. */
#include "matrix/static_condensation.h"

#include "base/optional_library.h"
#include "base/lapack.h"
#include "matrix/axis_condensation.h"
#include "matrix/eliminated_coordinates.h"
#include "matrix/mass_nullspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of the root of two diagonal entries up to which one beside them is rounding: some EPS, of
 * sums of terms that cancel.  Tests of the room: entries are dense on both sides, and one that is
 * left out changes the matrix by what rounding has changed it. */
static const double ROUNDING_ENTRY = 1e-15;
/* A damper on a direction without mass counts above DAMPED_TERMS of its terms and DAMPED_SCALE of
 * its scale (undamped()): null vectors are right to 1e-16 times the condition of M.  Tests of
 * loads: rounding is at most 3e-16 of both, a damper 1 and 0.5. */
static const double DAMPED_TERMS = 1e-6, DAMPED_SCALE = 1e-9;
/* Part of the largest entry of M up to which a row without a mass is 0.  Tests of the room: rows
 * are 0 or at least 0.01. */
static const double ZERO_ROW = 1e-12;

/* A as a dense matrix, column by column. */
static double *dense(const noe_sparse *A)
{
    double *x = noe_status_alloc((size_t)A->n * (size_t)A->n, sizeof *x);
    for (int i = 0; x && i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            x[i + (size_t)A->col[k] * (size_t)A->n] = A->value[k];
    return x;
}

static noe_sparse *sparse(const double *x, int n)
{
    int64_t count = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) count += x[i] != 0;
    noe_sparse *A = noe_sparse_new(n, count);
    count = 0;
    for (int i = 0; A && i < n; i++) {
        for (int j = 0; j < n; j++)
            if (x[i + (size_t)j * (size_t)n] != 0) {
                A->col[count] = j;
                A->value[count++] = x[i + (size_t)j * (size_t)n];
            }
        A->start[i + 1] = count;
    }
    return A;
}

/* A <- T^T A T, made exactly symmetric. */
static noe_status project(noe_sparse **A, const noe_condensation *x, const double *T)
{
    const int    n = x->n, a = x->kept;
    const double one = 1, zero = 0;
    double      *full = dense(*A), *half = noe_status_alloc((size_t)n * (size_t)a, sizeof *half),
           *y = noe_status_alloc((size_t)a * (size_t)a, sizeof *y);
    noe_sparse *small = NULL;
    if (full && half && y) {
        dgemm_("N", "N", &n, &a, &n, &one, full, &n, T, &n, &zero, half, &n, 1, 1);
        dgemm_("T", "N", &a, &a, &n, &one, T, &n, half, &n, &zero, y, &a, 1, 1);
        for (int i = 0; i < a; i++)
            for (int j = 0; j < i; j++) {
                const double scale = sqrt(
                    fabs(y[i + (size_t)i * (size_t)a] * y[j + (size_t)j * (size_t)a]));
                double mean = (y[i + (size_t)j * (size_t)a] + y[j + (size_t)i * (size_t)a]) / 2;
                /* an entry that is rounding would fill the matrix */
                if (fabs(mean) < ROUNDING_ENTRY * scale) mean = 0;
                y[i + (size_t)j * (size_t)a] = y[j + (size_t)i * (size_t)a] = mean;
            }
        small = sparse(y, a);
    }
    free(full);
    free(half);
    free(y);
    if (!small) return NOE_NO_MEMORY;
    noe_sparse_free(*A);
    *A = small;
    return NOE_OK;
}

/* Error if damping acts on directions without mass, N^T C T != 0: their equations would be of
 * first order. C = beta K is allowed, since N^T K T = 0.  The scale of n^T C t is |n|^T |C| |t| +
 * sqrt(|n|^T |C| |n|) max_b sqrt(|C_bb|) |t_b|, b eliminated, whose t_b have rounding: no other
 * damper is in it, and no unit. */
static noe_status undamped(const noe_sparse *C, const double *N, int m, const double *T,
                           const noe_condensation *x)
{
    const int n = x->n;
    double   *row = noe_status_alloc(3 * (size_t)n, sizeof *row), *size = row ? row + n : NULL,
           *root = row ? size + n : NULL;
    int about = -1;
    if (!row) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) root[i] = sqrt(fabs(noe_sparse_at(C, i, i)));
    for (int c = 0; c < m && about < 0; c++) {
        const double *null = N + (size_t)c * (size_t)n;
        double        square = 0;
        memset(row, 0, 2 * (size_t)n * sizeof *row);
        for (int i = 0; i < n; i++)
            for (int64_t k = C->start[i]; k < C->start[i + 1] && null[i] != 0; k++) {
                row[C->col[k]] += null[i] * C->value[k];
                size[C->col[k]] += fabs(null[i] * C->value[k]);
                square += fabs(null[i] * C->value[k] * null[C->col[k]]);
            }
        for (int a = 0; a < x->kept && about < 0; a++) {
            const double *t = T + (size_t)a * (size_t)n;
            double        sum = 0, terms = 0, scale = 0, most = 0;
            for (int i = 0; i < n; i++) {
                sum += row[i] * t[i];
                terms += fabs(row[i] * t[i]);
                scale += size[i] * fabs(t[i]);
            }
            for (int b = 0; b < m; b++) {
                const int i = x->eliminated_index[b];
                most = fmax(most, root[i] * fabs(t[i]));
            }
            scale += sqrt(square) * most;
            if (fabs(sum) > DAMPED_TERMS * terms && fabs(sum) > DAMPED_SCALE * scale)
                for (int i = about = 0; i < n; i++)
                    if (fabs(null[i]) > fabs(null[about])) about = i;
        }
    }
    free(row);
    return noe_axis_condensation_refuse_damper(about);
}

/* Error if M has a diagonal entry <= 0 in a row that is not 0 to rounding. */
static bool negative(const noe_sparse *M)
{
    double most = 0;
    for (int64_t k = 0; k < M->start[M->n]; k++) most = fmax(most, fabs(M->value[k]));
    for (int i = 0; i < M->n; i++) {
        const double d = noe_sparse_at(M, i, i);
        double       row = 0;
        for (int64_t k = M->start[i]; k < M->start[i + 1]; k++) row = fmax(row, fabs(M->value[k]));
        if (d <= 0 && row > ZERO_ROW * most)
            return noe_status_fail(NOE_INVALID,
                                   "the mass matrix has %.10g on its diagonal and %.10g beside it "
                                   "in the row of coordinate %d: a mass is "
                                   "positive",
                                   d, row, i + 1),
                   true;
    }
    return false;
}

/* x->P: the components of a displacement along N; P N = 1, P T = 0. */
static noe_status part_along(const noe_sparse *K, double *N, noe_condensation *x)
{
    const int    n = x->n, m = x->eliminated;
    const double one = 1, zero = 0;
    double      *P = noe_status_alloc((size_t)m * (size_t)n, sizeof *P),
           *B = noe_status_alloc((size_t)m * (size_t)m, sizeof *B);
    int *pivot = noe_status_alloc((size_t)m, sizeof *pivot), info = 0;
    if (P && B && pivot) {
        for (int i = 0; i < n; i++)
            for (int64_t k = K->start[i]; k < K->start[i + 1]; k++)
                for (int c = 0; c < m; c++)
                    P[(size_t)c + (size_t)K->col[k] * (size_t)m] +=
                        N[(size_t)c * (size_t)n + (size_t)i] * K->value[k];
        dgemm_("N", "N", &m, &m, &n, &one, P, &m, N, &n, &zero, B, &m, 1, 1);
        dgesv_(&m, &n, B, &m, pivot, P, &m, &info);
    }
    const bool ok = P && B && pivot;
    free(B), free(pivot);
    if (info) free(P), P = NULL; /* N^T K N is singular: the initial state is not corrected */
    x->P = P;
    return ok ? NOE_OK : NOE_NO_MEMORY;
}

/* Error if M, what is left without m directions, is not positive definite: by a Cholesky
 * factorization. */
static noe_status refuse_indefinite(const noe_sparse *M, int m)
{
    const int n = M->n;
    int       info = 0;
    double   *A = noe_status_alloc((size_t)n * (size_t)n, sizeof *A);
    if (!A) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++)
        for (int64_t k = M->start[i]; k < M->start[i + 1]; k++)
            A[(size_t)i + (size_t)M->col[k] * (size_t)n] = M->value[k];
    dpotrf_("L", &n, A, &n, &info, 1);
    free(A);
    if (!info) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "the mass matrix has %d directions without mass, and what is left "
                           "without them is not positive: its digits do not tell small masses from "
                           "none; write it with more digits",
                           m);
}

noe_status noe_static_condensation_make(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                        noe_condensation *x)
{
    double *N = NULL, *T = NULL;
    int     m = 0;
    if (negative(*M)) return NOE_INVALID;
    bool good = (*M)->n <= NOE_CONDENSE_MOST || noe_sparse_diagonal(*M, NULL);
    if (!good) {
        *x = (noe_condensation){ .n = (*M)->n, .kept = (*M)->n };
        const noe_status s = noe_mass_nullspace_check(*M, &good);
        if (s) return s;
    }
    if ((*M)->n > NOE_NULLSPACE_MOST || (good && (*M)->n > NOE_CONDENSE_MOST)) {
        noe_status s = noe_axis_condensation_make(M, C, K, x);
        x->nearly_singular = !good;
        return s;
    }
    *x = (noe_condensation){ .n = (*M)->n, .kept = (*M)->n };
    noe_status s = noe_mass_nullspace_find(*M, &N, &m, &x->axes);
    if (!s && m) s = noe_optional_library_require(NOE_OF_LAPACK, "a coordinate without mass");
    if (!s && m) {
        x->eliminated = m, x->kept = x->n - m, x->blas = true;
        if (x->kept == 0) s = noe_status_fail(NOE_SINGULAR, "the mass matrix is 0: nothing moves");
        else s = noe_eliminated_coordinates_find(*K, N, m, x);
        T = noe_status_alloc((size_t)x->n * (size_t)x->kept + 1, sizeof *T);
        if (!s && T) {
            for (int a = 0; a < x->kept; a++) {
                T[x->keep[a] + (size_t)a * (size_t)x->n] = 1;
                for (int b = 0; b < m; b++)
                    T[x->eliminated_index[b] + (size_t)a * (size_t)x->n] =
                        x->S[(size_t)b * (size_t)x->kept + (size_t)a];
            }
            if (*C) s = undamped(*C, N, m, T, x);
            if (!s && !x->axes) s = part_along(*K, N, x);
            if (!s) s = project(M, x, T);
            if (!s && !x->axes) s = refuse_indefinite(*M, m);
            if (!s) s = project(K, x, T);
            if (!s && *C) s = project(C, x, T);
        } else if (!s) s = NOE_NO_MEMORY;
    }
    if (x->P) x->N = N, N = NULL;
    free(N);
    free(T);
    return s;
}

void noe_static_condensation_free(noe_condensation *x)
{
    free(x->keep);
    free(x->eliminated_index);
    free(x->S);
    free(x->G);
    free(x->N);
    free(x->P);
    noe_factorization_free(x->stiffness_factors);
}

noe_status noe_static_condensation_static(const noe_condensation *x, int b, double *g)
{
    if (x->G) {
        memcpy(g, x->G + (size_t)b * (size_t)x->n, (size_t)x->n * sizeof *g);
        return NOE_OK;
    }
    double *unit = noe_status_alloc(2 * (size_t)x->eliminated, sizeof *unit),
           *y = unit ? unit + x->eliminated : NULL;
    if (!unit) return NOE_NO_MEMORY;
    unit[b] = 1;
    noe_factorization_solve(x->stiffness_factors, unit, y);
    memset(g, 0, (size_t)x->n * sizeof *g);
    for (int c = 0; c < x->eliminated; c++) g[x->eliminated_index[c]] = y[c];
    free(unit);
    return NOE_OK;
}
