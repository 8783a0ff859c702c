/* Measures seconds and evaluations of every run: the fastest of several, methods alternating.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_report.h"
#include "base/stopwatch.h"

#include "base/status.h"
#include "plot/figure.h"
#include "ensemble/task_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, REPEATS_MOST = 1000 };

typedef struct {
    noe_study   *s;        /* the study */
    noe_progress progress; /* timed runs */
    long         repeats;  /* runs of which the fastest counts */
} work;

/* Makes and times one run without observers. */
static void clock_run(work *c, int i, int j)
{
    const noe_study          *s = c->s;
    noe_study_run_statistics *run = noe_study_run_at(s, i, j);
    const double    steps = (double)roundq((s->until[s->windows - 1] - s->system->model->t0)
                                           / s->step[j].apart);
    const bool      varies = noe_system_monitored(s->system);
    noe_integrator *g = noe_integrator_make(s->step[j].system, s->method[i].method, s->step[j].h,
                                            s->digits);
    noe_status      status = g ? noe_integrator_start_ready(g) : NOE_NO_MEMORY;
    const double    began = noe_stopwatch_seconds();
    double          k = 0;
    if (varies && !status) {
        status = noe_run(g, (double)s->until[s->windows - 1], NULL, NULL);
        k = steps;
    }
    for (; k < steps && !status && !noe_task_pool_interrupted(&c->progress); k++)
        status = noe_step(g);
    const double spent = noe_stopwatch_seconds() - began;
    if (!status && k == steps && !(run->seconds > 0 && run->seconds <= spent)) run->seconds = spent;
    noe_task_pool_progress_add(&c->progress, (long)steps);
    noe_error_clear();
    noe_integrator_free(g);
}

/* One task: a run of every method in turn, so that a disturbance of the machine affects all
 * methods. */
static void task(void *ctx, int t)
{
    work            *c = ctx;
    const noe_study *s = c->s;
    (void)t;
    for (long r = 0; r < c->repeats; r++)
        for (int j = 0; j < s->steps; j++)
            for (int i = 0; i < s->methods && !noe_task_pool_interrupted(&c->progress); i++)
                if (!*noe_study_run_at(s, i, j)->why) clock_run(c, i, j);
}

bool noe_study_work_measure(noe_study *s)
{
    const noe_study_option *w = noe_study_options_find(s, "repeats");
    char                   *end = NULL;
    work                    c = { .s = s, .repeats = REPEATS };
    c.progress.quiet = s->job->quiet;
    c.progress.interrupted = s->job->interrupted;
    c.progress.what = "timing";
    if (w && ((c.repeats = strtol(w->value, &end, 10)) < 1 || *end || c.repeats > REPEATS_MOST))
        return noe_study_options_fail(s, w, "expected a whole number from 1 to %d", REPEATS_MOST),
               false;
    for (int j = 0; j < s->steps; j++)
        c.progress.all += (double)c.repeats * s->methods
                        * (double)((s->until[s->windows - 1] - s->system->model->t0)
                                   / s->step[j].apart);
    /* on one core: two runs at once would disturb each other */
    noe_task_pool_run(1, task, &c, &c.progress);
    s->stopped |= noe_task_pool_interrupted(&c.progress);
    return true;
}

/* Evaluations of the derivatives of L at a point: nodes times iterations for a Galerkin method,
 * stages for an explicit one.  NAN where a step has no iteration: the step of a linear system is
 * a product with a matrix. */
double noe_study_work_evaluations(const noe_study *s, int i, int j)
{
    const noe_method               *f = s->method[i].method;
    const noe_study_run_statistics *run = noe_study_run_at(s, i, j);
    const double                    rounds = f->kind == NOE_GALERKIN ? run->iterations : run->steps;
    return rounds > 0 ? rounds * f->r : NAN;
}

void noe_study_work_text(noe_text *t, const noe_study *s)
{
    const int last = s->windows - 1;
    noe_study_text_add_head(t, s);
    noe_text_add(t, "t = %.10g .. %.10g; time: the fastest of several runs, on one core\n\n",
                 (double)s->system->model->t0, (double)s->until[last]);
    noe_text_add(t, "%-14s %12s %9s %12s %10s %9s", "method", "h", "steps", "evaluations",
                 "seconds", "us/step");
    for (int u = 0; u < s->quantities; u++) noe_text_add(t, "  %11.11s", s->quantity[u].label);
    noe_text_add(t, "\n");
    for (int i = 0; i < s->methods; i++)
        for (int j = 0; j < s->steps; j++) {
            const noe_study_run_statistics *run = noe_study_run_at(s, i, j);
            noe_text_add(t, "%-14.14s %12.7g %9.0f ", s->method[i].label, (double)s->step[j].h,
                         run->steps);
            noe_study_text_add_number(t, 12, "%.0f", noe_study_work_evaluations(s, i, j));
            noe_text_add(t, " ");
            noe_study_text_add_number(t, 10, "%.3e", run->seconds > 0 ? run->seconds : NAN);
            noe_text_add(t, " ");
            noe_study_text_add_number(t, 9, "%.3f",
                                      run->seconds > 0 ? 1e6 * run->seconds / run->steps : NAN);
            for (int u = 0; u < s->quantities; u++)
                noe_text_add(t, "  "),
                    noe_study_text_add_number(t, 11, "%.3e",
                                              noe_study_setup_cell(s, last, u, i, j)->value);
            noe_text_add(t, "\n");
        }
    noe_study_text_add_failures(t, s);
}

noe_status noe_study_work_plot(const noe_study *s, const char *path)
{
    const int m = s->methods, n = s->steps, errors = s->quantities < 3 ? s->quantities : 3,
              charts = 2 * errors;
    noe_chart   chart[6];
    noe_series *series = noe_arena_take(s->arena, (size_t)(charts * m) * sizeof *series);
    double     *x = noe_arena_take(s->arena, (size_t)((2 + errors) * m * n) * sizeof *x);
    char        title[400], text[6][100];
    if (!series || !x) return NOE_NO_MEMORY;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int k = i * n + j;
            x[k] = noe_study_run_at(s, i, j)->seconds;
            x[m * n + k] = noe_study_work_evaluations(s, i, j);
            for (int u = 0; u < errors; u++)
                x[(2 + u) * m * n + k] = noe_study_setup_cell(s, s->windows - 1, u, i, j)->value;
        }
    for (int k = 0; k < charts; k++) {
        const int of = k / errors, u = k % errors;
        snprintf(text[k], sizeof text[k], "%serror of %.60s",
                 s->quantity[u].scaling ? "relative " : "", s->quantity[u].label);
        chart[k] =
            (noe_chart){ text[k], of ? "evaluations" : "time [s]", true, true, series + k * m, m };
        for (int i = 0; i < m; i++)
            series[k * m + i] = (noe_series){ s->method[i].label,
                                              n,
                                              noe_style_of_method(s->method[i].label),
                                              x + (of * m + i) * n,
                                              x + ((2 + u) * m + i) * n,
                                              0,
                                              0,
                                              false };
    }
    const char *slash = strrchr(s->system->source, '/');
    snprintf(title, sizeof title, "%.300s: error against cost, t to %.6g",
             s->title ? s->title
             : slash  ? slash + 1
                      : s->system->source,
             (double)s->until[s->windows - 1]);
    return noe_figure_draw(path, title, chart, charts);
}
