/* X = F(q + h c v + h^2 A Ahat M^-1 X): the forces at the nodes of one step where L = v M v/2 - V(t, q).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the mass is constant and forces do not depend on velocities the equations of core/fixed_point.h are those of a
 * Nystrom method, with one product of matrices between two evaluations, not two.  X begins as the polynomial of the last
 * step's forces continued; with r = F - X, the slopes G = F_q and K = G h^2 A Ahat M^-1 it becomes X + (1 + K + K^2) r, later X + (1 + K) r.
 * The first positions are given by A and Ahat in turn, whose rounding is that of one discrete action (core/make.h); their
 * product H carries what changes later.  E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.14;
 * doc/theory.md, section 6. */
#ifndef NOE_CORE_NYSTROM_H
#define NOE_CORE_NYSTROM_H

#include "core/fixed_point.h"

enum { EARLY = 2 }; /* corrections that have K^2, too; later ones have the first power alone */
enum { ALL_NODES = FEW * (NOE_REAL == NOE_DOUBLE ? (NOE_MAX_DEGREE + LANES - 1) / LANES : NOE_MAX_DEGREE) }; /* batches of all nodes */

/* M at v = 0, and L_v there, which are the same at every q: once, until constants change. */
static __attribute__((noinline)) void weigh_once(work *w)
{
    const int n = w->n, B = w->B;
    for (int i = 0; i < n * B; i++) w->Q[i] = b_zero() + w->q[i / B], w->V[i] = b_zero();
    jet(w, INERTIAL, w->r);
    factor_masses(w);
    for (int j = 0; j < n; j++) w->idle[j] = *element(w->out, B, n + j, 0);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        w->inertia[x->row * n + x->col] = w->heavy[k] = r_abs(*(const real *)mass_entry(w, x));
    }
    w->weighed = true;
}

/* u = g M^-1 x at the nodes; gW: g/M where nothing couples */
INLINE void lightened(const work *w, const shape z, real g, const batch *gW, const batch *x, batch *u)
{
    if (z.n > 1 && w->coupled) {
        lighten(w->W, x, u, z.n, z.B);
        for (int i = 0; i < z.n * z.B; i++) u[i] = g * u[i];
    } else
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) u[i] = gW[i] * x[i];
}

/* sum_k H_kb x_k in four sums: what the next evaluation waits for. */
INLINE batch in_quarters(int b, int nb, const coef *H, int terms, const real *x)
{
    batch sum[4];
    for (int k = 0; k < 4; k++) sum[k] = H[k * nb + b] * x[k];
#pragma GCC unroll 8
    for (int k = 4; k < terms; k++) sum[k % 4] += H[k * nb + b] * x[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* D = h^2 H M^-1 x: how far forces move the nodes */
INLINE void displace(const work *w, const shape z, real hh, const batch *hhW, const coef *H, const batch *x, batch *D)
{
    batch u[ALL_NODES];
    lightened(w, z, hh, hhW, x, u);
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++) D[j * z.B + b] = in_quarters(b, z.B, H, z.r, (const real *)(u + j * z.B));
}

/* g = G D, the slopes where the Hessian's tape has left them. */
INLINE void follow_slopes(const work *w, const shape z, const batch *D, batch *g)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        for (int b = 0; b < z.B; b++) g[j * z.B + b] = b_zero();
#pragma GCC unroll 3
        for (int k = 0; k < z.n; k++) {
            if (!w->slope[j * z.n + k]) continue;
            const batch *G = w->out + (size_t)w->slope[j * z.n + k] * z.B;
            for (int b = 0; b < z.B; b++) g[j * z.B + b] += G[b] * D[k * z.B + b];
        }
    }
}

/* scale_j = 2 |p_j| + max_i |h F_ij| + sum_k |M_jk v_k|, as in the fixed point, and e = 1/scale. */
INLINE void scales_of_forces(work *w, const shape z, real h, const batch *v)
{
    for (int j = 0; j < z.n; j++) {
        batch most = b_zero();
        for (int b = 0; b < z.B; b++) most = b_max(most, b_abs(h * w->out[j * z.B + b]));
        w->scale[j] = 2 * r_abs(w->p[j]) + over_nodes(most) + (num)1e-300;
    }
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        w->scale[x->row] += w->heavy[k] * r_abs(*(const real *)(v + x->col * z.B));
    }
    for (int j = 0; j < z.n; j++) w->e[j] = 1 / w->scale[j];
}

