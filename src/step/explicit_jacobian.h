/* Derivatives of explicit steps, forward and back: kicks, drifts and Runge-Kutta stages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     splitting:    dp <- dp + s_i h (F_q dq + F_c),  dq <- dq + r_i h M^-1 (dp - P_c)
 *     Runge-Kutta:  dV_i = L_vv^-1 (dP_i - L_vq dQ_i - P_c),  dF_i = F_q dQ_i + F_v dV_i + F_c
 * where F_c and P_c are derivatives by a parameter at fixed (t, q, v), in columns of parameters.
 * Kicks without damping alone: the derivative of a damped one would need those of G = F_v, which
 * no tape has.  Stages are differentiated one after another, exact to rounding, for methods in
 * (q, p): those in (q, v) would need third derivatives of L, which no tape has. */
#ifndef NOE_STEP_EXPLICIT_JACOBIAN_H
#define NOE_STEP_EXPLICIT_JACOBIAN_H

#include "step/galerkin_jacobian.h"
#include "step/runge_kutta_step.h"
#include "step/splitting_step.h"

/* q, p, dq, dp, v to w->split.saved_aside, and back from there. */
static void save_aside(work *w)
{
    const real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    const size_t      n = (size_t)w->n;
    for (size_t i = 0; i < 5; i++)
        memcpy((void *)(w->split.saved_aside + i * n), state[i], n * sizeof(real));
}
static void bring_back(work *w)
{
    real *const  state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    const size_t n = (size_t)w->n;
    for (size_t i = 0; i < 5; i++)
        memcpy((void *)state[i], w->split.saved_aside + i * n, n * sizeof(real));
}

/* A kick of this length, of the state and of its derivative in w->stages.d_p. */
static void kick_columns(work *w, real length, num moved)
{
    const int  n = w->n, N = 2 * n + w->dyn->columns;
    const site x = { time_at(w, moved), w->state.q, w->state.p, w->state.dp };
    jet_at(w, jacobian_tape(w), &x, w->split.V0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
        if (y->kind != NOE_D_FQ) continue;
        const real K = length * output(w, y->output);
        for (int c = 0; c < N; c++)
            w->stages.d_p[y->row * N + c] += K * w->stages.d_q[y->col * N + c];
    }
    for (int c = 2 * n; c < N; c++)
        for (int j = 0, at = mixed_at(w, c); j < n && at >= 0; j++)
            w->stages.d_p[j * N + c] += length * output(w, at + j);
    for (int j = 0; j < n; j++)
        add_compensated(m_all(1), &w->state.p[j], &w->state.dp[j], length * output(w, j));
}

/* A drift of this length, of the state and of its derivative in w->stages.d_q. */
static void drift_columns(work *w, real length)
{
    const int  n = w->n, N = 2 * n + w->dyn->columns;
    const site x = here(w);
    if (N > 2 * n) {
        split_velocities(w, NULL, w->stages.stage_v);
        jet_at(w, MIXED, &x, w->stages.stage_v);
    }
    for (int c = 0; c < N; c++) {
        const int at = mixed_at(w, c);
        for (int j = 0; j < n; j++)
            w->scratch.e[j] = w->stages.d_p[j * N + c]
                            - (at < 0 ? r_set(0) : output(w, at + n + j));
        lu_solve(w->newton.LU, w->newton.pivot, n, w->scratch.e, w->scratch.d);
        for (int j = 0; j < n; j++) w->stages.d_q[j * N + c] += length * w->scratch.d[j];
    }
    drift(w, length);
}

/* As galerkin_jacobian(), for the step that the member has just made. */
static bool splitting_jacobian(work *w, int member, quad *M)
{
    const int n = w->n, N = 2 * n + w->dyn->columns;
    num       moved = 0;
    real      which = r_set(0), finite_probe = which;
    r_put(&which, member, 1);
    const mask one = r_less(r_set(0), which);
    swap_saved(w, one, -1);
    save_aside(w);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < N; c++) {
            w->stages.d_q[j * N + c] = r_set(j == c);
            w->stages.d_p[j * N + c] = r_set(n + j == c);
        }
    for (int i = 0; i < w->method.flows; i++) {
        const real length = w->method.flow[i] * *w->state.h;
        if ((i + w->split.drift_first) % 2) drift_columns(w, length), moved += w->method.flow[i];
        else kick_columns(w, length, moved);
    }
    bring_back(w);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < N; c++) {
            M[j * N + c] = r_member(w->stages.d_q[j * N + c], member);
            M[(n + j) * N + c] = r_member(w->stages.d_p[j * N + c], member);
            finite_probe += w->stages.d_q[j * N + c] + w->stages.d_p[j * N + c];
        }
    const bool finite = m_any(one & r_finite(finite_probe));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

/* one + h sum_l a_il k_lj, column c; one = 0 or 1: the entry of the identity. */
INLINE real stage_derivative(const work *w, const real *k, int i, int j, int c, int one)
{
    const num *a = i < w->r ? w->method.A + i * w->r : w->method.b;
    const int  n = w->n, N = 2 * n + w->dyn->columns;
    real       sum = r_set(0);
    for (int l = 0; l < i; l++)
        if (a[l] != 0) sum += a[l] * k[(l * n + j) * N + c];
    return r_set(one) + *w->state.h * sum;
}

