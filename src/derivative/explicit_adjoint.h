/* The way back over an explicit step: kicks, drifts and Runge-Kutta stages, transposed one by one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     kick:   lambda_q += s_i h F_q^T lambda_p,      dJ/dc += s_i h lambda_p.F_c
 *     drift:  lambda_p += r_i h M^-1 lambda_q = r_i h z,  dJ/dc -= r_i h z.P_c
 * and stages from the last to the first.  Steps by a density have weights of their times, too. */
#ifndef NOE_DERIVATIVE_EXPLICIT_ADJOINT_H
#define NOE_DERIVATIVE_EXPLICIT_ADJOINT_H

#include "derivative/explicit_sensitivity.h"

/* Steps by a density: the weights BY_BEGINNING and BY_LENGTH. */
INLINE bool  has_density(const work *w) { return w->eval.tape[CLOCK] && !w->dyn->transformed; }
INLINE real *time_weight(const work *w, int which)
{
    return w->state.forces + (w->n + 2) * w->r + which;
}
/* The tape of the second derivatives at a step of the way back. */
INLINE int tape_back(const work *w) { return w->eval.tape[CLOCK] ? MIXED : HESSIAN; }

/* dJ/dc += b_i scale times the outputs of a tape, whose y are in w->eval.Y, at `nodes` nodes. */
static void add_by_parameters(work *w, int which, int nodes, const num *b, real scale)
{
    if (!w->eval.tape[which]) return;
    jet(w, which, nodes);
    const int *by = which == FORCE_ADJOINT ? w->dyn->force_by : w->dyn->momentum_by;
    for (int o = 0; o < w->eval.tape[which]->outputs; o++) {
        real sum = r_set(0);
        for (int i = 0; i < nodes; i++) sum += b[i] * *element(w->eval.out, w->B, o, i);
        w->state.adjoint[2 * w->n + by[o]] += scale * sum;
    }
}

/* The same at one state x, v with weights y [n]. */
static void add_by_parameters_at(work *w, int which, const site *x, const real *v, const real *y,
                                 real scale)
{
    static const num one = 1;
    if (!w->eval.tape[which]) return;
    w->eval.t[0] = b_set(x->t);
    for (int j = 0; j < w->n; j++) {
        w->eval.Q[j * w->B] = b_set(x->q[j]), w->eval.V[j * w->B] = b_set(v[j]);
        w->eval.Y[j * w->B] = b_set(y[j]);
    }
    add_by_parameters(w, which, 1, &one, scale);
}

/* The state of a record's part. */
static void place_record(work *w, const real *x)
{
    real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    for (int i = 0; i < 5; i++) memcpy((void *)state[i], x + i * w->n, (size_t)w->n * sizeof *x);
    w->state.v_known = w->split.F_known = w->split.V_known = false;
}

static void splitting_back(work *w, const real *record)
{
    const int   n = w->n;
    real *const lq = w->state.adjoint, *const lp = lq + n;
    flows_again(w);
    num moved = 0;
    for (int i = 0; i < w->method.flows; i++)
        if ((i + w->split.drift_first) % 2) moved += w->method.flow[i];
    for (int i = w->method.flows; i-- > 0;) {
        const bool  drifts = (i + w->split.drift_first) % 2;
        const real  length = w->method.flow[i] * *w->state.h;
        real *const passed = passed_by(w, i);
        if (drifts) moved -= w->method.flow[i];
        const site x = { time_at(w, moved), passed, w->state.p, w->state.dp };
        if (drifts) {
            for (int j = 0; j < n; j++) w->scratch.e[j] = lq[j];
            lu_solve_transposed(w->newton.LU, w->newton.pivot, n, w->scratch.e, w->scratch.d);
            for (int j = 0; j < n; j++) lp[j] += length * w->scratch.d[j];
            for (int j = 0; j < n && has_density(w); j++)
                *time_weight(w, BY_LENGTH) += w->method.flow[i] * passed[n + j] * lq[j];
            add_by_parameters_at(w, MOMENTUM_ADJOINT, &x, passed + n, w->scratch.d, -length);
            continue;
        }
        linearize_kick(w, passed, moved);
        const real *const D = w->split.kick_jacobian,
                          *rate = w->dyn->mixed_time < 0 ? NULL : D + w->dyn->mixed_time;
        for (int j = 0; j < n && has_density(w); j++) {
            const real by_time = rate ? length * rate[j] * lp[j] : r_set(0);
            *time_weight(w, BY_BEGINNING) += by_time;
            *time_weight(w, BY_LENGTH) += w->method.flow[i] * D[j] * lp[j] + moved * by_time;
        }
        for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
            if (y->kind == NOE_D_FQ) lq[y->col] += length * D[y->output] * lp[y->row];
        add_by_parameters_at(w, FORCE_ADJOINT, &x, w->split.V0, lp, length);
    }
    place_record(w, record);
}

