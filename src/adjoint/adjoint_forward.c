/* The run forward: its rows, a record of each step, engine states where records do not all fit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "adjoint/adjoint.h"
#include "base/status.h"
#include "gradient/adjoint_tapes.h"
#include "between/fractional_step.h"
#include "step/step_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that have derivatives: t, which has 0, and those of noe_system_differentiated. */
static bool check_columns(const noe_adjoint_run *x)
{
    for (int c = 0; c < x->columns->count; c++) {
        const noe_column *y = &x->columns->column[c];
        const bool        of_state = y->kind == NOE_COL_AT
                           && (y->at == NOE_AT_T || y->at == NOE_AT_Q || y->at == NOE_AT_V
                               || y->at == NOE_AT_P || y->at == NOE_AT_ENERGY);
        if (!y->exact && !y->by && (of_state || y->kind == NOE_COL_OBSERVABLE)) continue;
        return noe_status_fail(NOE_INVALID,
                               "'%.60s' has no derivative: coordinates, velocities, momenta, "
                               "energy and observables have",
                               x->columns->name[c]),
               false;
    }
    return true;
}

/* Does a column need more of a state than q and p? */
static bool needs_states(const noe_adjoint_run *x)
{
    for (int c = 0; c < x->columns->count; c++) {
        const noe_column *y = &x->columns->column[c];
        if (y->kind != NOE_COL_AT || y->at == NOE_AT_V || y->at == NOE_AT_ENERGY) return true;
    }
    return false;
}

/* The length of the pieces, at whose beginnings states are kept: all steps where memory allows
 * their records, else the length that takes least memory. */
static bool divide(noe_adjoint_run *x)
{
    const double steps = fmax((double)x->steps, 1), record = (double)x->record_bytes,
                 state = (double)x->state_bytes;
    x->span = (long)steps;
    if (steps * record <= x->memory) return true;
    const double span = fmin(fmax(floor(sqrt(steps * state / record)), 1), steps),
                 least = span * record + ceil(steps / span) * state;
    x->span = (long)span;
    if (least <= x->memory) return true;
    return noe_status_fail(NOE_INVALID,
                           "the way back over %ld steps needs at least %.3g bytes of memory, not "
                           "%.3g",
                           x->steps, least, x->memory),
           false;
}

static bool lay_out(noe_adjoint_run *x)
{
    const noe_integrator *g = x->g;
    const size_t          n = (size_t)g->system->dyn.n, columns = (size_t)x->columns->count,
                 kept = (size_t)(x->steps / x->span + 1);
    /* rows after the start: rounded up where the last step has one, down where the run ends within
     * a step */
    const long whole = x->every ? (x->steps + (x->ends_within ? 0 : x->every - 1)) / x->every : 0;
    x->rows = x->every ? (size_t)(whole + 1 + x->ends_within) : (size_t)x->times;
    x->row = noe_status_alloc(x->rows * columns, sizeof *x->row);
    x->place = noe_status_alloc(x->rows, sizeof *x->place);
    x->state = needs_states(x) ? noe_status_alloc(x->rows * (3 * n + 2), sizeof *x->state) : NULL;
    x->record = noe_status_alloc((size_t)x->span, x->record_bytes);
    const bool between = !x->every || x->ends_within, clock = g->stepped.clock != NULL;
    x->between = between ? noe_status_alloc(x->every ? 1 : x->rows, x->record_bytes) : NULL;
    const bool by_begin = x->between && x->g->system->dyn.adjoint->events;
    x->by_begin = by_begin ? noe_status_alloc(x->rows * 2 * n, sizeof *x->by_begin) : NULL;
    x->state_rates = clock ? noe_status_alloc(x->rows * 2 * n, sizeof *x->state_rates) : NULL;
    x->kept = x->span < x->steps ? noe_status_alloc(kept, x->state_bytes) : NULL;
    return x->row && x->place && x->record && (x->state || !needs_states(x))
        && (x->between || !between) && (x->by_begin || !by_begin) && (x->state_rates || !clock)
        && (x->kept || x->span >= x->steps);
}

