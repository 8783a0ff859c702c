/* Members with events: rows at a section, stops, times of first passage and their statistics.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows at a section are as many as there are events.  A member collects its own in memory and, when
 * it has ended, appends them to the temporary file of the ensemble, from which they are written in
 * the order of the members. */
#include "ensemble/ensemble.h"

#include "base/status.h"
#include "ensemble/statistics.h"
#include "between/fractional_step.h"
#include "event/event_step.h"
#include "job/event_report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns of the table of passages: number of the event, members that had it and that had it not,
 * then the statistics of t. */
enum { EVENT, HAD, NEVER, OF_TIME, COLUMNS = OF_TIME + NOE_STATISTICS, NAME_MOST = 16 };

/* Numbers of a row at an event: those of the output, then those of the picture. */
static long width(const noe_ensemble *e)
{
    return e->columns->count + (e->picture.drawn ? e->picture.drawn->count : 0);
}

bool noe_ensemble_events_make(noe_ensemble *e)
{
    const noe_job         *j = e->job;
    const noe_event_tapes *tapes = e->system->events;
    e->section = e->stop = -1;
    if (j->section && (e->section = noe_event_report_find(e->system, "--section", j->section)) < 0)
        return false;
    if (j->stop && (e->stop = noe_event_report_find(e->system, "--stop", j->stop)) < 0)
        return false;
    e->events = j->section || j->stop || (tapes && tapes->acts) ? tapes->count : 0;
    if (!e->events) return true;
    const size_t count = (size_t)e->events * (size_t)e->m.count;
    if (!(e->passage = noe_status_alloc(count, sizeof *e->passage))) return false;
    for (size_t i = 0; i < count; i++) e->passage[i] = NAN;
    if (e->section < 0) return true;
    if (j->plot && !noe_run_picture_open(&e->picture, j, e->system)) return false;
    if ((e->points = tmpfile())) return true;
    noe_status_fail(NOE_IO, "--section: no temporary file for its rows: %s", strerror(errno));
    return false;
}

void noe_ensemble_events_drop(noe_ensemble *e)
{
    if (e->points) fclose(e->points);
    noe_run_picture_drop(&e->picture);
    free(e->passage);
}

/* Watches a member: the row of an event of the section. */
static int see(void *ctx, noe_integrator *at, int event)
{
    noe_member_rows    *r = ctx;
    const noe_ensemble *e = r->e;
    const long          wide = width(e);
    if (event != e->section) return 0;
    if (r->count == r->room) {
        const long room = r->room ? 2 * r->room : 64;
        double    *more = realloc(r->x, (size_t)(room * wide) * sizeof *more);
        if (!more) return r->failed = noe_status_fail(NOE_NO_MEMORY, "out of memory: --section");
        r->x = more, r->room = room;
    }
    double *to = r->x + r->count++ * wide;
    for (int c = 0; c < e->columns->count; c++)
        *to++ = (double)noe_fractional_step_column(r->g, at, &e->columns->column[c]);
    for (int c = 0; e->picture.drawn && c < e->picture.drawn->count; c++)
        *to++ = (double)noe_fractional_step_column(r->g, at, &e->picture.drawn->column[c]);
    return 0;
}

noe_status noe_ensemble_events_begin(noe_ensemble *e, noe_integrator *g, noe_member_rows *r)
{
    *r = (noe_member_rows){ .e = e, .g = g };
    if (!e->events) return NOE_OK;
    const noe_status s = noe_event_step_attach(g);
    if (s) return s;
    g->events->stop_at = e->stop;
    if (e->section >= 0) g->events->watcher = see, g->events->ctx = r;
    return NOE_OK;
}

noe_status noe_ensemble_events_end(noe_ensemble *e, long k, noe_member_rows *r)
{
    const noe_event_state *x = r->g ? r->g->events : NULL;
    const size_t           bytes = (size_t)(r->count * width(e)) * sizeof *r->x;
    noe_status             s = r->failed;
    for (int i = 0; x && i < e->events; i++)
        if (x->tally[i].count > 0) e->passage[k * e->events + i] = (double)x->tally[i].first;
    if (bytes) {
        pthread_mutex_lock(&e->lock);
        e->end[k].from = e->point_bytes, e->point_bytes += bytes;
        pthread_mutex_unlock(&e->lock);
        for (size_t done = 0; done < bytes && !s;) {
            const ssize_t n = pwrite(fileno(e->points), (char *)r->x + done, bytes - done,
                                     (off_t)(e->end[k].from + done));
            if (n > 0) done += (size_t)n;
            else if (errno != EINTR)
                s = noe_status_fail(NOE_IO, "--section: cannot write a temporary file: %s",
                                    strerror(errno));
        }
        e->end[k].points = s ? 0 : r->count;
    }
    free(r->x);
    r->x = NULL;
    return s;
}

