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
       SLOW = 4,    /* of which so many may gain less than a half */
       SURE = 256 }; /* what is left unsolved is this part of a unit: it has the same sign in step after step, and is the drift
                        of a long run in which rounding is only a random walk */

/* The last outputs of the inertial tape: those of L_vv. */
INLINE batch *mass_entry(work *w, const noe_entry *x) { return w->out + (size_t)(x->output + w->n - 1) * w->B; }

/* The entries of M where masses couple, in W. */
static void gather_masses(work *w)
{
    memset((void *)w->W, 0, (size_t)(w->n * w->n * w->B) * sizeof *w->W);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        for (int b = 0; b < w->B; b++) w->W[(x->row * w->n + x->col) * w->B + b] = mass_entry(w, x)[b];
    }
}

enum { FEW = 3 }; /* coordinates whose masses are inverted, by cofactors: one division, and no sum waits for another */

/* M^-1 of two or three coordinates, on and below the diagonal of W. */
static void invert_masses(work *w)
{
    const int n = w->n, B = w->B;
    for (int b = 0; b < B; b++) {
        batch      *W = w->W + b;
        const batch xx = W[0], xy = W[n * B], yy = W[(n + 1) * B];
        if (n == 2) {
            const batch d = 1 / (xx * yy - xy * xy);
            W[0] = yy * d, W[2 * B] = -xy * d, W[3 * B] = xx * d;
            continue;
        }
        const batch xz = W[6 * B], yz = W[7 * B], zz = W[8 * B];
        const batch x = yy * zz - yz * yz, y = xz * yz - xy * zz, z = xy * yz - xz * yy;
        const batch d = 1 / ((xx * x + xy * y) + xz * z);
        W[0] = x * d, W[3 * B] = y * d, W[6 * B] = z * d;
        W[4 * B] = (xx * zz - xz * xz) * d, W[7 * B] = (xy * xz - xx * yz) * d, W[8 * B] = (xx * yy - xy * xy) * d;
    }
}

/* M = L D L^T at every node, without exchanges: where that fails numbers are not finite, and the iteration with
 * them.  W holds L below the diagonal and 1/D on it, or M^-1 itself. */
