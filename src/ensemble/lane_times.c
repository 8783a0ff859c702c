/* Output times within the steps of eight members, each by the part of a step that leads there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * step/part_search.h for all lanes at once, as between/fractional_step.c does for one trajectory,
 * with the same decisions for each member. */
#include "ensemble/lane_times.h"

#include "base/status.h"
#include "integrate/monitor_check.h"
#include "step/part_search.h"
#include "step/step_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = NOE_LANE_BATCH };

bool noe_lane_times_begin(noe_lane_times *x, noe_lane_batch *batch, const noe_method *f, quad step,
                          quad until, const noe_output_times *times)
{
    if (x->first != batch->first) noe_lane_times_drop(x);
    x->batch = batch, x->until = until, x->ended = 0;
    batch->engine->get(batch->work, NOE_AT_STEP, 0, &x->step); /* as the engine has rounded it */
    if (!x->fraction_state) {
        void *const state = batch->engine->make(noe_system_steps(batch->first), f);
        if (!state) return false;
        batch->engine->memory(state, &x->bytes);
        x->fraction_state = state, x->first = batch->first;
        if (!(x->state_before = noe_status_alloc(1, x->bytes))) return false;
    }
    for (int k = 0; k < LANES; k++) { /* lanes without a member have the constants of the first */
        const int m = k < batch->count ? k : 0;
        if (!batch->engine->batch->adopt(x->fraction_state, k,
                                         noe_system_steps(batch->g[m]->system)))
            return false;
    }
    for (int k = 0; k < batch->count; k++) {
        const noe_system *s = batch->g[k]->system;
        x->y[k] = noe_integrator_borrow(batch->engine, x->fraction_state, k, s, f, step);
        if (!x->y[k]) return false;
        x->y[k]->ready = x->y[k]->continued = true;
        x->times[k] = *times;
        x->more[k] = noe_output_times_next(&x->times[k], &x->next[k]);
    }
    return true;
}

void noe_lane_times_end(noe_lane_times *x)
{
    for (int k = 0; k < LANES; k++) noe_integrator_free(x->y[k]), x->y[k] = NULL;
}

void noe_lane_times_drop(noe_lane_times *x)
{
    noe_lane_times_end(x);
    if (x->fraction_state) x->batch->engine->drop(x->fraction_state);
    free(x->state_before);
    *x = (noe_lane_times){ .row = x->row, .ctx = x->ctx };
}

static void get(const noe_lane_times *x, void *state, noe_engine_value what, quad *to)
{
    for (int k = 0; k < LANES; k++) x->batch->engine->get(state, what, k, &to[k]);
}

static void *memory(const noe_lane_times *x, void *state)
{
    size_t bytes;
    return x->batch->engine->memory(state, &bytes);
}

/* The states at t[LANES] in x->fraction_state, of the members `which`, by parts of the step from
 * the state in x->state_before, at `from`; `to`: the ends of the step that x->batch has made, NULL:
 * it stands at x->state_before.  Returns the members that are there. */
static unsigned go_to(noe_lane_times *x, unsigned which, const quad *t, const quad *from,
                      const quad *to)
{
    const noe_engine *engine = x->batch->engine;
    const bool        transformed = x->batch->g[0]->stepped.transformed;
    quad              tau[LANES], span[LANES], there[LANES];
    noe_part_search   at[LANES];
    unsigned          found = 0, failed = 0;
    memcpy(memory(x, x->fraction_state), x->state_before, x->bytes);
    if (transformed) get(x, x->fraction_state, NOE_AT_PACE, span);
    for (int k = 0; k < LANES; k++) {
        if (transformed && to) span[k] = to[k] - from[k];
        if (transformed) at[k] = noe_part_search_begin(t[k], from[k], span[k], (quad)0x1p-52);
        tau[k] = !(which >> k & 1) ? x->step : transformed ? at[k].c * x->step : t[k] - from[k];
    }
    for (int i = 0; i < NOE_PART_TRIALS && (which & ~found & ~failed); i++) {
        if (i) memcpy(memory(x, x->fraction_state), x->state_before, x->bytes);
        engine->fraction->shorten(x->fraction_state, t, tau, to ? x->batch->work : NULL);
        const unsigned unsolved = engine->step(x->fraction_state);
        if (!transformed) return which & ~unsolved;
        get(x, x->fraction_state, NOE_AT_T, there);
        get(x, x->fraction_state, NOE_AT_PACE, span);
        for (int k = 0; k < LANES; k++) {
            if (!((which & ~found & ~failed) >> k & 1)) continue;
            const noe_part_outcome o = noe_part_search_next(&at[k], !(unsolved >> k & 1), there[k],
                                                            span[k]);
            if (o == NOE_PART_FOUND) found |= 1u << k;
            else if (o == NOE_PART_NONE) failed |= 1u << k;
            else tau[k] = at[k].c * x->step;
        }
    }
    return found;
}

