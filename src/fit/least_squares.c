/* min |r(u)|^2, r_i = (f_i(x(u)) - y_i)/sigma_i, by Levenberg and Marquardt: lmder of cminpack.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. J. More, The Levenberg-Marquardt algorithm: implementation and theory, LNM 630 (1978) 105.
 * Where sigma of a column is not given it is estimated from the residuals of the column,
 * sigma^2 = sum (f - y)^2/(count (1 - unknowns/data)), and the minimum is sought again with it
 * until it settles: the estimates are then those of greatest likelihood. */
#include "fit/fit.h"

#include "base/cminpack.h"
#include "base/status.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 30, RUNS = 400 }; /* estimates of sigma; evaluations for each unknown */
/* lmder ends where neither the sum of squares nor x changes by more, relatively. */
static const double SETTLED = 1e-12;
/* The first step is at most so many times as long as u, in units of the columns' lengths. */
static const double FIRST_STEP = 1;
/* sigma has settled: far below its own uncertainty, 1/sqrt(2 count), of a billion data. */
static const double SIGMA_SETTLED = 1e-6;
/* Where a column is met to this part of its spread, its residuals are rounding, not errors. */
static const double EXACT
= 1e-12;

typedef struct {
    noe_fit *s;
    double  *x, *f, *J, *tried; /* x and derivatives by x at the trial `tried` = u */
    bool     failed, first;     /* the last trial failed; the next one is certainly new */
} minimum;

static void inside(const noe_fit *s, const double *u, double *x)
{
    for (int i = 0; i < s->unknowns; i++) x[i] = noe_bounds_inside(s, i, u[i]);
}

/* f and J at u; false where the motion fails. */
static bool at(minimum *m, const double *u)
{
    noe_fit     *s = m->s;
    const size_t bytes = (size_t)s->unknowns * sizeof *u;
    if (!m->first && !m->failed && !memcmp(u, m->tried, bytes)) return true;
    memcpy(m->tried, u, bytes);
    inside(s, u, m->x);
    const bool ok = noe_fitted_run_make(s, m->x, m->f, m->J), begin = m->first;
    m->failed = !ok;
    m->first = false;
    if (!ok && !begin && !s->stopped) noe_error_clear();
    return ok || !begin;
}

/* iflag 1: residuals, 2: derivatives by u. */
static int evaluate(void *ctx, int count, int unknowns, const double *u, double *r, double *J,
                    int rows, int iflag)
{
    minimum       *m = ctx;
    const noe_fit *s = m->s;
    if (!at(m, u) || s->stopped) return -1;
    for (int i = 0; i < count && iflag == 1; i++) {
        const noe_datum *y = &s->datum[i];
        r[i] = m->failed ? NOE_FIT_FAR : (m->f[i] - y->y) / s->compared[y->column].sigma;
    }
    for (int k = 0; k < unknowns && iflag == 2; k++) {
        const double slope = noe_bounds_slope(s, k, u[k]);
        for (int i = 0; i < count; i++)
            J[(size_t)k * (size_t)rows + (size_t)i] = m->J[(size_t)k * (size_t)count + (size_t)i]
                                                    * slope / s->compared[s->datum[i].column].sigma;
    }
    return 0;
}

/* Takes x and all there as the result. */
static void keep(noe_fit *s, const minimum *m)
{
    const size_t data = (size_t)s->data, unknowns = (size_t)s->unknowns;
    memcpy(s->x, m->x, unknowns * sizeof *s->x);
    memcpy(s->f, m->f, data * sizeof *s->f);
    memcpy(s->J, m->J, data * unknowns * sizeof *s->J);
    s->chi2 = 0;
    for (int i = 0; i < s->data; i++)
        s->chi2 += pow((s->f[i] - s->datum[i].y) / s->compared[s->datum[i].column].sigma, 2);
}

/* One call of lmder from x; work: scratch. */
static bool minimize(minimum *m, double *u, double *work, int *pivot)
{
    noe_fit  *s = m->s;
    const int data = s->data, unknowns = s->unknowns;
    double   *r = work, *J = r + data, *diag = J + (size_t)data * (size_t)unknowns,
           *qtf = diag + unknowns, *w1 = qtf + unknowns, *w2 = w1 + unknowns, *w3 = w2 + unknowns,
           *w4 = w3 + unknowns;
    int evaluations = 0, slopes = 0;
    for (int i = 0; i < unknowns; i++) u[i] = noe_bounds_outside(s, i, s->x[i]);
    m->first = true;
    const int info = lmder(evaluate, m, data, unknowns, u, r, J, data, SETTLED, SETTLED, 0,
                           RUNS * (unknowns + 1), diag, 1, FIRST_STEP, 0, &evaluations, &slopes,
                           pivot, qtf, w1, w2, w3, w4);
    if (s->stopped || info < 0) return false;
    m->first = true; /* the last trial may have been refused */
    if (!at(m, u)) return false;
    keep(s, m);
    if (info != 5) return true;
    return noe_status_fail(NOE_NOT_CONVERGED,
                           "the fit did not settle in %d runs of the model: begin nearer, by "
                           "NAME=VALUE, give bounds, or try --starts or --segments",
                           RUNS * (unknowns + 1)),
           false;
}

/* Estimates the sigmas that are not given; true: they have settled. */
static bool estimate_sigmas(noe_fit *s)
{
    bool         settled = true;
    const double left = s->data > s->unknowns ? 1 - (double)s->unknowns / s->data : 1;
    for (int c = 0; c < s->compareds; c++) {
        noe_compared *x = &s->compared[c];
        double        sum = 0, size = x->spread;
        if (x->known) continue;
        for (int i = 0; i < s->data; i++) {
            if (s->datum[i].column != c) continue;
            sum += pow(s->f[i] - s->datum[i].y, 2);
            size = fmax(size, fabs(s->datum[i].y));
        }
        const double sigma = fmax(sqrt(sum / (x->count * left)), size > 0 ? EXACT * size : EXACT);
        settled &= fabs(sigma - x->sigma) <= SIGMA_SETTLED * sigma;
        x->sigma = sigma;
    }
    return settled;
}

bool noe_least_squares_minimize(noe_fit *s)
{
    const size_t data = (size_t)s->data, unknowns = (size_t)s->unknowns;
    const size_t numbers = 2 * data + 2 * data * unknowns + 9 * unknowns + data;
    double      *all = noe_status_alloc(numbers, sizeof *all);
    int         *pivot = noe_status_alloc(unknowns, sizeof *pivot);
    minimum      m = { .s = s };
    bool         ok = all && pivot, settled = false;
    if (ok && s->job->segments > 1) ok = noe_multiple_shooting_approach(s);
    if (ok) {
        m.f = all, m.J = m.f + data, m.x = m.J + data * unknowns, m.tried = m.x + unknowns;
        double *u = m.tried + unknowns;
        int     free_sigmas = 0;
        for (int c = 0; c < s->compareds; c++) free_sigmas += !s->compared[c].known;
        for (int round = 0; ok && round < ROUNDS && !settled; round++) {
            ok = minimize(&m, u, u + unknowns, pivot);
            settled = ok && (!free_sigmas || estimate_sigmas(s) || s->compareds == 1);
        }
        if (ok) keep(s, &m);
    }
    free(all);
    free(pivot);
    return ok;
}