/* V = M^-1 (p + h Ahat X) */
INLINE void velocities_by(const work *w, const shape z, real h, const batch *X, batch *V)
{
    const real upper = upper_half(h), rest = h - upper;
    batch      P[ALL_NODES], bX[NOE_MAX_DEGREE];
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        const real p = w->p[j] - w->idle[j], dp = w->dp[j];
        weigh(bX, z.B, w->weight, X + j * z.B);
        for (int b = 0; b < z.B; b++) {
            const batch push = contracted(b, z.B, w->Ahat, z.r, (const real *)bX);
            P[j * z.B + b] = p + ((dp + rest * push) + upper * push);
        }
    }
    lightened(w, z, r_set(1), w->W, P, V);
}

/* D = h A V, where X leads by A and Ahat in turn. */
INLINE void way(const work *w, const shape z, real h, const batch *X, batch *D)
{
    const real upper = upper_half(h), rest = h - upper;
    batch      V[ALL_NODES], bV[NOE_MAX_DEGREE];
    velocities_by(w, z, h, X, V);
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        weigh(bV, z.B, w->weight, V + j * z.B);
        for (int b = 0; b < z.B; b++) {
            const batch flight = contracted(b, z.B, w->A_V, z.r, (const real *)bV);
            D[j * z.B + b] = (w->dq[j] + rest * flight) + upper * flight;
        }
    }
}

/* V by X and by dX, which is smaller than the rounding of X. */
INLINE void settle(work *w, const shape z, real h, const batch *X, const batch *dX)
{
    batch dP[ALL_NODES], dV[ALL_NODES], bX[NOE_MAX_DEGREE];
    velocities_by(w, z, h, X, w->V);
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        weigh(bX, z.B, w->weight, dX + j * z.B);
        for (int b = 0; b < z.B; b++) dP[j * z.B + b] = h * contracted(b, z.B, w->Ahat, z.r, (const real *)bX);
    }
    lightened(w, z, r_set(1), w->W, dP, dV);
    for (int i = 0; i < z.n * z.B; i++) w->V[i] += dV[i];
}

/* kick = h sum b X, of the members that have a solution. */
INLINE void kick_of(const work *w, const shape z, real h, const batch *X, mask done, real *kick)
{
    const real upper = upper_half(h), rest = h - upper;
    for (int j = 0; j < z.n; j++) {
        const real *x = (const real *)(X + j * z.B);
        real        even = w->b[0] * x[0], odd = w->b[1] * x[1];
        for (int i = 2; i < z.r; i++) *(i % 2 ? &odd : &even) += w->b[i] * x[i];
        kick[j] = r_if(done, rest * (even + odd) + upper * (even + odd), kick[j]);
    }
}

