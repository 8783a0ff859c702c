/* Derivatives of explicit steps along columns of S: kicks, drifts and Runge-Kutta stages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     splitting:    S_p <- S_p + s_i h (F_q S_q + F_c),  S_q <- S_q + r_i h M^-1 (S_p - P_c)
 *     Runge-Kutta:  dV_i = L_vv^-1 (dP_i - L_vq dQ_i - P_c),  dF_i = F_q dQ_i + F_v dV_i + F_c
 * where F_c and P_c are derivatives by a parameter at fixed (t, q, v).  Where the beginning of the
 * step moves by dt and its length by dh, a flow at t + a h adds s_i (dh F + h F_t (dt + a dh)) to
 * S_p or r_i dh v to S_q.  Columns are what is wanted
 * or, for the derivative M of the step, those of the identity.
 * Kicks without damping alone: the derivative of a damped one would need those of G = F_v, which
 * no tape has.  Stages are differentiated one after another, exact to rounding, for methods in
 * (q, p): those in (q, v) would need third derivatives of L, which no tape has. */
#ifndef NOE_DERIVATIVE_EXPLICIT_SENSITIVITY_H
#define NOE_DERIVATIVE_EXPLICIT_SENSITIVITY_H

#include "derivative/galerkin_sensitivity.h"
#include "step/runge_kutta_step.h"
#include "step/splitting_step.h"

/* Derivatives of (q, p), of all members at once. */
typedef struct {
    real       *q, *p; /* rows of coordinates [n][wide] each */
    int         wide;  /* columns: parameters and starts, or 2n of the identity */
    const int  *mixed; /* first output F_c, P_c [2n] of a column's parameter, or -1 [wide]; NULL */
    const real *begins, *longer; /* dt, dh of splitting steps [wide]; NULL: 0 */
} state_columns;

/* The same of column c; -1: nothing depends on it but the start. */
INLINE int mixed_of(const state_columns S, int c) { return S.mixed ? S.mixed[c] : -1; }

/* F_tj or, from row n on, P_tj at node i; 0 where t does not occur. */
INLINE real rate_at(const work *w, int row, int i)
{
    const int at = w->dyn->mixed_time;
    return at < 0 ? r_set(0) : *element(w->eval.out, w->B, at + row, i);
}

enum { TIMES = 2 }; /* what is differentiated by: the time of the beginning, that of the end */
static const num BEGINNING_MOVES[TIMES] = { 1, 0 }, LENGTH_GROWS[TIMES] = { -1, 1 };

/* Row a of (dq, dp) [2n], along one of the times. */
INLINE real *by_time(const work *w, int time, int a)
{
    return w->state.by_times + a * TIMES + time;
}

/* Factors of L_vv at the state whose second derivatives have just been evaluated. */
typedef struct {
    const real *LU, *pivot; /* as lu_factor() leaves them [n][n], [n] */
} mass_factors;

/* Those of a splitting stand: its mass is constant. */
static mass_factors factored_mass(work *w)
{
    const int n = w->n;
    if (w->kind == NOE_SPLITTING) return (mass_factors){ w->newton.LU, w->newton.pivot };
    memset((void *)w->newton.J, 0, (size_t)(n * n) * sizeof(real));
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_PV) w->newton.J[y->row * n + y->col] = output(w, y->output);
    lu_factor(w->newton.J, w->newton.new_pivot, n);
    return (mass_factors){ w->newton.J, w->newton.new_pivot };
}

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

/* What the kicks and drifts of a step pass, from the state before it: w->stages.passed. */
static void flows_again(work *w)
{
    const size_t size = (size_t)w->n * sizeof(real);
    num          moved = 0;
    for (int i = 0; i < w->method.flows; i++) {
        const bool drifts = (i + w->split.drift_first) % 2, last = i + 1 == w->method.flows;
        const real length = w->method.flow[i] * *w->state.h;
        const site x = { time_at(w, moved), w->state.q, w->state.p, w->state.dp };
        memcpy((void *)passed_by(w, i), w->state.q, size);
        if (drifts) {
            split_velocities(w, NULL, passed_by(w, i) + w->n);
            drift(w, length), moved += w->method.flow[i];
        } else if (!last) {
            jet_at(w, GRADIENT, &x, w->split.V0);
            for (int j = 0; j < w->n; j++)
                add_compensated(m_all(1), &w->state.p[j], &w->state.dp[j], length * output(w, j));
        }
    }
}

