/* S <- dS: derivatives of a Galerkin step along the columns of S alone, by one factorisation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     J da = -(R_q S_q - w S_p + R_c),  S_q <- S_q + h w.da,  S_p <- S_p + d kick
 * for the k columns of S, not for all 2n of the start (step/galerkin_jacobian.h): S is what is
 * wanted, and not its derivative by the state before. */
#ifndef NOE_STEP_GALERKIN_SENSITIVITY_H
#define NOE_STEP_GALERKIN_SENSITIVITY_H

#include "step/galerkin_jacobian.h"

/* e [n][s] and kick [n] of column c. */
INLINE real *right_side(const work *w, int c) { return w->state.right_sides + c * (w->N + w->n); }

/* Adds one entry of D to all columns: R_q S_q and d kick at fixed modes. */
static void add_entry_columns(work *w, real h, const noe_entry *x, const real *S)
{
    batch       part[NOE_MAX_DEGREE], bD[NOE_MAX_POINTS];
    const bool  force = x->kind == NOE_D_FQ;
    const int   k = w->dyn->columns;
    const real *D = element(w->eval.out, w->B, x->output, 0);
    real        push = r_set(0);
    weigh(bD, w->B, w->method.weight, (const batch *)D);
    contract(part, w->S, force ? w->method.X_m : w->method.l_m, w->r, (const real *)bD);
    for (int i = 0; i < w->r && force; i++) push += h * w->method.b[i] * D[i];
    for (int c = 0; c < k; c++) {
        const real  along = S[x->col * k + c], by = force ? -h * along : along;
        real *const e = right_side(w, c) + x->row * w->s;
        for (int m = 0; m < w->s; m++) e[m] += ((const real *)part)[m] * by;
        right_side(w, c)[w->N + x->row] += push * along;
    }
}

/* The right sides of all columns, from F, P, D and F_c, P_c in w->eval.out. */
static void right_sides(work *w, real h, const real *S)
{
    const int n = w->n, k = w->dyn->columns;
    for (int c = 0; c < k; c++) {
        real *const e = right_side(w, c);
        const int   at = w->dyn->mixed_at[c];
        if (at >= 0) by_parameter(w, h, at);
        for (int i = 0; i < w->N; i++)
            e[i] = (at < 0 ? r_set(0) : w->scratch.e[i])
                 - w->method.w[i % w->s] * S[(n + i / w->s) * k + c];
        for (int j = 0; j < n; j++) e[w->N + j] = at < 0 ? r_set(0) : w->scratch.kick[j];
    }
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++)
        if (x->kind == NOE_D_PQ || x->kind == NOE_D_FQ) add_entry_columns(w, h, x, S);
}

/* S [2n][columns] of the member after the part of the step that it has just made.  False when it
 * is not finite; then the member is where it was before that part. */
static bool galerkin_sensitivity(work *w, int member, real *S)
{
    const int  n = w->n, s = w->s, k = w->dyn->columns;
    const real h = w->state.length;
    real       which = r_set(0), all = which;
    r_put(&which, member, 1);
    const mask one = r_set(0) < which;
    swap_saved(w, one, -1);
    memcpy((void *)w->scratch.a, w->history.last, (size_t)w->N * sizeof *w->scratch.a);
    nodes(w, of(w), h);
    jet(w, jacobian_tape(w), w->r);
    jacobian(w, of(w), h);
    lu_factor(w->newton.J, w->newton.x, w->N);
    right_sides(w, h, S);
    for (int c = 0; c < k; c++) {
        const real *const e = right_side(w, c), *d = w->scratch.d; /* d = -da */
        lu_solve(w->newton.J, w->newton.x, w->N, e, w->scratch.d);
        for (int j = 0; j < n; j++) {
            real dq = r_set(0), dp = e[w->N + j];
            for (int m = 0; m < s; m++) dq -= h * w->method.w[m] * d[j * s + m];
            for (int i = 0; i < w->N; i++) dp -= w->newton.new_kick_jacobian[j * w->N + i] * d[i];
            S[j * k + c] += dq, S[(n + j) * k + c] += dp;
            all += S[j * k + c] + S[(n + j) * k + c];
        }
    }
    const bool finite = m_any(one & r_finite(all));
    if (finite) swap_saved(w, one, 1);
    return finite;
}

#endif
