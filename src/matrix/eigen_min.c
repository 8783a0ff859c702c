/* The lowest frequencies of a structure by shift and inversion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (K + sigma M)^-1 M x = nu x,   omega^2 = 1/nu - sigma
 *
 * ARPACK's shift-and-invert mode (Lehoucq, Sorensen, Yang, ARPACK Users' Guide, 3.2) with the
 * shift -sigma just below 0, so that rigid-body modes need nothing special, and below the modes
 * that grow, if there are any.  It is inverse iteration, and the Rayleigh quotients of its vectors
 * say which modes are 0: their errors are squares of those of the vectors. */
#include "matrix/eigen_min.h"

#include "base/optional_library.h"
#include "base/lapack.h"
#include "matrix/printed_digits.h"
#include "matrix/factorization.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* number of shifts, each a thousandth of the one before */
enum { SHIFTS_MOST = 5 };
static const double FIRST_SHIFT = 1e-9; /* part of the highest omega^2 */
/* Factors of a shift that does not suffice, and of one below which a mode grows. */
static const double SHIFT_FALLS = 1e-3, SHIFT_RISES = 1e3;
/* Residual at which ARPACK ends, relative: vectors are right to it over the gap to the next
 * eigenvalue, and their Rayleigh quotients to its square.  No other values were measured. */
static const double ARPACK_RESIDUAL = 1e-12;
/* Errors of the entries of a K that is a sum of element matrices, in units of rounding, at least;
 * and how many standard deviations of its digits are allowed. */
static const double ENTRY_ROUNDINGS = 100, DEVIATIONS = 3;
/* Below every omega^2 of a structure, and still a normal number. */
static const double LEAST_OMEGA2 = 1e-300;
/* ARPACK keeps its state between calls in static variables */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    int n, nev, ncv; /* size of the problem; eigenvalues wanted; Lanczos vectors */
    /* [n] residual; [n][ncv] vectors; scratch of ARPACK; [ncv] eigenvalues; [n] scratch */
    double *resid, *v, *workd, *workl, *d, *rest;
    int    *select; /* [ncv] scratch of ARPACK */
} arpack_workspace;

static bool make(arpack_workspace *r)
{
    const size_t n = (size_t)r->n, m = (size_t)r->ncv;
    r->resid = noe_status_alloc(n, sizeof(double)), r->v = noe_status_alloc(n * m, sizeof(double));
    r->workd = noe_status_alloc(3 * n, sizeof(double));
    r->workl = noe_status_alloc(m * (m + 8), sizeof(double));
    r->d = noe_status_alloc(m, sizeof(double));
    r->select = noe_status_alloc(m, sizeof(int));
    r->rest = noe_status_alloc(n, sizeof(double));
    return r->resid && r->v && r->workd && r->workl && r->d && r->select && r->rest;
}

static void drop(arpack_workspace *r)
{
    free(r->resid), free(r->v), free(r->workd), free(r->workl), free(r->d), free(r->select),
        free(r->rest);
}

static int ascending(const void *a, const void *b)
{
    const double x = ((const noe_mode *)a)->omega2, y = ((const noe_mode *)b)->omega2;
    return (x > y) - (x < y);
}

/* Runs ARPACK on (K + sigma M)^-1 M, sigma > 0, from a fixed start vector; inverse: the
 * factorization of M + K/sigma. Returns the number of eigenvectors in r->v. */
static int iterate(const noe_structure *s, noe_factorization *inverse, double sigma, int iterations,
                   arpack_workspace *r)
{
    const double tol = ARPACK_RESIDUAL, place = -sigma;
    const int    lworkl = r->ncv * (r->ncv + 8), n = r->n, vectors = 1;
    int ido = 0, iparam[11] = { 1, 0, iterations, 1, 0, 0, 3 }, ipntr[11] = { 0 }, info = 1;
    for (int i = 0; i < n; i++) r->resid[i] = sin(1.0 + 7.3 * i) + 1.1;
    for (;;) {
        dsaupd_(&ido, "G", &n, "LM", &r->nev, &tol, r->resid, &r->ncv, r->v, &n, iparam, ipntr,
                r->workd, r->workl, &lworkl, &info, 1, 2);
        double *x = r->workd + ipntr[0] - 1, *y = r->workd + ipntr[1] - 1;
        if (ido == -1) {
            noe_sparse_times(s->M, x, r->rest);
            noe_factorization_solve(inverse, r->rest, y);
        } else if (ido == 1) {
            noe_factorization_solve(inverse, r->workd + ipntr[2] - 1, y);
        } else if (ido == 2) {
            noe_sparse_times(s->M, x, y);
        } else break;
        if (ido == -1 || ido == 1) /* (K + sigma M)^-1 = (M + K/sigma)^-1 / sigma */
            for (int i = 0; i < n; i++) y[i] /= sigma;
    }
    const int found = info < 0 ? 0 : iparam[4];
    if (!found) return 0;
    dseupd_(&vectors, "A", r->select, r->d, r->v, &n, &place, "G", &n, "LM", &r->nev, &tol,
            r->resid, &r->ncv, r->v, &n, iparam, ipntr, r->workd, r->workl, &lworkl, &info, 1, 1,
            2);
    return info ? 0 : found;
}

/* Rayleigh quotient of the vector x, in long double, since the terms of x.K x may cancel by all
 * digits of double, and its standard deviation when the errors of the entries of K are
 * independent. */
