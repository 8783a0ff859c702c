/* Runs a job: from options to system, method and integrator, then rows, summary and picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "plot/heat_map.h"
#include "plot/plot.h"
#include "job/job_setup.h"
#include "accuracy/coarse_run.h"
#include "event/event_step.h"
#include "job/event_report.h"
#include "job/run_monitor.h"
#include "integrate/fractional_step.h"
#include "rows/column_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_ROWS = 200000, PLOT_NUMBERS = 8000000, CURVES = 16 };

typedef struct {
    const noe_job  *job;
    noe_job_setup   x;
    noe_columns    *columns, *drawn;
    noe_sink       *sink;
    noe_table      *picture;
    noe_run_monitor monitor;
    quad           *row;     /* [columns] numbers of a row */
    char          **text;    /* [columns] the row in more than 33 digits; NULL: up to 33 digits */
    double         *point;   /* [drawn columns] a row of the picture */
    quad            last;    /* time at the end of the last whole step */
    char           *changes; /* assignments of the command line, one on each line */
    char           *curves;  /* plot_columns with its families written out */
    long            stride;  /* rows between two points of the picture */
    int             section; /* event at which alone there are rows; -1: none */
    bool            tells;   /* events are rows, too: the column event is asked for */
    noe_status      failed;  /* of a row at an event */
} run;

/* Columns of the picture without --plot-columns: heat maps of the first two families of more
 * than 16 coordinates; NULL: every coordinate as a curve. */
static char *usual_maps(const noe_system *s)
{
    const noe_model *m = s->model;
    char            *list = NULL;
    size_t           used = 0;
    for (int i = 0, maps = 0; m && i < m->symbols && maps < 2; i++) {
        const noe_symbol *f = m->symbol[i];
        if (f->what != NOE_IS_COORDINATE || !f->family || f->hi - f->lo < CURVES) continue;
        char *longer = realloc(list, used + strlen(f->name) + 8);
        if (!longer) break;
        list = longer, maps++;
        used += (size_t)sprintf(list + used, "%s%s[*]", used ? "," : "", f->name);
    }
    return list;
}

/* The columns of the picture: what --plot-columns names, else t, the coordinates and the energy. */
static noe_columns *drawn_columns(const run *r)
{
    const noe_system *s = r->x.system;
    char      *list = r->curves ? noe_column_list_sampled(s, r->curves, NOE_MAP_SITES) : NULL;
    const bool energy = !r->job->plot_columns;
    size_t     capacity = 32 + (list ? strlen(list) : 0);
    for (int i = 0; i < s->dyn.n && i < 32; i++) capacity += strlen(noe_system_name(s, i)) + 1;
    char *text = r->curves && !list ? NULL : noe_status_alloc(capacity, 1), *at = text;
    if (!text) return free(list), NULL;
    at += sprintf(at, "t");
    if (list) at += sprintf(at, ",%s", list);
    for (int i = 0; i < s->dyn.n && i < 32 && !list; i++)
        at += sprintf(at, ",%s", noe_system_name(s, i));
    free(list);
    if (energy) sprintf(at, s->dyn.autonomous ? ",energy" : ",energy,balance");
    for (char *c = text; *c; c++)
        if (*c == ':') *c = ',';
    noe_columns *x = noe_column_list_parse(s, text);
    free(text);
    return x;
}

static bool open_picture(run *r)
{
    const noe_job *j = r->job;
    if (noe_plot_check(j->plot, j->plot_columns)) return false;
    r->curves = j->plot_columns ? noe_column_list_spread(r->x.system, j->plot_columns)
                                : usual_maps(r->x.system);
    if (j->plot_columns && !r->curves) return false;
    if (!(r->drawn = drawn_columns(r))) return false;
    r->picture = noe_table_new(r->drawn->count, r->drawn->name);
    r->point = noe_status_alloc((size_t)r->drawn->count, sizeof *r->point);
    return r->picture && r->point;
}

