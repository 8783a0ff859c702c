/* Runs a job: from options to system, method and integrator, then rows, summary and picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/run_march.h"
#include "base/status.h"
#include "base/table.h"
#include "accuracy/coarse_run.h"
#include "event/event_step.h"
#include "job/event_report.h"
#include "job/program.h"
#include "between/fractional_step.h"
#include "rows/late_energies.h"
#include "rows/state_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that a picture expects where their number is not known before: it is drawn from every second
 * one or fewer, as of a run with so many.  No other values were tried. */
static const double ROWS_UNKNOWN = 200000;
/* Rows in memory for which there is memory from the start; more are copied where they grow. */
static const double ROWS_RESERVED = 1 << 20;

typedef noe_run_march run;

/* The columns of the rows; of a program perhaps without what it can evaluate later. */
static noe_columns *choose_columns(const run *r, double rows)
{
    noe_program *p = r->job->program;
    const bool   plain = !r->job->columns && !r->job->rows && !r->x.times.ranges && r->section < 0;
    if (p && p->later && plain && rows >= NOE_LATE_ROWS_LEAST && r->job->quiet && !p->observer
        && !r->job->animate && !r->varies && noe_late_energies_possible(r->x.g)) {
        noe_columns *x = noe_late_energies_columns(r->x.system);
        p->states = x != NULL;
        return x;
    }
    if (!p || !p->later || !plain || !noe_state_columns_suffice(r->x.g))
        return noe_column_list_parse(r->x.system, r->job->columns);
    char        *list = noe_state_columns_list(r->x.system);
    noe_columns *x = list ? noe_column_list_parse(r->x.system, list) : NULL;
    free(list);
    p->left = x != NULL;
    return x;
}

static bool open_results(run *r, double rows)
{
    const noe_job    *j = r->job;
    const noe_system *s = r->x.system;
    if (!(r->changes = noe_system_changes(s)) || !(r->columns = choose_columns(r, rows)))
        return false;
    for (int i = 0; i < r->columns->count; i++)
        r->event_rows |= r->columns->column[i].kind == NOE_COL_EVENT;
    if (j->checkpoint && !(r->checkpoint_rows = noe_table_new(r->columns->count, r->columns->name)))
        return false;
    if (j->plot && !noe_run_picture_open(&r->picture, j, r->x.system)) return false;
    if (j->beside && !j->animate)
        return noe_status_fail(NOE_INVALID, "--beside belongs to an animation: --animate FILE"),
               false;
    if (j->animate && !noe_run_film_open(&r->film, j, s)) return false;
    if (noe_exact_column_ready(r->x.g, r->columns)
        || (j->plot && noe_exact_column_ready(r->x.g, r->picture.drawn)))
        return false;
    r->head = (noe_head){ .columns = r->columns->count,
                          .name = r->columns->name,
                          .digits = r->x.digits,
                          .model = s->model ? s->model->text : NULL,
                          .source = s->source,
                          .changes = r->changes,
                          .inputs = s->model ? s->model->inputs : NULL,
                          .options = r->x.options,
                          .method = noe_method_name(r->x.method),
                          .system = s->source,
                          .step = r->x.step,
                          .t0 = j->program || !s->model ? r->begin : s->model->t0,
                          .until = r->x.until,
                          .last = r->last };
    if (!noe_event_rows_make(&r->events, s, &r->head)) return false;
    r->row = noe_status_alloc((size_t)r->columns->count, sizeof *r->row);
    if (r->x.digits > NOE_DIGITS_QUAD && !j->program
        && !(r->text = noe_status_alloc((size_t)r->columns->count, sizeof *r->text)))
        return false;
    r->narrow = noe_status_alloc((size_t)r->columns->count, sizeof *r->narrow);
    if (!r->row || !r->narrow) return false;
    if (!noe_processes_writes(j->processes)) return true;
    r->sink = j->program ? noe_sink_open_memory(&j->program->results, &r->head)
                         : noe_sink_open(j->output, &r->head);
    return r->sink;
}

/* The row of the table of events; a row of the run in a section or where the column event is asked
 * for. */
