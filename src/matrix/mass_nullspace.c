/* Finds the directions without mass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M N = 0
 *
 * A consistent M may lose rank anywhere, so they need not be coordinate axes. */
#include "matrix/mass_nullspace.h"

#include "base/optional_library.h"
#include "base/lapack.h"
#include "matrix/static_condensation.h"
#include "matrix/printed_digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double
    PIVOT_REGULAR =
        /* squared ratio of pivots of the scaled M above which M is regular if its digits are
         * known */
    1e-6,
    PIVOT_CLEARLY_REGULAR = 0.01, /* the same, if nothing is known of its digits */
    GROWTH = 10,                  /* growth of rounding errors in pivots */
    PIVOT_ROUNDING = 0x1p-53,     /* n times this is a pivot that is 0, as LAPACK has it */
    NEGATIVE_MOST =
        /* part of the terms of x.M x that rounding to four digits or more can leave below 0 */
    1e-3;

/* Bound of the error of the eigenvalues of the scaled M, A[n][n] = d_i M_ij d_j, from the error of
 * the entries of M (Gershgorin). */
static double error_bound(const double *A, const double *d, int n, noe_entry_error e)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            const double a = fabs(A[i + (size_t)j * (size_t)n]);
            if (a > 0) sum += e.relative * a + e.absolute * d[i] * d[j];
        }
        most = fmax(most, sum);
    }
    return most;
}

/* Null vectors from P^T A P = L L^T with full pivoting: the pivots give the rank r, and the null
 * vectors are the columns of (-L11^-T L21^T, 1). A[n][n] is the scaled M, and is overwritten;
 * they are appended to the `count` vectors in N. Returns their number, -1: out of memory. N. J.
 * Higham, Accuracy and Stability of Numerical Algorithms, 10.3. */
static int by_pivots(const noe_sparse *M, const int *row, int n, double *A, double noise,
                     double **N, int count)
{
    int         *pivot = noe_status_alloc((size_t)n, sizeof *pivot), rank = 0, info;
    double      *work = noe_status_alloc(2 * (size_t)n, sizeof *work), *X = NULL;
    const double tol = n * PIVOT_ROUNDING, one = 1;
    int          found = -1;
    if (pivot && work) {
        dpstrf_("L", &n, A, &n, pivot, &rank, &tol, work, &info, 1);
        for (int i = 0; i < n; i++) { /* from the last pivot to the first: ascending */
            const double d = A[n - 1 - i + (size_t)(n - 1 - i) * (size_t)n];
            work[i] = n - 1 - i < rank ? d * d : 0;
        }
        found = noe_printed_digits_cut(work, n, GROWTH * noise);
        rank = n - found;
        X = noe_status_alloc((size_t)rank * (size_t)found + 1, sizeof *X);
        double *more = realloc(*N, ((size_t)(count + found) * (size_t)M->n + 1) * sizeof *more);
        if (more) *N = more;
        if (!X || !more) noe_status_fail(NOE_NO_MEMORY, "out of memory"), found = -1;
    }
    for (int c = 0; c < found; c++)
        for (int i = 0; i < rank; i++)
            X[i + (size_t)c * (size_t)rank] = -A[rank + c + (size_t)i * (size_t)n];
    if (found > 0) dtrsm_("L", "L", "T", "N", &rank, &found, &one, A, &n, X, &rank, 1, 1, 1, 1);
    for (int c = 0; c < found; c++) {
        double *to = *N + (size_t)(count + c) * (size_t)M->n;
        memset(to, 0, (size_t)M->n * sizeof *to);
        for (int i = 0; i < n; i++) {
            const int    at = row[pivot[i] - 1];
            const double x = i < rank ? X[i + (size_t)c * (size_t)rank] : i == rank + c;
            to[at] = x / sqrt(fabs(noe_sparse_at(M, at, at)));
        }
    }
    free(pivot), free(work), free(X);
    return found;
}

/* See matrix/mass_nullspace.h: a factorization of M scaled to a diagonal of 1, a 1 on the
 * diagonal of empty rows. */
