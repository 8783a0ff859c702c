/* Runs member k of an ensemble by itself: the system with the values of that member.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "accuracy/coarse_run.h"
#include "event/event_step.h"
#include "ensemble/ensemble.h"
#include "integrate/energy_watch.h"
#include "between/fractional_step.h"
#include "rows/timed_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

noe_system *noe_ensemble_member_system(const noe_ensemble *e, long k)
{
    const char *let[e->m.names];
    size_t      capacity = 0;
    for (int i = 0; i < e->m.names; i++)
        capacity += strlen(e->m.name[i]) + strlen(noe_member_values_text(&e->m, k, i)) + 4;
    char *text = noe_status_alloc(capacity, 1), *at = text;
    if (!text) return NULL;
    for (int i = 0; i < e->m.names; i++) {
        let[i] = at;
        at += 1 + sprintf(at, "%s = %s", e->m.name[i], noe_member_values_text(&e->m, k, i));
    }
    noe_system *s = noe_system_lets(e->system, let, e->m.names);
    free(text);
    return s;
}

const char *noe_ensemble_member_step(const noe_ensemble *e)
{
    return e->job->step ? e->job->step : noe_system_suggest(e->system, "step");
}
const char *noe_ensemble_member_until(const noe_ensemble *e)
{
    return e->job->until ? e->job->until : noe_system_suggest(e->system, "until");
}

bool noe_ensemble_member_same_times(const noe_ensemble *e, const noe_system *s)
{
    quad        step, until = e->x.until; /* where nothing says it: the last of --times */
    const char *h = noe_ensemble_member_step(e), *T = noe_ensemble_member_until(e);
    if (!noe_parse_model_value(s->model, "--step", h, &step)
        || (T && !noe_parse_model_value(s->model, "--until", T, &until)))
        return false;
    if (s->dyn.n != e->system->dyn.n)
        noe_status_fail(NOE_INVALID, "members must have the same number of coordinates");
    else if (s->model->t0 != e->system->model->t0)
        noe_status_fail(NOE_INVALID, "members must start at the same time t");
    else if (step != e->x.step)
        noe_status_fail(NOE_INVALID,
                        "the step '%s' differs from member to member: give --step as a number", h);
    else if (until != e->x.until && !(e->timed && !e->job->until && !e->job->rows))
        noe_status_fail(NOE_INVALID,
                        "the end '%s' differs from member to member: give --until as a number", T);
    else return true;
    return false;
}

noe_status noe_ensemble_member_given(const noe_ensemble *e, long k, int i, quad *to)
{
    return noe_member_values_number(&e->m, k, i, to)
                || noe_parse_model_value(e->system->model, e->m.name[i],
                                         noe_member_values_text(&e->m, k, i), to)
             ? NOE_OK
             : NOE_INVALID;
}

const char *const noe_ensemble_member_option[] = { "solver", "window", "factorise", "bits" };

noe_integrator *noe_ensemble_member_integrator(const noe_ensemble *e, const noe_system *s)
{
    noe_integrator *g = noe_integrator_make(s, e->x.method, e->x.step, NOE_DIGITS_DOUBLE);
    bool            ok = g != NULL;
    const int       count = s->dyn.structure ? NOE_CHOSEN
                                             : 1; /* only "solver" applies to other systems */
    for (int i = 0; i < count && ok; i++)
        ok = !noe_set(g, noe_ensemble_member_option[i], e->chosen[i]);
    if (ok && (s->dyn.structure || s->dyn.groups))
        ok = !noe_set(g, "threads",
                      1); /* the members themselves are distributed over the threads */
    if (ok && !noe_integrator_start_ready(g) && !noe_exact_column_ready(g, e->columns)) return g;
    noe_integrator_free(g);
    return NULL;
}

