/* V <- V + M^-1 ( p + h Ahat F - Pi P ): the velocities at the nodes of one step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The equations of the step projected on its nodes: with A_ij = sum_m I_m(c_i) b_j l_m(c_j), Ahat_ij = sum_m l_m(c_i)
 * b_j X_m(c_j) and the projection Pi_ij = sum_m l_m(c_i) b_j l_m(c_j) on polynomials of degree s-1 (1 when r = s), where
 * Q = q + h A V, P = L_v, F = L_q there.  M = L_vv node by node at the prediction, factored in lanes, is kept for the
 * step.  Needs no second derivatives and no matrix of all unknowns: a long step of high degree costs a dozen gradients,
 * whose nodes fill the lanes.  What it does not contract is left to Newton's method.  doc/theory.md, section 6. */
#ifndef NOE_CORE_FIXED_POINT_H
#define NOE_CORE_FIXED_POINT_H

#include "core/newton.h"

enum { ROUNDS = 40, /* iterations at most, */
       SLOW = 4 };  /* of which so many may gain less than a half */

/* The last outputs of the inertial tape: those of L_vv. */
INLINE batch *mass_entry(work *w, const noe_entry *x) { return w->out + (size_t)(x->output + w->n - 1) * w->B; }

/* M = L D L^T at every node, without exchanges: where that fails numbers are not finite, and the iteration with
 * them.  W holds L below the diagonal and 1/D on it; heavy_j = max over the nodes of sum_k |M_jk V_k|. */
static void factor_masses(work *w)
{
    const int n = w->n, B = w->B;
    if (!w->coupled) {
        for (int k = 0; k < w->dyn->masses; k++)
            for (int b = 0; b < B; b++)
                w->W[w->dyn->mass[k].row * B + b] = 1 / mass_entry(w, &w->dyn->mass[k])[b];
        return;
    }
    memset((void *)w->W, 0, (size_t)(n * n * B) * sizeof *w->W);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        for (int b = 0; b < B; b++) w->W[(x->row * n + x->col) * B + b] = mass_entry(w, x)[b];
    }
    for (int b = 0; b < B; b++)
        for (int j = 0; j < n; j++) {
            const batch d = 1 / w->W[(j * n + j) * B + b];
            w->W[(j * n + j) * B + b] = d;
            for (int i = j + 1; i < n; i++) {
                const batch l = w->W[(i * n + j) * B + b] * d;
                for (int k = j + 1; k <= i; k++) w->W[(i * n + k) * B + b] -= l * w->W[(k * n + j) * B + b];
            }
            for (int i = j + 1; i < n; i++) w->W[(i * n + j) * B + b] *= d;
        }
}

/* U = M^-1 rho, node by node, where masses couple. */
static void lighten(work *w)
{
    const int    n = w->n, B = w->B;
    batch *const U = w->U, *const W = w->W;
    for (int b = 0; b < B; b++) {
        for (int j = 0; j < n; j++) {
            batch sum = w->rho[j * B + b];
            for (int k = 0; k < j; k++) sum -= W[(j * n + k) * B + b] * U[k * B + b];
            U[j * B + b] = sum;
        }
        for (int j = n - 1; j >= 0; j--) {
            batch sum = U[j * B + b] * W[(j * n + j) * B + b];
            for (int k = j + 1; k < n; k++) sum -= W[(k * n + j) * B + b] * U[k * B + b];
            U[j * B + b] = sum;
        }
    }
}

/* V <- V + U, of the members that are going on; Pi U where there are more nodes than modes. */
static void quicken(work *w, mask going, int j)
{
    const int B = w->B;
    batch    *V = w->V + j * B, *U = w->U + j * B, part[NOE_MAX_POINTS];
    if (w->r > w->s) contract(part, B, w->Pi, w->r, (const real *)U), U = part;
    for (int b = 0; b < B; b++) V[b] = b_where(going, V[b] + U[b], V[b]);
}

/* rho = p + h Ahat F - Pi P at the nodes, then V <- V + M^-1 rho; returns max_ij |rho_ij| / scale_j, not finite when a
 * correction is not.  On the way all stays in registers where masses do not couple coordinates. */
static real correct(work *w, real h, mask going)
{
    const int n = w->n, B = w->B;
    batch     part[NOE_MAX_POINTS], worst = b_zero(), all = worst;
    for (int j = 0; j < n; j++) {
        const batch *P = w->out + (n + j) * B;
        const real  *F = element(w->out, B, j, 0), e = w->e[j];
        if (w->r > w->s) contract(part, B, w->Pi, w->r, (const real *)P), P = part;
        for (int b = 0; b < B; b++) {
            const batch rho = (w->p[j] - P[b]) + (w->dp[j] + h * contracted(b, B, w->Ahat, w->r, F));
            worst = b_max(worst, b_abs(rho) * e);
            w->rho[j * B + b] = rho;
            if (w->coupled) continue;
            const batch U = w->W[j * B + b] * rho;
            all += U;
            w->U[j * B + b] = U;
        }
        if (!w->coupled) quicken(w, going, j);
    }
    if (w->coupled) {
        lighten(w);
        for (int j = 0; j < n; j++) {
            for (int b = 0; b < B; b++) all += w->U[j * B + b];
            quicken(w, going, j);
        }
    }
    return r_if(b_finite(all), over_nodes(worst), r_set((num)__builtin_nan("")));
}