static int write_event(void *ctx, noe_integrator *at, int event)
{
    run *r = ctx;
    r->failed = noe_processes_agree(r->job->processes,
                                    noe_event_rows_put(&r->events, r->sink, at, event));
    if (r->failed) return true;
    if (event != r->section && (r->section >= 0 || !r->event_rows)) return 0;
    r->failed = noe_run_march_row(r, at, 0);
    return r->failed != NOE_OK;
}

/* Prepares what the options say of events. */
static bool open_events(run *r)
{
    const noe_job *j = r->job;
    noe_job_setup *x = &r->x;
    r->section = -1;
    if (noe_event_step_attach(x->g)) return false;
    if (j->from && finiteq(x->restart.reported))
        noe_event_step_set_reported(x->g, x->restart.reported);
    if (j->section && (r->section = noe_event_report_find(x->system, "--section", j->section)) < 0)
        return false;
    if (j->stop) {
        const int k = noe_event_report_find(x->system, "--stop", j->stop);
        if (k < 0) return false;
        x->g->events->stop_at = k;
    }
    if ((j->rows || x->times.ranges) && j->section)
        return noe_status_fail(
                   NOE_INVALID,
                   "--section: its rows are at events; --rows and --times name other times"),
               false;
    if (x->g->events) x->g->events->watcher = write_event, x->g->events->ctx = r;
    return true;
}

typedef struct {
    noe_coarse_run coarse;
    char           withdrawn[400], wrong[200], earlier[2400], all[4800]; /* texts */
    const char    *one[4]; /* these but for the last, and that of `coarse`; "": no warning */
    noe_judgement  judged;
} warnings;

static void judge(warnings *to)
{
    to->judged = (noe_judgement){ .local_error = to->coarse.local_error,
                                  .energy_error = to->coarse.energy_error,
                                  .accumulated_error = to->coarse.accumulated_error,
                                  .warning = to->all,
                                  .note = to->coarse.note };
}

static void forget_warnings(warnings *to)
{
    *to =
        (warnings){ .coarse = { .local_error = NAN, .energy_error = NAN, .accumulated_error = NAN },
                    .one = { "", "", "", "" } };
    judge(to);
}

/* Appends what was said of the run before a restart. */
static void append_earlier(const run *r, const char *said, char *to, size_t room)
{
    if (said && *said)
        noe_status_append(to, room, "%sbefore the restart at t = %.6g: %s", *to ? "; " : "",
                          (double)r->begin, said);
}

/* Finds the warnings of a run that has ended; all: the warnings joined, for the files. */
static void find_warnings(run *r, double done, warnings *to)
{
    const noe_program *p = r->job->program;
    *to->withdrawn = 0;
    noe_run_monitor_last(&r->monitor, r->x.g);
    noe_coarse_run_find(&to->coarse, r->x.g, r->x.method);
    if (!p || !p->later || p->observer) noe_coarse_run_note(&to->coarse, r->x.g, r->x.method);
    if (done >= 1)
        noe_run_monitor_withdrawn(&r->monitor, r->x.g, done, to->withdrawn, sizeof to->withdrawn);
    noe_run_monitor_wrong(&r->monitor, r->x.g, to->wrong, sizeof to->wrong);
    *to->earlier = *to->all = 0;
    append_earlier(r, r->x.restart.warning, to->earlier, sizeof to->earlier);
    append_earlier(r, r->x.restart.note, to->coarse.note, sizeof to->coarse.note);
    const char *const one[] = { to->withdrawn, to->wrong, to->coarse.warning, to->earlier };
    memcpy(to->one, one, sizeof one);
    for (size_t i = 0; i < sizeof to->one / sizeof *to->one; i++)
        if (*to->one[i])
            noe_status_append(to->all, sizeof to->all, "%s%s", *to->all ? "; " : "", to->one[i]);
    judge(to);
}

/* Leaves with the program what it asks for beside the rows. */
static bool give_back(run *r, noe_status why, double steps, const warnings *found)
{
    noe_program *p = r->job->program;
    size_t       room = 1;
    for (size_t i = 0; i < sizeof found->one / sizeof *found->one; i++)
        room += strlen(found->one[i]) + 1;
    p->status = why;
    p->time_at = noe_time(r->x.g);
    p->steps = steps;
    p->local_error = found->coarse.local_error;
    p->energy_error = found->coarse.energy_error;
    p->accumulated_error = found->coarse.accumulated_error;
    memcpy(p->note, found->coarse.note, sizeof p->note);
    p->unfinished = found->coarse.unfinished;
    p->warning = noe_status_alloc(room, 1);
    for (size_t i = 0; p->warning && i < sizeof found->one / sizeof *found->one; i++)
        if (*found->one[i]) strcat(strcat(p->warning, found->one[i]), "\n");
    return p->warning;
}

