/* Drift of a long run: max |x(t) - x(0)| over each window, and how it grows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Round-off that is random grows like t^1/2 in a conserved quantity: D. Brouwer, On the
 * accumulation of errors in numerical integration, Astron. J. 46 (1937) 149. */
#include "study/study_drift.h"

#include "base/status.h"
#include "ensemble/task_pool.h"
#include "study/reference.h"
#include "symmetry/symmetry.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 30, WINDOWS_MOST = 1000, SEARCHED = 12 };

typedef struct {
    noe_study   *s;        /* the study */
    noe_drift   *d;        /* its results */
    noe_progress progress; /* finished runs */
} drift;

/* Sums over blocks of time, of one quantity during a run. */
typedef struct {
    double sum[NOE_BLOCKS], count[NOE_BLOCKS]; /* of the values, in their unit; number of these */
    double size;                               /* the largest value */
} blocks;

/* Least-squares slope of y over x with its standard error; returns the number of points used. */
static int regression(int n, const double *x, const double *y, double *slope, double *error)
{
    double mx = 0, my = 0, xx = 0, xy = 0, rest = 0;
    int    m = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i])) {
            mx += x[i];
            my += y[i];
            m++;
        }
    *slope = *error = NAN;
    if (m < 3) return m;
    mx /= m, my /= m;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i])) {
            xx += (x[i] - mx) * (x[i] - mx);
            xy += (x[i] - mx) * (y[i] - my);
        }
    *slope = xy / xx;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i])) rest += pow(y[i] - my - *slope * (x[i] - mx), 2);
    *error = sqrt(rest / (m - 2) / xx);
    return m;
}

/* Fits the growth over the last two decades of time: earlier windows have too few nodes to
 * contain the largest error. */
static void finish(const noe_study *s, const noe_drift *d, const blocks *b, noe_drift_growth *g,
                   double steps)
{
    double       x[WINDOWS_MOST], y[WINDOWS_MOST], mean[NOE_BLOCKS], at[NOE_BLOCKS];
    const double t0 = (double)s->system->model->t0, end = d->end[d->windows - 1] - t0;
    for (int k = 0; k < d->windows; k++) {
        x[k] = d->end[k] - t0 >= end / 100 ? log(d->end[k] - t0) : NAN;
        y[k] = g->most[k] > 0 ? log(g->most[k]) : NAN;
    }
    regression(d->windows, x, y, &g->power, &g->power_error);
    for (int k = 0; k < NOE_BLOCKS; k++) {
        mean[k] = b->count[k] ? b->sum[k] / b->count[k] : NAN;
        at[k] = (k + 0.5) / NOE_BLOCKS;
    }
    regression(NOE_BLOCKS, at, mean, &g->gained, &g->scatter);
    g->floor = 0x1p-53 * b->size * fmax(64, steps);
}

static void look(noe_drift_growth *g, const noe_quantity *u, blocks *b, const quad *x,
                 const quad *x0, int window, int block)
{
    double far = 0, of = 0;
    for (int c = 0; c < u->count; c++) {
        const double e = fabs((double)(x[c] - x0[c])), y = fabs((double)x0[c]);
        far = u->euclid ? hypot(far, e) : !(e <= far) ? e : far;
        of = u->euclid ? hypot(of, y) : fmax(of, y);
        b->size = fmax(b->size, fabs((double)x[c]));
    }
    const double scale = u->scaling == NOE_ABSOLUTE ? 1 : of;
    if (!(g->most[window] >= far / scale)) g->most[window] = far / scale;
    b->sum[block] += u->count == 1 ? (double)(x[0] - x0[0]) / scale : NAN;
    b->count[block]++;
}

