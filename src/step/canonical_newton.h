/* Newton's method on the canonical form of few coordinates: dP = rho_P + h Ahat dX, dQ likewise.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The equations are those of step/canonical_iteration.h, P = p + h Ahat X and Q = q + h A Y with
 *     U = M^-1 (P - b),  c = H - E,  X = G F - c g,  Y = G U.
 * A correction (dQ, dP) changes them by
 *     dX = K dQ - g (U.dP),     K = G F_q + F g^T + g F^T - c G_qq,
 *     dY = G M^-1 dP + U (g.dQ),
 * all derivatives at the present iterate: the tape gives F_q and G_qq with F and g, for hardly more
 * time.  The linear equations dP = rho_P + h Ahat dX, dQ = rho_Q + h A dY, rho the residuals, are
 * solved by sweeps, momenta first, which evaluate nothing.  The end is that of
 * step/nodal_newton.h: the last correction is not evaluated again, but forces, velocities and G
 * follow it by their derivatives.
 * doc/theory.md, section 6. */
#ifndef NOE_STEP_CANONICAL_NEWTON_H
#define NOE_STEP_CANONICAL_NEWTON_H

#include "step/canonical_iteration.h"
#include "step/nodal_newton.h"

_Static_assert((int)COFACTOR_MOST <= (int)NOE_CANONICAL_SECOND,
               "the tape has no second derivatives");

/* Entries on and below the diagonal of a symmetric matrix, row by row. */
enum { TRIANGLE_MOST = (COFACTOR_MOST + 1) * ALL_NODES / 2 };
INLINE int triangle_at(int j, int k) { return j < k ? k * (k + 1) / 2 + j : j * (j + 1) / 2 + k; }

/* What a correction multiplies, h b = h times the weights. */
typedef struct {
    batch K[TRIANGLE_MOST], /* h b K */
        turn[ALL_NODES],    /* h b g */
        turned[ALL_NODES],  /* h b U */
        pace[ALL_NODES],    /* h b G M^-1; h b G where masses are coupled */
        U[ALL_NODES];
} canonical_slopes;

INLINE void find_canonical_slopes(const work *w, const shape z, const batch *hb, const batch *U,
                                  const batch *c, canonical_slopes *D)
{
    const batch *const F = w->eval.out, *const g = g_at(w, z), *const G = G_at(w, z),
                       *const F_q = G + 2 * z.B, *const G_qq = F_q + z.n * (z.n + 1) / 2 * z.B;
    const bool coupled = z.n > 1 && w->nodal.coupled;
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
#pragma GCC unroll 3
        for (int k = 0; k <= j; k++)
            for (int b = 0; b < z.B; b++) {
                const int   at = triangle_at(j, k) * z.B + b, J = j * z.B + b, I = k * z.B + b;
                const batch both = F[J] * g[I] + g[J] * F[I];
                D->K[at] = hb[b] * ((G[b] * F_q[at] + both) - c[b] * G_qq[at]);
            }
        for (int b = 0; b < z.B; b++) {
            const int at = j * z.B + b;
            D->turn[at] = hb[b] * g[at], D->turned[at] = hb[b] * U[at], D->U[at] = U[at];
            D->pace[at] = coupled ? hb[b] * G[b] : hb[b] * G[b] * w->nodal.W[at];
        }
    }
}

/* x = h b dX, for the changes dP and dQ. */
INLINE void force_changes(const shape z, const canonical_slopes *D, const batch *dP,
                          const batch *dQ, batch *x)
{
    for (int b = 0; b < z.B; b++) {
        const batch work_done = dot(z, D->U, dP, b);
#pragma GCC unroll 3
        for (int j = 0; j < z.n; j++) {
            batch sum = D->K[triangle_at(j, 0) * z.B + b] * dQ[b];
#pragma GCC unroll 3
            for (int k = 1; k < z.n; k++)
                sum += D->K[triangle_at(j, k) * z.B + b] * dQ[k * z.B + b];
            x[j * z.B + b] = sum - D->turn[j * z.B + b] * work_done;
        }
    }
}

/* y = h b dY, for the changes dP and dQ. */
INLINE void rate_changes(const work *w, const shape z, const canonical_slopes *D, const batch *dP,
                         const batch *dQ, batch *y)
{
    const batch *const g = g_at(w, z);
    batch              u[ALL_NODES];
    if (z.n > 1 && w->nodal.coupled) mass_solve(w->nodal.W, dP, u, z.n, z.B);
    else
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) u[i] = dP[i];
    for (int b = 0; b < z.B; b++) {
        const batch growth = dot(z, g, dQ, b);
#pragma GCC unroll 3
        for (int j = 0; j < z.n; j++) {
            const int at = j * z.B + b;
            y[at] = D->pace[at] * u[at] + D->turned[at] * growth;
        }
    }
}

