/* which iteration solves a step: the fixed point where it contracts, Newton's where that costs less or is all there is.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Costs are counts of operations, so the choice is the same on every machine and with any number of threads. */
#ifndef NOE_SUMS_SUMS_SOLVER_H
#define NOE_SUMS_SUMS_SOLVER_H

#include "sums/sums_newton.h"

enum { BY_COST, BY_FIXED_POINT, BY_CHORD, BY_NEWTON }; /* the option `solver` */

static outcome by_newton(work *w, double h, double t, double *rounds, double *residual)
{
    *rounds = *residual = 0;
    if (!newton_ready(w)) return FAILED;
    const outcome o = newton_step(w, h, t, rounds, residual);
    const double  turn = w->newton->turn;
    if (o != SOLVED && turn > 0
        && w->g->n
               > NOE_WHOLE_MOST) /* fewer are looked at by name: integrate/failure_diagnosis.c */
        noe_status_fail(
            NOE_NOT_CONVERGED,
            "step %.0f from t = %.12g: the step is beyond the stability limit of the method, %.3g = "
            "%.3g/%.3g: the fastest oscillation there turns by %.3g radians in a step; the state before the step is kept; "
            "try a smaller step, or a gauss method, stable on every oscillator",
            w->now[COUNT] + 1, t, w->edge * fabs(h) / turn, w->edge, turn / fabs(h), turn);
    return o;
}

static void patience(work *w, int which)
{
    w->now[which] = w->now[PATIENCE];
    w->now[PATIENCE] = fmin(2 * w->now[PATIENCE], LAST_WAIT);
}

/* After a step of the fixed point: is Newton's method to be looked at, or what came out of looking? */
static void compare(work *w, double rounds)
{
    double *head = w->now;
    head[COST] = rounds * w->per_round;
    if (head[BLOCK] > 0) {
        patience(w, head[SPENT] / head[BLOCK] < head[COST] ? STIFF : WAIT);
        head[BLOCK] = head[SPENT] = 0;
    } else if (head[WAIT] > 0) head[WAIT]--;
    else if (rounds >= SLOW && newton_ready(w) && w->per_solve < SLOW * w->per_round)
        head[STIFF] = TRIAL;
}

static outcome solve_step(work *w, double *rounds, double *residual)
{
    double      *head = w->now;
    const double h = w->length * head[STEP], t = head[T0] + head[COUNT] * head[STEP];
    const int    solver = (int)head[SOLVER];
    if (w->explicit || (w->lo == w->hi && !w->g->coupled)) return step_tiles(w, rounds, residual);
    if (w->g->coupled) return by_newton(w, h, t, rounds, residual);
    const bool newton = solver > BY_FIXED_POINT || (solver == BY_COST && head[STIFF] > 0);
    outcome    o;
    if (!newton) {
        o = step_tiles(w, rounds, residual);
        if (o == SOLVED) {
            head[FROZEN] = 0;
            head[CONTRACTED]++;
            if (solver == BY_COST) compare(w, *rounds);
        }
        if (o == SOLVED || solver == BY_FIXED_POINT) return o;
        patience(w, STIFF);
        head[BLOCK] = head[SPENT] = 0;
    }
    o = by_newton(w, h, t, rounds, residual);
    if (o == SOLVED && solver == BY_COST) head[STIFF]--, head[BLOCK]++;
    return o;
}

static outcome make_part(work *w)
{
    double        rounds, residual;
    const outcome o = solve_step(w, &rounds, &residual);
    if (o != SOLVED) return o;
    memcpy(w->next, w->now, HEAD * sizeof *w->now);
    double *swap = w->now;
    w->now = w->next, w->next = swap;
    if (w->newton) w->newton->known = false;
    w->now[ITERATIONS] += rounds;
    if (residual > w->now[RESIDUAL]) w->now[RESIDUAL] = residual;
    return o;
}

static unsigned step_once(void *self)
{
    work   *w = self;
    outcome o = SOLVED;
    if (!hire(w)) {
        w->why = NOE_NO_MEMORY;
        return 1;
    }
    if (w->parts) memcpy(w->before, w->now, (HEAD + STATE * w->stride) * sizeof *w->now);
    for (int i = 0; o == SOLVED && i < (w->parts ? w->parts : 1); i++) {
        w->length = w->parts ? w->part[i] : 1;
        o = make_part(w);
    }
    if (w->parts && o != SOLVED)
        memcpy(w->now, w->before, (HEAD + STATE * w->stride) * sizeof *w->now);
    w->why = o == SOLVED ? NOE_OK : o == BROKEN ? NOE_NOT_FINITE : NOE_NOT_CONVERGED;
    if (o != SOLVED) return 1;
    w->now[COUNT]++;
    return 0;
}

#endif