static bool open_results(run *r)
{
    const noe_job    *j = r->job;
    const noe_system *s = r->x.system;
    if (!(r->changes = noe_system_changes(s))
        || !(r->columns = noe_column_list_parse(s, j->columns)))
        return false;
    for (int i = 0; i < r->columns->count; i++)
        r->tells |= r->columns->column[i].kind == NOE_COL_EVENT;
    if (j->plot && !open_picture(r)) return false;
    if (noe_exact_column_ready(r->x.g, r->columns)
        || (r->drawn && noe_exact_column_ready(r->x.g, r->drawn)))
        return false;
    const noe_head head = { .columns = r->columns->count,
                            .name = r->columns->name,
                            .digits = r->x.digits,
                            .model = s->model->text,
                            .source = s->source,
                            .changes = r->changes,
                            .inputs = s->model->inputs,
                            .method = noe_method_name(r->x.method),
                            .system = s->source,
                            .step = r->x.step,
                            .t0 = s->model->t0,
                            .until = r->x.until,
                            .last = r->last };
    r->row = noe_status_alloc((size_t)r->columns->count, sizeof *r->row);
    if (r->x.digits > 33
        && !(r->text = noe_status_alloc((size_t)r->columns->count, sizeof *r->text)))
        return false;
    return r->row && (r->sink = noe_sink_open(j->output, &head));
}

/* Writes a row with more than 33 digits, as text. */
static noe_status write_text(run *r)
{
    noe_status s = NOE_OK;
    for (int i = 0; i < r->columns->count; i++)
        if (!(r->text[i] = noe_column_text(r->x.g, &r->columns->column[i]))) s = NOE_NO_MEMORY;
    if (!s) s = noe_sink_row_text(r->sink, r->row, r->text);
    for (int i = 0; i < r->columns->count; i++) free(r->text[i]), r->text[i] = NULL;
    return s;
}

/* Writes a row; y: the integrator of the run, or one with a state between two steps. */
static noe_status write_row(run *r, noe_integrator *y, long row)
{
    noe_integrator *g = r->x.g;
    for (int i = 0; i < r->columns->count; i++)
        r->row[i] = y == g && r->x.digits <= 15
                      ? noe_column_double(g, &r->columns->column[i])
                      : noe_fractional_step_column(g, y, &r->columns->column[i]);
    noe_status s = r->text ? write_text(r) : noe_sink_row(r->sink, r->row);
    if (r->picture && row % r->stride == 0 && !s) {
        for (int i = 0; i < r->drawn->count; i++)
            r->point[i] = (double)noe_fractional_step_column(g, y, &r->drawn->column[i]);
        s = noe_table_add(r->picture, r->point);
    }
    return s;
}

/* The row at an event, in a section or where the column event is asked for. */
static int write_event(void *ctx, noe_integrator *at, int event)
{
    run *r = ctx;
    if (event != r->section && (r->section >= 0 || !r->tells)) return 0;
    r->failed = write_row(r, at, 0);
    return r->failed != NOE_OK;
}

/* Is the state that the run stopped at a row already? */
static bool written_at_stop(const run *r) { return r->tells && r->section < 0; }

/* Prepares what the options say of events. */
static bool open_events(run *r)
{
    const noe_job *j = r->job;
    noe_job_setup *x = &r->x;
    r->section = -1;
    if (noe_event_step_attach(x->g)) return false;
    if (j->section && (r->section = noe_event_report_find(x->system, "--section", j->section)) < 0)
        return false;
    if (j->stop) {
        const int k = noe_event_report_find(x->system, "--stop", j->stop);
        if (k < 0) return false;
        x->g->events->stop_at = k;
    }
    if ((j->rows || j->times) && (j->section || (x->system->events && x->system->events->shocks))) {
        noe_status_fail(
            NOE_INVALID,
            j->section
                ? "--section: its rows are at events; --rows and --times name other times"
                : "--rows and --times: not for a motion that events change; take --every, or "
                  "an event 't = ..' and --section");
        return false;
    }
    if (x->g->events) x->g->events->watcher = write_event, x->g->events->ctx = r;
    return true;
}

static bool interrupted(const noe_job *j) { return j->interrupted && *j->interrupted; }

/* Makes up to `most` steps; returns the number of steps made, 0 where the energy is then not
 * finite. *ended: why fewer were made; NOE_OK otherwise. */
static double stretch(run *r, double most, bool at_once, noe_status *ended)
{
    noe_integrator *g = r->x.g;
    double          k = 0;
    noe_status      s = noe_checkpoint_take(g);
    noe_run_monitor_steps(&r->monitor, true);
    if (!s && at_once && g->core->linear && g->core->linear->run)
        s = noe_advance_steps(g, most, &k);
    while (k < most && !s && !interrupted(r->job))
        if (!(s = noe_step(g))) k++;
    noe_run_monitor_steps(&r->monitor, false);
    *ended = k > 0 ? noe_checkpoint_check_energy(g) : NOE_OK;
    if (*ended) return 0;
    *ended = s;
    return k;
}