/* As fixed_point(): to the modes in w->a, `kick` = h sum b F, and the forces in w->X. */
INLINE mask nystrom(work *w, const shape z, real h, mask want, real limit, real *kick)
{
    const real one = r_set(1), zero = r_set(0), hh = h * h, t = *w->t0 + (*w->count + w->moved) * *w->h;
    mask       going = want, done = m_all(0), doubt = m_all(0);
    real       last = zero, rounds = zero, slow = zero, rate = one;
    const int  all = z.n * z.B;
    batch      v[ALL_NODES], r[ALL_NODES], d[ALL_NODES], g[ALL_NODES], e[ALL_NODES], hhW[ALL_NODES], dX[ALL_NODES], *const X = w->X, *const D = w->rho;
    for (int i = 0; i < all; i++) dX[i] = b_zero();
    if (!w->weighed) weigh_once(w);
    for (int b = 0; b < z.B; b++) w->t[b] = t + w->c[b] * h;
    for (int i = 0; i < all; i++) hhW[i] = w->coupled ? b_zero() : hh * w->W[i];
    for (int j = 0; j < z.n; j++) {
        for (int b = 0; b < z.B; b++) d[j * z.B + b] = b_zero() + ((w->p[j] - w->idle[j]) + w->dp[j]);
        contract(X + j * z.B, z.B, w->E_F, z.r, w->pushed + j * z.B * WIDE);
    }
    lightened(w, z, one, w->W, d, v);
    displace(w, z, hh, hhW, w->HE, (const batch *)w->pushed, D);
    for (int i = 0; i < all; i++) D[i] = w->dq[i / z.B] + ((h * w->c[i % z.B]) * v[i] + D[i]);
    for (int it = 0; it < ROUNDS && m_any(going); it++) {
        const mask first = m_all(it == 0);
        for (int i = 0; i < all; i++) w->Q[i] = w->q[i / z.B] + D[i];
        jet(w, HESSIAN, z.r);
        if (it == 0) scales_of_forces(w, z, h, v);
        real  worst = zero;
        batch sum = b_zero(), most = sum;
        for (int j = 0; j < z.n; j++) {
            batch b_worst = b_zero();
            for (int b = j * z.B; b < (j + 1) * z.B; b++) {
                r[b] = w->out[b] - X[b];
                b_worst = b_max(b_worst, b_abs(h * r[b]));
                sum += r[b];
            }
            worst = r_max(worst, over_nodes(b_worst) * w->e[j]);
        }
        if (it == 0) way(w, z, h, X, D);
        displace(w, z, hh, hhW, w->H, r, e);
        for (int b = 0; b < z.B && it == 0; b++) {
            batch energy = b_zero();
            for (int j = 0; j < z.n; j++) energy += b_abs(r[j * z.B + b] * e[j * z.B + b]);
            most = b_max(most, energy);
        }
        for (int i = 0; i < all; i++) d[i] = D[i] + e[i];
        for (int term = 0; term < (it < EARLY ? 2 : 1); term++) {
            follow_slopes(w, z, e, g);
            displace(w, z, hh, hhW, w->H, g, e);
            for (int i = 0; i < all; i++) r[i] += g[i], d[i] += e[i];
        }
        const real correction = it ? zero : over_nodes(most);
        const mask finite = b_finite(sum), shrinks = first | (4 * worst < last), down = first | (worst < last);
        const mask sure = (SURE * worst <= EPS) | (m_not(first) & (SURE * worst * worst <= EPS * last));
        if (it == 1) rate = worst / last;
        /* What stops shrinking is rounding where it shrank before. */
        const mask stall = m_not(down) & ((worst <= CLOSE * EPS) | ((worst <= STALL * EPS) & (4 * rate < one)));
        const mask end = going & finite & (sure | (m_not(shrinks) & (worst <= FLOOR * EPS)) | stall);
        const mask jump = first & (zero < limit) & (limit < correction);
        doubt = doubt | (first & (limit < 16 * correction));
        if (it == 1) *w->contraction = r_if(going, rate, *w->contraction);
        slow += r_if(shrinks | (worst <= STALL * EPS), zero, one);
        rounds += r_if(going, one, zero);
        const real left = r_if(sure & m_not(first), worst * worst / last, worst);
        *w->residual = r_if(end, r_max(*w->residual, left), *w->residual);
        for (int i = 0; i < all; i++) dX[i] = b_where(going, r[i], dX[i]); /* of who has ended others' rounds are not the last */
        done = done | end;
        going = going & m_not(end) & finite & m_not(jump) & (slow <= r_set(SLOW));
        for (int i = 0; i < all; i++) D[i] = b_where(going, d[i], D[i]), X[i] = b_where(going, X[i] + r[i], X[i]);
        last = worst;
    }
    settle(w, z, h, X, dX);
    for (int i = 0; i < all; i++) X[i] += dX[i];
    kick_of(w, z, h, X, done, kick);
    *w->iterations += rounds;
    *w->rounds += rounds;
    *w->doubt = r_if(want, r_if(doubt | (r_set(16) < rounds), one, zero), *w->doubt);
    keep_modes(w, z, done);
    speeds(w, z);
    *w->size = r_if(done, step_energy(w, z), *w->size);
    return done;
}

#endif