static void factor_masses(work *w)
{
    const int n = w->n, B = w->B;
    if (!w->coupled) {
        for (int k = 0; k < w->dyn->masses; k++)
            for (int b = 0; b < B; b++)
                w->W[w->dyn->mass[k].row * B + b] = 1 / mass_entry(w, &w->dyn->mass[k])[b];
        return;
    }
    gather_masses(w);
    if (n <= FEW) {
        invert_masses(w);
        return;
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
INLINE void lighten(const batch *W, const batch *rho, batch *U, const int n, const int B)
{
    for (int b = 0; b < B && n <= FEW; b++)
#pragma GCC unroll 3
        for (int i = 0; i < n; i++) {
            batch sum = W[i * n * B + b] * rho[b];
#pragma GCC unroll 3
            for (int k = 1; k < n; k++) sum += W[(k <= i ? i * n + k : k * n + i) * B + b] * rho[k * B + b];
            U[i * B + b] = sum;
        }
    for (int b = 0; b < B && n > FEW; b++) {
        for (int j = 0; j < n; j++) {
            batch sum = rho[j * B + b];
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

/* V and Q at the nodes: from V itself or, where there are more nodes than modes, from its modes in w->d. */
INLINE void motion(work *w, real h, const int n, const int r, const bool nodal)
{
    const int  B = blocks(r), s = nodal ? r : w->s;
    const real upper = upper_half(h), rest = h - upper;
    batch *const V = w->V, *const Q = w->Q;
#pragma GCC unroll 3
    for (int j = 0; j < n; j++) {
        batch       bV[NOE_MAX_POINTS];
        const coef *A = nodal ? w->A_V : w->I;
        const real *x = nodal ? (const real *)bV : w->d + j * s, q = w->q[j], dq = w->dq[j];
        if (nodal) weigh(bV, B, w->weight, V + j * B);
        else contract(V + j * B, B, w->l, s, x);
        for (int b = 0; b < B; b++) {
            const batch flight = contracted(b, B, A, s, x);
            Q[j * B + b] = q + ((dq + rest * flight) + upper * flight);
        }
    }
}

/* V <- V + U, or their modes, of the members that are going on. */
INLINE void quicken(batch *V, batch U, mask going) { *V = b_where(going, *V + U, *V); }

static void quicken_modes(work *w, const batch *U, mask going, int j)
{
    const int B = w->B, s = w->s;
    batch     bU[NOE_MAX_POINTS], modes[NOE_MAX_DEGREE];
    weigh(bU, B, w->weight, U);
    contract(modes, w->S, w->l_m, w->r, (const real *)bU);
    for (int m = 0; m < s; m++) w->d[j * s + m] += r_if(going, ((const real *)modes)[m], r_set(0));
}

/* rho = p + h Ahat F - Pi P of coordinate j where there are more nodes than modes, by its modes. */
static void project(work *w, batch *rho, int j, real upper, real rest)
{
    const int   B = w->B, s = w->s;
    batch       bF[NOE_MAX_POINTS], bP[NOE_MAX_POINTS], F_m[NOE_MAX_DEGREE], P_m[NOE_MAX_DEGREE];
    const real *F = (const real *)F_m, *P = (const real *)P_m;
    real        R[NOE_MAX_DEGREE];
    weigh(bF, B, w->weight, w->out + j * B);
    weigh(bP, B, w->weight, w->out + (w->n + j) * B);
    contract(F_m, w->S, w->X_m, w->r, (const real *)bF);
    contract(P_m, w->S, w->l_m, w->r, (const real *)bP);
    for (int m = 0; m < s; m++)
        R[m] = (w->w[m] * w->p[j] - P[m]) + ((w->w[m] * w->dp[j] + rest * F[m]) + upper * F[m]);
    contract(rho, B, w->l, s, R);
}

/* rho = p + h Ahat F - Pi P at the nodes, then V <- V + M^-1 rho; returns max_ij |rho_ij| / scale_j, not finite when a
 * correction is not. */
INLINE real correct(work *w, real h, mask going, const int n, const int r, const bool nodal, const bool coupled, batch *rho,
                    batch *U)
{
    const int    B = blocks(r);
    const real   upper = upper_half(h), rest = h - upper;
    batch *const V = w->V, *const out = w->out, worst = b_zero(), all = worst;
#pragma GCC unroll 3
    for (int j = 0; j < n; j++) {
        const batch *P = out + (n + j) * B;
        batch        bF[NOE_MAX_POINTS];
        const real   p = w->p[j], dp = w->dp[j], e = w->e[j];
        if (nodal) weigh(bF, B, w->weight, out + j * B);
        else project(w, rho + j * B, j, upper, rest);
        for (int b = 0; b < B; b++) {
            if (nodal) {
                const batch push = contracted(b, B, w->Ahat, r, (const real *)bF);
                rho[j * B + b] = (p - P[b]) + ((dp + rest * push) + upper * push);
            }
            worst = b_max(worst, b_abs(rho[j * B + b]) * e);
            if (coupled) continue;
            U[j * B + b] = w->W[j * B + b] * rho[j * B + b];
            all += U[j * B + b];
            if (nodal) quicken(&V[j * B + b], U[j * B + b], going);
        }
        if (!coupled && !nodal) quicken_modes(w, U + j * B, going, j);
    }
    if (coupled) lighten(w->W, rho, U, n, B);
#pragma GCC unroll 3
    for (int j = 0; j < n && coupled; j++) {
        for (int b = 0; b < B; b++) {
            all += U[j * B + b];
            if (nodal) quicken(&V[j * B + b], U[j * B + b], going);
        }
        if (!nodal) quicken_modes(w, U + j * B, going, j);
    }
    return r_if(b_finite(all), over_nodes(worst), r_set((num)__builtin_nan("")));
}

/* The sizes that are known when this is compiled: eight nodes, of few coordinates or of many. */
enum { ANY, MANY, ONE, TWO, THREE, NODES = 8 };
static int size_of(const work *w)
{
    if (NOE_REAL == NOE_QUAD || w->r != NODES || w->s != NODES) return ANY;
    return w->coupled ? (w->n == 2 ? TWO : w->n == 3 ? THREE : ANY) : w->n == 1 ? ONE : MANY;
}

static void move(work *w, real h, int size)
{
    switch (size) {
    case ONE: motion(w, h, 1, NODES, true); return;
    case TWO: motion(w, h, 2, NODES, true); return;
    case THREE: motion(w, h, 3, NODES, true); return;
    case MANY: motion(w, h, w->n, NODES, true); return;
    default: motion(w, h, w->n, w->r, w->r == w->s); return;
    }
}

/* All stays in registers, but for what the energy of the first correction is made of. */
INLINE real correct_few(work *w, real h, mask going, bool first, const int n)
{
    batch      rho[FEW * blocks(NODES)], U[FEW * blocks(NODES)];
    const real worst = correct(w, h, going, n, NODES, true, n > 1, rho, U);
    if (!first) return worst;
    memcpy((void *)w->rho, rho, (size_t)(n * w->B) * sizeof *rho);
    memcpy((void *)w->U, U, (size_t)(n * w->B) * sizeof *U);
    return worst;
}

static real corrected(work *w, real h, mask going, bool first, int size)
{
    switch (size) {
    case ONE: return correct_few(w, h, going, first, 1);
    case TWO: return correct_few(w, h, going, first, 2);
    case THREE: return correct_few(w, h, going, first, 3);
    case MANY: return correct(w, h, going, w->n, NODES, true, false, w->rho, w->U);
    default: return correct(w, h, going, w->n, w->r, w->r == w->s, w->coupled, w->rho, w->U);
    }
}

/* kick = h sum b F, of the members that end. */
static void keep_kick(work *w, real h, mask end, real *kick)
{
    const real upper = upper_half(h), rest = h - upper;
    for (int j = 0; j < w->n && m_any(end); j++) {
        const real *F = element(w->out, w->B, j, 0);
        real        sum = w->b[0] * F[0];
        for (int i = 1; i < w->r; i++) sum += w->b[i] * F[i];
        kick[j] = r_if(end, rest * sum + upper * sum, kick[j]);
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

/* The modes of the solution, of the members that have one. */
static void keep_modes(work *w, mask done)
{
    batch bV[NOE_MAX_POINTS], modes[NOE_MAX_DEGREE];
    if (w->r > w->s) {
        keep_if(done, w->a, w->d, w->N);
        return;
    }
    for (int j = 0; j < w->n && m_any(done); j++) {
        weigh(bV, w->B, w->weight, w->V + j * w->B);
        contract(modes, w->S, w->l_m, w->r, (const real *)bV);
        for (int m = 0; m < w->s; m++) w->a[j * w->s + m] = r_if(done, ((const real *)modes)[m], w->a[j * w->s + m]);
    }
}

/* As newton(): from the prediction in w->a to the modes there, `kick` = h sum b F; those that it did not bring to
 * the solution keep their prediction. */
static mask fixed_point(work *w, real h, mask want, real limit, real *kick)
{
    const int  n = w->n, B = w->B, size = size_of(w);
    const real one = r_set(1), zero = r_set(0);
    mask       going = want, done = m_all(0), doubt = m_all(0);
    real       last = zero, before = zero, rounds = zero, slow = zero;
    const real t = *w->t0 + (*w->count + w->moved) * *w->h;
    for (int b = 0; b < B; b++) w->t[b] = t + w->c[b] * h;
    for (int j = 0; j < n; j++) contract(w->V + j * B, B, w->l, w->s, w->a + j * w->s);
    memcpy((void *)w->d, w->a, (size_t)w->N * sizeof *w->d);
    for (int it = 0; it < ROUNDS && m_any(going); it++) {
        move(w, h, size);
        const bool weigh = it == 0 && !w->weighed;
        jet(w, weigh ? INERTIAL : GRADIENT, w->r);
        if (weigh) factor_masses(w);
        if (it == 0) scales_at_prediction(w, h, want);
        if (weigh) w->weighed = w->dyn->mass_constant;
        const real worst = corrected(w, h, going, it == 0, size), correction = it == 0 ? correction_energy(w) : zero;
        /* Two in turn tell how it contracts: where velocities turn forces every other gains little. */
        const mask finite = r_finite(worst), first = m_all(it == 0), shrinks = m_all(it < 2) | (4 * worst < before);
        const mask sure = first | (SURE * last * last * last <= EPS * before * before) | (SURE * worst * worst <= EPS * last);
        const mask end = going & finite & (((worst <= FLOOR * EPS) & sure) | (m_not(first | (worst < last)) & (worst <= STALL * EPS)));
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
    keep_modes(w, done);
    speeds(w, of(w));
    *w->size = r_if(done, step_energy(w, of(w)), *w->size);
    return done;
}

#endif