/* Prepares the output times of --rows and --times; all must lie in the run. */
static bool start_times(run *r)
{
    noe_job_setup *x = &r->x;
    quad           t;
    if (x->digits > NOE_DIGITS_QUAD) {
        noe_status_fail(
            NOE_INVALID,
            "--digits %d: the states of --rows and --times, between the steps, are computed in 15 "
            "or 33 digits; take --every",
            x->digits);
        return false;
    }
    noe_integrator_state_get(x->g, NOE_AT_T, &t);
    if (r->job->rows && !noe_output_times_even(&x->times, (double)r->job->rows, t, x->until))
        return false;
    return noe_output_times_within(&x->times, t, x->until) && !noe_fractional_step_mark(x->g);
}

/* Prints how the states at the output times are computed. */
static void print_times(const run *r)
{
    if (r->job->quiet) return;
    if (noe_fractional_step_interpolates(r->x.g))
        fprintf(
            stderr,
            "  rows at times between the steps are interpolated (Hermite, error O(h^6), with loads "
            "O(h^4)): steps of another length would need another factorization; work, dissipated "
            "and balance are known at the ends of steps alone\n");
    else
        fprintf(
            stderr,
            "  rows at times between the steps are each made by one shorter step of the method\n");
}

/* The number of steps of the run; infinite where a monitor makes them. */
static bool count_steps(run *r, double *steps, bool *whole)
{
    r->varies = noe_system_monitored(r->x.system);
    *steps = INFINITY, *whole = true;
    return r->varies ? !noe_advance_check_end(r->x.g, r->x.until, "--until")
                     : !noe_advance_count_steps(r->x.g, r->x.until, "--until", steps, whole);
}

/* Prints the lengths of the steps. */
static void print_lengths(const run *r)
{
    if (r->varies && r->longest > 0)
        fprintf(stderr, "  the steps follow the monitor%s: they were from %.3g to %.3g long\n",
                r->x.system->stepped.transformed ? "" : ", reversible", r->shortest, r->longest);
    if (r->varies && r->x.system->model->monitor.automatic)
        fprintf(stderr, "  monitor auto: %s\n",
                r->x.system->model->monitor.text
                    ? r->x.system->model->monitor.text
                    : "of the distances of all pairs; its text would be too long");
}

/* Memory for so many rows. */
static noe_status reserve(noe_program *p, const noe_system *s, double rows)
{
    const size_t count = (size_t)fmin(rows, ROWS_RESERVED);
    return p->states ? noe_late_energies_reserve(&p->late, s, count)
                     : noe_table_reserve(p->results.rows, count);
}

/* Do the results keep the state for a restart?  Of many processes, all of it has to be fetched. */
static bool stores_state(const noe_job *j)
{
    return !j->program && j->output && noe_sink_stores_state(j->output);
}

