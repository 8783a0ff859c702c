/* Minima from many starts: x uniform within its bounds, the least sum of squares is kept.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "number/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two minima are one where their sums of residuals differ by less, relatively. */
static const double SAME = 1e-6;

/* The misfit of a minimum: minus twice the logarithm of the likelihood, up to a constant. */
static double misfit(const noe_fit *s)
{
    double sum = s->chi2;
    for (int c = 0; c < s->compareds; c++)
        if (!s->compared[c].known) sum += 2 * s->compared[c].count * log(s->compared[c].sigma);
    return sum;
}

typedef struct {
    double *x, *f, *J, *sigma, chi2, misfit; /* of the best minimum so far: see misfit() */
} best;

static void keep(const noe_fit *s, best *b)
{
    const size_t u = (size_t)s->unknowns, m = (size_t)s->data;
    memcpy(b->x, s->x, u * sizeof *b->x);
    memcpy(b->f, s->f, m * sizeof *b->f);
    memcpy(b->J, s->J, u * m * sizeof *b->J);
    for (int c = 0; c < s->compareds; c++) b->sigma[c] = s->compared[c].sigma;
    b->chi2 = s->chi2, b->misfit = misfit(s);
}

static void restore(noe_fit *s, const best *b)
{
    const size_t u = (size_t)s->unknowns, m = (size_t)s->data;
    memcpy(s->x, b->x, u * sizeof *b->x);
    memcpy(s->f, b->f, m * sizeof *b->f);
    memcpy(s->J, b->J, u * m * sizeof *b->J);
    for (int c = 0; c < s->compareds; c++) s->compared[c].sigma = b->sigma[c];
    s->chi2 = b->chi2;
}

bool noe_start_search_run(noe_fit *s)
{
    const size_t u = (size_t)s->unknowns, m = (size_t)s->data, c = (size_t)s->compareds;
    double      *all = noe_status_alloc(3 * u + m + u * m + 2 * c, sizeof *all);
    double      *sigma = all + 2 * u + c, *own = sigma + c;
    best         b = { .x = all, .sigma = all + u, .misfit = INFINITY };
    uint64_t     seed = (uint64_t)s->job->seed;
    bool         any = false;
    if (!all) return false;
    b.f = own + u, b.J = b.f + m;
    memcpy(own, s->x, u * sizeof *own);
    for (size_t i = 0; i < c; i++) sigma[i] = s->compared[i].sigma;
    for (long k = 0; k < s->job->starts && !s->stopped; k++) {
        for (size_t i = 0; i < u; i++) {
            const double part = noe_random_uniform(&seed);
            const bool   bounded = isfinite(s->low[i]) && isfinite(s->high[i]);
            s->x[i] = k && bounded ? s->low[i] + part * (s->high[i] - s->low[i]) : own[i];
        }
        for (size_t i = 0; i < c; i++) s->compared[i].sigma = sigma[i];
        if (!noe_least_squares_minimize(s)) continue;
        const double size = fmax(1, fabs(b.misfit)), now = misfit(s);
        if (any && fabs(now - b.misfit) <= SAME * size) s->agreeing++;
        else if (now < b.misfit) s->agreeing = 1;
        if (now < b.misfit) keep(s, &b);
        any = true;
        noe_error_clear();
    }
    if (any) noe_error_clear(), restore(s, &b);
    free(all);
    return any && !s->stopped;
}