/* What stage i adds to the weights of the times of its step, from weights of its Q, P and F. */
static void stage_time_back(work *w, int i, const real *to_Q, const real *to_P, const real *by_F)
{
    const int n = w->n;
    for (int j = 0; j < n; j++) {
        const real by_time = rate_at(w, j, 0) * by_F[j] - rate_at(w, n + j, 0) * to_P[j];
        *time_weight(w, BY_BEGINNING) += by_time;
        *time_weight(w, BY_LENGTH) += w->method.at[i] * by_time
                                    + to_Q[j] * stage_sum(w, w->stages.k_q, i, j)
                                    + to_P[j] * stage_sum(w, w->stages.k_p, i, j);
    }
}

/* Takes lambda back over stage i: from dJ/dV_i and dJ/dF_i in w->stages.d_q and d_p to dJ/dQ_i and
 * dJ/dP_i, which add to lambda and, times h a_il, to the stages l before it. */
static void stage_back(work *w, int i)
{
    const int   n = w->n;
    const real  h = *w->state.h;
    real *const V = w->stages.k_q + i * n, *const Q = w->stages.stage_q, *const to_Q = w->scratch.a;
    real *const by_V = w->stages.d_q + i * n, *const by_F = w->stages.d_p + i * n,
                *const z = w->scratch.d;
    const site         x = { time_at(w, 0) + w->method.at[i] * h, Q, w->state.p, w->state.dp };
    for (int j = 0; j < n; j++)
        Q[j] = w->state.q[j] + (w->state.dq[j] + h * stage_sum(w, w->stages.k_q, i, j));
    jet_at(w, tape_back(w), &x, V);
    for (int k = 0; k < n * n; k++) w->newton.J[k] = r_set(0);
    for (int j = 0; j < n; j++) w->scratch.e[j] = by_V[j], to_Q[j] = r_set(0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
        if (y->kind == NOE_D_PV) w->newton.J[y->row * n + y->col] = output(w, y->output);
        if (y->kind == NOE_D_FV) w->scratch.e[y->col] += output(w, y->output) * by_F[y->row];
        if (y->kind == NOE_D_FQ) to_Q[y->col] += output(w, y->output) * by_F[y->row];
    }
    lu_factor(w->newton.J, w->newton.new_pivot, n);
    lu_solve_transposed(w->newton.J, w->newton.new_pivot, n, w->scratch.e, z);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_PQ) to_Q[y->col] -= output(w, y->output) * z[y->row];
    for (int j = 0; j < n; j++) w->state.adjoint[j] += to_Q[j], w->state.adjoint[n + j] += z[j];
    if (has_density(w)) stage_time_back(w, i, to_Q, z, by_F);
    for (int l = 0; l < i; l++)
        for (int j = 0; j < n; j++) {
            const real a = h * w->method.A[i * w->r + l];
            w->stages.d_q[l * n + j] += a * to_Q[j], w->stages.d_p[l * n + j] += a * z[j];
        }
    add_by_parameters_at(w, FORCE_ADJOINT, &x, V, by_F, r_set(1));
    add_by_parameters_at(w, MOMENTUM_ADJOINT, &x, V, z, r_set(-1));
}

static void runge_kutta_back(work *w)
{
    const int n = w->n;
    for (int i = 0; i < w->r; i++) {
        site        x;
        real *const V = w->stages.k_q + i * n;
        stage(w, i, &x, m_all(1));
        jet_at(w, GRADIENT, &x, V);
        for (int j = 0; j < n; j++) w->stages.k_p[i * n + j] = output(w, j);
    }
    for (int i = 0; i < w->r; i++)
        for (int j = 0; j < n; j++) {
            const real b = *w->state.h * w->method.b[i];
            w->stages.d_q[i * n + j] = b * w->state.adjoint[j];
            w->stages.d_p[i * n + j] = b * w->state.adjoint[n + j];
        }
    for (int j = 0; j < n && has_density(w); j++)
        *time_weight(w, BY_LENGTH) += w->state.adjoint[j] * stage_sum(w, w->stages.k_q, w->r, j)
                                    + w->state.adjoint[n + j]
                                          * stage_sum(w, w->stages.k_p, w->r, j);
    for (int i = w->r; i-- > 0;) stage_back(w, i);
}

#endif
