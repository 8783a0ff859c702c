/* The step of a splitting method: kicks p <- p + s_i h F(q), drifts q <- q + r_i h M^-1 p, in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For L = v.M v/2 + b.v - V(q, t) with M, b constant (checked by system/splitting_check.c).  t
 * moves with the drift.  For forces g(q, t) + G(q, t) v the kick is damped, exact at fixed q:
 *     p' = g + G v,   p <- p + s h phi_1(s h G M^-1) (g + G v),   phi_1(z) = (e^z - 1)/z. */
#ifndef NOE_STEP_SPLITTING_STEP_H
#define NOE_STEP_SPLITTING_STEP_H

#include "number/phi.h"
#include "step/step_update.h"

/* At the start: M factored, and b = L_v at v = 0. */
static void split_begin(work *w)
{
    for (int j = 0; j < w->n; j++) w->split.V0[j] = r_set(0);
    legendre_jet(w, w->split.V0);
    mass_matrix(w);
    for (int j = 0; j < w->n; j++) w->split.b0[j] = output(w, j);
    for (int i = 0; i < w->n * w->n; i++) w->newton.LU[i] = w->newton.J[i];
    lu_factor(w->newton.LU, w->newton.pivot, w->n);
    w->split.F_known = w->split.V_known = false;
}

/* x = M^-1 e, with the factors of the start. */
INLINE void divide_by_split_mass(const work *w, const real *e, real *x)
{
    const int n = w->n;
    if (w->split.diagonal)
        for (int j = 0; j < n; j++) x[j] = e[j] * w->newton.LU[j * n + j];
    else lu_solve(w->newton.LU, w->newton.pivot, n, e, x);
}

/* v = M^-1 (p + more - b). */
static void split_velocities(work *w, const real *more, real *v)
{
    const int n = w->n;
    for (int j = 0; j < n; j++)
        w->scratch.e[j] = (w->state.p[j] - w->split.b0[j])
                        + (w->state.dp[j] + (more ? more[j] : r_set(0)));
    divide_by_split_mass(w, w->scratch.e, v);
}

/* q <- q + length v, v = M^-1 (p - b) in w->scratch.a. */
static void drift(work *w, real length)
{
    const mask all = m_all(1);
    split_velocities(w, NULL, w->scratch.a);
    for (int j = 0; j < w->n; j++)
        add_compensated(all, &w->state.q[j], &w->state.dq[j], length * w->scratch.a[j]);
}

/* F_j at zero velocities, with all coordinates but q_j set to 0. */
static real alone(work *w, const site *x, int j)
{
    for (int k = 0; k < w->n; k++) w->scratch.e[k] = k == j ? x->q[k] : r_set(0);
    const site y = { x->t, w->scratch.e, x->p, x->dp };
    jet_at(w, GRADIENT, &y, w->split.V0);
    return output(w, j);
}

/* K_j = -(F_j(q, v) - F_j(q_j alone))/q_j: damping and coupling to other coordinates as a
 * stiffness of q_j; paper 004, (20). */
static void freeze(work *w)
{
    const site x = here(w);
    split_velocities(w, NULL, w->scratch.a);
    jet_at(w, GRADIENT, &x, w->scratch.a);
    for (int j = 0; j < w->n; j++) w->split.frozen[j] = output(w, j);
    for (int j = 0; j < w->n; j++)
        w->split.frozen[j] = (alone(w, &x, j) - w->split.frozen[j]) / w->state.q[j];
}

/* w->split.C = G M^-1, M symmetric, and w->split.C_size = its largest row sum. */
static void damping(work *w)
{
    const int n = w->n;
    *w->split.C_size = r_set(0);
    for (int i = 0; i < n; i++) {
        real row = r_set(0);
        lu_solve(w->newton.LU, w->newton.pivot, n, w->split.G0 + i * n, w->split.C + i * n);
        for (int j = 0; j < n; j++) row += r_abs(w->split.C[i * n + j]);
        *w->split.C_size = r_max(*w->split.C_size, row);
    }
}

/* w->split.F0 = F and w->split.G0 = F_v at zero velocities, with kick_by_euler at those before the
 * kick; w->split.G0 holds the diagonal alone where all is diagonal. */
static void force_at(work *w, const site *x)
{
    const int n = w->n, G = w->split.diagonal ? n : n * n;
    if (w->split.kick_by_euler) split_velocities(w, NULL, w->scratch.a);
    jet_at(w, w->split.damped ? HESSIAN : GRADIENT, x,
           w->split.kick_by_euler ? w->scratch.a : w->split.V0);
    for (int j = 0; j < n; j++) w->split.F0[j] = output(w, j);
    for (int i = 0; i < G && w->split.damped; i++) w->split.G0[i] = r_set(0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; w->split.damped && y < end;
         y++)
        if (y->kind == NOE_D_FV)
            w->split.G0[w->split.diagonal ? y->row : y->row * n + y->col] = output(w, y->output);
    if (w->split.damped && !w->split.diagonal) damping(w);
    for (int j = 0; j < n && w->split.frozen; j++)
        w->split.F0[j] = alone(w, x, j) - w->split.frozen[j] * x->q[j];
}

/* w->scratch.kick = phi_1(Z) (F + G v) length, Z = length C, v = w->scratch.a at the beginning
 * of the kick; returns |Z|. */
