/* (K + sigma M)^-1 M x = nu x,  omega^2 = 1/nu - sigma:  the slowest modes first.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ARPACK's shift-and-invert mode (Lehoucq, Sorensen, Yang, ARPACK Users' Guide, 3.2) with the shift just below 0, so that
 * rigid-body modes need nothing special. */
#include "linear/lowest.h"

#include "base/lapack.h"
#include "base/status.h"
#include "linear/shift.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* ARPACK keeps its place between calls in variables of its own */

typedef struct {
    int     n, nev, ncv;
    double *resid, *v, *workd, *workl, *d, *rest;
    int    *select;
} room;

static bool make(room *r)
{
    const size_t n = (size_t)r->n, m = (size_t)r->ncv;
    r->resid = noe_alloc(n, sizeof(double)), r->v = noe_alloc(n * m, sizeof(double));
    r->workd = noe_alloc(3 * n, sizeof(double)), r->workl = noe_alloc(m * (m + 8), sizeof(double));
    r->d = noe_alloc(m, sizeof(double)), r->select = noe_alloc(m, sizeof(int)), r->rest = noe_alloc(n, sizeof(double));
    return r->resid && r->v && r->workd && r->workl && r->d && r->select && r->rest;
}

static void drop(room *r)
{
    free(r->resid), free(r->v), free(r->workd), free(r->workl), free(r->d), free(r->select), free(r->rest);
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The iteration, from a start that is the same for everybody; sigma > 0 times M is added to K. */
static int iterate(const noe_linear *s, noe_shift *inverse, double sigma, room *r)
{
    const double tol = 1e-12, place = -sigma;
    const int    lworkl = r->ncv * (r->ncv + 8), n = r->n, values = 0;
    int          ido = 0, iparam[11] = { 1, 0, 1000, 1, 0, 0, 3 }, ipntr[11] = { 0 }, info = 1;
    for (int i = 0; i < n; i++) r->resid[i] = sin(1.0 + 7.3 * i) + 1.1;
    for (;;) {
        dsaupd_(&ido, "G", &n, "LM", &r->nev, &tol, r->resid, &r->ncv, r->v, &n, iparam, ipntr, r->workd, r->workl, &lworkl,
                &info, 1, 2);
        double *x = r->workd + ipntr[0] - 1, *y = r->workd + ipntr[1] - 1;
        if (ido == -1) {
            noe_sparse_times(s->M, x, r->rest);
            noe_shift_solve(inverse, r->rest, y);
        } else if (ido == 1) {
            noe_shift_solve(inverse, r->workd + ipntr[2] - 1, y);
        } else if (ido == 2) {
            noe_sparse_times(s->M, x, y);
        } else break;
        if (ido == -1 || ido == 1) /* (K + sigma M)^-1 = (M + K/sigma)^-1 / sigma */
            for (int i = 0; i < n; i++) y[i] /= sigma;
    }
    if (info < 0) return -1;
    const int found = iparam[4];
    if (!found) return -1;
    dseupd_(&values, "A", r->select, r->d, r->v, &n, &place, "G", &n, "LM", &r->nev, &tol, r->resid, &r->ncv, r->v, &n, iparam,
            ipntr, r->workd, r->workl, &lworkl, &info, 1, 1, 2);
    if (info) return -1;
    qsort(r->d, (size_t)found, sizeof *r->d, ascending);
    return found;
}

int noe_lowest(const noe_linear *s, double top2, int count, double *omega2)
{
    room r = { .n = s->n, .nev = count < s->n - 1 ? count : s->n - 1 };
    r.ncv = 2 * r.nev + 20 < s->n ? 2 * r.nev + 20 : s->n;
    if (r.nev < 1) { /* one coordinate */
        *omega2 = noe_sparse_at(s->K, 0, 0) / noe_sparse_at(s->M, 0, 0);
        return 1;
    }
    const double sigma = fmax(top2, 1e-300) * 1e-9;
    noe_shift   *inverse = noe_shift_new(s, 1 / sigma, 1);
    int          found = -1;
    if (inverse && make(&r)) {
        pthread_mutex_lock(&lock);
        found = iterate(s, inverse, sigma, &r);
        pthread_mutex_unlock(&lock);
        if (found > 0) memcpy(omega2, r.d, (size_t)found * sizeof *omega2);
        else noe_fail(NOE_NOT_CONVERGED, "the slowest modes were not found");
    }
    drop(&r);
    noe_shift_free(inverse);
    return found;
}
