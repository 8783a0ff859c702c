/* The report of a fit: estimates with their errors, correlations, residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORRELATED = 12 }; /* unknowns whose correlations are printed as a square */

/* Digits after the point so that the error has two. */
static int digits(double error)
{
    const int k = 1 - (int)floor(log10(error));
    return k < 0 ? 0 : k > 17 ? 17 : k;
}

static void estimate(noe_text *t, const noe_fit *s, int i, int wide)
{
    const double e = s->error[i];
    if (s->at_bound[i]) noe_text_add(t, "%-*s %.10g, at its bound\n", wide, s->name[i], s->x[i]);
    else if (!(e > 0)) noe_text_add(t, "%-*s %.10g, not determined\n", wide, s->name[i], s->x[i]);
    else if (fabs(s->x[i]) < 1e7 && e > 1e-14)
        noe_text_add(t, "%-*s %.*f +- %.*f, 95 %%: %.*f .. %.*f\n", wide, s->name[i], digits(e),
                     s->x[i], digits(e), e, digits(e), s->x[i] - s->quantile * e, digits(e),
                     s->x[i] + s->quantile * e);
    else
        noe_text_add(t, "%-*s %.15g +- %.2g, 95 %%: %.15g .. %.15g\n", wide, s->name[i], s->x[i], e,
                     s->x[i] - s->quantile * e, s->x[i] + s->quantile * e);
}

static void correlations(noe_text *t, const noe_fit *s, int wide)
{
    if (s->unknowns < 2 || s->unknowns > CORRELATED) return;
    noe_text_add(t, "\ncorrelations\n");
    for (int a = 1; a < s->unknowns; a++) {
        noe_text_add(t, "%-*s", wide, s->name[a]);
        for (int b = 0; b < a; b++) {
            const double r = s->correlation[a * s->unknowns + b];
            if (isfinite(r)) noe_text_add(t, " %6.3f", r);
            else noe_text_add(t, "      -");
        }
        noe_text_add(t, "\n");
    }
}

static void residuals(noe_text *t, const noe_fit *s)
{
    noe_text_add(t, "\nresiduals\n");
    for (int c = 0; c < s->compareds; c++) {
        double sum = 0, most = 0;
        for (int i = 0; i < s->data; i++) {
            if (s->datum[i].column != c) continue;
            const double r = s->datum[i].y - s->f[i];
            sum += r * r, most = fmax(most, fabs(r));
        }
        noe_text_add(t, "%s: %d data, root of the mean square %.3g, largest %.3g, %s %.3g\n",
                     s->compared[c].name, s->compared[c].count, sqrt(sum / s->compared[c].count),
                     most, s->compared[c].known ? "error given" : "error of a datum",
                     s->compared[c].sigma);
    }
}

void noe_fit_text_add(noe_text *t, const noe_fit *s)
{
    int wide = 1;
    for (int i = 0; i < s->unknowns; i++)
        wide = fmax(wide, (double)strlen(s->name[i])) > 60 ? 60
                                                           : (int)fmax(wide, strlen(s->name[i]));
    noe_text_add(t, "%s: %d data, %d estimates, %s, step %.6g\n", s->plain->source, s->data,
                 s->unknowns, noe_method_name(s->method), s->step);
    if (s->job->starts > 1)
        noe_text_add(t, "%ld starts (seed %ld), %d of them came to this minimum\n", s->job->starts,
                     s->job->seed, s->agreeing);
    for (int i = 0; i < s->unknowns; i++) estimate(t, s, i, wide);
    correlations(t, s, wide);
    residuals(t, s);
}
