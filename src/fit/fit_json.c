/* A fit as JSON: estimates, errors, covariances, data with model and residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/json.h"

static void put_estimates(noe_json *j, const noe_fit *s)
{
    noe_json_open(j, "estimates", '[');
    for (int i = 0; i < s->unknowns; i++) {
        noe_json_open(j, NULL, '{');
        noe_json_text(j, "name", s->name[i]);
        noe_json_double(j, "value", s->x[i]);
        noe_json_double(j, "error", s->error[i]);
        noe_json_double(j, "low", s->x[i] - s->quantile * s->error[i]);
        noe_json_double(j, "high", s->x[i] + s->quantile * s->error[i]);
        noe_json_bool(j, "at_bound", s->at_bound[i]);
        noe_json_close(j);
    }
    noe_json_close(j);
}

static void put_correlations(noe_json *j, const noe_fit *s)
{
    noe_json_open(j, "correlations", '[');
    for (int a = 0; a < s->unknowns; a++) {
        noe_json_open(j, NULL, '[');
        for (int b = 0; b < s->unknowns; b++)
            noe_json_double(j, NULL, s->correlation[a * s->unknowns + b]);
        noe_json_close(j);
    }
    noe_json_close(j);
}

static void put_columns(noe_json *j, const noe_fit *s)
{
    noe_json_open(j, "columns", '[');
    for (int c = 0; c < s->compareds; c++) {
        noe_json_open(j, NULL, '{');
        noe_json_text(j, "name", s->compared[c].name);
        noe_json_integer(j, "data", s->compared[c].count);
        noe_json_double(j, "error", s->compared[c].sigma);
        noe_json_bool(j, "error_given", s->compared[c].known);
        noe_json_close(j);
    }
    noe_json_close(j);
}

static void put_data(noe_json *j, const noe_fit *s)
{
    noe_json_open(j, "data", '[');
    for (int i = 0; i < s->data; i++) {
        noe_json_open(j, NULL, '{');
        noe_json_text(j, "file", s->file[s->datum[i].file].path);
        noe_json_integer(j, "line", s->datum[i].line);
        noe_json_text(j, "column", s->compared[s->datum[i].column].name);
        noe_json_double(j, "t", s->datum[i].t);
        noe_json_double(j, "value", s->datum[i].y);
        noe_json_double(j, "model", s->f[i]);
        noe_json_close(j);
    }
    noe_json_close(j);
}

bool noe_fit_json_write(FILE *f, const noe_fit *s)
{
    noe_json j = { .file = f };
    noe_json_open(&j, NULL, '{');
    noe_json_text(&j, "model", s->plain->source);
    noe_json_text(&j, "method", noe_method_name(s->method));
    noe_json_double(&j, "step", s->step);
    put_estimates(&j, s);
    put_correlations(&j, s);
    put_columns(&j, s);
    noe_json_double(&j, "chi2", s->chi2);
    noe_json_double(&j, "freedom", s->freedom);
    noe_json_double(&j, "quantile", s->quantile);
    noe_json_integer(&j, "starts", s->job->starts);
    noe_json_integer(&j, "seed", s->job->seed);
    noe_json_integer(&j, "agreeing", s->agreeing);
    noe_json_text(&j, "undetermined", *s->undetermined ? s->undetermined : NULL);
    put_data(&j, s);
    noe_json_close(&j);
    return !ferror(f);
}
