/* The steps of a run of the command, and its rows: every so many steps, or at output times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/run_march.h"

#include "between/fractional_step.h"
#include "job/program.h"
#include "rows/late_energies.h"
#include "rows/recorder.h"

#include <math.h>
#include <stdlib.h>

/* Is the course of the run agreed upon with other processes, row by row? */
static bool together(const noe_job *j) { return j->processes && j->processes->count > 1; }

/* Writes a row with more than 33 digits, as text. */
static noe_status write_text(noe_run_march *r)
{
    noe_status s = NOE_OK;
    for (int i = 0; i < r->columns->count; i++)
        if (!(r->text[i] = noe_column_text(r->x.g, &r->columns->column[i]))) s = NOE_NO_MEMORY;
    if (!s) s = noe_sink_row_text(r->sink, r->row, r->text);
    for (int i = 0; i < r->columns->count; i++) free(r->text[i]), r->text[i] = NULL;
    return s;
}

noe_status noe_run_march_first_row(noe_run_march *r)
{
    noe_program    *p = r->job->program;
    noe_integrator *g = r->x.g;
    if (!p || !p->states) return noe_run_march_row(r, g, 0);
    return noe_late_energies_begin(&p->late, g);
}

noe_status noe_run_march_row(noe_run_march *r, noe_integrator *y, long row)
{
    noe_integrator *g = r->x.g;
    const bool      narrow = y == g && r->x.digits <= NOE_DIGITS_DOUBLE;
    for (int i = 0; i < r->columns->count && narrow; i++)
        r->narrow[i] = noe_integrator_column_in_double(g, &r->columns->column[i]);
    for (int i = 0; i < r->columns->count && !narrow; i++)
        r->row[i] = noe_fractional_step_column(g, y, &r->columns->column[i]);
    const noe_processes *p = r->job->processes;
    r->wide_row = !narrow;
    noe_status s = !noe_processes_writes(p) ? NOE_OK
                 : narrow                   ? noe_sink_row_double(r->sink, r->narrow)
                 : r->text                  ? write_text(r)
                                            : noe_sink_row(r->sink, r->row);
    if (!s && r->checkpoint_rows) s = noe_run_checkpoint_row(r);
    if (p) s = p->agree(s), r->signal = p->first(r->job->interrupted ? *r->job->interrupted : 0);
    if (!s) s = noe_run_film_add(&r->film, g, y);
    return s ? s : noe_run_picture_add(&r->picture, g, y, row);
}

/* Is there already a row of the state at which an event stopped the run? */
static bool written_at_stop(const noe_run_march *r) { return r->event_rows && r->section < 0; }

static bool interrupted(const noe_run_march *r)
{
    if (together(r->job)) return r->signal != 0;
    return r->job->interrupted && *r->job->interrupted;
}

bool noe_run_march_interrupted(const noe_run_march *r) { return interrupted(r); }

/* The number of steps of a run with a monitor is estimated from the steps made so far. */
static void print_progress(noe_run_march *r, double k)
{
    quad t;
    if (r->job->quiet) return;
    noe_integrator_state_get(r->x.g, NOE_AT_T, &t);
    if (r->varies && t != r->begin)
        r->monitor.steps = k * (double)((r->x.until - r->begin) / (t - r->begin));
    noe_run_monitor_progress(&r->monitor, k);
}

/* One step of a run with a monitor, unless it would end after --until. */
static noe_status monitored_step(noe_run_march *r)
{
    noe_status s = noe_advance_monitored_far(r->x.g, r->x.until, &r->arrived, &r->took);
    if (s || r->arrived) return s;
    r->shortest = r->shortest > 0 ? fmin(r->shortest, r->took) : r->took;
    r->longest = fmax(r->longest, r->took);
    return s;
}

/* The row at --until, by a fractional step from the last end of a step. */
static noe_status row_at_end(noe_run_march *r, long row)
{
    quad             now;
    const noe_status s = noe_fractional_step_mark(r->x.g);
    noe_integrator_state_get(r->x.g, NOE_AT_T, &now);
    if (s || now == r->x.until) return s;
    noe_integrator  *y = noe_fractional_step_at(r->x.g, r->x.until);
    const noe_status written = y ? noe_run_march_row(r, y, row) : NOE_NOT_CONVERGED;
    noe_fractional_step_leave(r->x.g);
    return written;
}

/* Makes up to `most` steps, one by one; *k: their number. */
static noe_status steps_one_by_one(noe_run_march *r, double most, double *k)
{
    noe_integrator    *g = r->x.g;
    const noe_program *p = r->job->program;
    noe_status         s = NOE_OK;
    while (*k < most && !s && !interrupted(r) && !r->arrived) {
        if (!(s = r->varies ? monitored_step(r) : noe_step(g))) *k += !r->arrived;
        if (!s && p && p->observer && !r->arrived && p->observer(p->ctx, g)) s = NOE_STOPPED;
    }
    return s;
}