static void leave(noe_lane_times *x, int k, bool ended)
{
    if (ended) x->ended |= 1u << k;
    noe_lane_batch_leave(x->batch, k);
}

/* The row of member k, and the time of the one after it. */
static void store(noe_lane_times *x, int k, noe_integrator *at)
{
    if (!x->row(x->ctx, k, at)) leave(x, k, false);
    x->more[k] = noe_output_times_next(&x->times[k], &x->next[k]);
}

/* Rows at x->next of the members `which`; from, to: as in go_to(). */
static void write_rows(noe_lane_times *x, unsigned which, const quad *from, const quad *to)
{
    const noe_engine *engine = x->batch->engine;
    unsigned          moved = 0;
    if (!which) return;
    memcpy(memory(x, x->fraction_state), x->state_before, x->bytes);
    for (int k = 0; k < LANES; k++) {
        if (!(which >> k & 1)) continue;
        if (to && x->next[k] == to[k]) store(x, k, x->batch->g[k]);
        else if (x->next[k] == from[k]) noe_integrator_moved(x->y[k]), store(x, k, x->y[k]);
        else moved |= 1u << k;
    }
    const unsigned there = moved ? go_to(x, moved, x->next, from, to) : 0;
    for (int k = 0; k < LANES; k++) { /* velocities are solved once, for all, after this */
        if (!(moved >> k & 1)) continue;
        engine->set(x->fraction_state, NOE_AT_STEP, k, &x->step);
        engine->set(x->fraction_state, NOE_AT_T0, k, &x->next[k]);
        noe_integrator_moved(x->y[k]);
    }
    for (int k = 0; k < LANES; k++)
        if (there >> k & 1) store(x, k, x->y[k]);
        else if (moved >> k & 1) leave(x, k, false);
}

/* How far time b is after time a, in the direction of the run. */
static quad ahead(const noe_lane_times *x, quad a, quad b) { return x->step > 0 ? b - a : a - b; }

/* Members that stand at the end of the run, or that the step has led beyond it. */
static unsigned arrived(const noe_lane_times *x, const quad *from, const quad *to)
{
    unsigned all = 0;
    for (int k = 0; k < x->batch->count; k++) {
        const bool is = to ? noe_step_end_passes(ahead(x, x->until, to[k]), from[k], to[k])
                           : ahead(x, from[k], x->until) <= noe_step_end_near(from[k], x->until);
        if (is) all |= 1u << k;
    }
    return all & x->batch->going;
}

/* The last rows of members that have arrived, from the state in x->state_before; the members
 * end. */
static void write_last(noe_lane_times *x, unsigned which, const quad *from)
{
    unsigned left = which;
    do {
        left &= x->batch->going;
        for (int k = 0; k < x->batch->count; k++)
            if (left >> k & 1 && !x->more[k]) leave(x, k, true), left &= ~(1u << k);
        write_rows(x, left, from, NULL);
    } while (left);
}

/* Is the time of the next row within the step? */
static unsigned within(const noe_lane_times *x, const quad *from, const quad *to)
{
    unsigned all = 0;
    for (int k = 0; k < x->batch->count; k++)
        if (x->more[k] && (x->next[k] - from[k]) / (to[k] - from[k]) <= 1) all |= 1u << k;
    return all & x->batch->going;
}

/* What noe_smooth_step() asks of a step with a monitor. */
static void check(noe_lane_times *x, const quad *from, const quad *to)
{
    for (int k = 0; k < x->batch->count; k++) {
        const double took = fabs((double)to[k] - (double)from[k]);
        if (!(x->batch->going >> k & 1)) continue;
        if (noe_monitor_check_progress(x->batch->g[k], to[k], took)) {
            noe_error_clear();
            leave(x, k, false);
        } else noe_monitor_check_energy(x->batch->g[k], took);
    }
}

void noe_lane_times_step(noe_lane_times *x)
{
    quad from[LANES], to[LANES];
    memcpy(x->state_before, memory(x, x->batch->work), x->bytes);
    get(x, x->batch->work, NOE_AT_T, from);
    write_last(x, arrived(x, from, NULL), from);
    if (!x->batch->going) return;
    noe_lane_batch_advance(x->batch, 1);
    get(x, x->batch->work, NOE_AT_T, to);
    check(x, from, to);
    const unsigned beyond = arrived(x, from, to);
    for (unsigned which; (which = within(x, from, to) & ~beyond);) write_rows(x, which, from, to);
    write_last(x, beyond, from);
}
