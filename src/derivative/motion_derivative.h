/* Derivatives along a motion, S <- M S + (those by parameters); by the times of the ends of a step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step begins at t and has the length h: along (dt, dh) = (1, -1) its end is held, along (0, 1)
 * its beginning.  With dq, dp, dt of the state before and dQ_i = dq + dh U_i, t_i moving by
 * dt + c_i dh at a node, F and P move by dF_i = F_q dQ_i + F_t dt_i, dP_i likewise, and
 *     J da = -(sum_i b_i (l_im dP_i - h X_im dF_i - dh X_im F_i) - w_m dp)
 * where Q_i = q + h U_i.  Kicks, drifts and stages likewise. */
#ifndef NOE_DERIVATIVE_MOTION_DERIVATIVE_H
#define NOE_DERIVATIVE_MOTION_DERIVATIVE_H

#include "number/upper_halves.h"
#include "derivative/composed_derivative.h"

/* e and kick of the part just linearized, along one of the times: the state before it, its time and
 * its length. */
static void time_right_side(work *w, real h, int time, num dt, num dh)
{
    const int   n = w->n, s = w->s;
    real *const dF = w->scratch.d, *const dP = dF + n, *const dQ = w->scratch.room[0];
    for (int j = 0; j < n; j++) {
        w->scratch.kick[j] = r_set(0);
        for (int m = 0; m < s; m++)
            w->scratch.e[j * s + m] = -w->method.w[m] * *by_time(w, time, n + j);
    }
    for (int i = 0; i < w->r; i++) {
        const num moved = dt + ((const num *)w->method.c)[i] * dh, b = w->method.b[i];
        for (int j = 0; j < n; j++) {
            dQ[j] = *by_time(w, time, j);
            for (int m = 0; m < s; m++)
                dQ[j] += dh * ((const num *)(w->method.I + m * w->B))[i] * w->scratch.a[j * s + m];
            dF[j] = moved * rate_at(w, j, i), dP[j] = moved * rate_at(w, n + j, i);
        }
        for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
            const real D = *element(w->eval.out, w->B, y->output, i);
            if (y->kind == NOE_D_FQ) dF[y->row] += D * dQ[y->col];
            if (y->kind == NOE_D_PQ) dP[y->row] += D * dQ[y->col];
        }
        for (int j = 0; j < n; j++) {
            const real push = h * dF[j] + dh * *element(w->eval.out, w->B, j, i);
            w->scratch.kick[j] += b * push;
            for (int m = 0; m < s; m++)
                w->scratch.e[j * s + m] += b
                                         * (((const num *)(w->method.l_m + i * w->S))[m] * dP[j]
                                            - ((const num *)(w->method.X_m + i * w->S))[m] * push);
        }
    }
}

/* Over one part of a Galerkin step, from its place and length in steps. */
static void galerkin_by_times(work *w)
{
    const int  n = w->n, s = w->s;
    const real h = w->state.length;
    linearize_last(w, of(w));
    lu_factor(w->newton.J, w->newton.new_pivot, w->N);
    for (int time = 0; time < TIMES; time++) {
        const num part = r_member(h / *w->state.h, 0), dh = LENGTH_GROWS[time] * part,
                  dt = BEGINNING_MOVES[time] + LENGTH_GROWS[time] * w->state.part_start;
        time_right_side(w, h, time, dt, dh);
        lu_solve(w->newton.J, w->newton.new_pivot, w->N, w->scratch.e, w->scratch.d); /* -da */
        for (int j = 0; j < n; j++) {
            real *const dq = by_time(w, time, j), *const dp = by_time(w, time, n + j);
            for (int m = 0; m < s; m++)
                *dq += w->method.w[m]
                     * (dh * w->scratch.a[j * s + m] - h * w->scratch.d[j * s + m]);
            *dp += w->scratch.kick[j];
            for (int i = 0; i < w->N; i++)
                *dp -= w->newton.new_kick_jacobian[j * w->N + i] * w->scratch.d[i];
        }
    }
}

/* (dh sum_l a_il k_lj + h sum_l a_il dk_lj); dk [r][n]. */
INLINE real stage_by_time(const work *w, const real *k, const real *dk, int i, int j, num dh)
{
    return dh * stage_sum(w, k, i, j) + *w->state.h * stage_sum(w, dk, i, j);
}

/* Stage i, just linearized, along one of the times: dV_i and dF_i in w->stages.d_q and d_p
 * [TIMES][r][n]. */
static void stage_along_time(work *w, int time, int i)
{
    const int   n = w->n;
    const num   dh = LENGTH_GROWS[time], dt = BEGINNING_MOVES[time] + w->method.at[i] * dh;
    real *const k_q = w->stages.d_q + time * w->r * n, *const k_p = w->stages.d_p + time * w->r * n;
    real *const dQ = w->stages.stage_q, *const dV = w->scratch.d, *const dP = w->scratch.e,
                *const dF = w->scratch.kick;
    for (int j = 0; j < n; j++) {
        dQ[j] = stage_by_time(w, w->stages.k_q, k_q, i, j, dh);
        dP[j] = stage_by_time(w, w->stages.k_p, k_p, i, j, dh) - dt * rate_at(w, n + j, 0);
        dF[j] = dt * rate_at(w, j, 0);
    }
    move_stage(w, dQ, dP, dV, dF);
    memcpy((void *)(k_q + i * n), dV, (size_t)n * sizeof *dV);
    memcpy((void *)(k_p + i * n), dF, (size_t)n * sizeof *dF);
}