/* Reads row i of member k. */
static bool read_row(const noe_ensemble *e, long k, long i, double *to)
{
    const size_t bytes = (size_t)width(e) * sizeof *to;
    const off_t  at = (off_t)(e->end[k].from + (size_t)i * bytes);
    return pread(fileno(e->points), to, bytes, at) == (ssize_t)bytes
        || (noe_status_fail(NOE_IO, "--section: cannot read the temporary file"), false);
}

noe_status noe_ensemble_events_rows(noe_ensemble *e, long k, noe_sink *sink, quad *to, int first)
{
    double     row[width(e)];
    noe_status s = NOE_OK;
    for (long i = 0; i < e->end[k].points && !s; i++) {
        if (!read_row(e, k, i, row)) return NOE_IO;
        for (int c = 0; c < e->columns->count; c++) to[first + c] = row[c];
        s = noe_sink_row(sink, to);
        if (!s) s = noe_run_picture_point(&e->picture, row + e->columns->count);
    }
    return s;
}

void noe_ensemble_events_expect(noe_ensemble *e)
{
    double all = 0;
    for (long k = 0; k < e->m.count; k++) all += (double)e->end[k].points;
    noe_run_picture_expect(&e->picture, all);
}

/* Statistics of the first passages of event i: number of members that had it, t. */
static long passages(const noe_ensemble *e, int i, double to[NOE_STATISTICS])
{
    double *x = noe_status_alloc((size_t)e->m.count, sizeof *x);
    long    n = 0;
    if (!x) return -1;
    for (long k = 0; k < e->m.count; k++)
        if (!isnan(e->passage[k * e->events + i])) x[n++] = e->passage[k * e->events + i];
    noe_statistics(x, n, to);
    free(x);
    return n;
}

bool noe_ensemble_events_passages(const noe_ensemble *e, noe_table **to)
{
    const char *name[e->events + 1];
    *to = NULL;
    for (int i = 0; i < e->events; i++) name[i] = e->system->model->event[i].name;
    if (!e->events) return true;
    noe_status s = (*to = noe_table_new(e->events, name)) ? NOE_OK : NOE_NO_MEMORY;
    for (long k = 0; k < e->m.count && !s; k++) s = noe_table_add(*to, e->passage + k * e->events);
    return !s;
}

/* Number of members that have begun. */
static long begun(const noe_ensemble *e)
{
    long n = 0;
    for (long k = 0; k < e->m.count; k++) n += e->end[k].rows > 0;
    return n;
}

void noe_ensemble_events_head(const noe_ensemble *e, noe_arena *a, noe_head *h)
{
    const char **name = noe_arena_take(a, (size_t)e->events * sizeof *name);
    const char **column = noe_arena_take(a, COLUMNS * sizeof *column);
    char(*of_time)[NAME_MOST] = noe_arena_take(a, NOE_STATISTICS * sizeof *of_time);
    if (!e->events || !name || !column || !of_time) return;
    column[EVENT] = "event", column[HAD] = "members", column[NEVER] = "never";
    for (int k = 0; k < NOE_STATISTICS; k++) {
        snprintf(of_time[k], NAME_MOST, "t.%s", noe_statistic[k]);
        column[OF_TIME + k] = of_time[k];
    }
    for (int i = 0; i < e->events; i++) name[i] = e->system->model->event[i].name;
    h->event_columns = COLUMNS, h->event_column = column;
    h->events = e->events, h->event = name;
}

noe_status noe_ensemble_events_put(const noe_ensemble *e, noe_sink *sink)
{
    noe_status s = NOE_OK;
    for (int i = 0; i < e->events && !s; i++) {
        double     x[NOE_STATISTICS];
        quad       row[COLUMNS] = { [EVENT] = i + 1 };
        const long n = passages(e, i, x);
        if (n < 0) return NOE_NO_MEMORY;
        row[HAD] = n, row[NEVER] = begun(e) - n;
        for (int k = 0; k < NOE_STATISTICS; k++) row[OF_TIME + k] = x[k];
        s = noe_sink_event(sink, row);
    }
    return s;
}

void noe_ensemble_events_tell(const noe_ensemble *e)
{
    const long all = begun(e);
    for (int i = 0; i < e->events; i++) {
        double      x[NOE_STATISTICS];
        const char *name = e->system->model->event[i].name;
        const long  n = passages(e, i, x);
        if (n <= 0) fprintf(stderr, "  event %s: in no member\n", name);
        else
            fprintf(
                stderr,
                "  event %s: first at t = %.6g (mean), %.6g (median), %.6g to %.6g (5 to 95 %%), "
                "in %ld members; %ld of %ld never\n",
                name, x[NOE_STATISTIC_MEAN], x[NOE_STATISTIC_MEDIAN], x[NOE_STATISTIC_Q05],
                x[NOE_STATISTIC_Q95], n, all - n, all);
    }
}
