/* Derivative M = d(q, p)_new/d(q, p) of a Galerkin step, by the implicit function theorem.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     da = -J^-1 (R_q dq - w dp),  dq_new = dq + h w.da,  dp_new = dp + h sum_i b_i dF_i
 * (doc/theory.md, section 10), with the second derivatives of L at the modes where the iteration
 * ended, not with the matrix that the iteration used, which may be of an earlier step.  Nothing
 * that a later step or a restart depends on is changed. */
#ifndef NOE_DERIVATIVE_GALERKIN_JACOBIAN_H
#define NOE_DERIVATIVE_GALERKIN_JACOBIAN_H

#include "step/galerkin_step.h"

/* w->newton.J = dR/da, with what belongs to it, and w->eval.out = the outputs of a tape at the
 * nodes, for modes a that solve the equations of the part of a step at hand; time and state are
 * those before it. */
INLINE void linearize(work *w, const shape z, const real *modes, int tape)
{
    memcpy((void *)w->scratch.a, modes, (size_t)z.N * sizeof *modes);
    nodes(w, z, w->state.length);
    jet(w, tape, z.r);
    jacobian_matrix(w, z, w->state.length, (jacobian_place){ w->newton.J, NULL, NULL });
}

/* The same for the part that has just been made: the state and its time are those before it for
 * as long as that takes. */
INLINE void linearize_last(work *w, const shape z)
{
    real *const q = w->state.q, *const dq = w->state.dq, count = *w->state.count;
    w->state.q = w->state.saved_state, w->state.dq = w->state.saved_state + 2 * w->n;
    *w->state.count = count - 1;
    linearize(w, z, w->history.last, jacobian_tape(w));
    w->state.q = q, w->state.dq = dq, *w->state.count = count;
}

/* Is `finite_probe` finite, a sum of what was computed of the part just made?  If not, the member
 * is put where it was before that part. */
static bool is_differentiated(work *w, int member, real finite_probe)
{
    real which = r_set(0);
    r_put(&which, member, 1);
    const mask one = r_less(r_set(0), which);
    if (m_any(one & r_finite(finite_probe))) return true;
    swap_saved(w, one, -1);
    return false;
}

/* e = dR/dq_l and kick = d(h sum_i b_i F_i)/dq_l at fixed modes, from the entries of D in
 * w->eval.out. */
static void by_position(work *w, real h, int l)
{
    batch part[NOE_MAX_DEGREE], bD[NOE_MAX_POINTS];
    for (int i = 0; i < w->N; i++) w->scratch.e[i] = r_set(0);
    for (int j = 0; j < w->n; j++) w->scratch.kick[j] = r_set(0);
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++) {
        if (x->col != l || (x->kind != NOE_D_PQ && x->kind != NOE_D_FQ)) continue;
        const bool  force = x->kind == NOE_D_FQ;
        const real *D = element(w->eval.out, w->B, x->output, 0);
        weigh(bD, w->B, w->method.weight, (const batch *)D);
        contract(part, w->S, force ? w->method.X_m : w->method.l_m, w->r, (const real *)bD);
        for (int m = 0; m < w->s; m++) {
            const real sum = ((const real *)part)[m];
            w->scratch.e[x->row * w->s + m] += force ? -h * sum : sum;
        }
        for (int i = 0; i < w->r && force; i++)
            w->scratch.kick[x->row] += h * w->method.b[i] * D[i];
    }
}

/* e = dR/dp_l = -w and kick = 0. */
static void by_momentum(work *w, int l)
{
    for (int i = 0; i < w->N; i++)
        w->scratch.e[i] = i / w->s == l ? r_set(-w->method.w[i % w->s]) : r_set(0);
    for (int j = 0; j < w->n; j++) w->scratch.kick[j] = r_set(0);
}

/* Column c of M of one member, from w->scratch.d = -da.  Returns the sum of its entries, which
 * is finite when they are. */
static real column(work *w, real h, int c, int member, quad *M)
{
    const int n = w->n, s = w->s;
    real      finite_probe = r_set(0);
    for (int j = 0; j < n; j++) {
        real dq = r_set(j == c), dp = r_set(n + j == c) + w->scratch.kick[j];
        for (int m = 0; m < s; m++) dq -= h * w->method.w[m] * w->scratch.d[j * s + m];
        for (int i = 0; i < w->N; i++)
            dp -= w->newton.new_kick_jacobian[j * w->N + i] * w->scratch.d[i];
        M[j * 2 * n + c] = r_member(dq, member);
        M[(n + j) * 2 * n + c] = r_member(dp, member);
        finite_probe += dq + dp;
    }
    return finite_probe;
}

/* M[2n][2n] of the step that the member has just made, in the order (q, p), row by row.
 * False when it is not finite; then the member is where it was before that step. */
static bool galerkin_jacobian(work *w, int member, quad *M)
{
    const real h = w->state.length;
    real       finite_probe = r_set(0);
    linearize_last(w, of(w));
    lu_factor(w->newton.J, w->newton.new_pivot, w->N);
    for (int c = 0; c < 2 * w->n; c++) {
        if (c < w->n) by_position(w, h, c);
        else by_momentum(w, c - w->n);
        lu_solve(w->newton.J, w->newton.new_pivot, w->N, w->scratch.e, w->scratch.d);
        finite_probe += column(w, h, c, member, M);
    }
    return is_differentiated(w, member, finite_probe);
}

#endif