static int go(run *r)
{
    const noe_job   *j = r->job;
    noe_job_setup   *x = &r->x;
    size_t           bytes = 0;
    double           steps;
    bool             whole;
    const noe_status begun = noe_integrator_start_ready(x->g);
    if (j->program) j->program->status = begun;
    if (begun || !open_events(r) || !count_steps(r, &steps, &whole)) return NOE_EXIT_BAD_USE;
    noe_integrator_state_get(x->g, NOE_AT_T, &r->begin);
    r->last = r->varies ? x->until : r->begin + (quad)steps * x->step;
    const bool timed = x->times.ranges || j->rows;
    if (timed && !start_times(r)) return NOE_EXIT_BAD_USE;
    const double rows = timed     ? x->times.count
                      : r->varies ? ROWS_UNKNOWN
                                  : steps / (double)(j->every ? j->every : 1);
    if (noe_processes_agree(j->processes, open_results(r, rows) ? NOE_OK : NOE_INVALID))
        return NOE_EXIT_BAD_USE;
    noe_run_picture_expect(&r->picture, rows);
    if (j->program && r->section < 0 && reserve(j->program, x->system, rows + 2))
        return NOE_EXIT_BAD_USE;
    noe_run_monitor_start(&r->monitor, x, steps, whole || timed, j->quiet);
    r->monitor.verbose = j->verbose;
    noe_run_monitor_row(&r->monitor, x->g);
    noe_status   s = timed || r->section >= 0 ? NOE_OK : noe_run_march_first_row(r);
    const double k = (timed ? noe_run_march_times : noe_run_march_steps)(r, steps, &s);
    if (s == NOE_INVALID && k == 0 && !j->program) return NOE_EXIT_BAD_USE; /* a wrong start */
    const bool  stopped = noe_run_march_interrupted(r) && k < steps;
    const void *memory = stores_state(j) ? noe_integrator_state_of_file(x->g, &bytes) : NULL;
    warnings    found;
    if (j->program && stopped) forget_warnings(&found); /* to find them takes trial runs */
    else find_warnings(r, k, &found);
    if (j->program && !give_back(r, s, k, &found)) s = NOE_NO_MEMORY;
    noe_sink_set_judgement(r->sink, &found.judged);
    if (x->g->events)
        noe_sink_set_reported(r->sink, x->g->events->again ? x->g->events->reported : NAN);
    noe_sink_ended(r->sink, s ? noe_error() : stopped ? "interrupted" : NULL);
    const bool       writes = noe_processes_writes(j->processes);
    const noe_status closed = noe_processes_agree(
        j->processes, writes ? noe_sink_close(r->sink, memory, bytes) : NOE_OK);
    r->sink = NULL;
    noe_run_monitor_end(&r->monitor, x->g, closed ? 0 : k, stopped && !closed && !j->program);
    if (!j->quiet && !closed) print_lengths(r);
    if (timed && !closed) print_times(r);
    if (!j->quiet && !closed) noe_event_report_print(x->g, stderr);
    for (size_t i = 0; i < sizeof found.one / sizeof *found.one; i++)
        if (*found.one[i] && !j->program)
            fprintf(stderr, "%sWARNING: %s\n", j->quiet ? "noether: " : "  ", found.one[i]);
    if (*found.coarse.note && !j->program)
        fprintf(stderr, "%sNOTE: %s\n", j->quiet ? "noether: " : "  ", found.coarse.note);
    if (closed || s == NOE_IO || s == NOE_INVALID) return NOE_EXIT_BAD_USE;
    const bool drawn = !writes
                    || (noe_run_picture_draw(&r->picture, j->plot, x, NULL)
                        && noe_run_film_write(&r->film, j->animate, x));
    if (noe_processes_agree(j->processes, drawn ? NOE_OK : NOE_IO)) return NOE_EXIT_STOPPED;
    const int signal = j->processes ? r->signal : stopped ? *j->interrupted : 0;
    return s ? NOE_EXIT_STOPPED : stopped ? NOE_EXIT_SIGNALLED + signal : 0;
}

/* Leaves the integrator with the program, if it may have kept it or the note needs it. */
static void give_integrator(run *r)
{
    noe_program *p = r->job->program;
    p->pick = r->x.pick;
    if (!p->observer && !p->unfinished) return;
    p->g = r->x.g, r->x.g = NULL;
    if (p->g && p->g->events) p->g->events->watcher = NULL; /* it writes rows of this run */
}

int noe_run_job(const noe_job *job)
{
    run        r = { .job = job };
    const bool made = noe_job_setup_make(&r.x, job),
               agreed = !noe_processes_agree(job->processes, made ? NOE_OK : NOE_INVALID);
    const int status = agreed ? go(&r) : r.x.status ? r.x.status : NOE_EXIT_BAD_USE;
    if (job->program) give_integrator(&r);
    noe_sink_drop(r.sink);
    noe_table_free(r.checkpoint_rows);
    noe_run_monitor_close(&r.monitor);
    free(r.columns);
    free(r.row);
    free(r.narrow);
    free(r.text);
    free(r.changes);
    noe_run_picture_drop(&r.picture);
    noe_run_film_drop(&r.film);
    noe_event_rows_drop(&r.events);
    noe_job_setup_drop(&r.x);
    return status;
}
