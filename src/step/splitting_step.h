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
    for (int j = 0; j < w->n; j++) w->V0[j] = r_set(0);
    legendre_jet(w, w->V0);
    mass_matrix(w, NULL);
    for (int j = 0; j < w->n; j++) w->b0[j] = output(w, j);
    for (int i = 0; i < w->n * w->n; i++) w->LU[i] = w->J[i];
    lu_factor(w->LU, w->pivot, w->n);
}

/* v = M^-1 (p + more - b). */
static void split_velocities(work *w, const real *more, real *v)
{
    const int n = w->n;
    for (int j = 0; j < n; j++)
        w->e[j] = (w->p[j] - w->b0[j]) + (w->dp[j] + (more ? more[j] : r_set(0)));
    if (w->diagonal)
        for (int j = 0; j < n; j++) v[j] = w->e[j] * w->LU[j * n + j];
    else lu_solve(w->LU, w->pivot, n, w->e, v);
}

/* q <- q + length M^-1 (p - b). */
static void drift(work *w, real length)
{
    const mask all = m_all(1);
    split_velocities(w, NULL, w->a);
    for (int j = 0; j < w->n; j++) add(all, &w->q[j], &w->dq[j], length * w->a[j]);
}

/* F_j at zero velocities, with all coordinates but q_j set to 0. */
static real alone(work *w, const site *x, int j)
{
    for (int k = 0; k < w->n; k++) w->e[k] = k == j ? x->q[k] : r_set(0);
    const site y = { x->t, w->e, x->p, x->dp };
    jet_at(w, GRADIENT, &y, w->V0);
    return output(w, j);
}

/* K_j = -(F_j(q, v) - F_j(q_j alone))/q_j: damping and coupling to other coordinates as a
 * stiffness of q_j; paper 004, (20). */
static void freeze(work *w)
{
    const site x = here(w);
    split_velocities(w, NULL, w->a);
    jet_at(w, GRADIENT, &x, w->a);
    for (int j = 0; j < w->n; j++) w->frozen[j] = output(w, j);
    for (int j = 0; j < w->n; j++) w->frozen[j] = (alone(w, &x, j) - w->frozen[j]) / w->q[j];
}

/* w->C = G M^-1, M symmetric, and w->C_size = its largest row sum. */
static void damping(work *w)
{
    const int n = w->n;
    *w->C_size = r_set(0);
    for (int i = 0; i < n; i++) {
        real row = r_set(0);
        lu_solve(w->LU, w->pivot, n, w->G0 + i * n, w->C + i * n);
        for (int j = 0; j < n; j++) row += r_abs(w->C[i * n + j]);
        *w->C_size = r_max(*w->C_size, row);
    }
}

/* w->F0 = F and w->G0 = F_v at zero velocities; w->G0 holds the diagonal alone where all is
 * diagonal. */
static void force_at(work *w, const site *x)
{
    const int n = w->n, G = w->diagonal ? n : n * n;
    if (w->kick_by_euler) split_velocities(w, NULL, w->a);
    jet_at(w, w->damped ? HESSIAN : GRADIENT, x, w->kick_by_euler ? w->a : w->V0);
    for (int j = 0; j < n; j++) w->F0[j] = output(w, j);
    for (int i = 0; i < G && w->damped; i++) w->G0[i] = r_set(0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; w->damped && y < end; y++)
        if (y->kind == NOE_D_FV)
            w->G0[w->diagonal ? y->row : y->row * n + y->col] = output(w, y->output);
    if (w->damped && !w->diagonal) damping(w);
    for (int j = 0; j < n && w->frozen; j++) w->F0[j] = alone(w, x, j) - w->frozen[j] * x->q[j];
}

/* w->kick = phi_1(Z) (F + G v) length, Z = length C, v = w->a at the beginning of the kick;
 * returns |Z|. */