/* Nodes are the ends of steps, also of those that follow a monitor. */
static noe_status walk(drift *c, noe_integrator *g, int i, int j, quad *x, blocks *b)
{
    const noe_study *s = c->s;
    const noe_drift *d = c->d;
    const bool       varies = noe_system_monitored(s->system);
    const quad       h = s->step[j].h, t0 = s->system->model->t0, end = s->until[0];
    const double     slack = varies ? 0 : (double)h / 2; /* of the end of a window */
    const long       steps = varies ? LONG_MAX : (long)roundq((end - t0) / h);
    noe_status       status = noe_integrator_start_ready(g);
    bool             arrived = false;
    if (!status) noe_reference_row_here(s, g, true, x + s->components);
    for (long k = 1, w = 0; k <= steps && !status; k++) {
        if (noe_task_pool_interrupted(&c->progress)) return NOE_STOPPED;
        quad t = t0 + h * k;
        if ((status = varies ? noe_advance_monitored(g, end, &arrived) : noe_step(g))) break;
        if (arrived) break;
        if (varies) noe_integrator_state_get(g, NOE_AT_T, &t);
        while (w < d->windows - 1 && (double)t > d->end[w] + slack) w++;
        noe_reference_row_here(s, g, true, x);
        const int block = varies ? (int)fminq(NOE_BLOCKS - 1, (t - t0) / (end - t0) * NOE_BLOCKS)
                                 : (int)((k - 1) * NOE_BLOCKS / steps);
        for (int u = 0; u < s->quantities; u++) {
            const int first = s->quantity[u].first;
            look(noe_study_drift_growth_at(s, d, u, i, j), &s->quantity[u], &b[u], x + first,
                 x + s->components + first, (int)w, block);
        }
        if (k % 256 == 0) noe_task_pool_progress_add(&c->progress, 256);
    }
    return status;
}

static void task(void *ctx, int t)
{
    drift                    *c = ctx;
    const noe_study          *s = c->s;
    const int                 i = t % s->methods, j = t / s->methods;
    noe_study_run_statistics *run = noe_study_run_at(s, i, j);
    quad                     *x = noe_status_alloc(2 * (size_t)s->components, sizeof *x);
    blocks                   *b = noe_status_alloc((size_t)s->quantities, sizeof *b);
    noe_integrator  *g = x && b ? noe_integrator_make(s->step[j].system, s->method[i].method,
                                                      s->step[j].h, s->digits)
                                : NULL;
    const noe_status status = g ? walk(c, g, i, j, x, b) : NOE_NO_MEMORY;
    *run->why = 0;
    if (g) run->steps = noe_get(g, "steps");
    if (status)
        snprintf(run->why, NOE_REASON_MOST, "%.590s",
                 status == NOE_STOPPED ? "interrupted"
                 : noe_error()         ? noe_error()
                                       : "out of memory");
    for (int u = 0; u < s->quantities && x && b; u++) {
        const noe_quantity *q = &s->quantity[u];
        double              of = 0;
        for (int m = 0; m < q->count; m++)
            of = fmax(of, fabs((double)x[s->components + q->first + m]));
        if (q->scaling != NOE_ABSOLUTE && of == 0 && !*run->why)
            snprintf(run->why, NOE_REASON_MOST, "%.60s is 0 at the start: it has no relative error",
                     q->name);
        finish(s, c->d, &b[u], noe_study_drift_growth_at(s, c->d, u, i, j),
               g ? noe_get(g, "steps") : 0);
    }
    noe_error_clear();
    noe_integrator_free(g);
    free(x);
    free(b);
}

/* Reads the windows: "log 30" makes 30 ends in equal ratios from one step to T; "linear 20"
 * makes 20 equal windows.  Ends are nodes of every run; ends at the same node become one. */
