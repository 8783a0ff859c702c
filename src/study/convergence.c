/* Measures the error e(method, h): a run for every method and step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The windows of a study are [t0, T_1], [t0, T_2], .. of one run. */
#include "study/error_norm.h"
#include "study/reference.h"

#include "base/status.h"
#include "number/rounding_unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_study    *s;        /* the study */
    noe_reference r;        /* reference values */
    noe_progress  progress; /* finished runs */
} convergence;

typedef struct {
    noe_error_norm *norm;      /* [quantities] norms of the errors so far */
    quad           *x, *start; /* [components] numbers at the present state and at the start */
} sums;

/* Stores the errors up to window w in the cells of the study.  The bound of round-off is one
 * unit of the largest number for every step, and at least 64 units. */
static void keep(const convergence *c, const sums *a, int w, int i, int j, double nodes,
                 double steps)
{
    const noe_study          *s = c->s;
    const noe_reference_rows *grid = noe_reference_grid(&c->r, i, &s->step[j]);
    const double              h = (double)s->step[j].apart;
    for (int k = 0; k < s->quantities; k++) {
        const noe_quantity *u = &s->quantity[k];
        noe_cell           *cell = noe_study_setup_cell(s, w, k, i, j);
        double              own = 0;
        for (int m = 0; m < u->count && grid && !u->constant; m++)
            own = fmax(own, grid->doubt[w * s->components + u->first + m]);
        cell->value = noe_error_norm_value(&a->norm[k], u, h);
        cell->floor = noe_error_norm_share(
            &a->norm[k], u,
            noe_rounding_unit_last_place(s->digits) * a->norm[k].size * fmax(64, steps), h * nodes);
        cell->doubt = noe_error_norm_share(&a->norm[k], u, own, h * nodes);
        if (isnan(cell->value) && a->norm[k].zero)
            snprintf(noe_study_run_at(s, i, j)->why, NOE_REASON_MOST,
                     "%.60s is 0 at t = %.6g: no relative error there; take 'scaled'", u->name,
                     a->norm[k].zero_at);
    }
}

static quad time_of(const noe_study *s, int j, long k)
{
    return s->system->model->t0 + s->step[j].apart * k;
}

/* The errors at node k, whose numbers are in a->x. */
static void look(const convergence *c, const sums *a, int i, int j, long k)
{
    const noe_study          *s = c->s;
    const noe_reference_rows *grid = noe_reference_grid(&c->r, i, &s->step[j]);
    const quad *y = grid ? grid->x + (size_t)k * (size_t)s->step[j].stride * (size_t)s->components
                         : NULL;
    if (!k) memcpy(a->start, a->x, (size_t)s->components * sizeof *a->x);
    const double t = (double)time_of(s, j, k);
    for (int u = 0; u < s->quantities; u++) {
        const int first = s->quantity[u].first;
        noe_error_norm_add(&a->norm[u], &s->quantity[u], a->x + first,
                           (s->quantity[u].constant ? a->start : y) + first, t);
    }
}

static noe_status no_reference(noe_study_run_statistics *run, const noe_reference_rows *grid)
{
    snprintf(run->why, NOE_REASON_MOST, "no reference: %.550s", grid->why);
    return NOE_INVALID;
}

static noe_status walk(convergence *c, const sums *a, noe_integrator *g, int i, int j)
{
    const noe_study          *s = c->s;
    const noe_reference_rows *grid = noe_reference_grid(&c->r, i, &s->step[j]);
    long                      k = 0;
    noe_status                status = noe_integrator_start_ready(g);
    if (!status) noe_reference_row_here(s, g, true, a->x), look(c, a, i, j, 0);
    for (int w = 0; w < s->windows && !status; w++) {
        const long end = (long)roundq((s->until[w] - s->system->model->t0) / s->step[j].apart);
        if (grid && end * s->step[j].stride >= grid->rows)
            return no_reference(noe_study_run_at(s, i, j), grid);
        for (; k < end && !status;) {
            if (noe_task_pool_interrupted(&c->progress)) return NOE_STOPPED;
            if ((status = noe_reference_row_next(s, g, 1, time_of(s, j, k + 1), true, a->x))) break;
            look(c, a, i, j, ++k);
            if (k % 256 == 0) noe_task_pool_progress_add(&c->progress, 256);
        }
        if (!status) keep(c, a, w, i, j, (double)k, noe_get(g, "steps"));
    }
    return status;
}

static void task(void *ctx, int t)
{
    convergence     *c = ctx;
    const noe_study *s = c->s;
    const int        i = t % s->methods,
              j = t
                / s->methods; /* short runs first: they are complete if the user stops the study */
    noe_study_run_statistics *run = noe_study_run_at(s, i, j);
    const noe_reference_rows *grid = noe_reference_grid(&c->r, i, &s->step[j]);
    noe_error_norm           *norm = noe_status_alloc((size_t)s->quantities, sizeof *norm);
    quad                     *x = noe_status_alloc(2 * (size_t)s->components, sizeof *x);
    const sums                a = { norm, x, x ? x + s->components : NULL };
    noe_integrator           *g = NULL;
    noe_status                status = NOE_NO_MEMORY;
    *run->why = 0;
    if (grid && (grid->broken || !grid->rows)) no_reference(run, grid);
    else if (norm && x
             && (g = noe_integrator_make(s->step[j].system, s->method[i].method, s->step[j].h,
                                         s->digits)))
        status = walk(c, &a, g, i, j);
    if (status && !*run->why)
        snprintf(run->why, NOE_REASON_MOST, "%.590s",
                 status == NOE_STOPPED ? "interrupted"
                 : noe_error()         ? noe_error()
                                       : "out of memory");
    if (g) run->steps = noe_get(g, "steps"), run->iterations = noe_get(g, "iterations");
    noe_error_clear();
    noe_integrator_free(g);
    free(norm);
    free(x);
}

bool noe_convergence_find(noe_study *s)
{
    convergence  c = { .s = s,
                       .progress = { .quiet = s->job->quiet,
                                     .interrupted = s->job->interrupted,
                                     .threads = s->job->threads } };
    const size_t cells = (size_t)s->windows * (size_t)s->quantities * (size_t)s->methods
                       * (size_t)s->steps;
    for (size_t k = 0; k < cells; k++) s->cell[k].value = NAN;
    for (int k = 0; k < s->methods * s->steps; k++) strcpy(s->run[k].why, "interrupted");
    bool ok = noe_reference_choose(s) && noe_reference_make(s, &c.r, &c.progress);
    if (ok) {
        double all = 0;
        for (int j = 0; j < s->steps; j++)
            all += (double)((s->until[s->windows - 1] - s->system->model->t0) / s->step[j].apart);
        c.progress.all = all * s->methods;
        c.progress.what = "runs";
        if (!noe_task_pool_interrupted(&c.progress))
            noe_task_pool_run(s->methods * s->steps, task, &c, &c.progress);
        s->stopped = noe_task_pool_interrupted(&c.progress);
        noe_reference_describe(s, &c.r);
    }
    noe_reference_drop(&c.r);
    return ok;
}