/* Stores the state of y as row r, `step` steps after the start, or within the step after that. */
static bool store_row(noe_adjoint_run *x, size_t r, noe_integrator *y, long step, bool within)
{
    const size_t n = (size_t)x->g->system->dyn.n, columns = (size_t)x->columns->count;
    double      *row = x->row + r * columns;
    for (size_t c = 0; c < columns; c++) {
        row[c] = noe_integrator_column_in_double(y, &x->columns->column[c]);
        if (!isfinite(row[c]))
            return noe_status_fail(NOE_NOT_FINITE, "'%.60s' is not a finite number at t = %.10g",
                                   x->columns->name[c], noe_time(y)),
                   false;
    }
    x->place[r] = (noe_adjoint_place){ step, within, x->changes };
    if (within) y->engine->adjoint->record(y->work, noe_adjoint_between(x, r));
    else if (x->state_rates) y->engine->get(y->work, NOE_AT_RATES, 0, x->state_rates + r * 2 * n);
    if (!x->state) return true;
    quad *z = x->state + r * (3 * n + 2);
    noe_integrator_state_get(y, NOE_AT_T, z);
    noe_integrator_state_get(y, NOE_AT_ENERGY, z + 1);
    noe_integrator_state_get(y, NOE_AT_Q, z + 2);
    noe_integrator_state_get(y, NOE_AT_V, z + 2 + n);
    noe_integrator_state_get(y, NOE_AT_P, z + 2 + 2 * n);
    return true;
}

/* The rows in the piece that the run has just made, up to the time `to`; the step, the k-th from 0,
 * began at `before`. */
static bool store_rows_within(noe_adjoint_run *x, size_t *r, long k, quad before, quad to)
{
    noe_integrator *g = x->g;
    const size_t    n = (size_t)g->system->dyn.n;
    const bool      back = to < before, begins_by_change = x->changes && x->piece_begins_by_change;
    for (; *r < x->rows && (back ? x->time[*r] >= to : x->time[*r] <= to); ++*r) {
        noe_integrator *y = noe_fractional_step_at(g, x->time[*r]);
        quad            t;
        if (!y) return false;
        noe_integrator_state_get(y, NOE_AT_T, &t);
        const bool begins = y != g && t == before, within = y != g && !begins;
        if (!store_row(x, *r, y, begins || within ? k : k + 1, within)) return false;
        if (within && begins_by_change && noe_adjoint_changes_begin(x, y, x->by_begin + *r * 2 * n))
            return false;
    }
    return true;
}

typedef struct {
    noe_adjoint_run *x;
    size_t          *r;      /* the next row */
    quad             before; /* time at the beginning of the step */
} piece_context;

/* noe_event_passage: a piece of a step, up to an event or the end. */
static noe_status record_piece(void *ctx, noe_integrator *g, quad from, quad to)
{
    const piece_context *y = ctx;
    noe_adjoint_run     *x = y->x;
    noe_status           s = NOE_OK;
    (void)from;
    g->engine->adjoint->record(g->work, x->record + (size_t)(x->at % x->span) * x->record_bytes);
    x->piece_recorded = true;
    if (x->piece_begins_by_change)
        s = noe_adjoint_changes_begin(x, g, x->change[x->changes - 1].begin);
    if (!s && !x->every && !store_rows_within(x, y->r, x->at, y->before, to)) s = NOE_NOT_CONVERGED;
    return s;
}

/* One step with its record and rows. */
static bool step(noe_adjoint_run *x, long k, size_t *r)
{
    noe_integrator *g = x->g;
    const bool      timed = !x->every && *r < x->rows;
    size_t          bytes;
    char *const     record = x->record + (size_t)(k % x->span) * x->record_bytes;
    quad            before, end;
    x->at = k;
    if (x->kept && k % x->span == 0)
        memcpy(x->kept + (size_t)(k / x->span) * x->state_bytes, g->engine->memory(g->work, &bytes),
               x->state_bytes);
    noe_integrator_state_get(g, NOE_AT_T, &before);
    if (timed && noe_fractional_step_mark(g)) return false;
    piece_context now = { x, r, before };
    const bool    has_events = g->system->dyn.adjoint->events != NULL;
    if (has_events) g->events->passage = record_piece, g->events->passage_ctx = &now;
    if (has_events) g->events->turning = noe_adjoint_changes_note, g->events->turning_ctx = x;
    const noe_status s = noe_step(g);
    if (s == NOE_STOPPED)
        return noe_status_fail(NOE_INVALID,
                               "the event '%.60s' stops the run at t = %.10g: a gradient is one of "
                               "a run to a given time; take an end before that",
                               noe_event_name(g) ? noe_event_name(g) : "", noe_time(g)),
               false;
    if (s) return false;
    if (has_events) noe_adjoint_changes_end(x, record);
    else g->engine->adjoint->record(g->work, record);
    noe_integrator_state_get(g, NOE_AT_T, &end);
    if (timed) return has_events || store_rows_within(x, r, k, before, end);
    if (!x->every || ((k + 1) % x->every && (k + 1 < x->steps || x->ends_within))) return true;
    return store_row(x, (*r)++, g, k + 1, false);
}

