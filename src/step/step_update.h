/* End of a step of any kind: q <- q + h sum_m w_m a_m, p <- p + kick, compensated; history.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_STEP_UPDATE_H
#define NOE_STEP_STEP_UPDATE_H

#include "step/monitored_step.h"
#include "step/velocity_jump.h"

/* q <- q + h sum_m w_m a_m, p <- p + kick, the energy balance and the count of steps; returns
 * the members that moved: those whose sums are not finite stay where they are.  kick [2][n]: see
 * last_kick() of step/newton_iteration.h. */
INLINE mask advance_state(work *w, const shape z, mask done, const real *kick)
{
    const real upper = upper_half(w->state.length), rest = w->state.length - upper;
    /* Of Legendre's basis only w_0 is not 0.  Below degree 4 all modes are added, so that the
     * length of the loop is known wherever the degree is. */
    const int drift_modes = z.s < 4 ? z.s : w->method.drift_modes;
    real      finite_probe = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real sum = w->method.w[0] * w->scratch.a[j * z.s];
        for (int m = 1; m < drift_modes; m++) sum += w->method.w[m] * w->scratch.a[j * z.s + m];
        w->scratch.d[j] = rest * sum + upper * sum;
        finite_probe += w->scratch.d[j] + (kick[j] + kick[z.n + j]);
    }
    if (w->dyn->transformed) finite_probe += w->state.gain[ELAPSED];
    const mask ok = done & r_finite(finite_probe);
    for (int j = 0; j < z.n; j++) {
        add_compensated(ok, &w->state.q[j], &w->state.dq[j], w->scratch.d[j]);
        w->state.dp[j] = r_if(ok, w->state.dp[j] + kick[z.n + j], w->state.dp[j]);
        add_compensated(ok, &w->state.p[j], &w->state.dp[j], kick[j]);
    }
    for (int k = WORK; k <= DISSIPATED && has_balance(w); k++)
        add_compensated(ok, &w->state.balance[k], &w->state.balance[REST + k], w->state.gain[k]);
    if (w->dyn->transformed)
        add_compensated(ok, &w->state.balance[ELAPSED], &w->state.balance[REST + ELAPSED],
                        w->state.gain[ELAPSED]);
    if (w->dyn->clocked) { /* what E gains is work */
        add_compensated(ok, &w->state.balance[LEVEL], &w->state.balance[LEVEL_REST],
                        w->nodal.energy_gain);
        add_compensated(ok, &w->state.balance[WORK], &w->state.balance[REST + WORK],
                        w->nodal.energy_gain);
    }
    *w->state.count = r_if(ok, *w->state.count + 1, *w->state.count);
    return ok;
}

/* Stores the modes of this step for the prediction of the next ones.  The order of prediction is
 * chosen at every step while the history is short, then at every eighth.  All parts of a
 * composition use the same order. */
INLINE void store_history(work *w, const shape z, mask ok)
{
    const bool all = m_bits(ok) == (1u << MEMBERS) - 1;
    const mask new_motion =
        ok & r_at_most(*w->history.length, r_set(0)); /* the history is of another motion */
    const batch *a = (const batch *)w->scratch.a;
    *w->history.order = r_if(new_motion, r_set(0), *w->history.order);
    *w->history.length = r_if(ok & r_less(*w->history.length, r_set(HISTORY_STEPS)),
                              *w->history.length + 1, *w->history.length);
    for (int b = 0; b < z.rows; b++)
        ((batch *)w->history.last)[b] = all ? a[b]
                                            : b_where(ok, a[b], ((batch *)w->history.last)[b]);
    if (w->history.keeps_many) {
        const mask due = ok
                       & (r_less(*w->history.length, r_set(HISTORY_STEPS))
                          | r_equal(*w->newton.phase, r_set(0))
                          | r_equal(*w->newton.phase, r_set(PHASES / 2)));
        real  *now = w->scratch.a;
        batch *to = (batch *)modes_of(w, z.rows * WIDE, newest_row(w), -1);
        if (w->history.half_steps)
            update_half_steps(w, z, ok, new_motion, now = w->history.differences);
        if (m_any(due)) choose_order(w, z, due, now);
        for (int b = 0; b < z.rows; b++)
            to[b] = all ? ((batch *)now)[b] : b_where(ok, ((batch *)now)[b], to[b]);
    }
}

/* Makes the row that store_history() wrote the newest one for the members `done`.  All members
 * share one ring, so that the rows of the others are moved on by one place. */