/* The same, many at once where the engine can. */
static noe_status steps_at_once(noe_run_march *r, double most, double *k)
{
    enum { UNINTERRUPTED = 64 }; /* steps between looks at Ctrl-C; no other values were tried */
    noe_integrator *g = r->x.g;
    noe_status      s = NOE_OK;
    const double    some = !g->engine->run ? 1 : g->engine->linear ? most : UNINTERRUPTED;
    while (*k < most && !s && !interrupted(r)) {
        double n = 0;
        s = noe_advance_steps(g, fmin(some, most - *k), &n);
        *k += n;
    }
    return s;
}

/* Makes up to `most` steps; returns the number of steps made, 0 where the energy is then not
 * finite and the run is back where it was before them. *ended: why fewer were made; NOE_OK
 * otherwise. */
static double stretch(noe_run_march *r, double most, bool at_once, noe_status *ended)
{
    noe_integrator    *g = r->x.g;
    const noe_program *p = r->job->program;
    double             k = 0;
    noe_status         s = noe_fallback_state_take(g);
    noe_run_monitor_steps(&r->monitor, true);
    if (!s && at_once && !(p && p->observer) && g->engine->run) s = steps_at_once(r, most, &k);
    if (!s) s = steps_one_by_one(r, most, &k);
    noe_run_monitor_steps(&r->monitor, false);
    *ended = k > 0 ? noe_fallback_state_check_energy(g) : NOE_OK;
    if (*ended) return 0;
    *ended = s;
    return k;
}

/* Steps between looks at the energy where the engine does not measure it and rows are rarer: a look
 * takes as long as some ten steps, so looks every 64 a sixth of the run, and less where 32 in all
 * suffice.  No other values were tried. */
static double look_apart(const noe_run_march *r, double steps)
{
    enum { LOOKS = 32, APART_LEAST = 64 };
    const noe_integrator *g = r->x.g;
    const bool            measured = g->energy || (g->engine->linear && g->engine->run);
    return measured || r->varies ? INFINITY : fmax(ceil(steps / LOOKS), APART_LEAST);
}

/* As stretch(), with looks every `apart` steps. */
static double stretch_looking(noe_run_march *r, double most, double apart, noe_status *ended)
{
    double k = 0, n = 0;
    do {
        n = stretch(r, fmin(apart, most - k), true, ended);
        k += n;
        if (n > 0 && k < most && !*ended) noe_run_monitor_look(&r->monitor, r->x.g);
    } while (n > 0 && k < most && !*ended && !interrupted(r) && !r->arrived);
    return k;
}

static noe_status write_kept(void *march, const double *row, double energy)
{
    noe_run_march *r = march;
    r->rows++;
    if (noe_run_monitor_compares(&r->monitor, r->x.g)) noe_run_monitor_energy(&r->monitor, energy);
    return noe_sink_row_double(r->sink, row);
}

/* A recorder that keeps the rows of the run until there are eight; NULL, without a message, where
 * each has to be looked at, or agreed upon with other processes, or rows are too few to be worth
 * it. */
static noe_recorder *row_keeper(noe_run_march *r, double rows)
{
    const noe_job *j = r->job;
    if (rows < NOE_RECORDER_MANY || r->x.digits > NOE_DIGITS_DOUBLE || j->checkpoint || j->plot
        || j->animate || r->section >= 0 || r->varies || (j->program && j->program->observer)
        || together(j))
        return NULL;
    noe_recorder *x = noe_recorder_new(r->x.g, r->columns, true, write_kept, r);
    if (x && noe_recorder_keeps(x)) return x;
    noe_recorder_free(x);
    noe_error_clear();
    return NULL;
}

/* The steps of the run, and its rows by a recorder. */
static double keep_rows(noe_run_march *r, noe_recorder *to, double steps, double every,
                        noe_status *s)
{
    double     k = 0;
    noe_status ended = NOE_OK;
    while (k < steps && !*s && !ended && !interrupted(r)) {
        double n = 0;
        if ((*s = noe_recorder_ready(to))) break;
        noe_run_monitor_steps(&r->monitor, true);
        ended = steps_at_once(r, fmin(every, steps - k), &n);
        noe_run_monitor_steps(&r->monitor, false);
        if (!(n > 0)) break;
        k += n;
        *s = noe_recorder_row(to, n);
        const bool due = noe_run_monitor_due(&r->monitor);
        if (!*s && due) *s = noe_recorder_flush(to);
        if (!*s && due) noe_run_monitor_row(&r->monitor, r->x.g);
        if (!*s && !due) noe_run_monitor_kept(&r->monitor);
        print_progress(r, k);
    }
    if (!*s) *s = noe_recorder_flush(to);
    if (!*s) *s = ended;
    if (noe_recorder_undone(to) > 0) r->monitor.rows = 1 + r->rows; /* less those taken back */
    return k - noe_recorder_undone(to);
}