static noe_mode of_vector(const noe_structure *s, const double *x, noe_entry_error e)
{
    long double stiff = 0, mass = 0, square = 0;
    for (int i = 0; i < s->n; i++) {
        for (int64_t k = s->K->start[i]; k < s->K->start[i + 1]; k++) {
            const long double both = (long double)x[i] * x[s->K->col[k]], entry = s->K->value[k],
                              error = (e.relative * fabsl(entry) + e.absolute) * both;
            /* entry (j, i) has the same error as entry (i, j), hence the factor 2 */
            stiff += entry * both, square += 2 * error * error;
        }
        for (int64_t k = s->M->start[i]; k < s->M->start[i + 1]; k++)
            mass += (long double)s->M->value[k] * x[i] * x[s->M->col[k]];
    }
    return (noe_mode){ (double)(stiff / mass), (double)(sqrtl(square) / mass) };
}

static int look(const noe_structure *s, noe_entry_error e, const double *x, int found, noe_mode *to)
{
    for (int k = 0; k < found; k++) to[k] = of_vector(s, x + (size_t)k * (size_t)s->n, e);
    qsort(to, (size_t)found, sizeof *to, ascending);
    return found;
}

/* The entries of K have a relative error of some roundings where they are sums of element
 * matrices, and that of their printed digits where they were read from a file. */
static noe_entry_error error_of(const noe_sparse *K)
{
    noe_entry_error e = noe_printed_digits_find(K);
    e.relative = fmax(ENTRY_ROUNDINGS * 0x1p-53, DEVIATIONS * e.relative);
    e.absolute *= DEVIATIONS;
    return e;
}

void noe_eigen_min_of(const noe_structure *s, const double *x, int count, noe_mode *to)
{
    look(s, error_of(s->K), x, count, to);
}

/* Does the iteration have to go on with a smaller shift? Modes far below the shift have nearly
 * equal nu, so a smaller one separates them. */
static bool too_high(const noe_mode *x, int found, double sigma)
{
    int known = 0;
    for (int k = 0; k < found; k++) known += fabs(x[k].omega2) > x[k].rounding;
    return known && fabs(x[found - 1].omega2) < sigma;
}

/* *inverse: the factorization of M + K/sigma, NULL without a message where it is not positive
 * definite: a mode of negative omega^2 lies beyond the shift. */
static noe_status shifted(const noe_structure *s, double sigma, noe_factorization **inverse)
{
    const bool clean = !noe_error();
    *inverse = noe_factorization_new(s, 1 / sigma, 1, NOE_BITS_FAST);
    if (!*inverse && noe_status_last() != NOE_SINGULAR) return noe_status_last();
    if (!*inverse && clean) noe_error_clear();
    if (!*inverse || noe_factorization_negative(*inverse) == 0) return NOE_OK;
    noe_factorization_free(*inverse);
    *inverse = NULL;
    return NOE_OK;
}

/* A bound of |error of K| / |K| in the norm of the largest row sum. K + sigma M may be indefinite
 * for a shift below this part of the highest omega^2. */
static double error_part(const noe_sparse *K, noe_entry_error e)
{
    double most = 0, error = 0;
    for (int i = 0; i < K->n; i++) {
        double sum = 0;
        for (int64_t k = K->start[i]; k < K->start[i + 1]; k++) sum += fabs(K->value[k]);
        most = fmax(most, sum);
        error = fmax(error,
                     e.relative * sum + e.absolute * (double)(K->start[i + 1] - K->start[i]));
    }
    return most > 0 ? error / most : 0;
}

int noe_eigen_min_find(const noe_structure *s, double top2, int count, int iterations,
                       noe_mode *modes)
{
    arpack_workspace r = { .n = s->n, .nev = count < s->n - 1 ? count : s->n - 1 };
    r.ncv = 2 * r.nev + 20 < s->n ? 2 * r.nev + 20 : s->n;
    const noe_entry_error e = error_of(s->K);
    const double          one = 1;
    if (r.nev < 1) { /* one coordinate */
        *modes = of_vector(s, &one, e);
        return 1;
    }
    if (noe_optional_library_require(NOE_OF_ARPACK, "the slowest modes of a structure")) return -1;
    noe_mode *now = noe_status_alloc((size_t)r.nev, sizeof *now);
    int       best = 0;
    double    sigma = fmax(top2, LEAST_OMEGA2) * fmax(FIRST_SHIFT, error_part(s->K, e));
    if (!now || !make(&r)) {
        free(now), drop(&r);
        return -1;
    }
    noe_factorization *inverse;
    noe_status         status = shifted(s, sigma, &inverse);
    while (!inverse && !status && sigma < top2) /* a mode grows: its omega^2 is below -sigma */
        status = shifted(s, sigma *= SHIFT_RISES, &inverse);
    /* where a smaller shift fails, the modes found with those before are the result */
    for (int place = 1; inverse; place++) {
        pthread_mutex_lock(&lock);
        const int vectors = iterate(s, inverse, sigma, iterations, &r);
        pthread_mutex_unlock(&lock);
        noe_factorization_free(inverse);
        const int found = look(s, e, r.v, vectors, now);
        if (found >= best) memcpy(modes, now, (size_t)found * sizeof *now), best = found;
        const bool enough = found == r.nev && !too_high(now, found, sigma);
        inverse = NULL;
        if (!enough && place < SHIFTS_MOST) status = shifted(s, sigma *= SHIFT_FALLS, &inverse);
    }
    free(now), drop(&r);
    return status ? -1 : best;
}
