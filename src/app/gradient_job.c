/* noether gradient: dJ/dc of a function J of the motion by all parameters and starts c at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "adjoint/adjoint.h"
#include "base/json.h"
#include "base/status.h"
#include "base/table.h"
#include "job/verbs.h"
#include "model/model.h"
#include "rows/output_times.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_MOST = 1 << 24 };

typedef struct {
    const noe_gradient_job *job;
    noe_system             *plain, *system; /* with the assignments; with J as an observable */
    noe_method             *method;
    quad                    step, until; /* h; the time of the end */
    double                 *time;        /* [rows.times] of the rows */
    noe_gradient_rows       rows;
    char                    name[80]; /* of the observable */
    double                  J, at;    /* J; the time of the last row */
} gradient;

/* A name for J that the model does not have. */
static void choose_name(gradient *x)
{
    strcpy(x->name, "J_of_the_gradient");
    while (strlen(x->name) + 2 < sizeof x->name
           && noe_model_find(x->plain->model, x->name, strlen(x->name)))
        strcat(x->name, "_");
}

/* What is wrong with the expression, without the place in the text that it was added to. */
static bool refuse_expression(const gradient *x)
{
    char         why[600];
    const char  *from = noe_error() ? noe_error() : "", *source = x->plain->source;
    const size_t length = strlen(source);
    if (!strncmp(from, source, length) && from[length] == ':') {
        from += length + 1;
        from += strspn(from, "0123456789:");
        from += *from == ' ';
    }
    snprintf(why, sizeof why, "%.*s", (int)strcspn(from, "\n"), from);
    noe_error_clear();
    noe_status_fail(NOE_INVALID, "--of '%.100s': %s", x->job->of, why);
    return false;
}

static bool load(gradient *x)
{
    const noe_gradient_job *j = x->job;
    if (!(x->plain = noe_system_load_lets(j->model, NULL, j->let, j->lets))) return false;
    if (strchr(j->of, '\n'))
        return noe_status_fail(NOE_INVALID, "--of: expected one expression on one line"), false;
    if (!j->quiet) noe_model_warnings_print(x->plain);
    choose_name(x);
    const size_t size = strlen(j->of) + sizeof x->name + 16;
    char        *line = noe_status_alloc(size, 1);
    if (!line) return false;
    snprintf(line, size, "observe %s = %s\n", x->name, j->of);
    x->system = noe_system_extended(x->plain, line);
    free(line);
    return x->system || refuse_expression(x);
}

/* The value of an option or, where it is not given, of the model's suggestion. */
static const char *word(const gradient *x, const char *given, const char *suggested,
                        const char *option)
{
    if (given || suggested) return given ? given : suggested;
    noe_status_fail(NOE_INVALID, "%s suggests no %s: give --%s", x->job->model, option, option);
    return NULL;
}

static bool number(const gradient *x, const char *option, const char *text, quad *to)
{
    char what[20];
    snprintf(what, sizeof what, "--%s", option);
    if (!text || !noe_parse_model_value(x->plain->model, what, text, to)) return false;
    return finiteq(*to) || (noe_status_fail(NOE_INVALID, "--%s is not a finite number", option), 0);
}

/* Is the time t before the start, seen along the run? */
static bool before_start(const gradient *x, const char *option, quad t)
{
    const quad t0 = x->plain->model->t0;
    if (x->step > 0 ? t >= t0 : t <= t0) return false;
    noe_status_fail(NOE_INVALID, "--%s %.10g lies behind the start, t = %.10g, for a step of %.10g",
                    option, (double)t, (double)t0, (double)x->step);
    return true;
}

/* All output times, in one array. */
static bool times(gradient *x)
{
    noe_output_times all = { 0 };
    bool             ok = noe_output_times_parse(&all, x->plain->model, x->job->times);
    quad             t;
    if (ok && all.count > TIMES_MOST)
        noe_status_fail(NOE_INVALID, "--times: at most %d times", TIMES_MOST), ok = false;
    ok = ok && (x->time = noe_status_alloc((size_t)all.count + 1, sizeof *x->time));
    while (ok && noe_output_times_next(&all, &t)) {
        ok = !before_start(x, "times", t);
        x->time[x->rows.times++] = (double)t;
    }
    noe_output_times_free(&all);
    x->rows.time = x->time;
    return ok;
}

