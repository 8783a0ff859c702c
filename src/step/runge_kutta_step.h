/* Explicit Runge-Kutta: Q_i = q + h sum a_il V_l, P_i = p + h sum a_il F_l, L_v(Q_i, V_i) = P_i.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In (q, p): q' = v, p' = F = L_q + f, the velocity of each stage from L_v = P_i.  In (q, v): q'
 * = v and L_vv v' = F - L_vq v - L_vt, with p = L_v at the end.  Stages in arrays [r][n]; one
 * element for one member. */
#ifndef NOE_STEP_RUNGE_KUTTA_STEP_H
#define NOE_STEP_RUNGE_KUTTA_STEP_H

#include "step/step_update.h"

/* sum_l a_il k_lj over the stages before i; i = r: sum_l b_l k_lj. */
INLINE real stage_sum(const work *w, const real *k, int i, int j)
{
    const num *a = i < w->r ? w->method.A + i * w->r : w->method.b;
    real       sum = r_set(0);
    for (int l = 0; l < i; l++)
        if (a[l] != 0) sum += a[l] * k[l * w->n + j];
    return sum;
}

/* w->scratch.kick = L_vt at a stage: by the tape `rate`; for functions in C, which do not
 * provide it, by the central difference of sixth order with spacing h/8, which is exactly 0
 * where L_v does not depend on t. */
static void momentum_rate(work *w, const site *x, const real *v)
{
    static const num weight[] = { 0.75, -0.15, (num)1 / 60 };
    if (!w->dyn->L) {
        if (w->dyn->rate) jet_at(w, RATE, x, v);
        for (int j = 0; j < w->n; j++) w->scratch.kick[j] = w->dyn->rate ? output(w, j) : r_set(0);
        return;
    }
    const real d = *w->state.h / 8;
    for (int j = 0; j < w->n; j++) w->scratch.kick[j] = r_set(0);
    for (int k = 1; k <= 3; k++)
        for (int side = 1; side >= -1; side -= 2) {
            const site y = { x->t + side * k * d, x->q, x->p, x->dp };
            jet_at(w, LEGENDRE, &y, v);
            for (int j = 0; j < w->n; j++)
                w->scratch.kick[j] += side * weight[k - 1] * output(w, j);
        }
    for (int j = 0; j < w->n; j++) w->scratch.kick[j] /= d;
}

/* L_vv a = F - L_vq v - L_vt. */
static void acceleration(work *w, const site *x, const real *v, real *a)
{
    const int n = w->n;
    momentum_rate(w, x, v);
    jet_at(w, HESSIAN, x, v);
    for (int i = 0; i < n * n; i++) w->newton.J[i] = r_set(0);
    for (int j = 0; j < n; j++) w->scratch.e[j] = output(w, j) - w->scratch.kick[j];
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
        if (y->kind == NOE_D_PV) w->newton.J[y->row * n + y->col] = output(w, y->output);
        if (y->kind == NOE_D_PQ) w->scratch.e[y->row] -= output(w, y->output) * v[y->col];
    }
    lu_factor(w->newton.J, w->newton.new_pivot, n);
    lu_solve(w->newton.J, w->newton.new_pivot, n, w->scratch.e, a);
}

/* Position and momentum of stage i, in w->stages.stage_q, stage_p and stage_dp. */
static site stage_site(work *w, int i)
{
    const real h = *w->state.h;
    for (int j = 0; j < w->n; j++) {
        w->stages.stage_q[j] = w->state.q[j]
                             + (w->state.dq[j] + h * stage_sum(w, w->stages.k_q, i, j));
        w->stages.stage_p[j] = w->state.p[j];
        w->stages.stage_dp[j] = w->state.dp[j]
                              + (w->in_v ? r_set(0) : h * stage_sum(w, w->stages.k_p, i, j));
    }
    return (site){ time_at(w, 0) + w->method.at[i] * h, w->stages.stage_q, w->stages.stage_p,
                   w->stages.stage_dp };
}

/* Stage i: its place, then its velocity V_i in w->stages.k_q.  Returns the members of `ok` for
 * which V_i was found. */
static mask stage(work *w, int i, site *x, mask ok)
{
    const real h = *w->state.h;
    real      *V = w->stages.k_q + i * w->n;
    *x = stage_site(w, i);
    for (int j = 0; j < w->n; j++) V[j] = i ? V[j - w->n] : w->state.v[j];
    if (!w->in_v || i == 0) return velocities_at(w, x, NULL, ok, V);
    for (int j = 0; j < w->n; j++) V[j] = w->stages.k_q[j] + h * stage_sum(w, w->stages.k_p, i, j);
    return ok;
}

/* kick = L_v(t + h, q1, v1) - p, for methods in (q, v). */
static void momenta_of_velocities(work *w, real *kick)
{
    const real h = *w->state.h;
    for (int j = 0; j < w->n; j++) {
        w->stages.stage_q[j] = w->state.q[j] + (w->state.dq[j] + h * w->scratch.a[j]);
        w->stages.stage_v[j] = w->stages.k_q[j] + h * stage_sum(w, w->stages.k_p, w->r, j);
    }
    const site x = { time_at(w, 1), w->stages.stage_q, w->state.p, w->state.dp };
    jet_at(w, LEGENDRE, &x, w->stages.stage_v);
    for (int j = 0; j < w->n; j++) kick[j] = (output(w, j) - w->state.p[j]) - w->state.dp[j];
}

/* One step; bit i of the result: member i failed. */
static unsigned runge_kutta(work *w)
{
    const int n = w->n;
    mask      ok = m_all(1);
    guess_velocities(w, ok, w->state.v);
    w->state.gain[WORK] = w->state.gain[DISSIPATED] = r_set(0);
    for (int i = 0; i < w->r; i++) {
        site  x;
        real *V = w->stages.k_q + i * n, *K = w->stages.k_p + i * n;
        ok = stage(w, i, &x, ok);
        if (w->in_v) acceleration(w, &x, V, K);
        else {
            jet_at(w, GRADIENT, &x, V);
            for (int j = 0; j < n; j++) K[j] = output(w, j);
        }
        gain_at(w, &x, V, w->method.b[i]);
    }
    for (int j = 0; j < n; j++) {
        w->scratch.a[j] = stage_sum(w, w->stages.k_q, w->r, j);
        w->scratch.total[j] = *w->state.h * stage_sum(w, w->stages.k_p, w->r, j);
    }
    if (w->in_v) momenta_of_velocities(w, w->scratch.total);
    save_state(w, of(w), ok);
    const mask done = advance_state(w, of(w), ok, w->scratch.total);
    velocities_at_ends(w, w->stages.k_q, w->scratch.a);
    record_jumps(w, widens_ranges(w), done, done & r_less(r_set(0), *w->history.length));
    store_history(w, of(w), done);
    return failure_reasons(w, m_not(done), ok);
}

#endif