/* Keeps the second derivatives just evaluated at q; those of a kick do not depend on v. */
static void keep_kick(work *w, const real *q)
{
    for (int o = 0; o < w->split.kick_outputs; o++) w->split.kick_jacobian[o] = output(w, o);
    memcpy((void *)w->split.kick_at, q, (size_t)w->n * sizeof *q);
    w->split.kick_known = w->dyn->autonomous;
}

/* w->split.kick_jacobian = the second derivatives at a kick; often the last one has been there. */
static void linearize_kick(work *w, const real *q, num moved)
{
    const site   x = { time_at(w, moved), q, w->state.p, w->state.dp };
    const size_t size = (size_t)w->n * sizeof *q;
    if (w->split.kick_known && !memcmp(w->split.kick_at, q, size)) return;
    jet_at(w, jacobian_tape(w), &x, w->split.V0);
    keep_kick(w, q);
}

static void kick_columns(const work *w, num flow, num moved, const state_columns S)
{
    const real        length = flow * *w->state.h;
    const real *const D = w->split.kick_jacobian, *const rate = w->dyn->mixed_time < 0
                                                                  ? NULL
                                                                  : D + w->dyn->mixed_time;
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
        if (y->kind == NOE_D_FQ)
            add_multiple(S.p + y->row * S.wide, length * D[y->output], S.q + y->col * S.wide,
                         S.wide);
    for (int c = 0; c < S.wide; c++)
        for (int j = 0, at = mixed_of(S, c); j < w->n && at >= 0; j++)
            S.p[j * S.wide + c] += length * D[at + j];
    for (int j = 0; j < w->n && S.longer; j++) {
        add_multiple(S.p + j * S.wide, flow * D[j], S.longer, S.wide);
        for (int c = 0; c < S.wide && rate; c++)
            S.p[j * S.wide + c] += length * rate[j] * (S.begins[c] + moved * S.longer[c]);
    }
}

/* A drift from q with v, `passed` [2n]. */
static void drift_columns(work *w, num flow, const real *passed, num moved, const state_columns S)
{
    const int  n = w->n;
    const real length = flow * *w->state.h;
    const site x = { time_at(w, moved), passed, w->state.p, w->state.dp };
    for (int j = 0; j < n && S.longer; j++)
        add_multiple(S.q + j * S.wide, flow * passed[n + j], S.longer, S.wide);
    if (w->split.diagonal && !w->split.momenta_vary) {
        for (int j = 0; j < n; j++)
            add_multiple(S.q + j * S.wide, length * w->newton.LU[j * n + j], S.p + j * S.wide,
                         S.wide);
        return;
    }
    if (w->split.momenta_vary && S.mixed) jet_at(w, MIXED, &x, passed + n);
    for (int c = 0; c < S.wide; c++) {
        const int at = w->split.momenta_vary ? mixed_of(S, c) : -1;
        for (int j = 0; j < n; j++) {
            w->scratch.e[j] = S.p[j * S.wide + c];
            if (at >= 0) w->scratch.e[j] -= output(w, at + n + j);
        }
        divide_by_split_mass(w, w->scratch.e, w->scratch.d);
        for (int j = 0; j < n; j++) S.q[j * S.wide + c] += length * w->scratch.d[j];
    }
}

/* Over the flows from what they passed, w->stages.passed, with the count before the step. */
static void splitting_columns(work *w, const state_columns S)
{
    num moved = 0;
    for (int i = 0; i < w->method.flows; i++) {
        const num         flow = w->method.flow[i];
        const real *const passed = passed_by(w, i);
        if ((i + w->split.drift_first) % 2) {
            drift_columns(w, flow, passed, moved, S), moved += flow;
            continue;
        }
        linearize_kick(w, passed, moved);
        kick_columns(w, flow, moved, S);
    }
}

/* The same over a step whose flows are made again from the state before it. */
static void splitting_columns_again(work *w, const state_columns S)
{
    save_aside(w);
    flows_again(w);
    bring_back(w);
    splitting_columns(w, S);
}

/* w->state.by_times, of the state before the step. */
static void splitting_by_times(work *w)
{
    real        begins[TIMES], longer[TIMES];
    real *const q = w->state.by_times;
    for (int i = 0; i < TIMES; i++) {
        begins[i] = r_set(BEGINNING_MOVES[i]);
        longer[i] = r_set(LENGTH_GROWS[i]);
    }
    splitting_columns_again(w, (state_columns){ q, q + w->n * TIMES, TIMES, NULL, begins, longer });
}