bool noe_ensemble_member_store_row(const noe_ensemble *e, noe_integrator *g, noe_integrator *at,
                                   long row, long k, noe_balances *b)
{
    noe_end      *end = &e->end[k];
    const double *v = noe_v(at), *p = noe_p(at), H = noe_get(at, "energy");
    double        T = 0;
    for (int i = 0; i < g->system->dyn.n; i++) T += v[i] * p[i] / 2;
    if (!end->rows) b->H0 = H;
    b->scale = fmax(b->scale, fmax(fabs(b->H0), fabs(T)));
    *noe_ensemble_at(e, row, 0, k) = noe_time(at);
    for (int c = 0; c < e->columns->count; c++) {
        const quad x = noe_fractional_step_column(g, at, &e->columns->column[c]);
        *noe_ensemble_at(e, row, 1 + c, k) = (double)x;
    }
    noe_fractional_step_leave(g); /* errors are those of the run itself */
    const noe_local_error local = noe_local_error_of(g);
    end->local_error = local.size; /* largest over the run so far */
    const noe_energy_error energy = noe_energy_watch_look(g);
    const bool             closed = g->system->dyn.autonomous && !g->events;
    const double           total = b->scale > 0 ? b->scale : 1,
                 by_totals = fabs(closed ? H - b->H0 : noe_get(at, "balance")) / total;
    end->by_totals = isnan(energy.size) || !isfinite(H);
    const double error = end->by_totals ? by_totals : energy.size;
    *noe_ensemble_judged(e, row, NOE_JUDGED_BALANCE, k) = error;
    if (!(error <= end->error) && !isnan(end->error)) end->error = error;
    *noe_ensemble_judged(e, row, NOE_JUDGED_LOCAL, k) = local.size;
    *noe_ensemble_judged(e, row, NOE_JUDGED_ENERGY, k) = energy.size;
    const bool adds_up = !g->engine->linear && noe_accumulated_error_of(g).large,
               loses = e->x.method->kind == NOE_RUNGE_KUTTA;
    end->coarse = local.coarse || energy.large || noe_coarse_run_singular(g) || (adds_up && loses);
    end->in_doubt = adds_up && !end->coarse;
    end->rows = row + 1;
    return isfinite(H);
}

/* Index of the next row; with a section rows are elsewhere, and row 0 alone holds the errors. */
static long row_of(const noe_ensemble *e, long k) { return e->section < 0 ? e->end[k].rows : 0; }

/* Steps to the end, a row after every --every steps. */
static noe_status run_steps(noe_ensemble *e, noe_integrator *g, long k, noe_balances *b)
{
    const double every = (double)e->job->every;
    noe_status   failed = NOE_OK;
    noe_ensemble_member_store_row(e, g, g, 0, k, b);
    for (double n = 0, done = 0;
         n < e->steps && !failed && !noe_task_pool_interrupted(&e->progress); n += done) {
        done = 0;
        failed = noe_fallback_state_take(g);
        const noe_status ended = failed ? failed
                                        : noe_advance_steps(g, fmin(every, e->steps - n), &done);
        failed = !failed && done > 0 ? noe_fallback_state_check_energy(g) : NOE_OK;
        if (done > 0 && !failed && row_of(e, k) < e->rows && !ended)
            noe_ensemble_member_store_row(e, g, g, row_of(e, k), k, b);
        if (!failed) failed = ended;
        noe_task_pool_progress_add(&e->progress, (long)done);
    }
    return failed;
}

/* To the end by steps that follow a monitor, with rows at events alone. */
static noe_status run_monitored(noe_ensemble *e, noe_integrator *g, long k, noe_balances *b)
{
    noe_status failed = NOE_OK;
    bool       arrived = false;
    double     took = 0;
    noe_ensemble_member_store_row(e, g, g, 0, k, b);
    while (!arrived && !failed && !noe_task_pool_interrupted(&e->progress)) {
        long done = 0;
        failed = noe_fallback_state_take(g);
        for (; !failed && !arrived && done < NOE_FALLBACK_STEPS; done += !arrived)
            if ((failed = noe_advance_monitored_far(g, e->x.until, &arrived, &took))) break;
        if (done > 0 && !failed) failed = noe_fallback_state_check_energy(g);
        if (done > 0 && !failed) noe_ensemble_member_store_row(e, g, g, 0, k, b);
        noe_task_pool_progress_add(&e->progress, done);
    }
    return failed;
}