/* Makes the steps of the run and writes a row after every --every steps; returns the number of
 * steps made. */
static double march(run *r, double steps, noe_status *s)
{
    const double every = r->job->every ? (double)r->job->every : 1;
    double       k = 0;
    for (long row = 0; k < steps && !*s && !interrupted(r->job);) {
        noe_status   ended;
        const double n = stretch(r, fmin(every, steps - k), true, &ended);
        const bool   stop = ended == NOE_STOPPED;
        *s = r->failed;
        if (n > 0 || stop) { /* the last good state is a row, too */
            if (!*s && r->section < 0 && !(stop && written_at_stop(r)))
                *s = write_row(r, r->x.g, ++row);
            if (!*s) noe_run_monitor_row(&r->monitor, r->x.g);
        }
        k += n;
        if (stop) break;
        if (!*s) *s = ended;
        noe_run_monitor_progress(&r->monitor, k);
    }
    return k;
}

/* Writes the rows of the output times from t on that lie in the step from `left`; rest: of all
 * later times, too.  *more: there is another output time, then in t. */
static noe_status rows_between(run *r, quad left, bool rest, quad *t, bool *more, long *row)
{
    noe_status s = NOE_OK;
    while (*more && !s && (rest || (*t - left) / r->x.step <= 1)) {
        noe_integrator *y = noe_fractional_step_at(r->x.g, *t);
        s = y ? write_row(r, y, (*row)++) : NOE_NOT_CONVERGED;
        *more = noe_output_times_next(&r->x.times, t);
    }
    noe_fractional_step_leave(r->x.g);
    return s;
}

/* Makes the steps of the run and writes a row at every output time; returns the number of steps
 * made. */
static double march_times(run *r, double steps, noe_status *s)
{
    enum { STRETCH = 4096 };
    noe_integrator *g = r->x.g;
    quad            t, left;
    double          k = 0;
    long            row = 0;
    for (bool more = noe_output_times_next(&r->x.times, &t); (more || k < steps) && !*s;) {
        noe_status ended = NOE_OK;
        if (interrupted(r->job)) break;
        noe_integrator_state_get(g, NOE_AT_T, &left);
        const double ahead = more ? fmax(0, floor((double)((t - left) / r->x.step))) : steps,
                     whole = fmin(fmin(ahead, steps - k), STRETCH);
        if (whole > 0) k += stretch(r, whole, false, &ended);
        else if (!(*s = noe_fractional_step_mark(g))) {
            const double n = k < steps ? stretch(r, 1, false, &ended) : 0;
            if (!ended) *s = rows_between(r, left, k == steps, &t, &more, &row);
            if (!*s) noe_run_monitor_row(&r->monitor, g);
            k += n;
        }
        if (ended == NOE_STOPPED) break;
        if (!*s) *s = ended;
        noe_run_monitor_progress(&r->monitor, k);
    }
    return k;
}

typedef struct {
    noe_coarse_run coarse;
    char           withdrawn[400], wrong[200], all[2200];
    const char    *one[3]; /* the three texts; "": no warning */
} warnings;

/* Finds the warnings of a completed run; all: the warnings joined, for the files. */
static void find_warnings(run *r, double done, warnings *to)
{
    *to->withdrawn = 0;
    noe_coarse_run_find(&to->coarse, r->x.g, r->x.method);
    if (done >= 1)
        noe_run_monitor_withdrawn(&r->monitor, r->x.g, done, to->withdrawn, sizeof to->withdrawn);
    noe_run_monitor_wrong(&r->monitor, r->x.g, to->wrong, sizeof to->wrong);
    to->one[0] = to->withdrawn, to->one[1] = to->wrong, to->one[2] = to->coarse.warning;
    *to->all = 0;
    for (size_t i = 0; i < sizeof to->one / sizeof *to->one; i++)
        if (*to->one[i])
            noe_status_append(to->all, sizeof to->all, "%s%s", *to->all ? "; " : "", to->one[i]);
}

