/* What looks wrong in the data, as notes: units, data that end early, errors that are not met.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A factor of 1000 or 1/1000 to this part of it, by which units differ; of amplitudes, and of
 * parameters, which are far better known. */
static const double AMPLITUDE = 2.5, PARAMETER = 1.3;
/* Degrees of a radian. */
static const double DEGREES = 57.29577951308232;
/* chi^2/freedom beyond which given errors are not those of the data. */
static const double MISSED = 2;
/* A part of the spread of the data that is too large to be errors of measurement. */
static const double UNEXPLAINED = 0.5;
/* A change by half the step, in errors of the data, and errors, in spreads, that are rounding. */
static const double STEP_SEEN = 0.3, COMPUTED = 1e-9;

static bool near(double ratio, double factor, double within)
{
    return ratio > factor / within && ratio < factor * within;
}

/* 1000, 0.001 or 180/pi where the ratio looks like it; else 0. */
static double unit(double ratio, double within)
{
    return near(ratio, 1e3, within) ? 1e3 : near(ratio, 1e-3, within) ? 1e-3 : 0;
}

/* Largest data and model values of each column at the start. */
static void amplitudes(noe_fit *s)
{
    for (int c = 0; c < s->compareds; c++) {
        double data = 0, model = 0;
        for (int i = 0; i < s->data; i++)
            if (s->datum[i].column == c) {
                data = fmax(data, fabs(s->datum[i].y));
                model = fmax(model, fabs(s->f[i]));
            }
        const double ratio = model > 0 ? data / model : 0;
        const char  *name = s->compared[c].name;
        if (unit(ratio, AMPLITUDE) != 0)
            noe_text_add(&s->notes,
                         "'%.60s': the data reach %.4g, the model with its first values %.4g, a "
                         "factor of about %g: are the units the same?\n",
                         name, data, model, unit(ratio, AMPLITUDE));
        else if (near(ratio, DEGREES, PARAMETER) || near(ratio, 1 / DEGREES, PARAMETER))
            noe_text_add(&s->notes,
                         "'%.60s': the data reach %.4g, the model with its first values %.4g: are "
                         "the data in %s and the model in %s?\n",
                         name, data, model, ratio > 1 ? "degrees" : "radians",
                         ratio > 1 ? "radians" : "degrees");
    }
}

/* Times against what the model suggests. */
static void times(noe_fit *s)
{
    const char *suggested = noe_system_suggest(s->plain, "until");
    quad        until;
    if (!suggested || !noe_parse_model_value(s->plain->model, "until", suggested, &until)) return;
    for (int d = 0; d < s->files; d++) {
        double last = -INFINITY;
        for (int i = 0; i < s->data; i++)
            if (s->datum[i].file == d) last = fmax(last, s->datum[i].t);
        const double t0 = (double)s->plain->model->t0, ratio = (last - t0) / ((double)until - t0);
        if (unit(ratio, AMPLITUDE) != 0)
            noe_text_add(&s->notes,
                         "%.200s ends at t = %.6g, the model at t = %.6g, a factor of about %g: is "
                         "the unit of time the same?\n",
                         s->file[d].path, last, (double)until, unit(ratio, AMPLITUDE));
        else if (ratio < 1 - 1e-9)
            noe_text_add(&s->notes,
                         "%.200s ends at t = %.6g, before the model's end at t = %.6g: nothing is "
                         "known of the motion between\n",
                         s->file[d].path, last, (double)until);
    }
}

/* The step's own error: what half of it changes, beside the errors of the data. */
void noe_data_warnings_step(noe_fit *s)
{
    double       most = 0;
    const double step = s->step;
    double      *f = noe_status_alloc((size_t)s->data, sizeof *f);
    s->step = step / 2;
    const bool ok = f && noe_fitted_run_make(s, s->x, f, NULL);
    s->step = step;
    if (!ok && !s->stopped) noe_error_clear();
    for (int i = 0; ok && i < s->data; i++) {
        const noe_compared *c = &s->compared[s->datum[i].column];
        /* data that are met so well are those of a computed motion, with this step */
        if (c->known || c->sigma > COMPUTED * c->spread)
            most = fmax(most, fabs(f[i] - s->f[i]) / c->sigma);
    }
    if (most > STEP_SEEN)
        noe_text_add(
            &s->notes,
            "with half the step the model is elsewhere by up to %.2g of the errors of the "
            "data: the estimates hold for this step; a smaller one is nearer to the model\n",
            most);
    free(f);
}

void noe_data_warnings_before(noe_fit *s)
{
    amplitudes(s);
    times(s);
}

void noe_data_warnings_after(noe_fit *s, const double *start)
{
    double chi2 = 0;
    int    count = 0;
    for (int i = 0; i < s->unknowns; i++) {
        const double factor = start[i] != 0 ? unit(fabs(s->x[i] / start[i]), PARAMETER) : 0;
        if (factor != 0)
            noe_text_add(
                &s->notes,
                "%.60s = %.4g is about %g times the %.4g that the model has: are the units "
                "of model and data the same?\n",
                s->name[i], s->x[i], factor, start[i]);
        if (s->at_bound[i])
            noe_text_add(&s->notes,
                         "%.60s stands at its bound %.6g: it has no error, and those of the others "
                         "hold for this value of it\n",
                         s->name[i], s->x[i]);
    }
    for (int i = 0; i < s->data; i++) {
        const noe_compared *c = &s->compared[s->datum[i].column];
        if (c->known) chi2 += pow((s->f[i] - s->datum[i].y) / c->sigma, 2), count++;
    }
    if (count > s->unknowns && chi2 / (count - s->unknowns) > MISSED)
        noe_text_add(&s->notes,
                     "the residuals are %.3g times the errors that --weights gives: these are "
                     "larger, or the model is not that of the data, or another minimum is deeper "
                     "(--starts, --segments)\n",
                     sqrt(chi2 / (count - s->unknowns)));
    for (int c = 0; c < s->compareds; c++)
        if (!s->compared[c].known && s->compared[c].sigma > UNEXPLAINED * s->compared[c].spread)
            noe_text_add(&s->notes,
                         "the model explains little of '%.60s': what is left is %.2g of the spread "
                         "of the data; perhaps another minimum is deeper (--starts, --segments)\n",
                         s->compared[c].name, s->compared[c].sigma / s->compared[c].spread);
}
