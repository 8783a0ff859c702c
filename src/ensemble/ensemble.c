/* Runs all members x_k, k = 1 .. N, of an ensemble on all threads, and writes their statistics.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of the members are stored in an unnamed temporary file, not in memory, until the
 * statistics are computed; layout: ensemble/ensemble.h. */
#include "ensemble/ensemble.h"

#include "base/status.h"
#include "base/stopwatch.h"
#include "job/run_monitor.h"
#include "system/event_tapes.h"
#include "ensemble/lane_batch.h"
#include "job/program.h"
#include "system/processes.h"
#include "between/fractional_step.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The rows of a program's ensemble, which asks for all of them, stay in memory. */
static bool map_memory(noe_ensemble *e)
{
    void *at = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return noe_status_fail(NOE_NO_MEMORY,
                               "out of memory: %ld members with %ld rows of %d columns, %.3g GB",
                               e->m.count, e->rows, e->width, 1e-9 * (double)e->bytes),
               false;
    e->value = at;
    return true;
}

static bool map_rows(noe_ensemble *e)
{
    const long n = e->m.count;
    /* a multiple of 8: the numbers of a lane group fill one cache line */
    e->block = noe_ensemble_processes_block(e);
    e->width = 1 + e->columns->count + NOE_JUDGED;
    e->bytes = (size_t)((n + e->block - 1) / e->block * e->block) * (size_t)e->rows
             * (size_t)e->width * sizeof(double);
    e->end = noe_status_alloc((size_t)n, sizeof *e->end);
    if (!e->end) return false;
    for (long k = 0; k < n; k++) e->end[k] = (noe_end){ 0 };
    if (e->job->program) return map_memory(e);
    e->file = tmpfile();
    const int why = e->file ? noe_ensemble_slabs_allocate(e) : errno;
    if (why) {
        noe_status_fail(
            NOE_IO,
            "%ld members with %ld rows of %d columns need %.3g GB on the disk of temporary files: "
            "%s; take fewer --columns or a larger --every",
            n, e->rows, e->width, 1e-9 * (double)e->bytes, strerror(why));
        return false;
    }
    void *at = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(e->file), 0);
    if (at == MAP_FAILED)
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: %ld members", n), false;
    e->value = at;
    return true;
}

static bool can_run(const noe_job *j)
{
    if (!!j->ensemble + !!j->sweep + !!j->scatter > 1)
        noe_status_fail(NOE_INVALID, "--ensemble, --sweep and --scatter: expected one of them");
    else if (j->scatter && !j->members)
        noe_status_fail(NOE_INVALID, "--scatter: how many?  Give --members N");
    else if (!j->scatter && j->members) noe_status_fail(NOE_INVALID, "--members is for --scatter");
    else if (j->animate)
        noe_status_fail(NOE_INVALID, "--animate is for one run, not for members: give a member's "
                                     "values after the model's name");
    else if (j->from) noe_status_fail(NOE_INVALID, "--from is for one run, not for members");
    else if (j->plot && j->section && !j->plot_columns)
        noe_status_fail(
            NOE_INVALID,
            "--plot: of a section of many members, say what to draw: --plot-columns q1:q1.v");
    else if (j->section && (j->rows || j->times))
        noe_status_fail(NOE_INVALID,
                        "--section: its rows are at events; --rows and --times name other times");
    else if (j->section && j->processes)
        noe_status_fail(NOE_INVALID,
                        "--section: rows at events of many members are for one process");
    else if (j->section && j->all)
        noe_status_fail(NOE_INVALID,
                        "--all: with --section it is --output that has the rows of all members");
    else if (j->verbose) noe_status_fail(NOE_INVALID, "--verbose is for one run, not for members");
    else if (j->all && j->output && !strcmp(j->all, j->output))
        noe_status_fail(NOE_INVALID, "--all and --output: expected two files, not '%s' twice",
                        j->all);
    else if (j->digits > NOE_DIGITS_DOUBLE)
        noe_status_fail(NOE_INVALID, "--digits %d: members are stepped in 15 digits", j->digits);
    else return true;
    return false;
}