static bool windows(noe_study *s, noe_drift *d)
{
    const noe_study_option *w = noe_study_options_find(s, "windows");
    char                    kind[16] = "log", rest;
    const double            t0 = (double)s->system->model->t0, length = (double)s->until[0] - t0,
                 h = (double)s->step[0].h;
    const bool   varies = noe_system_monitored(s->system);
    const double most = varies ? fmax(length / h, 2)
                               : length / h; /* length of all, over the first */
    int          ends = 0;
    d->windows = WINDOWS;
    if (w
        && (sscanf(w->value, "%15s %d%c", kind, &d->windows, &rest) != 2 || d->windows < 1
            || d->windows > WINDOWS_MOST || (strcmp(kind, "log") && strcmp(kind, "linear"))))
        return noe_study_options_fail(s, w, "expected \"log N\" or \"linear N\", N from 1 to %d",
                                      WINDOWS_MOST),
               false;
    d->log = !strcmp(kind, "log");
    if (!(d->end = noe_arena_take(s->arena, (size_t)d->windows * sizeof *d->end))) return false;
    for (int k = 0; k < d->windows; k++) {
        const double share = d->log ? pow(most, (k + 1.0) / d->windows - 1)
                                    : (k + 1.0) / d->windows;
        const double end = t0 + (varies ? length * share : h * round(length * share / h));
        if (varies || end > (ends ? d->end[ends - 1] : t0) + h / 2) d->end[ends++] = end;
    }
    d->windows = ends;
    return true;
}

bool noe_study_drift_columns(noe_study *s)
{
    if (noe_study_options_find(s, "error") || s->system->dyn.n > SEARCHED) return true;
    noe_symmetries *found = noe_symmetry_find(s->system);
    for (int i = 0; found && i < found->count; i++) {
        const noe_symmetry *y = &found->found[i];
        const size_t        capacity = strlen(y->momentum) + 96;
        char *line = y->kind == NOE_ENERGY || y->depends ? NULL : noe_status_alloc(capacity, 1);
        if (line && !noe_model_find(s->system->model, y->name, strlen(y->name))) {
            snprintf(line, capacity, "observe %s = %s\n", y->name, y->momentum);
            noe_system *more = noe_system_extended(s->system, line);
            if (more) noe_system_free(s->system), s->system = more;
        }
        free(line);
    }
    noe_symmetry_free(found);
    /* a singular start is reported later; a momentum whose text is too long becomes no column */
    noe_error_clear();
    return true;
}

/* The default list of errors, "energy, rotation_x_y": the momenta are those that the model does
 * not observe itself.  Where the energy is not conserved the list has the energy balance
 * instead. */
noe_study_option noe_study_drift_error(noe_study *s)
{
    const noe_model *m = s->system->model;
    size_t           capacity = 32;
    for (int i = s->system->usual; i < m->observables; i++)
        capacity += strlen(m->observable[i]->name) + 2;
    char *list = noe_arena_take(s->arena, capacity);
    if (list) strcpy(list, s->system->dyn.autonomous ? "energy" : "balance");
    for (int i = s->system->usual; list && i < m->observables; i++)
        strcat(strcat(list, ", "), m->observable[i]->name);
    return (noe_study_option){ "error", "", list ? list : "", 0 };
}

bool noe_study_drift_make(noe_study *s, noe_drift *d)
{
    drift        c = { s,
                       d,
                       { .quiet = s->job->quiet,
                         .interrupted = s->job->interrupted,
                         .threads = s->job->threads,
                         .what = "runs" } };
    const size_t growths = (size_t)s->quantities * (size_t)s->methods * (size_t)s->steps;
    if (s->windows != 1)
        return noe_study_options_fail(s, noe_study_options_find(s, "until"),
                                      "a study of drift has one end"),
               false;
    if (!windows(s, d) || !(d->growth = noe_arena_take(s->arena, growths * sizeof *d->growth)))
        return false;
    for (size_t k = 0; k < growths; k++) {
        noe_drift_growth *g = &d->growth[k];
        if (!(g->most = noe_arena_take(s->arena, (size_t)d->windows * sizeof *g->most)))
            return false;
        for (int w = 0; w < d->windows; w++) g->most[w] = NAN;
        /* what a run that never begins leaves so */
        g->power = g->power_error = g->gained = g->scatter = NAN;
    }
    for (int k = 0; k < s->methods * s->steps; k++) strcpy(s->run[k].why, "interrupted");
    for (int j = 0; j < s->steps; j++)
        c.progress.all += s->methods
                        * (double)((s->until[0] - s->system->model->t0) / s->step[j].h);
    noe_task_pool_run(s->methods * s->steps, task, &c, &c.progress);
    s->stopped = noe_task_pool_interrupted(&c.progress);
    return true;
}
