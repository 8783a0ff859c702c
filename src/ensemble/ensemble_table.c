/* Statistics of the members at every time: how many, those of each column, the largest error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "ensemble/statistics.h"
#include "integrate/energy_error.h"
#include "job/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4096, /* rows of the statistics that are computed at a time; no other was tried */
    /* Numbers of a row before the statistics of the columns, t and members, and after them,
     * energy_error.max. */
    BEFORE = 2,
    AFTER = 1
};

static bool is_time(const noe_ensemble *e, int c)
{
    const noe_column *x = &e->columns->column[c];
    return x->kind == NOE_COL_AT && x->at == NOE_AT_T;
}

noe_sink *noe_ensemble_table_open(const noe_ensemble *e, const char *path, int columns,
                                  const char *const *name, bool passages, size_t placed)
{
    noe_arena *a = noe_arena_new();
    if (!a) return NULL;
    char    *changes = noe_system_changes(e->system);
    noe_head head = { .columns = columns,
                      .name = name,
                      .digits = NOE_DIGITS_DOUBLE,
                      .model = e->system->model->text,
                      .source = e->system->source,
                      .changes = changes,
                      .method = noe_method_name(e->x.method),
                      .system = e->system->source,
                      .step = e->x.step,
                      .t0 = e->system->model->t0,
                      .until = e->x.until,
                      .last = e->last,
                      .placed = placed };
    if (passages) noe_ensemble_events_head(e, a, &head);
    noe_program *p = e->job->program;
    noe_sink    *sink = !changes ? NULL
                      : p        ? noe_sink_open_memory(&p->results, &head)
                                 : noe_sink_open(path, &head);
    noe_arena_free(a);
    free(changes);
    return sink;
}

/* Can the output files be opened?  Asked before the computation begins. */
bool noe_ensemble_table_is_writable(const noe_ensemble *e)
{
    const char *const path[] = { e->job->output, e->job->all }, *const name = "t";
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        noe_sink *sink = path[i] ? noe_ensemble_table_open(e, path[i], 1, &name, false, 0) : NULL;
        ok = sink || !path[i];
        if (sink) noe_sink_drop(sink);
    }
    return ok;
}

bool noe_ensemble_table_close(const noe_ensemble *e, noe_sink *sink, noe_status s)
{
    noe_sink_ended(sink, e->ended);
    if (!s) return !noe_sink_close(sink, NULL, 0);
    noe_sink_drop(sink);
    return false;
}

/* to: row `row` of the statistics: t, the number of members that have the row, the statistics of
 * each column, the largest energy error.  x [members]: work space. */
static void gather(const noe_ensemble *e, long row, double *x, double *to)
{
    long have = 0;
    int  at = BEFORE;
    for (long k = 0; k < e->m.count; k++)
        if (row < e->end[k].rows && !have++) to[0] = *noe_ensemble_at(e, row, 0, k);
    to[1] = have;
    for (int c = 0; c < e->columns->count; c++) {
        long n = 0;
        if (is_time(e, c)) continue;
        for (long k = 0; k < e->m.count; k++)
            if (row < e->end[k].rows && isfinite(*noe_ensemble_at(e, row, 1 + c, k)))
                x[n++] = *noe_ensemble_at(e, row, 1 + c, k);
        noe_statistics(x, n, to + at);
        at += NOE_STATISTICS;
    }
    double worst = 0;
    for (long k = 0; k < e->m.count; k++)
        if (row < e->end[k].rows && !isnan(worst)) {
            const double error = *noe_ensemble_judged(e, row, NOE_JUDGED_BALANCE, k);
            worst = isnan(error) ? error : fmax(worst, error);
        }
    to[at] = worst;
}

/* Work of the threads: task i computes row first + i of the statistics. */
typedef struct {
    const noe_ensemble *e;
    long                first; /* first row of this group of rows */
    int                 width; /* numbers in a row of the statistics */
    double             *to;    /* [rows of the group][width] result */
    noe_progress       *progress;
    bool                failed; /* no memory for the work space of a row */
} rows_work;

static void one_row(void *ctx, int i)
{
    rows_work *w = ctx;
    double    *x = noe_status_alloc((size_t)w->e->m.count, sizeof *x);
    if (x) gather(w->e, w->first + i, x, w->to + (size_t)i * (size_t)w->width);
    else __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
    free(x);
    noe_task_pool_progress_add(w->progress, 1);
}

