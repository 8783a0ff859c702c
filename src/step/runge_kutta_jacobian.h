/* Derivative of a Runge-Kutta step: dV_i = L_vv^-1 (dP_i - L_vq dQ_i), dF_i = F_q dQ_i + F_v dV_i.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For methods in (q, p).  The stages are differentiated one after another, exact to rounding.
 * Methods in (q, v) would need third derivatives of L, which no tape has. */
#ifndef NOE_STEP_RUNGE_KUTTA_JACOBIAN_H
#define NOE_STEP_RUNGE_KUTTA_JACOBIAN_H

#include "step/runge_kutta_step.h"

/* one + h sum_l a_il k_lj, column c; one = 0 or 1: the entry of the identity. */
INLINE real stage_slope(const work *w, const real *k, int i, int j, int c, int one)
{
    const num *a = i < w->r ? w->method.A + i * w->r : w->method.b;
    const int  n = w->n, N = 2 * n;
    real       sum = r_set(0);
    for (int l = 0; l < i; l++)
        if (a[l] != 0) sum += a[l] * k[(l * n + j) * N + c];
    return r_set(one) + *w->state.h * sum;
}

/* Column c of d(V_i, F_i)/d(q, p), from the entries of D in w->eval.out and the factored L_vv in
 * w->newton.J. */
static void stage_column(work *w, int i, int c)
{
    const int n = w->n, N = 2 * n;
    real     *dQ = w->stages.stage_q, *dV = w->scratch.d, *dP = w->scratch.e, *dF = w->scratch.kick;
    for (int j = 0; j < n; j++) {
        dQ[j] = stage_slope(w, w->stages.d_q, i, j, c, j == c);
        dP[j] = stage_slope(w, w->stages.d_p, i, j, c, n + j == c);
        dF[j] = r_set(0);
    }
    const noe_entry *const first = w->dyn->entry, *const end = first + w->dyn->entries;
    for (const noe_entry *y = first; y < end; y++) {
        if (y->kind == NOE_D_PQ) dP[y->row] -= output(w, y->output) * dQ[y->col];
        if (y->kind == NOE_D_FQ) dF[y->row] += output(w, y->output) * dQ[y->col];
    }
    lu_solve(w->newton.J, w->newton.x, n, dP, dV);
    for (const noe_entry *y = first; y < end; y++)
        if (y->kind == NOE_D_FV) dF[y->row] += output(w, y->output) * dV[y->col];
    for (int j = 0; j < n; j++) {
        w->stages.d_q[(i * n + j) * N + c] = dV[j];
        w->stages.d_p[(i * n + j) * N + c] = dF[j];
    }
}

/* As galerkin_jacobian(), for the step that the member has just made. */
static bool runge_kutta_jacobian(work *w, int member, quad *M)
{
    const int n = w->n, N = 2 * n;
    real      which = r_set(0), all = which;
    r_put(&which, member, 1);
    const mask one = r_set(0) < which;
    swap_saved(w, one, -1);
    for (int i = 0; i < w->r; i++) {
        site  x;
        real *V = w->stages.k_q + i * n;
        stage(w, i, &x, one);
        jet_at(w, HESSIAN, &x, V);
        for (int j = 0; j < n; j++) w->stages.k_p[i * n + j] = output(w, j);
        for (int k = 0; k < n * n; k++) w->newton.J[k] = r_set(0);
        for (int k = 0; k < w->dyn->entries; k++) {
            const noe_entry *y = &w->dyn->entry[k];
            if (y->kind == NOE_D_PV) w->newton.J[y->row * n + y->col] = output(w, y->output);
        }
        lu_factor(w->newton.J, w->newton.x, n);
        for (int c = 0; c < N; c++) stage_column(w, i, c);
    }
    for (int j = 0; j < n; j++)
        for (int c = 0; c < N; c++) {
            const real dq = stage_slope(w, w->stages.d_q, w->r, j, c, j == c),
                       dp = stage_slope(w, w->stages.d_p, w->r, j, c, n + j == c);
            M[j * N + c] = r_member(dq, member);
            M[(n + j) * N + c] = r_member(dp, member);
            all += dq + dp;
        }
    const bool finite = m_any(one & r_finite(all));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

#endif