/* to = rho + A x, for the members `on`. */
INLINE void add_integrals(const shape z, const coef *A, const batch *rho, const batch *x, mask on,
                          batch *to)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++) {
            const int   at = j * z.B + b;
            const batch sum = rho[at] + combined(z, A, x + j * z.B, b);
            to[at] = MEMBERS > 1 ? b_where(on, sum, to[at]) : sum;
        }
}

/* The larger one of |dP| over the scales of the momenta and |dG|/G, nan where one is not finite; dQ
 * are the residuals of the positions, before any sweep. */
INLINE real canonical_correction_size(const work *w, const shape z, const batch *dP,
                                      const batch *dQ)
{
    const batch *const G = G_at(w, z), *const g = g_at(w, z);
    batch most = b_zero(), finite_probe = most; /* b_max() passes nan over */
    for (int b = 0; b < z.B; b++) {
        const batch growth = dot(z, g, dQ, b);
        finite_probe += growth;
        most = b_max(most, b_abs(growth / G[b]));
    }
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++) {
            finite_probe += dP[j * z.B + b];
            most = b_max(most, b_abs(dP[j * z.B + b]) * w->scratch.e[j]);
        }
    return r_if(b_finite(finite_probe), over_nodes(most), r_set((num)__builtin_nan("")));
}

/* The sweeps of a correction: CANONICAL_SWEEPS, or as many, at least one, as leave less than
 * 1/DRIFT_MARGIN of a unit of rounding, where CANONICAL_SWEEPS_MOST suffice and the second order is
 * as small.  As last_sweeps() of step/nodal_newton.h; CANONICAL_SWEEPS of them left `rate`, and as
 * later ones gain less, each is taken to leave the root of order CANONICAL_SWEEPS + 1 of it. */
typedef struct {
    mask last; /* no other evaluation has to be made */
    real rate, /* what CANONICAL_SWEEPS and the second order left of the correction before */
        left;  /* what is left over 1/DRIFT_MARGIN of a unit, to the power CANONICAL_SWEEPS + 1 */
} canonical_sweeps;

/* A correction `worst`; the one before was `before`. */
INLINE canonical_sweeps canonical_sweeps_begin(mask first, real worst, real before)
{
    const real       rate = worst / before, units = DRIFT_MARGIN / EPS * worst;
    canonical_sweeps x = { .rate = rate, .left = units };
    real             all = rate; /* to the power CANONICAL_SWEEPS_MOST */
    for (int k = 0; k < CANONICAL_SWEEPS; k++) x.left *= units;
    for (int k = 1; k < CANONICAL_SWEEPS_MOST; k *= 2) all *= all;
    x.last = m_not(first) & r_at_most(8 * units * rate * rate, r_set(1))
           & r_at_most(x.left * all, r_set(1));
    return x;
}

/* The members that make sweep k. */
INLINE mask canonical_sweep_is_due(canonical_sweeps *x, int k)
{
    const mask due = (x->last & (m_all(k == 0) | r_less(r_set(1), x->left)))
                   | (m_not(x->last) & m_all(k < CANONICAL_SWEEPS));
    x->left *= x->rate;
    return due;
}

/* Of the members that end, with forces, velocities and G corrected by (dP, dQ): the velocities
 * w->eval.V in fictitious time, the kick, the time, and the forces w->nodal.X, which the next
 * prediction needs where masses are coupled. */
INLINE void canonical_end(work *w, const shape z, real h, const canonical_slopes *D,
                          const batch *hb, const batch *dP, const batch *dQ, const batch *X,
                          const batch *Y, mask ends, real *kick)
{
    const batch *const G = G_at(w, z), *const g = g_at(w, z);
    const real upper = upper_half(h), rest = h - upper;
    batch      x[ALL_NODES], y[ALL_NODES], pace[NOE_MAX_DEGREE];
    force_changes(z, D, dP, dQ, x);
    rate_changes(w, z, D, dP, dQ, y);
    for (int b = 0; b < z.B; b++) {
        pace[b] = G[b];
        for (int k = 0; k < z.n; k++) pace[b] += g[k * z.B + b] * dQ[k * z.B + b];
    }
    for (int j = 0; j < z.n; j++) {
        const real *const late = (const real *)(x + j * z.B);
        real              sum = weighted_sum(w, z, X + j * z.B), more = late[0];
        for (int i = 1; i < z.r; i++) more += late[i];
        kick[j] = r_if(ends, rest * sum + upper * sum, kick[j]);
        kick[z.n + j] = r_if(ends, more, kick[z.n + j]); /* as last_kick(): it would be lost */
        for (int b = 0; b < z.B; b++) {
            const int at = j * z.B + b;
            w->eval.V[at] = b_where(ends, Y[at] + y[at] / hb[b], w->eval.V[at]);
            w->nodal.X[at] = b_where(ends, X[at] + x[at] / hb[b], w->nodal.X[at]);
        }
    }
    const real *at = (const real *)pace;
    real        least = at[0];
    for (int i = 1; i < z.r; i++) least = r_min(least, at[i]);
    const real sum = weighted_sum(w, z, pace), nan = r_set((num)__builtin_nan(""));
    w->nodal.time_taken = r_if(ends, r_if(r_less(r_set(0), least), rest * sum + upper * sum, nan),
                               w->nodal.time_taken);
}

