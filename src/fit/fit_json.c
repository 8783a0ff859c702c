/* A fit as JSON: estimates, errors, covariances, data with model and residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/json.h"

#include <math.h>

static void number(FILE *f, const char *name, double x)
{
    fprintf(f, "\"%s\": ", name);
    noe_json_number(f, x, NOE_DIGITS_DOUBLE);
}

static void estimate(FILE *f, const noe_fit *s, int i)
{
    fputs("    {\"name\": ", f), noe_json_text(f, s->name[i], NULL), fputs(", ", f);
    number(f, "value", s->x[i]), fputs(", ", f);
    number(f, "error", s->error[i]), fputs(", ", f);
    number(f, "low", s->x[i] - s->quantile * s->error[i]), fputs(", ", f);
    number(f, "high", s->x[i] + s->quantile * s->error[i]);
    fprintf(f, ", \"at_bound\": %s}", s->at_bound[i] ? "true" : "false");
}

static void correlations(FILE *f, const noe_fit *s)
{
    fputs("  \"correlations\": [\n", f);
    for (int a = 0; a < s->unknowns; a++) {
        fputs("    [", f);
        for (int b = 0; b < s->unknowns; b++) {
            if (b) fputs(", ", f);
            noe_json_number(f, s->correlation[a * s->unknowns + b], NOE_DIGITS_DOUBLE);
        }
        fprintf(f, "]%s\n", a + 1 < s->unknowns ? "," : "");
    }
    fputs("  ],\n", f);
}

static void columns(FILE *f, const noe_fit *s)
{
    fputs("  \"columns\": [\n", f);
    for (int c = 0; c < s->compareds; c++) {
        fputs("    {\"name\": ", f), noe_json_text(f, s->compared[c].name, NULL);
        fprintf(f, ", \"data\": %d, ", s->compared[c].count);
        number(f, "error", s->compared[c].sigma);
        fprintf(f, ", \"error_given\": %s}%s\n", s->compared[c].known ? "true" : "false",
                c + 1 < s->compareds ? "," : "");
    }
    fputs("  ],\n", f);
}

static void data(FILE *f, const noe_fit *s)
{
    fputs("  \"data\": [\n", f);
    for (int i = 0; i < s->data; i++) {
        fputs("    {\"file\": ", f), noe_json_text(f, s->file[s->datum[i].file].path, NULL);
        fprintf(f, ", \"line\": %d, \"column\": ", s->datum[i].line);
        noe_json_text(f, s->compared[s->datum[i].column].name, NULL), fputs(", ", f);
        number(f, "t", s->datum[i].t), fputs(", ", f);
        number(f, "value", s->datum[i].y), fputs(", ", f);
        number(f, "model", s->f[i]);
        fprintf(f, "}%s\n", i + 1 < s->data ? "," : "");
    }
    fputs("  ]\n", f);
}

bool noe_fit_json_write(FILE *f, const noe_fit *s)
{
    fputs("{\n  \"model\": ", f), noe_json_text(f, s->plain->source, NULL);
    fputs(",\n  \"method\": ", f), noe_json_text(f, noe_method_name(s->method), NULL);
    fputs(",\n  ", f), number(f, "step", s->step), fputs(",\n  \"estimates\": [\n", f);
    for (int i = 0; i < s->unknowns; i++) {
        estimate(f, s, i);
        fputs(i + 1 < s->unknowns ? ",\n" : "\n", f);
    }
    fputs("  ],\n", f);
    correlations(f, s);
    columns(f, s);
    fputs("  ", f), number(f, "chi2", s->chi2), fputs(", ", f);
    number(f, "freedom", s->freedom), fputs(", ", f);
    number(f, "quantile", s->quantile);
    fprintf(f, ",\n  \"starts\": %ld, \"seed\": %ld, \"agreeing\": %d,\n", s->job->starts,
            s->job->seed, s->agreeing);
    fputs("  \"undetermined\": ", f);
    noe_json_text(f, *s->undetermined ? s->undetermined : NULL, NULL), fputs(",\n", f);
    data(f, s);
    fputs("}\n", f);
    return !ferror(f);
}