/* The rows over which J is summed: the last, every N-th, or those at times. */
static bool set_up(gradient *x)
{
    const noe_gradient_job *j = x->job;
    const noe_model        *m = x->plain->model;
    const char             *method = word(x, j->method, m ? m->method : NULL, "method"),
               *step = method ? word(x, j->step, m ? m->step : NULL, "step") : NULL;
    if (!method || !step || !(x->method = noe_method_parse(method))) return false;
    if (!number(x, "step", step, &x->step)) return false;
    if (x->step == 0) return noe_status_fail(NOE_INVALID, "--step is 0"), false;
    x->rows.columns = x->name;
    if (j->times) return times(x);
    const char *until = word(x, j->until, m ? m->until : NULL, "until");
    if (!until || !number(x, "until", until, &x->until)) return false;
    if (before_start(x, "until", x->until)) return false;
    x->rows.until = (double)x->until;
    x->rows.every = j->every;
    if (j->every) return true;
    const double steps = (double)((x->until - m->t0) / x->step);
    x->rows.every = steps > 1 ? (long)fmin(ceil(steps) + 1, 1e18) : 1;
    return true;
}

/* J is the sum of the rows, or the last of them. */
static int weigh(void *ctx, size_t rows, const double *row, double *weight)
{
    gradient  *x = ctx;
    const bool sum = x->job->every || x->job->times;
    x->J = 0;
    for (size_t r = 0; r < rows; r++) {
        weight[r] = sum || r + 1 == rows;
        if (weight[r] != 0) x->J += row[r];
    }
    return 0;
}

static const char *over(const gradient *x, char *text, size_t size)
{
    const noe_gradient_job *j = x->job;
    if (j->times && x->rows.times == 1) snprintf(text, size, "at t = %.10g", x->time[0]);
    else if (j->times) snprintf(text, size, "summed over %ld times", x->rows.times);
    else if (j->every == 1) snprintf(text, size, "summed over all steps");
    else if (j->every) snprintf(text, size, "summed over every step number 0, %ld, ..", j->every);
    else snprintf(text, size, "at t = %.10g", (double)x->until);
    return text;
}

static void print(const gradient *x, const noe_table *t, FILE *to)
{
    char   text[100];
    size_t wide = 4;
    for (size_t r = 0; r < noe_table_rows(t); r++)
        if (strlen(noe_table_label(t, r)) > wide) wide = strlen(noe_table_label(t, r));
    fprintf(to, "J = %s %s: %.15g\n", x->job->of, over(x, text, sizeof text), x->J);
    fprintf(to, "%-*s  %22s  %22s\n", (int)wide, "c", "value", "dJ/dc");
    for (size_t r = 0; r < noe_table_rows(t); r++)
        fprintf(to, "%-*s  %22.15g  %22.15g\n", (int)wide, noe_table_label(t, r),
                noe_table_column(t, "value")[r], noe_table_column(t, "gradient")[r]);
}

static void print_json(const gradient *x, const noe_table *t, FILE *to)
{
    noe_json j = { .file = to };
    noe_json_open(&j, NULL, '{');
    noe_json_text(&j, "model", x->plain->source);
    noe_json_text(&j, "method", noe_method_name(x->method));
    noe_json_number(&j, "step", x->step, NOE_DIGITS_DOUBLE);
    noe_json_text(&j, "of", x->job->of);
    noe_json_double(&j, "value", x->J);
    noe_json_open(&j, "gradient", '[');
    for (size_t r = 0; r < noe_table_rows(t); r++) {
        noe_json_open(&j, NULL, '{');
        noe_json_text(&j, "name", noe_table_label(t, r));
        noe_json_double(&j, "value", noe_table_column(t, "value")[r]);
        noe_json_double(&j, "gradient", noe_table_column(t, "gradient")[r]);
        noe_json_close(&j);
    }
    noe_json_close(&j);
    noe_json_close(&j);
}

/* Of a gradient that was not found: has the motion none, or could it not go on? */
static int verdict(const gradient *x)
{
    if (x->job->interrupted && *x->job->interrupted)
        return NOE_EXIT_SIGNALLED + *x->job->interrupted;
    noe_system     *with = noe_system_adjoint(x->system);
    noe_integrator *g = with ? noe_integrator_make(with, x->method, x->step, NOE_DIGITS_DOUBLE)
                             : NULL;
    const int       status = g ? NOE_EXIT_STOPPED : NOE_EXIT_BAD_USE;
    noe_integrator_free(g);
    noe_system_free(with);
    return status;
}

int noe_gradient_job_run(const noe_gradient_job *j, FILE *to)
{
    gradient x = { .job = j };
    int      status = NOE_EXIT_BAD_USE;
    if (load(&x) && set_up(&x)) {
        noe_table *t = noe_row_gradient_make(x.system, x.method, x.step, &x.rows, j->interrupted,
                                             weigh, &x);
        if (t && j->json) print_json(&x, t, to);
        else if (t) print(&x, t, to);
        status = t ? NOE_EXIT_DONE : verdict(&x);
        noe_table_free(t);
    }
    free(x.time);
    noe_method_free(x.method);
    noe_system_free(x.system);
    noe_system_free(x.plain);
    return status;
}