/* As fixed_point(): leaves the modes in w->scratch.a, kick = h sum_i b_i X_i, the forces in
 * w->nodal.X and the time in w->nodal.time_taken. */
INLINE mask canonical_newton(work *w, const shape z, real h, mask want, real *kick, mask *slow_ones)
{
    const int            all = z.n * z.B;
    const bool           coupled = z.n > 1 && w->nodal.coupled;
    contraction_progress at = contraction_begin(want);
    canonical_slopes     D;
    batch hb[NOE_MAX_DEGREE], c[NOE_MAX_DEGREE], E[NOE_MAX_DEGREE], P[ALL_NODES], U[ALL_NODES],
        X[ALL_NODES], Y[ALL_NODES], rho_P[ALL_NODES], rho_Q[ALL_NODES], dP[ALL_NODES],
        dQ[ALL_NODES], x[ALL_NODES];
    for (int b = 0; b < z.B; b++) hb[b] = b_of(h) * c_of(w->method.weight[b]);
    for (int b = 0; b < z.B; b++) E[b] = b_set(*w->state.level);
    predict_positions(w, z, h);
    if (coupled) momenta_of_predicted_forces(w, z, h, P);
    for (int it = 0; it < FIXED_POINT_ITERATIONS && m_any(at.going); it++) {
        jet(w, CANONICAL, z.r);
        if (it == 0 && !coupled) predicted_momenta(w, z, P);
        velocities_of_momenta(w, z, P, E, U, c);
        if (it == 0) canonical_scales(w, z, h, want, P, U, c);
        canonical_forces(w, z, c, X);
#pragma GCC unroll 3
        for (int i = 0; i < all; i++) Y[i] = G_at(w, z)[i % z.B] * U[i];
        sum_from_start(w, z, h, w->state.p, w->state.dp, w->method.Ahat, X, P, rho_P);
        sum_from_start(w, z, h, w->state.q, w->state.dq, w->method.A_V, Y, w->eval.Q, rho_Q);
        find_canonical_slopes(w, z, hb, U, c, &D);
        force_changes(z, &D, rho_P, rho_Q, x);
#pragma GCC unroll 3
        for (int i = 0; i < all; i++) dQ[i] = rho_Q[i];
        add_integrals(z, w->method.Ahat, rho_P, x, m_all(1), dP);
        const real       worst = canonical_correction_size(w, z, dP, rho_Q);
        canonical_sweeps sweeps = canonical_sweeps_begin(m_all(it == 0), worst,
                                                         contraction_base(&at));
        for (int k = 0; k < CANONICAL_SWEEPS_MOST; k++) {
            const mask on = canonical_sweep_is_due(&sweeps, k);
            if (!m_any(on)) break;
            if (k) force_changes(z, &D, dP, dQ, x);
            if (k) add_integrals(z, w->method.Ahat, rho_P, x, on, dP);
            rate_changes(w, z, &D, dP, dQ, x);
            add_integrals(z, w->method.A_V, rho_Q, x, on, dQ);
        }
        batch finite_probe = b_zero();
#pragma GCC unroll 3
        for (int i = 0; i < all; i++) finite_probe += dP[i] + dQ[i];
        const mask iterated = at.going;
        contraction_judge(w, &at, it, worst, b_finite(finite_probe), sweeps.last);
        const mask ends = iterated & at.done;
        if (m_any(ends)) canonical_end(w, z, h, &D, hb, dP, dQ, X, Y, ends, kick);
#pragma GCC unroll 3
        for (int i = 0; i < all; i++) {
            P[i] = b_where(at.going, P[i] + dP[i], P[i]);
            w->eval.Q[i] = b_where(at.going, w->eval.Q[i] + dQ[i], w->eval.Q[i]);
        }
    }
    contraction_count(w, &at, want, slow_ones);
    store_modes(w, z, at.done);
    return at.done;
}

#endif