/* Stage i with its V and F, D in w->eval.out and the factors of L_vv in w->newton.J. */
static void linearize_stage(work *w, int i, mask which)
{
    const int   n = w->n;
    site        x;
    real *const V = w->stages.k_q + i * n;
    stage(w, i, &x, which);
    jet_at(w, jacobian_tape(w), &x, V);
    for (int j = 0; j < n; j++) w->stages.k_p[i * n + j] = output(w, j);
    for (int k = 0; k < n * n; k++) w->newton.J[k] = r_set(0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_PV) w->newton.J[y->row * n + y->col] = output(w, y->output);
    lu_factor(w->newton.J, w->newton.new_pivot, n);
}

/* dV = L_vv^-1 (dP - L_vq dQ), dF += F_q dQ + F_v dV at a stage; dP becomes scratch. */
static void move_stage(work *w, const real *dQ, real *dP, real *dV, real *dF)
{
    const noe_entry *const first = w->dyn->entry, *const end = first + w->dyn->entries;
    for (const noe_entry *y = first; y < end; y++) {
        if (y->kind == NOE_D_PQ) dP[y->row] -= output(w, y->output) * dQ[y->col];
        if (y->kind == NOE_D_FQ) dF[y->row] += output(w, y->output) * dQ[y->col];
    }
    lu_solve(w->newton.J, w->newton.new_pivot, w->n, dP, dV);
    for (const noe_entry *y = first; y < end; y++)
        if (y->kind == NOE_D_FV) dF[y->row] += output(w, y->output) * dV[y->col];
}

/* Column c of d(V_i, F_i)/d(q, p), of the stage just linearized. */
static void stage_column(work *w, int i, int c)
{
    const int n = w->n, N = 2 * n + w->dyn->columns, at = mixed_at(w, c);
    real     *dQ = w->stages.stage_q, *dV = w->scratch.d, *dP = w->scratch.e, *dF = w->scratch.kick;
    for (int j = 0; j < n; j++) {
        dQ[j] = stage_derivative(w, w->stages.d_q, i, j, c, j == c);
        dP[j] = stage_derivative(w, w->stages.d_p, i, j, c, n + j == c);
        dF[j] = at < 0 ? r_set(0) : output(w, at + j);
        if (at >= 0) dP[j] -= output(w, at + n + j);
    }
    move_stage(w, dQ, dP, dV, dF);
    for (int j = 0; j < n; j++) {
        w->stages.d_q[(i * n + j) * N + c] = dV[j];
        w->stages.d_p[(i * n + j) * N + c] = dF[j];
    }
}

/* As galerkin_jacobian(), for the step that the member has just made. */
static bool runge_kutta_jacobian(work *w, int member, quad *M)
{
    const int n = w->n, N = 2 * n + w->dyn->columns;
    real      which = r_set(0), finite_probe = which;
    r_put(&which, member, 1);
    const mask one = r_less(r_set(0), which);
    swap_saved(w, one, -1);
    for (int i = 0; i < w->r; i++) {
        linearize_stage(w, i, one);
        for (int c = 0; c < N; c++) stage_column(w, i, c);
    }
    for (int j = 0; j < n; j++)
        for (int c = 0; c < N; c++) {
            const real dq = stage_derivative(w, w->stages.d_q, w->r, j, c, j == c),
                       dp = stage_derivative(w, w->stages.d_p, w->r, j, c, n + j == c);
            M[j * N + c] = r_member(dq, member);
            M[(n + j) * N + c] = r_member(dp, member);
            finite_probe += dq + dp;
        }
    const bool finite = m_any(one & r_finite(finite_probe));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

/* F_tj or, from row n on, P_tj at node i; 0 where t does not occur. */
INLINE real rate_at(const work *w, int row, int i)
{
    const int at = w->dyn->mixed_time;
    return at < 0 ? r_set(0) : *element(w->eval.out, w->B, at + row, i);
}

/* ---- the way back, step/step_adjoint.h ---- */

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

/* Makes the kicks and drifts again and stores the q from which each began, and of a drift v, in
 * `passed`. */
static void flows_again(work *w)
{
    num moved = 0;
    for (int i = 0; i < w->method.flows; i++) {
        const bool  drifts = (i + w->split.drift_first) % 2;
        const real  length = w->method.flow[i] * *w->state.h;
        const site  x = { time_at(w, moved), w->state.q, w->state.p, w->state.dp };
        real *const passed = w->stages.passed + 2 * i * w->n;
        memcpy((void *)passed, w->state.q, (size_t)w->n * sizeof *passed);
        if (drifts) {
            split_velocities(w, NULL, passed + w->n);
            drift(w, length), moved += w->method.flow[i];
            continue;
        }
        jet_at(w, GRADIENT, &x, w->split.V0);
        for (int j = 0; j < w->n; j++)
            add_compensated(m_all(1), &w->state.p[j], &w->state.dp[j], length * output(w, j));
    }
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
        real *const passed = w->stages.passed + 2 * i * n;
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
        jet_at(w, tape_back(w), &x, w->split.V0);
        for (int j = 0; j < n && has_density(w); j++) {
            const real by_time = length * rate_at(w, j, 0) * lp[j];
            *time_weight(w, BY_BEGINNING) += by_time;
            *time_weight(w, BY_LENGTH) += w->method.flow[i] * output(w, j) * lp[j]
                                        + moved * by_time;
        }
        for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
            if (y->kind == NOE_D_FQ) lq[y->col] += length * output(w, y->output) * lp[y->row];
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