/* The state is that before the step, whose stages are there where it has just been `made`. */
static void runge_kutta_by_times(work *w, bool made)
{
    const int n = w->n;
    for (int i = 0; i < w->r; i++) {
        linearize_stage(w, i, made, m_all(1));
        for (int time = 0; time < TIMES; time++) stage_along_time(w, time, i);
    }
    for (int time = 0; time < TIMES; time++)
        for (int j = 0; j < n; j++) {
            const int at = time * w->r * n;
            *by_time(w, time, j) = stage_by_time(w, w->stages.k_q, w->stages.d_q + at, w->r, j,
                                                 LENGTH_GROWS[time]);
            *by_time(w, time, n + j) = stage_by_time(w, w->stages.k_p, w->stages.d_p + at, w->r, j,
                                                     LENGTH_GROWS[time]);
        }
}

/* w->state.by_times of the last step; false where it is not finite.  The state is kept.  made:
 * nothing has happened since that step. */
static bool step_by_times(work *w, bool made)
{
    const real h = *w->state.h;
    real       finite_probe = r_set(0);
    for (int i = 0; i < TIMES * 2 * w->n; i++) w->state.by_times[i] = r_set(0);
    *w->state.h = w->state.last_length;
    for (int i = 0; i < w->method.parts && w->kind == NOE_GALERKIN; i++) {
        select_part(w, i);
        galerkin_by_times(w);
    }
    select_part(w, 0);
    if (w->kind != NOE_GALERKIN) {
        swap_saved(w, m_all(1), -1);
        if (w->kind == NOE_SPLITTING) splitting_by_times(w);
        else runge_kutta_by_times(w, made);
        swap_saved(w, m_all(1), 1);
        w->split.F_known = w->split.V_known = false;
    }
    *w->state.h = h;
    for (int i = 0; i < TIMES * 2 * w->n; i++) finite_probe += w->state.by_times[i];
    const bool finite = m_any(r_finite(finite_probe));
    noe_upper_halves_empty();
    return finite;
}

/* d(density) and d(length) of a step to come, w->state.denser and longer: of a reversible monitor,
 * rho - eps psi and eps/rho, psi = (dG/dt)/G, with L_vv dv = dp - L_vq dq - P_t dt - P_c.  The
 * density and the length are those of set_length(). */
static void differentiate_density(work *w)
{
    const int         n = w->n, k = w->dyn->columns, psi = w->dyn->mixed_clock + 1 + n + k;
    const real *const S = w->state.sensitivity, *const shift = w->state.shift;
    const site  x = here(w);
    const real  eps = *w->state.fictitious;
    real *const dv = w->scratch.d;
    jet_at(w, MIXED, &x, w->state.v);
    if (w->kind == NOE_SPLITTING) keep_kick(w, x.q);
    const mass_factors M = factored_mass(w);
    for (int c = 0; c < k; c++) {
        const real lambda = shift[OF_LENGTH * k + c];
        const int  at = w->dyn->mixed_at[c];
        real       moved = output(w, psi + 2 * n + 2 + c) + output(w, psi + 2 * n + 1) * shift[c];
        for (int j = 0; j < n; j++) {
            moved += output(w, psi + 1 + j) * S[j * k + c];
            w->scratch.e[j] = S[(n + j) * k + c] - rate_at(w, n + j, 0) * shift[c];
            if (at >= 0) w->scratch.e[j] -= output(w, at + n + j);
        }
        for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++)
            if (y->kind == NOE_D_PQ)
                w->scratch.e[y->row] -= output(w, y->output) * S[y->col * k + c];
        lu_solve(M.LU, M.pivot, n, w->scratch.e, dv);
        for (int j = 0; j < n; j++) moved += output(w, psi + 1 + n + j) * dv[j];
        w->state.denser[c] = shift[OF_DENSITY * k + c] - eps * (lambda * output(w, psi) + moved);
        w->state.longer[c] = *w->state.h * (lambda - w->state.denser[c] / w->state.density[0]);
    }
}

static bool derivative_work(void *self, int member, quad *M)
{
    work      *w = self;
    const bool finite = w->kind == NOE_GALERKIN ? composed_jacobian(w, member, M)
                                                : explicit_jacobian(w, member, M);
    if (!finite) w->state.v_known = w->split.F_known = w->split.V_known = false;
    noe_upper_halves_empty();
    return finite;
}

/* S <- M S + (derivative of the step by parameters) of a member, in w->state.next_sensitivity;
 * after an explicit step it stands there.  False where it is not finite. */