/* Prepares the output times of --rows and --times; all must lie in the run. */
static bool start_times(run *r)
{
    noe_job_setup *x = &r->x;
    quad           t;
    if (x->digits > 33) {
        noe_status_fail(
            NOE_INVALID,
            "--digits %d: the states of --rows and --times, between the steps, are computed in 15 or "
            "33 digits; take --every",
            x->digits);
        return false;
    }
    noe_integrator_state_get(x->g, NOE_AT_T, &t);
    if (r->job->rows && !noe_output_times_even(&x->times, (double)r->job->rows, t, x->until))
        return false;
    return noe_output_times_within(&x->times, t, x->until) && !noe_fractional_step_mark(x->g);
}

/* Prints how the states at the output times are computed. */
static void tell_times(const run *r)
{
    if (r->job->quiet) return;
    if (noe_fractional_step_interpolates(r->x.g))
        fprintf(
            stderr,
            "  rows at times between the steps are interpolated (Hermite, error O(h^6), with loads O(h^4)): "
            "steps of another length would need another factorization\n");
    else
        fprintf(
            stderr,
            "  rows at times between the steps are each made by one shorter step of the method\n");
}

static int go(run *r)
{
    const noe_job *j = r->job;
    noe_job_setup *x = &r->x;
    size_t         bytes;
    double         steps;
    bool           whole;
    if (noe_integrator_start_ready(x->g) || !open_events(r)
        || noe_advance_count_steps(x->g, x->until, "--until", &steps, &whole))
        return NOE_EXIT_BAD_USE;
    noe_integrator_state_get(x->g, NOE_AT_T, &r->last);
    r->last += (quad)steps * x->step;
    const bool timed = j->times || j->rows;
    if (timed && !start_times(r)) return NOE_EXIT_BAD_USE;
    if (!open_results(r)) return NOE_EXIT_BAD_USE;
    r->stride = 1
              + (long)((timed ? x->times.count : steps / (double)(j->every ? j->every : 1))
                       / fmin(PLOT_ROWS,
                              r->drawn ? (double)PLOT_NUMBERS / r->drawn->count : PLOT_ROWS));
    noe_run_monitor_start(&r->monitor, x, steps, whole || timed, j->quiet);
    r->monitor.verbose = j->verbose;
    noe_run_monitor_row(&r->monitor, x->g);
    noe_status   s = timed || r->section >= 0 ? NOE_OK : write_row(r, x->g, 0);
    const double k = (timed ? march_times : march)(r, steps, &s);
    const bool   stopped = interrupted(j) && k < steps;
    const void  *memory = x->g->core->memory(x->g->work, &bytes);
    warnings     told;
    find_warnings(r, k, &told);
    noe_sink_judged(r->sink, told.coarse.local_error, told.all);
    noe_sink_ended(r->sink, s ? noe_error() : stopped ? "interrupted" : NULL);
    const noe_status closed = noe_sink_close(r->sink, memory, bytes);
    r->sink = NULL;
    noe_run_monitor_end(&r->monitor, x->g, closed ? 0 : k, stopped && !closed);
    if (timed && !closed) tell_times(r);
    if (!j->quiet && !closed) noe_event_report_print(x->g, stderr);
    for (size_t i = 0; i < sizeof told.one / sizeof *told.one; i++)
        if (*told.one[i])
            fprintf(stderr, "%sWARNING: %s\n", j->quiet ? "noether: " : "  ", told.one[i]);
    if (closed || s == NOE_IO || s == NOE_INVALID) return NOE_EXIT_BAD_USE;
    if (r->picture) {
        const char *slash = strrchr(x->system->source, '/');
        char        title[200];
        snprintf(title, sizeof title, "%.100s: %s, step %.6g",
                 slash ? slash + 1 : x->system->source, noe_method_name(x->method),
                 (double)x->step);
        if (noe_plot_draw(j->plot, r->picture, r->curves, title))
            return NOE_EXIT_STOPPED; /* the file has all rows */
    }
    return s ? NOE_EXIT_STOPPED : stopped ? NOE_EXIT_SIGNALLED + *j->interrupted : 0;
}

int noe_run_job(const noe_job *job)
{
    run       r = { .job = job };
    const int status = noe_job_setup_make(&r.x, job) ? go(&r)
                     : r.x.status                    ? r.x.status
                                                     : NOE_EXIT_BAD_USE;
    noe_sink_drop(r.sink);
    noe_run_monitor_close(&r.monitor);
    free(r.columns);
    free(r.drawn);
    free(r.row);
    free(r.text);
    free(r.point);
    free(r.changes);
    free(r.curves);
    noe_table_free(r.picture);
    noe_job_setup_drop(&r.x);
    return status;
}
