/* Makes a structure of the matrices M, C, K: equal sizes, M and K symmetric.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/structure.h"

#include "base/status.h"
#include "number/compensated_dot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Allowed asymmetry relative to the largest entry: files have limited digits, and programs may
 * sum the two triangles in different orders. */
static const double ASYMMETRY_MOST = 1e-9;

/* Part of the largest entry of C up to which C - alpha M - beta K is rounding, 90 EPS.  Tests of
 * the room: at most 2.6e-15 where C is that sum, and at least 8e-6 where it is not. */
static const double RAYLEIGH_ROUNDING = 1e-14;

static bool symmetric(const char *name, const noe_sparse *A)
{
    int i, j;
    if (noe_sparse_symmetric(A, ASYMMETRY_MOST, &i, &j)) return true;
    noe_status_fail(NOE_INVALID,
                    "the %s matrix is not symmetric: %.10g in row %d, column %d, but %.10g in row "
                    "%d, column %d",
                    name, noe_sparse_at(A, i, j), i + 1, j + 1, noe_sparse_at(A, j, i), j + 1,
                    i + 1);
    return false;
}

/* C = alpha M + beta K, to RAYLEIGH_ROUNDING of scale? */
static bool fits(const noe_structure *s, double alpha, double beta, double scale)
{
    const noe_sparse *const part[] = { s->M, s->K, s->C };
    for (int i = 0; i < s->n; i++)
        for (int a = 0; a < 3; a++)
            for (int64_t k = part[a]->start[i]; k < part[a]->start[i + 1]; k++) {
                const int    j = part[a]->col[k];
                const double c = alpha * noe_sparse_at(s->M, i, j)
                               + beta * noe_sparse_at(s->K, i, j);
                if (!(fabs(c - noe_sparse_at(s->C, i, j)) <= RAYLEIGH_ROUNDING * scale))
                    return false;
            }
    return true;
}

/* Replaces C by alpha and beta if C = alpha M + beta K. The candidates come from the largest
 * entries of C on and off the diagonal; alpha alone and beta alone are tried first, so that
 * rounding does not give a small beta where there is none. */
static void rayleigh(noe_structure *s)
{
    int    row[2] = { 0, 0 }, col[2] = { 0, 0 };
    double most[2] = { 0, 0 }, M[2], K[2], C[2];
    for (int i = 0; i < s->n; i++)
        for (int64_t k = s->C->start[i]; k < s->C->start[i + 1]; k++) {
            const int    j = s->C->col[k], off = j != i;
            const double size = fabs(s->C->value[k]);
            if (size > most[off]) most[off] = size, row[off] = i, col[off] = j;
        }
    for (int a = 0; a < 2; a++) {
        M[a] = noe_sparse_at(s->M, row[a], col[a]);
        K[a] = noe_sparse_at(s->K, row[a], col[a]);
        C[a] = noe_sparse_at(s->C, row[a], col[a]);
    }
    const double det = M[0] * K[1] - M[1] * K[0], scale = fmax(most[0], most[1]);
    const double answer[3][2] = { { M[0] != 0 ? C[0] / M[0] : 0, 0 },
                                  { 0, K[0] != 0 ? C[0] / K[0] : 0 },
                                  { det != 0 ? (C[0] * K[1] - C[1] * K[0]) / det : 0,
                                    det != 0 ? (M[0] * C[1] - M[1] * C[0]) / det : 0 } };
    for (int a = 0; a < 3; a++)
        if (fits(s, answer[a][0], answer[a][1], scale)) {
            s->alpha = answer[a][0], s->beta = answer[a][1];
            noe_sparse_free(s->C);
            s->C = NULL;
            return;
        }
}

/* Error if a mass is below the smallest normal number of double, where digits are lost. */
static bool in_full(const noe_sparse *M)
{
    for (int i = 0; i < M->n; i++) {
        const double m = noe_sparse_at(M, i, i);
        if (m != 0 && fabs(m) < DBL_MIN)
            return noe_status_fail(NOE_INVALID,
                                   "the mass of coordinate %d, %.3g, is below 2.2e-308, the least "
                                   "number that double holds in full: measure "
                                   "it in other units",
                                   i + 1, m),
                   false;
    }
    return true;
}

noe_structure *noe_structure_new(noe_sparse *M, noe_sparse *C, noe_sparse *K)
{
    noe_structure *s = M && K ? noe_status_alloc(1, sizeof *s) : NULL;
    if (s) {
        *s = (noe_structure){ .n = K->n, .M = M, .C = C, .K = K };
        const bool held = in_full(M);
        if (held && M->n == K->n && (!C || C->n == K->n) && symmetric("mass", M)
            && symmetric("stiffness", K)) {
            if (C) rayleigh(s);
            if (!noe_sparse_diagonal(M, NULL)) return s;
            s->mass = noe_status_alloc((size_t)s->n, sizeof *s->mass);
            if (s->mass && noe_sparse_diagonal(M, s->mass)) return s;
        } else if (held && (M->n != K->n || (C && C->n != K->n)))
            noe_status_fail(NOE_INVALID,
                            "the matrices differ in size: mass %d, stiffness %d, damping %d", M->n,
                            K->n, C ? C->n : K->n);
        noe_structure_free(s);
        return NULL;
    }
    noe_sparse_free(M);
    noe_sparse_free(C);
    noe_sparse_free(K);
    return NULL;
}

noe_structure *noe_structure_of_rows(noe_sparse *M, noe_sparse *K, int n, int first, double *mass)
{
    noe_structure *s = noe_status_alloc(1, sizeof *s);
    if (s) *s = (noe_structure){ .n = n, .first = first, .M = M, .K = K, .mass = mass };
    if (s) return s;
    noe_sparse_free(M), noe_sparse_free(K);
    free(mass);
    return NULL;
}

noe_status noe_structure_complete(noe_structure *s)
{
    return s->complete ? s->complete(s) : NOE_OK;
}

void noe_structure_free(noe_structure *s)
{
    if (!s) return;
    if (s->drop) s->drop(s->ctx);
    noe_sparse_free(s->M);
    noe_sparse_free(s->C);
    noe_sparse_free(s->K);
    free(s->mass);
    free(s->weight);
    free(s);
}

/* ---- vectors of which other processes may have parts ---- */

double noe_structure_share_dot(const noe_structure *s, const double *x, const double *y)
{
    return s->share ? s->share->dot(s->share->ctx, x, y) : noe_compensated_dot(s->n, x, y);
}

double noe_structure_share_part(const noe_structure *s, const double *x, const double *y)
{
    return s->share ? s->share->part(s->share->ctx, x, y) : noe_compensated_dot(s->n, x, y);
}

double noe_structure_share_sum(const noe_structure *s, double part)
{
    return s->share ? s->share->sum(s->share->ctx, part) : part;
}

void noe_structure_share_refresh(const noe_structure *s, double *x)
{
    if (s->share) s->share->refresh(s->share->ctx, 1, &x);
}

void noe_structure_share_times(const noe_structure *s, const noe_sparse *A, double *x, double *y)
{
    noe_structure_share_refresh(s, x);
    noe_sparse_times(A, x, y);
}
