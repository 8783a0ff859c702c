/* Makes a fit from its options, and solves it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/optional_library.h"
#include "base/status.h"
#include "token/lexer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The option, else what the model suggests, else NULL with a message. */
static const char *word(const noe_fit *s, const char *said, const char *what)
{
    if (!said) said = noe_system_suggest(s->plain, what);
    if (!said)
        noe_status_fail(NOE_INVALID, "no %s: give --%s, or write 'suggest %s = ...' in %s", what,
                        what, what, s->plain->source);
    return said;
}

static bool load(noe_fit *s)
{
    const noe_fit_job *j = s->job;
    s->plain = j->system;
    s->method = j->scheme;
    s->step = j->h;
    if (j->system) return true;
    if (!(s->plain = noe_system_load_lets(j->model, NULL, j->let, j->lets))) return false;
    if (!j->quiet) noe_model_warnings_print(s->plain);
    const char *method = word(s, j->method, "method"), *step = word(s, j->step, "step");
    quad        h;
    if (!method || !step || !(s->method = noe_method_parse(method))) return false;
    if (!noe_parse_model_value(s->plain->model, "--step", step, &h)) return false;
    s->step = (double)h;
    return true;
}

static bool steps_forward(const noe_fit *s)
{
    if (s->step > 0 && isfinite(s->step)) return true;
    return noe_status_fail(NOE_INVALID,
                           "the step is %g: expected a number above 0: data are read in the order "
                           "of time",
                           s->step),
           false;
}

static bool read_data(noe_fit *s)
{
    s->files = s->job->datas;
    s->file = noe_arena_take(s->arena, (size_t)s->files * sizeof *s->file);
    for (int d = 0; s->file && d < s->files; d++)
        if (!noe_measurements_read(&s->file[d], s->arena, s->job->data[d])) return false;
    return s->file != NULL;
}

/* Is there something to draw random starts from? */
static bool searchable(const noe_fit *s)
{
    if (s->job->starts < 2) return true;
    for (int i = 0; i < s->unknowns; i++)
        if (isfinite(s->low[i]) && isfinite(s->high[i])) return true;
    return noe_status_fail(NOE_INVALID,
                           "--starts %ld: they are drawn between bounds, and --vary has none: "
                           "write \"%s in A..B\"",
                           s->job->starts, s->varied[0].name),
           false;
}

static bool allocate_results(noe_fit *s)
{
    const size_t u = (size_t)s->unknowns, m = (size_t)s->data;
    s->f = noe_status_alloc(m, sizeof *s->f);
    s->J = noe_status_alloc(u * m, sizeof *s->J);
    return s->f && s->J;
}

bool noe_fit_setup_make(noe_fit *s, const noe_fit_job *j)
{
    *s = (noe_fit){ .job = j, .arena = noe_arena_new() };
    if (!s->arena) return false;
    s->notes = noe_text_new(s->arena);
    return noe_optional_library_require(NOE_OF_CMINPACK, "a fit") == NOE_OK && load(s)
        && steps_forward(s) && read_data(s) && noe_varied_list_parse(s) && searchable(s)
        && noe_compared_columns_find(s) && allocate_results(s);
}

/* The minimum, its errors and what is to be said of it. */
bool noe_fit_setup_solve(noe_fit *s)
{
    double *start = noe_arena_take(s->arena, (size_t)s->unknowns * sizeof *start);
    if (!start || !noe_fitted_run_make(s, s->x, s->f, NULL)) return false;
    memcpy(start, s->x, (size_t)s->unknowns * sizeof *start);
    noe_data_warnings_before(s);
    if (!(s->job->starts > 1 ? noe_start_search_run(s) : noe_least_squares_minimize(s)))
        return false;
    if (!noe_standard_errors_find(s)) return false;
    noe_data_warnings_after(s, start);
    if (!s->job->quiet) noe_data_warnings_step(s);
    return !s->stopped;
}

void noe_fit_setup_drop(noe_fit *s)
{
    noe_system_free(s->system);
    if (s->job && !s->job->system) {
        noe_system_free((noe_system *)s->plain);
        noe_method_free((noe_method *)s->method);
    }
    free(s->f);
    free(s->J);
    noe_arena_free(s->arena);
}