/* Output times, which must lie in the run. */
static bool choose_times(noe_ensemble *e)
{
    quad t;
    e->timed = e->job->rows || e->x.times.ranges;
    if (!e->timed) return true;
    noe_integrator_state_get(e->x.g, NOE_AT_T, &t);
    return (!e->job->rows
            || noe_output_times_even(&e->x.times, (double)e->job->rows, t, e->x.until))
        && noe_output_times_within(&e->x.times, t, e->x.until) && !noe_fractional_step_mark(e->x.g);
}

/* Does a column contain the solution in closed form? */
static bool has_exact_column(const noe_ensemble *e)
{
    bool any = false;
    for (int c = 0; c < e->columns->count; c++) any |= e->columns->column[c].exact;
    return any;
}

/* The number of steps; where they follow a monitor, an estimate of it: the members have none in
 * common. */
static bool count_steps(noe_ensemble *e)
{
    bool whole = true;
    noe_integrator_state_get(e->x.g, NOE_AT_T, &e->last);
    if (e->varies) {
        e->steps = ceil((double)((e->x.until - e->last) / e->x.step)), e->last = e->x.until;
        return !noe_advance_check_end(e->x.g, e->x.until, "--until");
    }
    if (noe_advance_count_steps(e->x.g, e->x.until, "--until", &e->steps, &whole)) return false;
    e->last += (quad)e->steps * e->x.step;
    if (!whole && !e->job->quiet && !e->job->rows && !e->job->times)
        noe_run_monitor_broken(e->last);
    return true;
}

/* Members with a monitor have rows at given times alone, since their steps end at other times. */
static bool has_common_rows(const noe_ensemble *e)
{
    if (!e->varies || e->timed || e->section >= 0) return true;
    return noe_status_fail(NOE_INVALID,
                           "%s: with a monitor the steps of each member end at times of their own: "
                           "give --rows N, --times or --section",
                           e->system->source),
           false;
}

/* Start time, end and errors that are known are those of an integrator at the model's start or,
 * where no motion can begin there, at that of the first member that can. */
static bool begin(noe_ensemble *e)
{
    for (int i = 0; i < NOE_CHOSEN; i++)
        e->chosen[i] = noe_get(e->x.g, noe_ensemble_member_option[i]);
    bool begun = !noe_integrator_start_ready(e->x.g);
    for (long k = 0; k < e->m.count && !begun; k++) {
        noe_system     *s = noe_ensemble_member_system(e, k);
        noe_integrator *g = s ? noe_ensemble_member_integrator(e, s) : NULL;
        begun = g;
        if (!begun) noe_system_free(s);
        else noe_integrator_free(e->x.g), e->x.g = g, e->started = s, noe_error_clear();
    }
    return begun;
}

static bool prepare(noe_ensemble *e)
{
    const noe_job *j = e->job;
    if (!can_run(j) || !noe_job_setup_make(&e->x, j)) return false;
    e->system = j->program ? j->program->system : noe_job_model_load(j, NULL);
    if (!e->system || !(e->columns = noe_column_list_parse(e->system, j->columns))) return false;
    if (!noe_member_values_make(&e->m, j, e->system->model)) return false;
    e->varies = noe_system_monitored(e->system);
    if (!begin(e) || !count_steps(e)) return false;
    if (!noe_ensemble_events_make(e) || !choose_times(e) || !has_common_rows(e)) return false;
    const bool lanes = noe_lane_batch_applies(e->system, e->x.method) && !has_exact_column(e);
    e->group_size = lanes && !noe_ensemble_lanes_why_not(e) ? NOE_LANE_BATCH : 1;
    e->rows = e->timed        ? (long)e->x.times.count
            : e->section >= 0 ? 1
                              : 1 + (long)ceil(e->steps / (double)j->every);
    e->progress = (noe_progress){ .what = "members",
                                  .all = e->steps * (double)e->m.count,
                                  .quiet = j->quiet,
                                  .interrupted = j->interrupted,
                                  .threads = j->threads,
                                  .doubles = !has_exact_column(e) };
    if (j->plot && !j->section && !noe_ensemble_picture_ready(e)) return false;
    return (!noe_processes_writes(j->processes) || noe_ensemble_table_is_writable(e))
        && map_rows(e);
}