/* Numbers in a row of the statistics. */
static int width_of(const noe_ensemble *e)
{
    int count = BEFORE + AFTER;
    for (int c = 0; c < e->columns->count; c++) count += is_time(e, c) ? 0 : NOE_STATISTICS;
    return count;
}

/* to: rows first .. first + count - 1 of the statistics, by all threads. */
static noe_status compute(const noe_ensemble *e, long first, long count, double *to)
{
    noe_progress progress = e->progress;
    rows_work w = { .e = e, .first = first, .width = width_of(e), .to = to, .progress = &progress };
    progress.what = "statistics", progress.all = (double)count;
    noe_task_pool_run((int)count, one_row, &w, &progress);
    if (noe_task_pool_interrupted(&progress))
        return noe_status_fail(NOE_STOPPED, "interrupted: nothing is written");
    return w.failed ? NOE_NO_MEMORY : NOE_OK;
}

/* Computes all rows before any is written: if a process is lost meanwhile, its members are dropped
 * and all rows are computed again. */
bool noe_ensemble_table_compute(noe_ensemble *e)
{
    const int  width = width_of(e);
    const long most = noe_ensemble_slabs_rows(e);
    noe_status s = NOE_OK;
    e->statistics = noe_status_alloc((size_t)e->rows * (size_t)width, sizeof *e->statistics);
    if (!e->statistics) return false;
    for (long first = 0; first < e->rows && !s;) {
        double    *to = e->statistics + first * width;
        const long left = e->rows - first;
        if ((s = noe_ensemble_slabs_fetch(e, first))) break;
        if (noe_ensemble_processes_drop(e)) first = 0;
        else {
            s = compute(e, first, left < most ? left : most, to);
            noe_ensemble_slabs_release(e, first);
            first = to[1] == 0 ? e->rows : first + most;
        }
    }
    return !s;
}

/* Writes the rows in order, up to the last row that at least one member has.  to: scratch
 * [ROWS][width], for e->statistics NULL. */
static noe_status write_rows(const noe_ensemble *e, noe_sink *sink, int width, double *to,
                             quad *row)
{
    noe_status s = NOE_OK;
    for (long first = 0; first < e->rows && !s; first += ROWS) {
        const long    count = e->rows - first < ROWS ? e->rows - first : ROWS;
        const double *x = e->statistics ? e->statistics + first * width : to;
        if (!e->statistics) s = compute(e, first, count, to);
        for (long r = 0; r < count && !s; r++, x += width) {
            if (x[1] == 0) return NOE_OK;
            for (int i = 0; i < width; i++) row[i] = x[i];
            s = noe_sink_row(sink, row);
        }
    }
    return s;
}

bool noe_ensemble_table_write(const noe_ensemble *e)
{
    const int    most = BEFORE + AFTER + NOE_STATISTICS * e->columns->count;
    noe_arena   *a = noe_arena_new();
    const char **name = a ? noe_arena_take(a, (size_t)most * sizeof *name) : NULL;
    const size_t rows = (size_t)(e->rows < ROWS ? e->rows : ROWS);
    double      *x = a ? noe_arena_take(a, rows * (size_t)most * sizeof *x) : NULL;
    quad        *to = a ? noe_arena_take(a, (size_t)most * sizeof *to) : NULL;
    int          count = BEFORE;
    bool         ok = name && x && to;
    for (int c = 0; ok && c < e->columns->count; c++)
        for (int i = 0; i < NOE_STATISTICS && ok && !is_time(e, c); i++) {
            const size_t size = strlen(e->columns->name[c]) + strlen(noe_statistic[i]) + sizeof ".";
            char        *text = noe_arena_take(a, size);
            if ((ok = text != NULL))
                snprintf(text, size, "%s.%s", e->columns->name[c], noe_statistic[i]),
                    name[count++] = text;
        }
    if (!ok) noe_status_fail(NOE_NO_MEMORY, "out of memory: the statistics");
    else {
        name[0] = "t", name[1] = "members", name[count++] = "energy_error.max";
        noe_sink  *sink = noe_ensemble_table_open(e, e->job->output, count, name, true, 0);
        noe_status s = sink ? noe_ensemble_events_put(e, sink) : NOE_IO;
        if (!s) s = write_rows(e, sink, count, x, to);
        ok = sink && noe_ensemble_table_close(e, sink, s);
    }
    noe_arena_free(a);
    return ok;
}