/* kick = h sum b F, of the members that end. */
static void keep_kick(work *w, real h, mask end, real *kick)
{
    for (int j = 0; j < w->n && m_any(end); j++) {
        const real *F = element(w->out, w->B, j, 0);
        real        sum = w->b[0] * F[0];
        for (int i = 1; i < w->r; i++) sum += w->b[i] * F[i];
        kick[j] = r_if(end, h * sum, kick[j]);
    }
}

/* scale_j = |p_j| + max_i ( |P_ij| + |h F_ij| ) + sum_k max_i |M_jk| max_i |V_ik|: what cancels in rho_j, at the
 * prediction.  Later ones would let an iteration that diverges raise its own floor. */
static void scales_at_prediction(work *w, real h, mask want)
{
    const int n = w->n, B = w->B;
    for (int j = 0; j < n; j++) {
        const batch *F = w->out + j * B, *P = w->out + (n + j) * B, *V = w->V + j * B;
        batch        most = b_zero(), fast = most;
        for (int b = 0; b < B; b++) {
            most = b_max(most, b_abs(P[b]) + b_abs(h * F[b]));
            fast = b_max(fast, b_abs(V[b]));
        }
        w->scale[j] = r_abs(w->p[j]) + over_nodes(most) + (num)1e-300;
        w->speed[j] = over_nodes(fast);
    }
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        if (!w->weighed) {
            batch most = b_zero();
            for (int b = 0; b < B; b++) most = b_max(most, b_abs(mass_entry(w, x)[b]));
            w->heavy[k] = over_nodes(most);
        }
        w->scale[x->row] += w->heavy[k] * w->speed[x->col];
        real *M = &w->inertia[x->row * n + x->col];
        *M = r_if(want, w->heavy[k], *M);
    }
    for (int j = 0; j < n; j++) w->e[j] = 1 / w->scale[j];
}

/* max_i sum_j |rho_ij U_ij|: the energy that the correction stands for. */
static real correction_energy(const work *w)
{
    batch most = b_zero();
    for (int b = 0; b < w->B; b++) {
        batch sum = b_zero();
        for (int j = 0; j < w->n; j++) sum += b_abs(w->rho[j * w->B + b] * w->U[j * w->B + b]);
        most = b_max(most, sum);
    }
    return over_nodes(most);
}

/* As newton(): from the prediction in w->a to the modes there, `kick` = h sum b F; those that it did not bring to
 * the solution keep their prediction. */
static mask fixed_point(work *w, real h, mask want, real limit, real *kick)
{
    const int  n = w->n, B = w->B;
    const real one = r_set(1), zero = r_set(0);
    mask       going = want, done = m_all(0), doubt = m_all(0);
    real       last = zero, before = zero, rounds = zero, slow = zero;
    const real t = *w->t0 + (*w->count + w->moved) * *w->h;
    for (int b = 0; b < B; b++) w->t[b] = t + w->c[b] * h;
    for (int j = 0; j < n; j++) contract(w->V + j * B, B, w->l, w->s, w->a + j * w->s);
    for (int it = 0; it < ROUNDS && m_any(going); it++) {
        for (int j = 0; j < n; j++) {
            const real *V = element(w->V, B, j, 0), q = w->q[j], dq = w->dq[j];
            for (int b = 0; b < B; b++) w->Q[j * B + b] = q + (dq + h * contracted(b, B, w->A_V, w->r, V));
        }
        const bool weigh = it == 0 && !w->weighed;
        jet(w, weigh ? INERTIAL : GRADIENT, w->r);
        if (weigh) factor_masses(w);
        if (it == 0) scales_at_prediction(w, h, want);
        if (weigh) w->weighed = w->dyn->mass_constant;
        const real worst = correct(w, h, going), correction = it == 0 ? correction_energy(w) : zero;
        /* Two in turn tell how it contracts: where velocities turn forces every other gains little. */
        const mask finite = r_finite(worst), first = m_all(it == 0), shrinks = m_all(it < 2) | (4 * worst < before);
        const mask end = going & finite & ((worst <= FLOOR * EPS) | (m_not(first | (worst < last)) & (worst <= STALL * EPS)));
        const mask jump = first & (zero < limit) & (limit < correction);
        doubt = doubt | (first & (limit < 16 * correction));
        if (it == 2) *w->contraction = r_if(going, worst / before, *w->contraction);
        slow += r_if(shrinks | (worst <= STALL * EPS), zero, one);
        rounds += r_if(going, one, zero);
        keep_kick(w, h, end, kick);
        *w->residual = r_if(end, r_max(*w->residual, worst), *w->residual);
        done = done | end;
        going = going & m_not(end) & finite & m_not(jump) & (slow <= r_set(SLOW));
        before = last;
        last = worst;
    }
    *w->iterations += rounds;
    *w->rounds += rounds;
    *w->doubt = r_if(want, r_if(doubt | (r_set(16) < rounds), one, zero), *w->doubt);
    for (int j = 0; j < n && m_any(done); j++) {
        batch modes[NOE_MAX_DEGREE];
        contract(modes, w->S, w->P_m, w->r, element(w->V, B, j, 0));
        for (int m = 0; m < w->s; m++) w->a[j * w->s + m] = r_if(done, ((const real *)modes)[m], w->a[j * w->s + m]);
    }
    speeds(w);
    *w->size = r_if(done, step_energy(w), *w->size);
    return done;
}

#endif