noe_status noe_mass_nullspace_check(const noe_sparse *M, bool *regular)
{
    noe_sparse *A = noe_sparse_new(M->n, M->start[M->n] + M->n);
    double     *d = noe_status_alloc((size_t)M->n, sizeof *d);
    bool        good = A && d;
    noe_status  status = good ? NOE_OK : NOE_NO_MEMORY;
    int64_t     at = 0;
    for (int i = 0; good && i < M->n; i++) {
        d[i] = noe_sparse_row_is_empty(M, i) ? 0 : noe_sparse_at(M, i, i);
        good = d[i] > 0 || noe_sparse_row_is_empty(M, i);
    }
    for (int i = 0; good && i < M->n; i++) {
        if (d[i] == 0) A->col[at] = i, A->value[at++] = 1;
        for (int64_t k = M->start[i]; k < M->start[i + 1] && d[i] > 0; k++)
            if (d[M->col[k]] > 0) {
                A->col[at] = M->col[k];
                A->value[at++] = M->value[k] / sqrt(d[i] * d[M->col[k]]);
            }
        A->start[i + 1] = at;
    }
    const bool         clean = !noe_error();
    noe_structure      s = { .n = M->n, .M = A, .K = A };
    noe_factorization *x = good ? noe_factorization_new(&s, 0, 1, NOE_BITS_FAST) : NULL;
    if (good && !x) status = noe_status_last();
    if (status == NOE_SINGULAR) {
        if (clean) noe_error_clear();
        status = NOE_OK;
    }
    *regular = x && !noe_factorization_negative(x) && noe_factorization_spread(x) > PIVOT_REGULAR;
    noe_factorization_free(x);
    noe_sparse_free(A);
    free(d);
    return status;
}

/* Error if x.M x / sum_i M_ii x_i^2 is below 0 by more than rounding for one of the m vectors. */
static noe_status refuse_negative(const noe_sparse *M, const double *N, int m)
{
    for (int c = 0; c < m; c++, N += M->n) {
        double sum = 0, terms = 0;
        for (int i = 0; i < M->n; i++)
            for (int64_t k = M->start[i]; k < M->start[i + 1]; k++) {
                sum += N[i] * M->value[k] * N[M->col[k]];
                if (M->col[k] == i) terms += N[i] * M->value[k] * N[i];
            }
        if (sum < -NEGATIVE_MOST * terms)
            return noe_status_fail(
                NOE_INVALID,
                "the mass matrix is not positive: x.M x is %.3g for a displacement x whose entries "
                "on the diagonal give %.3g; an entry is wrong, has the wrong sign, or has fewer "
                "than four digits",
                sum, terms);
    }
    return NOE_OK;
}

/* A [n][n] = the rows and columns row [n] of M, with 1 on the diagonal: D M D, D = diag(d).  at:
 * the place of every row of M in `row`, -1 of the others. */
static void scale_mass(const noe_sparse *M, const int *row, const int *at, int n, const double *d,
                       double *A)
{
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < n; i++)
        for (int64_t k = M->start[row[i]]; k < M->start[row[i] + 1]; k++) {
            const int j = at[M->col[k]];
            if (j >= 0) A[i + (size_t)j * (size_t)n] = d[i] * M->value[k] * d[j];
        }
}

/* Has the scaled mass matrix A, which is overwritten, a Cholesky factorization with large pivots?
 * Then it has no null vectors. */
static bool clearly_regular(double *A, int n, double noise)
{
    int    info;
    double least = 1;
    dpotrf_("L", &n, A, &n, &info, 1);
    for (int i = 0; i < n; i++) least = fmin(least, A[i + (size_t)i * (size_t)n]);
    least *= least;
    return !info && (least > PIVOT_CLEARLY_REGULAR || least > fmax(PIVOT_REGULAR, 100 * noise));
}

/* A <- its eigenvectors, w [n] its eigenvalues. */
static noe_status eigenvectors(double *A, int n, double *w)
{
    int    lwork = -1, liwork = -1, need_i, info;
    double need;
    dsyevd_("V", "L", &n, A, &n, w, &need, &lwork, &need_i, &liwork, &info, 1, 1);
    lwork = (int)need, liwork = need_i;
    double    *work = noe_status_alloc((size_t)lwork, sizeof *work);
    int       *iwork = noe_status_alloc((size_t)liwork, sizeof *iwork);
    noe_status s = NOE_NO_MEMORY;
    if (work && iwork) {
        dsyevd_("V", "L", &n, A, &n, w, work, &lwork, iwork, &liwork, &info, 1, 1);
        s = !info
              ? NOE_OK
              : noe_status_fail(NOE_SINGULAR,
                                "the eigenvalues of the mass matrix of %d rows cannot be computed",
                                n);
    }
    free(work);
    free(iwork);
    return s;
}