INLINE void rotate_history(work *w, mask done)
{
    const int  last = newest_row(w), row = w->N_row;
    const real next = r_if(r_less(*w->newton.phase, r_set(PHASES - 1)), *w->newton.phase + 1,
                           r_set(0));
    *w->newton.phase = r_if(done, next, *w->newton.phase);
    if (!m_any(done) || !w->history.keeps_many) return;
    for (int b = 0; b < w->rows && m_any(m_not(done)); b++) {
#define OF(ago) ((batch *)modes_of(w, row, last, ago))[b]
        const batch oldest = OF(-1);
        for (int k = -1; k < HISTORY_STEPS - 2; k++) OF(k) = b_where(done, OF(k), OF(k + 1));
        OF(HISTORY_STEPS - 2) = b_where(done, OF(HISTORY_STEPS - 2), oldest);
#undef OF
    }
    *w->history.newest_row = r_set((last + 1) & (HISTORY_STEPS - 1));
}

/* w->state.saved_state = q, p, dq, dp, v and the energy balance, for the members `which`. */
INLINE void save_state(work *w, const shape z, mask which)
{
    real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    const bool  all = m_bits(which) == (1u << MEMBERS) - 1;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < z.n; j++)
            w->state.saved_state[i * z.n + j] =
                all ? state[i][j] : r_if(which, state[i][j], w->state.saved_state[i * z.n + j]);
    copy_where(which, w->state.saved_state + 5 * z.n, w->state.balance, START);
}

/* Exchanges the state and the saved one, for the members `which`, and adds `count` to their
 * count of steps. */
static void swap_saved(work *w, mask which, num count)
{
    real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    for (int i = 0; i < 5; i++) exchange(which, state[i], w->state.saved_state + i * w->n, w->n);
    exchange(which, w->state.balance, w->state.saved_state + 5 * w->n, START);
    *w->state.count = r_if(which, *w->state.count + count, *w->state.count);
}

/* Sets w->why of every member and returns bit i for each member i that failed: members of `left`
 * have no solution, those also in `broken` a number that is not finite.  NOE_SINGULAR: constraints
 * contradict each other where the step was to end. */
static unsigned failure_reasons(work *w, mask left, mask broken)
{
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = !(m_bits(left) >> i & 1)                      ? NOE_OK
                  : m_bits(broken) >> i & 1                       ? NOE_NOT_FINITE
                  : r_member(*w->constraint.contradicted, i) != 0 ? NOE_SINGULAR
                                                                  : NOE_NOT_CONVERGED;
    return m_bits(left) & ((1u << MEMBERS) - 1);
}

/* The start of a run from q and, coordinate by coordinate, v or (where momentum[j]) p: solves
 * for the other, clears the history and statistics; returns bit i for each member i that failed. */
static unsigned begin_motion(work *w, const bool *momentum)
{
    bool any = false;
    if (w->eval.tape[CLOCK]) begin_clock(w, momentum);
    for (int j = 0; j < w->n; j++) {
        any |= momentum[j];
        w->state.dq[j] = w->state.dp[j] = r_set(0);
        if (momentum[j]) w->state.v[j] = r_set(0);
    }
    *w->history.length = *w->newton.matrix_reuse = *w->stats.residual = *w->stats.growth =
        *w->newton.steps_until_retry = *w->stats.contracted = r_set(0);
    *w->history.order = *w->history.newest_row = *w->newton.phase = *w->newton.curvature =
        *w->stats.rounds = *w->stats.contraction = *w->stats.single = r_set(0);
    for (int i = 0; keeps_forces(w) && i < w->n * w->B * WIDE; i++)
        w->history.last_forces[i] = r_set(0);
    *w->stats.iterations = *w->stats.refreshes = *w->stats.subdivided = *w->state.count = r_set(0);
    const mask solved = any ? velocities(w, momentum, m_all(1), w->state.v) : m_all(1);
    const mask ok = solved & regular(w, w->state.v);
    legendre_jet(w, w->state.v);
    begin_jumps(w);
    for (int k = 0; k < w->dyn->masses; k++)
        w->newton.mass_bound[w->dyn->mass[k].row * w->n + w->dyn->mass[k].col] = r_abs(
            output(w, w->dyn->mass[k].output));
    mask finite = m_all(1);
    for (int j = 0; j < w->n; j++) {
        if (!momentum[j]) w->state.p[j] = output(w, j);
        finite = finite & r_finite(w->state.p[j]) & r_finite(w->state.q[j])
               & r_finite(w->state.v[j]);
    }
    finite = finite & r_finite(output(w, w->n));
    if (w->dyn->constraints) *w->constraint.steps_known = *w->constraint.order_used = r_set(0);
    for (int k = 0; k < START; k++) w->state.balance[k] = r_set(0);
    if (w->dyn->transformed) begin_level(w);
    w->state.balance[START] = w->dyn->transformed ? *w->state.level : energy(w);
    if (w->eval.tape[CLOCK] && !w->dyn->transformed) begin_density(w);
    for (int i = 0; i < MEMBERS; i++)
        w->why[i] = !(m_bits(finite) >> i & 1) ? NOE_NOT_FINITE
                  : !(m_bits(ok) >> i & 1)     ? NOE_SINGULAR
                                               : NOE_OK;
    return m_bits(m_not(ok & finite)) & ((1u << MEMBERS) - 1);
}

#endif