/* One process has written all; the others do meanwhile what it asks for. */
static void do_what_is_asked(noe_ensemble *e)
{
    for (int asked; (asked = e->job->processes->first(NOE_ASKED_NOTHING)) != NOE_ASKED_NOTHING;) {
        if (asked == NOE_ASKED_SLAB) noe_ensemble_slabs_fetch(e, 0);
        else noe_ensemble_members_share(e);
    }
}

static void compute_members(noe_ensemble *e)
{
    noe_ensemble_processes_deal(e);
    const int own = e->groups - e->first_group;
    e->threads = noe_task_pool_threads(own, &e->progress);
    noe_task_pool_run(own, noe_ensemble_lanes_run, e, &e->progress);
}

/* Room for what the process that writes gets; the first one has it since the members began. */
static noe_status make_room(const noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const int why = p->rank && noe_processes_writes(p) ? noe_ensemble_slabs_allocate(e) : 0;
    if (!why) return NOE_OK;
    return noe_status_fail(NOE_IO, "no room for the rows of all members: %s", strerror(why));
}

/* Writes the rows of members that were computed from `began` on, if s is NOE_OK; the exit status.
 * Where the process that writes is lost, another one writes them again. */
static int write_all(noe_ensemble *e, noe_status s, double began)
{
    const noe_processes *p = e->job->processes;
    int                  status, signal = 0;
    do {
        if (signal) *e->job->interrupted = signal; /* to be agreed on again */
        const bool together = p ? !noe_ensemble_processes_collect(e, s ? s : make_room(e)) : !s;
        e->seconds = noe_stopwatch_seconds() - began;
        signal = !s && noe_task_pool_interrupted(&e->progress) ? *e->job->interrupted : 0;
        if (signal) { /* the rows so far are written, unless a second signal arrives */
            e->ended = "interrupted";
            *e->job->interrupted = 0;
        }
        status = NOE_EXIT_BAD_USE;
        if (together && noe_processes_writes(p)) status = noe_ensemble_finish(e);
        if (together && p) do_what_is_asked(e);
    } while (p && !p->conclude(&status));
    if (!s && noe_task_pool_interrupted(&e->progress))
        status = NOE_EXIT_SIGNALLED + *e->job->interrupted;
    else if (signal && status != NOE_EXIT_BAD_USE) status = NOE_EXIT_SIGNALLED + signal;
    if (p && !status) noe_ensemble_processes_note(e);
    return status;
}

int noe_ensemble_run(const noe_job *job)
{
    noe_ensemble e = { .job = job, .lock = PTHREAD_MUTEX_INITIALIZER };
    noe_ensemble_processes_watch(job);
    noe_status       s = prepare(&e) ? NOE_OK : NOE_INVALID;
    const noe_status agreed = noe_processes_agree(job->processes, s);
    const double     began = noe_stopwatch_seconds();
    if (!noe_processes_writer_lost(job->processes)) s = agreed;
    if (!s) compute_members(&e);
    const int status = write_all(&e, s, began);
    noe_ensemble_lanes_drop(&e);
    noe_ensemble_events_drop(&e);
    if (e.value) munmap(e.value, e.bytes);
    if (e.file) fclose(e.file);
    for (long k = 0; e.end && k < e.m.count; k++) free(e.end[k].why);
    free(e.end);
    free(e.dropped);
    free(e.statistics);
    free(e.columns);
    if (e.m.arena) noe_member_values_drop(&e.m);
    if (!job->program) noe_system_free(e.system);
    noe_job_setup_drop(&e.x);
    noe_system_free(e.started);
    return status;
}