/* Appends the eigenvectors of the scaled mass matrix A = D M D whose eigenvalues are 0 to rounding,
 * as vectors of M.  Returns their number, -1 with a message. */
static int by_eigenvalues(const noe_sparse *M, const int *row, int n, double *A, double noise,
                          double **N, int count)
{
    const size_t all = (size_t)M->n;
    double      *w = noe_status_alloc((size_t)n, sizeof *w);
    const bool   known = w && !eigenvectors(A, n, w);
    const int    found = known ? noe_printed_digits_cut(w, n, noise) : -1;
    free(w);
    if (!known) return -1;
    double *more = realloc(*N, ((size_t)(count + found) * all + 1) * sizeof *more);
    if (!more) return noe_status_fail(NOE_NO_MEMORY, "out of memory"), -1;
    *N = more;
    memset(more + (size_t)count * all, 0, (size_t)found * all * sizeof *more);
    for (int c = 0; c < found; c++)
        for (int i = 0; i < n; i++)
            more[(size_t)(count + c) * all + (size_t)row[i]] =
                A[i + (size_t)c * (size_t)n] / sqrt(fabs(noe_sparse_at(M, row[i], row[i])));
    return found;
}

/* Appends the null vectors of M within its n rows with entries, row[n], to the `count` vectors
 * in N. Returns their number, -1 with a message: out of memory, or no eigenvalues. */
static int hidden(const noe_sparse *M, const int *row, int n, double **N, int count)
{
    const bool small = n <= NOE_CONDENSE_MOST;
    double    *A = noe_status_alloc((size_t)n * (size_t)n + 1, sizeof *A),
           *d = noe_status_alloc((size_t)n + 1, sizeof *d);
    int *at = noe_status_alloc((size_t)M->n, sizeof *at), found = -1;
    if (A && d && at) {
        for (int i = 0; i < M->n; i++) at[i] = -1;
        for (int i = 0; i < n; i++) {
            at[row[i]] = i;
            d[i] = 1 / sqrt(fabs(noe_sparse_at(M, row[i], row[i])));
        }
        scale_mass(M, row, at, n, d, A);
        const double noise = error_bound(A, d, n, noe_printed_digits_find(M));
        const bool   regular = small && clearly_regular(A, n, noise);
        if (small && !regular) scale_mass(M, row, at, n, d, A);
        found = regular ? 0 : (small ? by_eigenvalues : by_pivots)(M, row, n, A, noise, N, count);
    }
    free(A);
    free(d);
    free(at);
    return found;
}

/* *N[m][n], see matrix/mass_nullspace.h. */
noe_status noe_mass_nullspace_find(const noe_sparse *M, double **N, int *m, bool *axes)
{
    const int n = M->n;
    if (!noe_sparse_diagonal(M, NULL)
        && noe_optional_library_require(NOE_OF_LAPACK, "a mass matrix that is not diagonal"))
        return NOE_INVALID;
    int *row = noe_status_alloc((size_t)n, sizeof *row), count = 0, rows = 0;
    if (!row) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++)
        if (!noe_sparse_row_is_empty(M, i)) row[rows++] = i;
    count = n - rows;
    *N = noe_status_alloc((size_t)count * (size_t)n + 1, sizeof **N);
    for (int i = 0, c = 0; *N && i < n; i++)
        if (noe_sparse_row_is_empty(M, i)) (*N)[(size_t)c++ * (size_t)n + (size_t)i] = 1;
    int more = 0;
    if (*N && rows && rows <= NOE_NULLSPACE_MOST && !noe_sparse_diagonal(M, NULL))
        more = hidden(M, row, rows, N, count);
    free(row);
    *m = count + more;
    *axes = more == 0;
    if (!*N || more < 0) return noe_status_last();
    return refuse_negative(M, *N + (size_t)count * (size_t)n, more);
}