static real damped_kick(work *w, real length)
{
    const int n = w->n;
    real      most = r_set(0);
    for (int j = 0; j < n && w->split.diagonal; j++) {
        const real Z = length * w->split.G0[j] * w->newton.LU[j * n + j];
        most = r_max(most, r_abs(Z));
        w->scratch.kick[j] = phi_1(Z)
                           * (length * (w->split.F0[j] + w->split.G0[j] * w->scratch.a[j]));
    }
    if (w->split.diagonal) return most;
    most = r_abs(length) * *w->split.C_size;
    real       scale;
    const real times = phi_halvings(most, &scale);
    const mask far = r_less(r_set(PHI_SHORT), times);
    phi_times(n, w->split.G0, w->scratch.a, w->scratch.e);
    for (int i = 0; i < n; i++) w->scratch.e[i] = length * (w->split.F0[i] + w->scratch.e[i]);
    phi_1_vector(n, w->split.C, length, times, scale, w->scratch.e, w->scratch.kick, w->scratch.d,
                 w->stages.stage_q, w->stages.stage_p);
    if (!m_any(far)) return most;
    for (int i = 0; i < n * n; i++) w->split.Z[i] = length * w->split.C[i];
    phi_1_matrix(n, w->split.Z, most, w->split.phi, w->split.power);
    phi_times(n, w->split.phi, w->scratch.e, w->scratch.d);
    for (int i = 0; i < n; i++) w->scratch.kick[i] = r_if(far, w->scratch.d[i], w->scratch.kick[i]);
    return most;
}

/* w->scratch.kick = the change of p by a kick of this length; returns its |Z|, 0 without
 * damping. */
static real kick_by(work *w, real length)
{
    if (w->split.damped) return damped_kick(w, length);
    for (int j = 0; j < w->n; j++) w->scratch.kick[j] = length * w->split.F0[j];
    return r_set(0);
}

/* Adds the energy of a kick to w->state.gain: the power along p(tau), which is known in closed
 * form, integrated by NOE_POWER_NODES Gauss nodes, whose error is rounding where |Z| is not far
 * above 1. */
static void kick_gains(work *w, const site *x, real length)
{
    if (!has_balance(w)) return;
    for (int i = 0; i < NOE_POWER_NODES; i++) {
        kick_by(w, length * w->method.kick_c[i]);
        split_velocities(w, w->scratch.kick, w->state.v);
        jet_at(w, POWER, x, w->state.v);
        for (int k = WORK; k <= DISSIPATED; k++)
            w->state.gain[k] += length * (w->method.kick_b[i] * output(w, k));
    }
}

/* A kick of share steps; moved: the drifts so far in this step, in steps, which give the time. */
static void kick(work *w, num share, num moved)
{
    const mask all = m_all(1);
    const real length = share * *w->state.h;
    const site x = { time_at(w, moved), w->state.q, w->state.p, w->state.dp };
    if (w->split.damped) split_velocities(w, NULL, w->scratch.a);
    if (!w->split.F_known) force_at(w, &x);
    w->split.F_known = false;
    kick_gains(w, &x, length);
    const real size = kick_by(w, length);
    if (share < 0) *w->stats.growth = r_max(*w->stats.growth, size);
    for (int j = 0; j < w->n; j++)
        add_compensated(all, &w->state.p[j], &w->state.dp[j], w->scratch.kick[j]);
}

/* The velocities at the ends of the step, and what they tell of the run. */
static void record_ends(work *w, mask ok)
{
    real *const mean = w->scratch.a;
    for (int j = 0; j < w->n; j++)
        mean[j] = ((w->state.q[j] - w->state.saved_state[j])
                   + (w->state.dq[j] - w->state.saved_state[2 * w->n + j]))
                / *w->state.h;
    velocities_at_ends(w, w->split.velocities_before, mean);
    record_jumps(w, widens_ranges(w), ok, ok & r_less(r_set(0), *w->history.length));
}

/* The q and, of a drift, v from which flow i of a step begins: [2n]. */
INLINE real *passed_by(const work *w, int i) { return w->stages.passed + 2 * i * w->n; }

/* One step; bit i of the result: member i failed. */
static unsigned splitting(work *w)
{
    const size_t size = (size_t)w->n * sizeof(real);
    num          moved = 0;
    real         finite_probe = r_set(0);
    save_state(w, of(w), m_all(1));
    if (w->split.V_known)
        for (int j = 0; j < w->n; j++) w->split.velocities_before[j] = w->history.last[j];
    else split_velocities(w, NULL, w->split.velocities_before);
    if (w->split.frozen) freeze(w);
    w->state.gain[WORK] = w->state.gain[DISSIPATED] = r_set(0);
    for (int i = 0; i < w->method.flows; i++) {
        const bool drifts = (i + w->split.drift_first) % 2;
        if (w->dyn->columns) memcpy((void *)passed_by(w, i), w->state.q, size);
        if (drifts) drift(w, w->method.flow[i] * *w->state.h), moved += w->method.flow[i];
        else kick(w, w->method.flow[i], moved);
        if (w->dyn->columns && drifts) memcpy((void *)(passed_by(w, i) + w->n), w->scratch.a, size);
    }
    for (int j = 0; j < w->n; j++) finite_probe += w->state.q[j] + w->state.p[j];
    const mask ok = r_finite(finite_probe);
    for (int k = WORK; k <= DISSIPATED && has_balance(w); k++)
        add_compensated(ok, &w->state.balance[k], &w->state.balance[REST + k], w->state.gain[k]);
    const bool all = !m_any(m_not(ok));
    if (!all) swap_saved(w, m_not(ok), 0);
    w->split.F_known = w->split.reuses_last_kick && all;
    *w->state.count = r_if(ok, *w->state.count + 1, *w->state.count);
    record_ends(w, ok);
    split_velocities(w, NULL, w->scratch.a);
    store_history(w, of(w), ok);
    w->split.V_known = all;
    return failure_reasons(w, m_not(ok), m_all(1));
}

#endif