/* The same with a monitor: makes the steps and takes them back, since only then it is known how
 * many there are.  A step that fails is counted, and fails again. */
static bool count_monitored(noe_adjoint_run *x, quad until)
{
    noe_integrator *g = x->g;
    size_t          bytes;
    quad            t, before, h;
    if (noe_advance_check_end(g, until, x->every ? "until" : "time")) return false;
    void *const memory = g->engine->memory(g->work, &bytes);
    void *const start = noe_status_alloc(1, bytes);
    if (!start) return false;
    memcpy(start, memory, bytes);
    noe_integrator_state_get(g, NOE_AT_T, &t);
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    const int side = h > 0 ? 1 : -1;
    bool      going = true;
    for (x->steps = 0;
         going && side * (until - t) > (x->every ? noe_step_end_near(until, t) : (quad)0);
         x->steps++) {
        if (x->interrupted && *x->interrupted) break;
        before = t;
        going = !g->engine->step(g->work);
        g->engine->get(g->work, NOE_AT_T, 0, &t);
        /* rows by steps: the run ends within this step, see noe_advance_monitored() */
        x->ends_within = x->every && noe_step_end_passes(side * (t - until), before, t);
    }
    x->steps -= x->ends_within;
    memcpy(g->engine->memory(g->work, &bytes), start, bytes);
    noe_integrator_moved(g);
    free(start);
    return true;
}

/* The run goes one way from its start: the first of the times must not lie behind it, but for the
 * rounding of a time in double. */
static bool check_first(noe_adjoint_run *x)
{
    quad t, h;
    noe_integrator_state_get(x->g, NOE_AT_T, &t);
    x->g->engine->get(x->g->work, NOE_AT_STEP, 0, &h);
    const quad behind = h > 0 ? t - x->time[0] : x->time[0] - t;
    return behind <= noe_step_end_near(t, x->time[0])
        || !noe_advance_check_end(x->g, x->time[0], "time");
}

/* Steps up to `until`, or to the first grid point at or after the last of the times. */
static bool count(noe_adjoint_run *x)
{
    double steps;
    bool   whole;
    quad   until = x->until;
    if (!x->every && !check_first(x)) return false;
    if (!x->every) until = x->time[x->times - 1];
    if (x->g->stepped.clock) return count_monitored(x, until);
    if (noe_advance_count_steps(x->g, until, x->every ? "until" : "time", &steps, &whole))
        return false;
    x->steps = (long)steps + (!x->every && !whole);
    return true;
}

bool noe_adjoint_forward_make(noe_adjoint_run *x)
{
    noe_integrator *g = x->g;
    if (noe_integrator_start_ready(g) || !check_columns(x) || !count(x)) return false;
    x->record_bytes = g->engine->adjoint->bytes(g->work);
    g->engine->memory(g->work, &x->state_bytes);
    if (!divide(x) || !lay_out(x)) return false;
    size_t r = 0;
    if (x->every && !store_row(x, r++, g, 0, false)) return false;
    for (long k = 0; k < x->steps; k++) {
        if (x->interrupted && *x->interrupted)
            return noe_status_fail(NOE_STOPPED, "interrupted"), false;
        if (!step(x, k, &r)) return false;
    }
    if (x->ends_within) {
        if (noe_fractional_step_mark(g)) return false;
        noe_integrator *y = noe_fractional_step_at(g, x->until);
        if (!y || !store_row(x, r++, y, x->steps, true)) return false;
    }
    if (!x->every && !x->steps)
        for (; r < x->rows; r++)
            if (!store_row(x, r, g, 0, false)) return false;
    return true;
}

void noe_adjoint_forward_drop(noe_adjoint_run *x)
{
    free(x->row), free(x->place), free(x->state);
    free(x->record), free(x->between), free(x->kept), free(x->by_begin), free(x->state_rates);
    noe_adjoint_changes_drop(x);
}