/* A member that writes rows at output times. */
typedef struct {
    noe_ensemble   *e;
    noe_integrator *g;
    long            k; /* its number */
    noe_balances   *b;
} timed_member;

static noe_status timed_row(void *ctx, noe_integrator *at)
{
    const timed_member *x = ctx;
    noe_ensemble_member_store_row(x->e, x->g, at, x->e->end[x->k].rows, x->k, x->b);
    return NOE_OK;
}

/* Steps to the end, a row at every output time. */
static noe_status run_times(noe_ensemble *e, noe_integrator *g, long k, noe_balances *b)
{
    timed_member   own = { e, g, k, b };
    noe_timed_rows rows = { .times = e->x.times, .row = timed_row, .ctx = &own };
    noe_status     s = NOE_OK;
    double         n = 0;
    bool           arrived = false; /* with a monitor: the next step would end after --until */
    noe_timed_rows_begin(&rows, g);
    while (!s && (rows.more || (e->varies ? !arrived : n < e->steps))
           && !noe_task_pool_interrupted(&e->progress)) {
        const double whole =
            e->varies ? 0 : noe_timed_rows_ahead(&rows, g, fmin(e->steps - n, NOE_FALLBACK_STEPS));
        const bool rest = e->varies ? arrived : n == e->steps;
        double     done = 0;
        quad       left;
        noe_integrator_state_get(g, NOE_AT_T, &left);
        if ((s = noe_fallback_state_take(g))) break;
        if (whole > 0) s = noe_advance_steps(g, whole, &done);
        else if (rest) s = noe_timed_rows_rest(&rows, g, e->x.until);
        else if (e->varies)
            done = !(s = noe_advance_monitored(g, e->x.until, &arrived)) && !arrived;
        else if (!(s = noe_fractional_step_mark(g)) && !(s = noe_step(g))) done = 1;
        const noe_status bad = done > 0 ? noe_fallback_state_check_energy(g) : NOE_OK;
        if (bad) s = bad;
        else if (whole <= 0 && !rest && (!s || s == NOE_STOPPED)) {
            const noe_status row = noe_timed_rows_step(&rows, g, left);
            if (row) s = row;
        }
        n += done;
        noe_task_pool_progress_add(&e->progress, (long)done);
    }
    return s;
}

void noe_ensemble_member_run(noe_ensemble *e, long k)
{
    noe_end     *end = &e->end[k];
    noe_balances b = { 0, 0 };
    noe_error_clear();
    *end = (noe_end){ 0 };
    noe_system *s = noe_ensemble_member_system(e, k);
    end->differs = s && !noe_ensemble_member_same_times(e, s);
    noe_integrator *g = s && !end->differs ? noe_ensemble_member_integrator(e, s) : NULL;
    noe_member_rows rows = { 0 };
    noe_status      failed = g ? noe_ensemble_events_begin(e, g, &rows) : NOE_OK;
    if (g && !failed)
        failed = (e->timed ? run_times : e->varies ? run_monitored : run_steps)(e, g, k, &b);
    if (failed == NOE_STOPPED && !rows.failed) failed = NOE_OK; /* by an event */
    if (g && noe_ensemble_events_end(e, k, &rows)) failed = NOE_IO;
    end->ended = g && !failed && !noe_task_pool_interrupted(&e->progress);
    end->stopped = !g || failed;
    if (end->stopped) {
        const char *why = noe_error() ? noe_error() : "it stopped";
        end->why = noe_status_alloc(strlen(why) + 1, 1);
        if (end->why) strcpy(end->why, why);
    }
    noe_integrator_free(g);
    noe_system_free(s);
    noe_error_clear();
}