static real damped_kick(work *w, real length)
{
    const int n = w->n;
    real      most = r_set(0);
    for (int j = 0; j < n && w->diagonal; j++) {
        const real Z = length * w->G0[j] * w->LU[j * n + j];
        most = r_max(most, r_abs(Z));
        w->kick[j] = phi_1(Z) * (length * (w->F0[j] + w->G0[j] * w->a[j]));
    }
    if (w->diagonal) return most;
    most = r_abs(length) * *w->C_size;
    real       scale;
    const real times = phi_halvings(most, &scale);
    const mask far = r_set(PHI_SHORT) < times;
    phi_times(n, w->G0, w->a, w->e);
    for (int i = 0; i < n; i++) w->e[i] = length * (w->F0[i] + w->e[i]);
    phi_1_vector(n, w->C, length, times, scale, w->e, w->kick, w->d, w->stage_q, w->stage_p);
    if (!m_any(far)) return most;
    for (int i = 0; i < n * n; i++) w->Z[i] = length * w->C[i];
    phi_1_matrix(n, w->Z, most, w->phi, w->power);
    phi_times(n, w->phi, w->e, w->d);
    for (int i = 0; i < n; i++) w->kick[i] = r_if(far, w->d[i], w->kick[i]);
    return most;
}

/* w->kick = the change of p by a kick of this length; returns its |Z|, 0 without damping. */
static real kick_by(work *w, real length)
{
    if (w->damped) return damped_kick(w, length);
    for (int j = 0; j < w->n; j++) w->kick[j] = length * w->F0[j];
    return r_set(0);
}

/* Adds the energy of a kick to w->gain: the power along p(tau), which is known in closed form,
 * integrated by KICK_NODES Gauss nodes, whose error is rounding where |Z| is not far above 1. */
static void kick_gains(work *w, const site *x, real length)
{
    if (!has_balance(w)) return;
    for (int i = 0; i < KICK_NODES; i++) {
        kick_by(w, length * w->kick_c[i]);
        split_velocities(w, w->kick, w->v);
        jet_at(w, POWER, x, w->v);
        for (int k = WORK; k <= DISSIPATED; k++)
            w->gain[k] += length * (w->kick_b[i] * output(w, k));
    }
}

/* A kick of share steps; moved: the drifts so far in this step, in steps, which give the time. */
static void kick(work *w, num share, num moved)
{
    const mask all = m_all(1);
    const real length = share * *w->h;
    const site x = { *w->t0 + (*w->count + moved) * *w->h, w->q, w->p, w->dp };
    if (w->damped) split_velocities(w, NULL, w->a);
    if (!w->F_known) force_at(w, &x);
    w->F_known = false;
    kick_gains(w, &x, length);
    const real size = kick_by(w, length);
    if (share < 0) *w->growth = r_max(*w->growth, size);
    for (int j = 0; j < w->n; j++) add(all, &w->p[j], &w->dp[j], w->kick[j]);
}

/* One step; bit i of the result: member i failed. */
static unsigned splitting(work *w)
{
    num  moved = 0;
    real flight = r_set(0);
    save_state(w, of(w), m_all(1));
    split_velocities(w, NULL, w->velocities_before);
    if (w->frozen) freeze(w);
    w->gain[WORK] = w->gain[DISSIPATED] = r_set(0);
    for (int i = 0; i < w->flows; i++) {
        const bool drifts = (i + w->drift_first) % 2;
        if (drifts) drift(w, w->flow[i] * *w->h), moved += w->flow[i];
        else kick(w, w->flow[i], moved);
    }
    for (int j = 0; j < w->n; j++) flight += w->q[j] + w->p[j];
    const mask ok = r_finite(flight);
    for (int k = WORK; k <= DISSIPATED && has_balance(w); k++)
        add(ok, &w->balance[k], &w->balance[REST + k], w->gain[k]);
    swap_saved(w, m_not(ok), 0);
    w->F_known = w->reuses_last_kick && !m_any(m_not(ok));
    *w->count = r_if(ok, *w->count + 1, *w->count);
    for (int j = 0; j < w->n; j++)
        w->e[j] = ((w->q[j] - w->saved_state[j]) + (w->dq[j] - w->saved_state[2 * w->n + j]))
                / *w->h;
    velocities_at_ends(w, w->velocities_before, w->e);
    record_jumps(w, of(w), ok, ok & (r_set(0) < *w->history_length));
    split_velocities(w, NULL, w->a);
    store_history(w, of(w), ok);
    return failure_reasons(w, m_not(ok), m_all(1));
}

#endif
