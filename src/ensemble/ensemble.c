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
#include "integrate/fractional_step.h"

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

/* e->system with an assignment, or NULL with a message. */
static void let(noe_ensemble *e, const char *assignment)
{
    noe_system *const next = e->system ? noe_system_let(e->system, assignment) : NULL;
    noe_system_free(e->system);
    e->system = next;
}

/* False without memory. */
static bool let_monitor(noe_ensemble *e, const char *G)
{
    char *text = G ? noe_job_setup_monitor(G) : NULL;
    if (text) let(e, text);
    free(text);
    return !G || text;
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

/* Why members are stepped one by one; NULL: nothing of the ensemble speaks against lanes. */
static const char *why_alone(const noe_ensemble *e)
{
    if (e->events) return "events are heeded";
    if (e->timed && !(e->varies && e->x.method->parts <= 1)) return "rows are between the steps";
    return e->system->dyn.constraints ? "its starts are projected onto the constraints" : NULL;
}

static bool prepare(noe_ensemble *e)
{
    const noe_job *j = e->job;
    if (!can_run(j) || !noe_job_setup_make(&e->x, j)) return false;
    e->system = j->program ? j->program->system : noe_system_load(j->model);
    for (int i = 0; i < j->lets; i++) let(e, j->let[i]);
    if (!let_monitor(e, j->monitor)) return false;
    if (!e->system || !(e->columns = noe_column_list_parse(e->system, j->columns))) return false;
    if (!noe_member_values_make(&e->m, j, e->system->model)) return false;
    e->varies = noe_system_monitored(e->system);
    if (!begin(e) || !count_steps(e)) return false;
    if (!noe_ensemble_events_make(e) || !choose_times(e) || !has_common_rows(e)) return false;
    const bool lanes = noe_lane_batch_applies(e->system, e->x.method) && !has_exact_column(e);
    e->group_size = lanes && !why_alone(e) ? NOE_LANE_BATCH : 1;
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

static void print_values(const noe_ensemble *e, long k, FILE *to)
{
    for (int i = 0; i < e->m.names; i++)
        fprintf(to, "%s%s = %s", i ? ", " : "", e->m.name[i], noe_member_values_text(&e->m, k, i));
}

/* Fails with the message why member k stopped or could not begin, and its line of the file. */
static noe_status refuse_member(const noe_ensemble *e, long k, noe_status status,
                                const char *before)
{
    char where[300] = "", after[40] = "";
    if (e->m.line) snprintf(where, sizeof where, "%.250s:%ld: ", e->job->ensemble, e->m.line[k]);
    if (!*before) snprintf(after, sizeof after, " of %ld", e->m.count);
    return noe_status_fail(status, "%s%smember %ld%s: %s", before, where, k + 1, after,
                           e->end[k].why ? e->end[k].why : "out of memory");
}

static bool write_files(noe_ensemble *e)
{
    const noe_job *j = e->job;
    if (j->program)
        return noe_ensemble_members_write(e, NULL)
            && noe_ensemble_events_passages(e, &j->program->results.events);
    if (e->section < 0)
        return noe_ensemble_table_write(e) && (!j->all || noe_ensemble_members_write(e, j->all))
            && (!j->plot || noe_ensemble_picture_draw(e));
    noe_ensemble_events_expect(e);
    return noe_ensemble_members_write(e, j->output)
        && (!j->plot
            || noe_run_picture_draw(&e->picture, j->plot, &e->x, noe_ensemble_picture_varied(e)));
}

static void about_coarse(const noe_ensemble *e, long coarse, long worst, FILE *to)
{
    fprintf(to,
            "the steps do not resolve the motion of %ld of %ld members; local error up to %.2g: "
            "member %ld, ",
            coarse, e->m.count, e->end[worst].local_error, worst + 1);
    print_values(e, worst, to);
    fprintf(to, "; run it alone for what to do\n");
}

/* Warns of members whose steps are too long; false without memory for the text. */
static bool warn(const noe_ensemble *e, long coarse, long worst)
{
    noe_program *p = e->job->program;
    size_t       size;
    if (!p) {
        fprintf(stderr, "%sWARNING: ", e->job->quiet ? "noether: " : "  ");
        about_coarse(e, coarse, worst, stderr);
        return true;
    }
    FILE *to = open_memstream(&p->warning, &size);
    if (to) about_coarse(e, coarse, worst, to);
    if (to && !fclose(to)) return true;
    return noe_status_fail(NOE_NO_MEMORY, "out of memory: the ensemble's warnings"), false;
}

/* The note of `in_doubt` members, of which `first` is the first one. */
static void note(noe_ensemble *e, long in_doubt, long first)
{
    noe_program *p = e->job->program;
    char         text[sizeof p->note];
    snprintf(text, sizeof text,
             "the local errors of all steps may add up to more than 0.1 rad in the phase of %ld of "
             "%ld members; the first is member %ld: compare with a smaller step",
             in_doubt, e->m.count, first + 1);
    if (p) memcpy(p->note, text, sizeof p->note);
    else fprintf(stderr, "%sNOTE: %s\n", e->job->quiet ? "noether: " : "  ", text);
}

static int finish(noe_ensemble *e)
{
    long stopped = 0, first = -1, worst = -1, begun = 0, ended = 0, coarse = 0, coarsest = 0,
         in_doubt = 0, first_in_doubt = 0;
    double steps = (double)e->progress.done;
    if (noe_ensemble_processes_slabs(e) && !noe_ensemble_table_compute(e)) return NOE_EXIT_BAD_USE;
    for (long k = 0; k < e->m.count; k++) {
        if (e->end[k].differs) return refuse_member(e, k, NOE_INVALID, ""), NOE_EXIT_BAD_USE;
        if (e->end[k].stopped && !stopped++) first = k;
        if (e->end[k].rows > 0 && (worst < 0 || !(e->end[k].error <= e->end[worst].error)))
            worst = k;
        coarse += e->end[k].coarse;
        if (e->end[k].in_doubt && !in_doubt++) first_in_doubt = k;
        if (e->end[k].local_error > e->end[coarsest].local_error) coarsest = k;
        begun += e->end[k].rows > 0;
        ended += e->end[k].ended;
    }
    if (!begun && *e->losses)
        return noe_status_fail(NOE_STOPPED, "%s", e->losses), NOE_EXIT_STOPPED;
    if (!begun && stopped) return refuse_member(e, first, NOE_INVALID, ""), NOE_EXIT_BAD_USE;
    const double computed = noe_stopwatch_seconds();
    if (*e->losses && !e->ended) e->ended = e->losses;
    if (!write_files(e)) return NOE_EXIT_BAD_USE;
    if (!e->job->quiet) {
        fprintf(stderr, "  %ld members, %.0f steps in %.3g s, %.3g us a step; output %.3g s; ",
                begun, steps, e->seconds, steps > 0 ? 1e6 * e->seconds / steps : 0,
                noe_stopwatch_seconds() - computed);
        if (e->singles >= begun)
            fprintf(stderr, "each stepped alone: %s\n",
                    why_alone(e) ? why_alone(e)
                                 : "its equations are not solved in lanes, or it stopped");
        else fprintf(stderr, "%ld of them eight at a time, in lanes\n", begun - e->singles);
        noe_ensemble_events_tell(e);
        if (worst >= 0) {
            fprintf(stderr, "  energy error at most %.2e of %s: member %ld, ", e->end[worst].error,
                    e->end[worst].by_totals ? "max(|H0|, largest kinetic energy)"
                                            : "the mean kinetic energy about the mean velocity",
                    worst + 1);
            print_values(e, worst, stderr);
            fprintf(stderr, "\n");
        }
    }
    if (coarse && !warn(e, coarse, coarsest)) return NOE_EXIT_BAD_USE;
    if (in_doubt) note(e, in_doubt, first_in_doubt);
    if (e->ended && e->ended != e->losses && !e->job->quiet)
        fprintf(stderr,
                "  %s: %ld of %ld members reached the end; the rows written so far are kept\n",
                e->ended, ended, e->m.count);
    if (!stopped && !*e->losses) return 0;
    char before[sizeof e->losses + 200];
    snprintf(
        before, sizeof before,
        "%s%s%ld of %ld members stopped before the end or could not begin, their rows up to there "
        "are kept; the first, ",
        e->losses, *e->losses ? "; " : "", stopped, e->m.count);
    if (stopped) refuse_member(e, first, NOE_NOT_CONVERGED, before);
    else noe_status_fail(NOE_STOPPED, "%s", e->losses);
    return NOE_EXIT_STOPPED;
}

/* The first process has written all; the others do meanwhile what it asks for. */
static void do_what_is_asked(noe_ensemble *e)
{
    for (int asked; (asked = e->job->processes->first(NOE_ASKED_NOTHING)) != NOE_ASKED_NOTHING;) {
        if (asked == NOE_ASKED_SLAB) noe_ensemble_slabs_fetch(e, 0);
        else noe_ensemble_members_share(e);
    }
}

int noe_ensemble_run(const noe_job *job)
{
    noe_ensemble         e = { .job = job, .lock = PTHREAD_MUTEX_INITIALIZER };
    int                  status = NOE_EXIT_BAD_USE;
    const noe_processes *p = job->processes;
    noe_ensemble_processes_watch(job);
    if (!noe_processes_agree(p, prepare(&e) ? NOE_OK : NOE_INVALID)) {
        const double began = noe_stopwatch_seconds();
        if (p) p->bear(true);
        noe_ensemble_processes_deal(&e);
        const int own = e.groups - e.first_group;
        e.threads = noe_task_pool_threads(own, &e.progress);
        noe_task_pool_run(own, noe_ensemble_lanes_run, &e, &e.progress);
        const bool together = !p || !noe_ensemble_processes_collect(&e);
        e.seconds = noe_stopwatch_seconds() - began;
        const int signal = noe_task_pool_interrupted(&e.progress) ? *job->interrupted : 0;
        if (signal) { /* the rows so far are written, unless a second signal arrives */
            e.ended = "interrupted";
            *job->interrupted = 0;
        }
        if (together && noe_processes_writes(p)) status = finish(&e);
        if (together && p) do_what_is_asked(&e);
        if (p) status = p->first(status);
        if (noe_task_pool_interrupted(&e.progress)) status = NOE_EXIT_SIGNALLED + *job->interrupted;
        else if (signal && status != NOE_EXIT_BAD_USE) status = NOE_EXIT_SIGNALLED + signal;
        if (p) noe_ensemble_processes_note(&e), p->bear(false);
    }
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