/* The steps of the run, and rows whose energies are left until they are asked for:
 * rows/late_energies.h. */
static double leave_energies(noe_run_march *r, double steps, double every, noe_status *s)
{
    noe_program    *p = r->job->program;
    noe_integrator *g = r->x.g;
    double          k = 0;
    bool            possible = true;
    noe_status      ended = NOE_OK;
    for (double next = every; k < steps && !*s && possible && !interrupted(r); next += every) {
        do
            if (!(ended = noe_step(g))) k++;
        while (k < next && k < steps && !ended && !interrupted(r));
        if (ended) break;
        *s = noe_late_energies_add(&p->late, g, &possible);
        noe_run_monitor_row(&r->monitor, g);
    }
    p->again = !possible;
    if (!*s) *s = ended;
    p->again |= *s != NOE_OK || !isfinite(noe_get(g, "energy"));
    return k;
}

double noe_run_march_steps(noe_run_march *r, double steps, noe_status *s)
{
    const double every = r->job->every ? (double)r->job->every : 1, apart = look_apart(r, steps);
    double       k = 0;
    long         row = 0;
    if (*s) return 0;
    if (r->job->program && r->job->program->states) return leave_energies(r, steps, every, s);
    noe_recorder *recorder = row_keeper(r, steps / every);
    if (recorder) {
        k = keep_rows(r, recorder, steps, every, s);
        noe_recorder_free(recorder);
        return k;
    }
    while (k < steps && !*s && !interrupted(r) && !r->arrived) {
        noe_status   ended;
        const double n = stretch_looking(r, fmin(every, steps - k), apart, &ended);
        const bool   stop = ended == NOE_STOPPED;
        *s = r->failed;
        if (n > 0 || stop) {                             /* the last good state is a row, too */
            const bool passes = r->arrived && n < every; /* the row at the end follows */
            if (!*s && r->section < 0 && !passes && !(stop && written_at_stop(r)))
                *s = noe_run_march_row(r, r->x.g, ++row);
            if (!*s) noe_run_monitor_row(&r->monitor, r->x.g);
        }
        k += n;
        if (stop) break;
        if (!*s) *s = ended;
        if (!*s && n > 0) *s = noe_run_checkpoint_due(r, k);
        print_progress(r, k);
    }
    if (r->arrived && r->section < 0 && !*s) *s = row_at_end(r, ++row);
    return k;
}

static noe_status timed_row(void *ctx, noe_integrator *at)
{
    noe_run_march *r = ctx;
    return noe_run_march_row(r, at, r->rows++);
}

double noe_run_march_times(noe_run_march *r, double steps, noe_status *s)
{
    noe_integrator *g = r->x.g;
    noe_timed_rows  rows = {
         .times = r->x.times, .row = timed_row, .ctx = r, .among_events = r->event_rows
    };
    double k = 0;
    noe_timed_rows_begin(&rows, g);
    while ((rows.more || (k < steps && !r->arrived)) && !*s && !interrupted(r)) {
        noe_status   ended = NOE_OK;
        quad         begin;
        const long   written = r->rows;
        const double whole =
            r->varies ? 0 : noe_timed_rows_ahead(&rows, g, fmin(steps - k, NOE_FALLBACK_STEPS));
        noe_integrator_state_get(g, NOE_AT_T, &begin);
        if (whole > 0) {
            k += stretch(r, whole, false, &ended);
            /* stretch() has written, between impacts, the row at the end of its last step */
            if (r->rows > written && !ended) noe_run_monitor_row(&r->monitor, g);
        } else if (!(*s = noe_fractional_step_mark(g))) {
            if (k < steps && !r->arrived) k += stretch(r, 1, false, &ended);
            else ended = noe_timed_rows_rest(&rows, g, r->x.until);
            if (!ended || ended == NOE_STOPPED) *s = noe_timed_rows_step(&rows, g, begin);
            if (!*s) noe_run_monitor_row(&r->monitor, g);
        }
        if (!*s) *s = r->failed;
        if (ended == NOE_STOPPED) break;
        if (!*s) *s = ended;
        if (!*s) *s = noe_run_checkpoint_due(r, k);
        print_progress(r, k);
    }
    if (g->events) g->events->passage = NULL;
    return k;
}