/* Stage i, of the step just `made` or made again, with its V and F; D in w->eval.out, and the
 * factors of L_vv in w->newton.J. */
static void linearize_stage(work *w, int i, bool made, mask which)
{
    const int   n = w->n;
    real *const V = w->stages.k_q + i * n;
    site        x;
    if (made) x = stage_site(w, i);
    else stage(w, i, &x, which);
    jet_at(w, jacobian_tape(w), &x, V);
    for (int j = 0; j < n; j++) w->stages.k_p[i * n + j] = output(w, j);
    factored_mass(w);
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

/* S + h sum_l a_il k_l, entry j of column c. */
INLINE real stage_derivative(const work *w, const real *S, const real *k, int i, int at, int row)
{
    const num *a = i < w->r ? w->method.A + i * w->r : w->method.b;
    real       sum = r_set(0);
    for (int l = 0; l < i; l++)
        if (a[l] != 0) sum += a[l] * k[l * row + at];
    return S[at] + *w->state.h * sum;
}

/* Column c of d(V_i, F_i), of the stage just linearized, in w->stages.d_q and d_p [r][n][wide]. */
static void stage_column(work *w, int i, int c, const state_columns S)
{
    const int n = w->n, row = n * S.wide, at = mixed_of(S, c);
    real     *dQ = w->stages.stage_q, *dV = w->scratch.d, *dP = w->scratch.e, *dF = w->scratch.kick;
    for (int j = 0; j < n; j++) {
        dQ[j] = stage_derivative(w, S.q, w->stages.d_q, i, j * S.wide + c, row);
        dP[j] = stage_derivative(w, S.p, w->stages.d_p, i, j * S.wide + c, row);
        dF[j] = at < 0 ? r_set(0) : output(w, at + j);
        if (at >= 0) dP[j] -= output(w, at + n + j);
    }
    move_stage(w, dQ, dP, dV, dF);
    for (int j = 0; j < n; j++) {
        w->stages.d_q[i * row + j * S.wide + c] = dV[j];
        w->stages.d_p[i * row + j * S.wide + c] = dF[j];
    }
}

/* Over the stages, as linearize_stage(); the state is that before the step. */
static void runge_kutta_columns(work *w, bool made, mask which, const state_columns S)
{
    const int row = w->n * S.wide;
    for (int i = 0; i < w->r; i++) {
        linearize_stage(w, i, made, which);
        for (int c = 0; c < S.wide; c++) stage_column(w, i, c, S);
    }
    for (int k = 0; k < row; k++) {
        S.q[k] = stage_derivative(w, S.q, w->stages.d_q, w->r, k, row);
        S.p[k] = stage_derivative(w, S.p, w->stages.d_p, w->r, k, row);
    }
}

/* S [2n][columns] of the members `which` after the step that they have just made; times: that of a
 * splitting begins and lasts by w->state.shift and w->state.longer later. */
static void explicit_sensitivity(work *w, mask which, bool times, real *S)
{
    const int           k = w->dyn->columns;
    const state_columns all = { .q = S,
                                .p = S + w->n * k,
                                .wide = k,
                                .mixed = w->dyn->mixed_at,
                                .begins = w->state.shift,
                                .longer = times ? w->state.longer : NULL };
    if (w->kind == NOE_RUNGE_KUTTA) {
        swap_saved(w, which, -1);
        runge_kutta_columns(w, true, which, all);
        swap_saved(w, which, 1);
        return;
    }
    *w->state.count -= 1;
    splitting_columns(w, all);
    *w->state.count += 1;
}

/* As galerkin_jacobian(), for the step that the member has just made. */
static bool explicit_jacobian(work *w, int member, quad *M)
{
    const int n = w->n, N = 2 * n;
    real      which = r_set(0), finite_probe = which;
    r_put(&which, member, 1);
    const mask          one = r_less(r_set(0), which);
    const state_columns S = { .q = w->state.identity, .p = w->state.identity + n * N, .wide = N };
    for (int a = 0; a < N; a++)
        for (int c = 0; c < N; c++) S.q[a * N + c] = r_set(a == c);
    swap_saved(w, one, -1);
    if (w->kind == NOE_RUNGE_KUTTA) runge_kutta_columns(w, false, one, S);
    else splitting_columns_again(w, S);
    for (int a = 0; a < N * N; a++) {
        M[a] = r_member(S.q[a], member);
        finite_probe += S.q[a];
    }
    const bool finite = m_any(one & r_finite(finite_probe));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

#endif
