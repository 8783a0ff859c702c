/* The way back over a step: lambda = dJ/d(q, p) after it becomes that before it, and dJ/dc grows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Galerkin:  J^T mu = h w lambda_q + (d kick/da)^T lambda_p,  and with the weights
 *     alpha_i = lambda_p + sum_m X_im mu_m,  beta_i = -sum_m l_im mu_m  at node i
 *     lambda_q += sum_i b_i (h F_q^T alpha_i + P_q^T beta_i),  lambda_p += sum_m w_m mu_m,
 *     dJ/dc += sum_i b_i (h alpha_i.F_c + beta_i.P_c):
 * one transposed solution and two tapes, whatever the number of parameters.  Kicks, drifts and
 * stages go back one by one.  A record holds the state before the step, and the modes. */
#ifndef NOE_STEP_STEP_ADJOINT_H
#define NOE_STEP_STEP_ADJOINT_H

#include "step/explicit_jacobian.h"

/* Numbers before those of the parts: t0, count and length. */
enum { RECORD_HEAD = 3 };

/* Numbers of each part. */
INLINE size_t numbers_of_part(const work *w)
{
    return 5 * (size_t)w->n + (w->kind == NOE_GALERKIN ? (size_t)w->N_row : 0);
}

static size_t record_bytes(const void *self)
{
    const work *w = self;
    return (RECORD_HEAD + (size_t)w->method.parts * numbers_of_part(w)) * sizeof(real);
}

/* noe_engine_adjoint.record */
static void record_step(const void *self, void *to)
{
    const work *w = self;
    const int   state = 5 * w->n;
    real       *x = to;
    *x++ = *w->state.t0, *x++ = *w->state.count - 1, *x++ = w->state.made;
    for (int i = 0; i < w->method.parts; i++, x += numbers_of_part(w)) {
        memcpy((void *)x, w->state.all_saved_states + i * (state + START),
               (size_t)state * sizeof *x);
        if (w->kind == NOE_GALERKIN)
            memcpy((void *)(x + state), w->history.all_last + (size_t)i * w->N_row,
                   (size_t)w->N_row * sizeof *x);
    }
}

/* The state of a record's part. */
static void place_record(work *w, const real *x)
{
    real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    for (int i = 0; i < 5; i++) memcpy((void *)state[i], x + i * w->n, (size_t)w->n * sizeof *x);
    w->state.v_known = w->split.F_known = w->split.V_known = false;
}

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

/* Weights at the nodes: base_j + sum_m C_im mu_jm, C by nodes [r][S]. */
static void place_weights(work *w, const coef *C, const real *base, num sign)
{
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < w->r; i++) {
            const num *c = (const num *)(C + i * w->S);
            real       sum = base ? base[j] : r_set(0);
            for (int m = 0; m < w->s; m++) sum += sign * c[m] * w->scratch.d[j * w->s + m];
            *element(w->eval.Y, w->B, j, i) = sum;
        }
}

/* lambda_q += sum_i b_i scale D_i^T y_i over the entries D of one kind. */
static void add_entries(work *w, noe_d_kind kind, real scale)
{
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++) {
        if (x->kind != kind) continue;
        real sum = r_set(0);
        for (int i = 0; i < w->r; i++)
            sum += w->method.b[i] * *element(w->eval.out, w->B, x->output, i)
                 * *element(w->eval.Y, w->B, x->row, i);
        w->state.adjoint[x->col] += scale * sum;
    }
}

/* Takes lambda back over one part of a Galerkin step, whose state is placed. */
static void galerkin_back(work *w, const real *modes)
{
    const int   n = w->n, s = w->s;
    const real  h = w->state.length;
    real *const lq = w->state.adjoint, *const lp = lq + n;
    linearize(w, of(w), modes, HESSIAN);
    lu_factor(w->newton.J, w->newton.new_pivot, w->N);
    for (int i = 0; i < w->N; i++) {
        w->scratch.e[i] = h * w->method.w[i % s] * lq[i / s];
        for (int j = 0; j < n; j++)
            w->scratch.e[i] += w->newton.new_kick_jacobian[j * w->N + i] * lp[j];
    }
    lu_solve_transposed(w->newton.J, w->newton.new_pivot, w->N, w->scratch.e, w->scratch.d);
    place_weights(w, w->method.l_m, NULL, -1);
    add_entries(w, NOE_D_PQ, r_set(1));
    place_weights(w, w->method.X_m, lp, 1);
    add_entries(w, NOE_D_FQ, h);
    add_by_parameters(w, FORCE_ADJOINT, w->r, w->method.b, h);
    if (w->eval.tape[MOMENTUM_ADJOINT]) {
        place_weights(w, w->method.l_m, NULL, -1);
        add_by_parameters(w, MOMENTUM_ADJOINT, w->r, w->method.b, r_set(1));
    }
    for (int i = 0; i < w->N; i++) lp[i / s] += w->method.w[i % s] * w->scratch.d[i];
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
            add_by_parameters_at(w, MOMENTUM_ADJOINT, &x, passed + n, w->scratch.d, -length);
            continue;
        }
        jet_at(w, HESSIAN, &x, w->split.V0);
        for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
            if (y->kind == NOE_D_FQ) lq[y->col] += length * output(w, y->output) * lp[y->row];
        add_by_parameters_at(w, FORCE_ADJOINT, &x, w->split.V0, lp, length);
    }
    place_record(w, record);
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
    jet_at(w, HESSIAN, &x, V);
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
    for (int i = w->r; i-- > 0;) stage_back(w, i);
}

/* noe_engine_adjoint.back */
static bool step_back(void *self, const void *record)
{
    work       *w = self;
    const real *x = record;
    *w->state.t0 = x[0], *w->state.count = x[1], *w->state.h = x[2];
    for (int i = w->method.parts; i-- > 0;) {
        const real *part = x + RECORD_HEAD + (size_t)i * numbers_of_part(w);
        select_part(w, i);
        place_record(w, part);
        if (w->kind == NOE_RUNGE_KUTTA) runge_kutta_back(w);
        else if (w->kind == NOE_SPLITTING) splitting_back(w, part);
        else galerkin_back(w, part + 5 * w->n);
    }
    noe_upper_halves_empty();
    real finite_probe = r_set(0);
    for (int k = 0; k < 2 * w->n; k++) finite_probe += w->state.adjoint[k];
    return m_any(r_finite(finite_probe));
}

#endif
