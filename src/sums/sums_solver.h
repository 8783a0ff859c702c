/* Chooses the iteration that solves a step: fixed point or, where that costs less, Newton's method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Newton's method is also used where the fixed point fails, and always where the mass matrix is not
 * diagonal.  Costs are counts of operations, so the choice is the same on every machine and with
 * any number of threads. */
#ifndef NOE_SUMS_SUMS_SOLVER_H
#define NOE_SUMS_SUMS_SOLVER_H

#include "sums/sums_newton.h"

/* A step by Newton's method.  If it fails beyond the stability limit of the method, the message
 * says so. */
static outcome by_newton(work *w, double h, double t, double *rounds, double *residual)
{
    *rounds = *residual = 0;
    if (!newton_ready(w)) return FAILED;
    const outcome o = newton_step(w, h, t, rounds, residual);
    const double  unstable_angle = w->newton->unstable_angle;
    /* Systems of at most NOE_WHOLE_MOST coordinates are diagnosed in
     * integrate/failure_diagnosis.c. */
    if (o != SOLVED && unstable_angle > 0 && w->g->n > NOE_WHOLE_MOST)
        noe_status_fail(NOE_NOT_CONVERGED,
                        "step %.0f from t = %.12g: the step is beyond the stability limit of the "
                        "method, %.3g = "
                        "%.3g/%.3g: the fastest oscillation there turns by %.3g radians in a step; "
                        "the state before the step is kept; "
                        "try a smaller step, or a gauss method, stable on every oscillator",
                        w->state.now[COUNT] + 1, t, w->method.edge * fabs(h) / unstable_angle,
                        w->method.edge, unstable_angle / fabs(h), unstable_angle);
    return o;
}

/* Sets the counter STIFF or WAIT to the interval between two comparisons, and doubles that interval
 * up to LAST_WAIT. */
static void patience(work *w, int which)
{
    w->state.now[which] = w->state.now[PATIENCE];
    w->state.now[PATIENCE] = fmin(2 * w->state.now[PATIENCE], LAST_WAIT);
}

/* After a step by the fixed point: evaluates a comparison with Newton's method if one has just been
 * made, else counts down to the next, else begins one (TRIAL_STEPS by Newton's method) if the step
 * took COMPARED_ROUNDS iterations or more. */
static void compare(work *w, double rounds)
{
    double *head = w->state.now;
    head[COST] = rounds * w->cost.round;
    if (head[BLOCK] > 0) {
        patience(w, head[SPENT] / head[BLOCK] < head[COST] ? STIFF : WAIT);
        head[BLOCK] = head[SPENT] = 0;
    } else if (head[WAIT] > 0) head[WAIT]--;
    else if (rounds >= COMPARED_ROUNDS && newton_ready(w)
             && w->cost.solve < COMPARED_ROUNDS * w->cost.round)
        head[STIFF] = TRIAL_STEPS;
}

/* One step, or one substep of a composition, by the solver that costs least or that the option
 * `solver` demands. */
static outcome solve_step(work *w, double *rounds, double *residual)
{
    double      *head = w->state.now;
    const double h = w->state.length * head[STEP], t = head[T0] + head[COUNT] * head[STEP];
    const int    solver = (int)head[SOLVER];
    if (w->method.explicit || (w->method.lo == w->method.hi && !w->g->coupled))
        return step_tiles(w, 1, rounds, residual);
    if (w->g->coupled) return make_whole(w), by_newton(w, h, t, rounds, residual);
    const bool newton = solver > BY_FIXED_POINT || (solver == BY_COST && head[STIFF] > 0);
    outcome    o;
    if (!newton) {
        o = step_tiles(w, 1, rounds, residual);
        if (o == SOLVED) {
            head[FROZEN] = 0;
            head[CONTRACTED]++;
            if (solver == BY_COST) compare(w, *rounds);
        }
        if (o == SOLVED || solver == BY_FIXED_POINT) return o;
        patience(w, STIFF);
        head[BLOCK] = head[SPENT] = 0;
    }
    make_whole(w); /* every process makes such a step for itself */
    o = by_newton(w, h, t, rounds, residual);
    if (o == SOLVED && solver == BY_COST) head[STIFF]--, head[BLOCK]++;
    return o;
}

/* The next state becomes the present one. */
static void advance_state(work *w)
{
    memcpy(w->state.next, w->state.now, HEAD_SCALARS * sizeof *w->state.now);
    double *swap = w->state.now;
    w->state.now = w->state.next, w->state.next = swap;
    state_changed(w);
}

/* Makes one substep and, if it succeeds, makes the next state the present one. */
static outcome make_part(work *w)
{
    double        rounds, residual;
    const outcome o = solve_step(w, &rounds, &residual);
    if (o != SOLVED) return o;
    advance_state(w);
    w->state.now[ITERATIONS] += rounds;
    if (residual > w->state.now[RESIDUAL]) w->state.now[RESIDUAL] = residual;
    return o;
}

static bool start_threads(work *w); /* sums/sums_memory.h */

/* One step.  1: it failed, the state is unchanged, `why` has the reason. */
static unsigned step_once(void *self)
{
    work   *w = self;
    outcome o = SOLVED;
    if (!start_threads(w)) {
        w->why = NOE_NO_MEMORY;
        return 1;
    }
    const bool partial = w->state.partial;
    if (w->method.parts)
        memcpy(w->state.before, w->state.now,
               (HEAD_SCALARS + STATE_ARRAYS * w->state.stride) * sizeof *w->state.now);
    for (int i = 0; o == SOLVED && i < (w->method.parts ? w->method.parts : 1); i++) {
        w->state.length = w->method.parts ? w->method.part[i] : 1;
        o = make_part(w);
    }
    if (w->method.parts && o != SOLVED) {
        memcpy(w->state.now, w->state.before,
               (HEAD_SCALARS + STATE_ARRAYS * w->state.stride) * sizeof *w->state.now);
        w->state.partial = w->state.put_back = partial;
        state_changed(w);
    }
    w->why = o == SOLVED ? NOE_OK : o == BROKEN ? NOE_NOT_FINITE : NOE_NOT_CONVERGED;
    if (o != SOLVED) return 1;
    w->state.now[COUNT]++;
    return 0;
}

/* noe_engine.run: tiles make several steps while they are in the cache, where they may.  Where one
 * of these fails, all of them are left to step_once(): the present state is as it was. */
static unsigned run(void *self, double steps)
{
    work        *w = self;
    const double most = w->tiles.plan.together;
    double       rounds, residual;
    while (steps > 0) {
        const double some = steps < most ? steps : most;
        if (some < 2 || !start_threads(w) || step_tiles(w, (int)some, &rounds, &residual) != SOLVED)
            return 1;
        advance_state(w);
        w->state.now[COUNT] += some;
        steps -= some;
    }
    return 0;
}

#endif