static bool next_sensitivity(work *w, int member)
{
    const size_t numbers = 2 * (size_t)(w->n * w->dyn->columns);
    real *const  S = w->state.next_sensitivity;
    if (w->dyn->transformed) {
        begin_monitored_rows(w, S);
        if (!composed_sensitivity(w, member, S)) return false;
        if (w->state.given_length) hold_time(w, S);
        return true;
    }
    if (w->kind == NOE_GALERKIN) {
        memcpy((void *)S, w->state.sensitivity, numbers * sizeof *S);
        return composed_sensitivity(w, member, S);
    }
    real finite_probe = r_set(0);
    for (size_t i = 0; i < numbers; i++) finite_probe += S[i];
    return is_differentiated(w, member, finite_probe);
}

/* Does a density of steps give the length of this one? */
INLINE bool is_paced(const work *w)
{
    return w->eval.tape[CLOCK] && !w->dyn->transformed && !w->state.given_length;
}

/* Does the beginning or the length of the step just made depend on a column? */
static bool times_matter(const work *w)
{
    bool some = is_paced(w);
    for (int c = 0; c < w->dyn->columns; c++)
        some |= m_any(m_not(r_equal(w->state.shift[c], r_set(0))));
    return some;
}

/* Adds to S after the step what a beginning that moves in time adds, and an end that does: it is
 * held but for steps by a density.  Steps of splittings have this in their columns.  False where
 * it is not finite: the member is then where it was before that step. */
static bool add_shift(work *w, int member, real *S)
{
    const int  k = w->dyn->columns;
    const bool paced = is_paced(w);
    if (w->kind == NOE_SPLITTING || w->dyn->transformed || !times_matter(w)) return true;
    if (!step_by_times(w, true)) {
        real which = r_set(0);
        r_put(&which, member, 1);
        swap_saved(w, r_less(r_set(0), which), -1);
        return false;
    }
    for (int a = 0; a < 2 * w->n; a++)
        for (int c = 0; c < k; c++) {
            real sum = S[a * k + c] + *by_time(w, 0, a) * w->state.shift[c];
            if (paced) sum += *by_time(w, 1, a) * (w->state.shift[c] + w->state.longer[c]);
            r_put(&S[a * k + c], member, r_member(sum, member));
        }
    return true;
}

/* d(time) and d(density) of a member after the step. */
static void keep_shift(work *w, int member)
{
    const int  k = w->dyn->columns;
    const bool paced = is_paced(w);
    for (int c = 0; c < k; c++) {
        const num moved = r_member(w->state.shift[c], member);
        r_put(&w->state.shift[c], member, paced ? moved + r_member(w->state.longer[c], member) : 0);
        if (paced)
            r_put(&w->state.shift[OF_DENSITY * k + c], member,
                  r_member(w->state.denser[c], member));
    }
}

/* w->state.next_sensitivity of all members after an explicit step. */
static void all_explicit_sensitivities(work *w, unsigned failed)
{
    const size_t numbers = 2 * (size_t)(w->n * w->dyn->columns);
    const bool   times = times_matter(w);
    real         made = r_set(0);
    for (int c = 0; c < w->dyn->columns && times && !is_paced(w); c++)
        w->state.longer[c] = -w->state.shift[c];
    for (int i = 0; i < MEMBERS; i++) r_put(&made, i, !(failed >> i & 1));
    memcpy((void *)w->state.next_sensitivity, w->state.sensitivity, numbers * sizeof(real));
    explicit_sensitivity(w, r_less(r_set(0), made), times, w->state.next_sensitivity);
}

/* Of each member that has not failed; returns bit i for each member i whose step has no finite
 * derivative. */
static unsigned advance_sensitivity(work *w, unsigned failed)
{
    unsigned without = 0;
    if (w->kind != NOE_GALERKIN) all_explicit_sensitivities(w, failed);
    for (int i = 0; i < MEMBERS; i++) {
        if (failed >> i & 1) continue;
        if (!next_sensitivity(w, i) || !add_shift(w, i, w->state.next_sensitivity)) {
            w->state.v_known = w->split.F_known = w->split.V_known = false;
            r_put(w->history.length, i, 0), r_put(w->newton.matrix_reuse, i, 0);
            w->why[i] = NOE_NOT_FINITE;
            without |= 1u << i;
            continue;
        }
        if (w->dyn->transformed) {
            keep_monitored_rows(w, i, w->state.next_sensitivity);
            continue;
        }
        for (int a = 0; a < 2 * w->n * w->dyn->columns; a++)
            r_put(&w->state.sensitivity[a], i, r_member(w->state.next_sensitivity[a], i));
        keep_shift(w, i);
    }
    return without;
}

static bool by_times_work(void *self, quad *x)
{
    work      *w = self;
    const bool finite = step_by_times(w, false);
    for (int time = 0; time < TIMES; time++)
        for (int a = 0; a < 2 * w->n; a++)
            x[time * 2 * w->n + a] = r_member(*by_time(w, time, a), 0);
    return finite;
}

#endif
