/* which iteration solves a step: the fixed point where it contracts, Newton's where that costs less or is all there is.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Costs are counts of operations, so the choice is the same on every machine and with any number of threads. */
#ifndef NOE_GROUP_SOLVER_H
#define NOE_GROUP_SOLVER_H

#include "group/newton.h"

enum { BY_COST, BY_FIXED_POINT, BY_CHORD, BY_NEWTON }; /* the option `solver` */

static outcome by_newton(work *w, double h, double t, double *rounds, double *residual)
{
    *rounds = *residual = 0;
    if (!newton_ready(w)) return FAILED;
    const outcome o = newton_step(w, h, t, rounds, residual);
    const double  turn = w->newton->turn;
    if (o != SOLVED && turn > 0)
        noe_fail(NOE_NOT_CONVERGED, "step %.0f from t = %.12g: the step is beyond the stability limit of the method, %.3g = "
                 "%.3g/%.3g: the fastest oscillation there turns by %.3g radians in a step; the state before the step is kept; "
                 "try a smaller step, or a gauss method, stable on every oscillator", w->now[COUNT] + 1, t, w->edge * fabs(h) / turn,
                 w->edge, turn / fabs(h), turn);
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
    else if (rounds >= SLOW && newton_ready(w) && w->per_solve < SLOW * w->per_round) head[STIFF] = TRIAL;
}

static outcome solve_step(work *w, double *rounds, double *residual)
{
    double      *head = w->now;
    const double h = head[STEP], t = head[T0] + head[COUNT] * h;
    const int    solver = (int)head[SOLVER];
    if (w->lo == w->hi) return step_tiles(w, rounds, residual);
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

static unsigned step_once(void *self)
{
    work         *w = self;
    double        rounds, residual;
    const outcome o = solve_step(w, &rounds, &residual);
    w->why = o == SOLVED ? NOE_OK : o == BROKEN ? NOE_NOT_FINITE : NOE_NOT_CONVERGED;
    if (o != SOLVED) return 1;
    memcpy(w->next, w->now, HEAD * sizeof *w->now);
    double *swap = w->now;
    w->now = w->next, w->next = swap;
    w->now[COUNT]++;
    w->now[ITERATIONS] += rounds;
    if (residual > w->now[RESIDUAL]) w->now[RESIDUAL] = residual;
    return 0;
}

#endif
