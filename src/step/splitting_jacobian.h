/* Derivative of a splitting step: kick dp <- dp + s_i h F_q dq, drift dq <- dq + r_i h M^-1 dp.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For kicks without damping: the derivative of a damped kick would need derivatives of G = F_v,
 * which no tape has. */
#ifndef NOE_STEP_SPLITTING_JACOBIAN_H
#define NOE_STEP_SPLITTING_JACOBIAN_H

#include "step/splitting_step.h"

/* A kick of this length, of the state and of its derivative in w->stages.d_p. */
static void kick_columns(work *w, real length, num moved)
{
    const int  n = w->n, N = 2 * n;
    const site x = { time_at(w, moved), w->state.q, w->state.p, w->state.dp };
    jet_at(w, HESSIAN, &x, w->split.V0);
    for (const noe_entry *y = w->dyn->entry, *end = y + w->dyn->entries; y < end; y++) {
        if (y->kind != NOE_D_FQ) continue;
        const real K = length * output(w, y->output);
        for (int c = 0; c < N; c++)
            w->stages.d_p[y->row * N + c] += K * w->stages.d_q[y->col * N + c];
    }
    for (int j = 0; j < n; j++)
        add(m_all(1), &w->state.p[j], &w->state.dp[j], length * output(w, j));
}

/* A drift of this length, of the state and of its derivative in w->stages.d_q. */
static void drift_columns(work *w, real length)
{
    const int n = w->n, N = 2 * n;
    for (int c = 0; c < N; c++) {
        for (int j = 0; j < n; j++) w->scratch.e[j] = w->stages.d_p[j * N + c];
        lu_solve(w->newton.LU, w->newton.pivot, n, w->scratch.e, w->scratch.d);
        for (int j = 0; j < n; j++) w->stages.d_q[j * N + c] += length * w->scratch.d[j];
    }
    drift(w, length);
}

/* As galerkin_jacobian(), for the step that the member has just made. */
static bool splitting_jacobian(work *w, int member, quad *M)
{
    const int n = w->n, N = 2 * n;
    num       moved = 0;
    real      which = r_set(0), all = which;
    r_put(&which, member, 1);
    const mask one = r_set(0) < which;
    swap_saved(w, one, -1);
    real *const state[] = { w->state.q, w->state.p, w->state.dq, w->state.dp, w->state.v };
    for (int i = 0; i < 5; i++)
        memcpy((void *)(w->split.saved_aside + i * n), state[i],
               (size_t)n * sizeof *w->split.saved_aside);
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
    for (int i = 0; i < 5; i++)
        memcpy((void *)state[i], w->split.saved_aside + i * n,
               (size_t)n * sizeof *w->split.saved_aside);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < N; c++) {
            M[j * N + c] = r_member(w->stages.d_q[j * N + c], member);
            M[(n + j) * N + c] = r_member(w->stages.d_p[j * N + c], member);
            all += w->stages.d_q[j * N + c] + w->stages.d_p[j * N + c];
        }
    const bool finite = m_any(one & r_finite(all));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

#endif
