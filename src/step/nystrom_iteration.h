/* Nystrom form for L = v M v/2 - V(t, q): nodal forces X = F(q + h c v + h^2 A Ahat M^-1 X).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the mass is constant and forces do not depend on velocities, the equations of
 * step/fixed_point_iteration.h are those of a Nystrom method, with one matrix product between two
 * evaluations instead of two.  Used with up to COFACTOR_MOST coordinates and as many nodes as the
 * degree, 4 or more.
 *
 * X begins as the polynomial of the last step's forces, continued.  With r = F - X, the Jacobian
 * F_q, H = A Ahat and K = F_q h^2 H M^-1, an iteration is X <- X + (1 + K + .. + K^k) r, by k
 * sweeps which evaluate nothing; the last one, which is not evaluated again, has as many as leave
 * less than rounding.
 *
 * Two roundings would make the energy drift.
 *   - The rounded H belongs to no discrete action: forces_coefficients() of
 *     engine/engine_coefficients.h rounds its entries one by one, which on_grid() there avoids for
 *     A and Ahat.  From the second evaluation on, while forces are evaluated at the positions that
 *     H gave, the positions that follow from X are also computed by A and Ahat one after the other;
 *     the difference enters the correction by F_q.
 *   - The last correction changes velocities and kick by less than their rounding, with one sign
 *     over many steps.  It is added to the low-order part first, where it is not lost.
 *
 * E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.14;
 * doc/theory.md, sections 6 and 9. */
#ifndef NOE_STEP_NYSTROM_ITERATION_H
#define NOE_STEP_NYSTROM_ITERATION_H

#include "step/fixed_point_iteration.h"

/* Most batches that hold all nodes of all coordinates. */
enum {
    ALL_NODES = COFACTOR_MOST
              * (NOE_REAL == NOE_DOUBLE ? (NOE_MAX_DEGREE + LANES - 1) / LANES : NOE_MAX_DEGREE)
};

/* M, |M| and L_v at v = 0, which are the same at every q: evaluated once, until the constants of
 * the system change.  which: INERTIAL, or OWN_INERTIAL of the Lagrangian before the
 * transformation. */
static __attribute__((noinline)) void evaluate_constant_mass(work *w, int which)
{
    const int n = w->n, B = w->B;
    for (int i = 0; i < n * B; i++) {
        w->eval.Q[i] = b_set(w->state.q[i / B]);
        w->eval.V[i] = b_zero();
    }
    jet(w, which, w->r);
    factor_masses(w);
    for (int j = 0; j < n; j++) w->nodal.rest_momenta[j] = *element(w->eval.out, B, n + j, 0);
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->nodal.mass[k];
        w->nodal.mass_entry_bound[k] = r_abs(*(const real *)mass_entry(w, x));
        if (which == INERTIAL) /* else canonical_scales() has that of the transformed one */
            w->newton.mass_bound[x->row * n + x->col] = w->nodal.mass_entry_bound[k];
    }
    w->nodal.mass_known = true;
}

/* u = g M^-1 x at the nodes; gW = g/M where the mass matrix is diagonal. */
INLINE void scaled_mass_solve(const work *w, const shape z, real g, const batch *gW, const batch *x,
                              batch *u)
{
    if (z.n > 1 && w->nodal.coupled) {
        mass_solve(w->nodal.W, x, u, z.n, z.B);
        for (int i = 0; i < z.n * z.B; i++) u[i] = g * u[i];
    } else
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) u[i] = gW[i] * x[i];
}

/* sum_k H_kb x_k in four independent sums, because the next evaluation waits for the result. */
INLINE batch contract_by_four(int b, int nb, const coef *H, int terms, const real *x)
{
    batch sum[4];
    for (int k = 0; k < 4; k++) sum[k] = c_of(H[k * nb + b]) * b_of(x[k]);
#pragma GCC unroll 8
    for (int k = 4; k < terms; k++) sum[k % 4] += c_of(H[k * nb + b]) * b_of(x[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* y = H x: forces x move the positions at the nodes by h^2 M^-1 y. */
INLINE void apply_H(const shape z, const coef *H, const batch *x, batch *y)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++)
            y[j * z.B + b] = contract_by_four(b, z.B, H, z.r, (const real *)(x + j * z.B));
}

/* S = F_q h^2 M^-1, with F_q from the outputs of the Hessian's tape; row by row,
 * because M^-1 is symmetric.  K x = S H x then needs no solution with M between the two matrix
 * products. */
INLINE void scaled_force_jacobian(const work *w, const shape z, real hh, const batch *hhW, batch *S)
{
    const bool coupled = z.n > 1 && w->nodal.coupled;
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        batch row[ALL_NODES];
#pragma GCC unroll 3
        for (int k = 0; k < z.n; k++) {
            const int at = w->nodal.F_q_output[j * z.n + k];
            for (int b = 0; b < z.B; b++)
                row[k * z.B + b] = at ? w->eval.out[at * z.B + b] : b_zero();
        }
        if (coupled) scaled_mass_solve(w, z, hh, hhW, row, S + j * z.n * z.B);
        else
#pragma GCC unroll 3
            for (int i = 0; i < z.n * z.B; i++) S[j * z.n * z.B + i] = hhW[i] * row[i];
    }
}

/* g = S y */
INLINE void apply_force_jacobian(const shape z, const batch *S, const batch *y, batch *g)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++) {
            const batch *row = S + j * z.n * z.B + b;
            batch        sum = row[0] * y[b];
#pragma GCC unroll 3
            for (int k = 1; k < z.n; k++) sum += row[k * z.B] * y[k * z.B + b];
            g[j * z.B + b] = sum;
        }
}

/* g = g + F_q D: what displacements D of the positions at the nodes change in the forces. */
INLINE void add_force_change(const work *w, const shape z, const batch *D, batch *g)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
#pragma GCC unroll 3
        for (int k = 0; k < z.n; k++) {
            if (!w->nodal.F_q_output[j * z.n + k]) continue;
            const batch *F_q = w->eval.out + (size_t)w->nodal.F_q_output[j * z.n + k] * z.B;
            for (int b = 0; b < z.B; b++) g[j * z.B + b] += F_q[b] * D[k * z.B + b];
        }
}

/* scale_j = 2 |p_j| + max_i |h F_ij| + sum_k |M_jk v_k|, and e = 1/scale: those of
 * scales_at_prediction() in step/fixed_point_iteration.h with p_j for the momenta at the nodes,
 * which are not evaluated, and v = M^-1 p for the velocities there. */
INLINE void scales_of_forces(work *w, const shape z, real h, const batch *v)
{
    for (int j = 0; j < z.n; j++) {
        batch most = b_zero();
        for (int b = 0; b < z.B; b++) most = b_max(most, b_abs(b_of(h) * w->eval.out[j * z.B + b]));
        w->scratch.scale[j] = 2 * r_abs(w->state.p[j]) + over_nodes(most) + LEAST_DIVISOR;
        w->scratch.speed[j] = r_abs(*(const real *)(v + j * z.B));
    }
    add_mass_scales(w, z);
}

/* D = h A V, V = M^-1 P, P + lost = p + dp + h Ahat X: displacements that follow from X by Ahat
 * and A; `lost` is the rounding of P. */
INLINE void motion_of_forces(const work *w, const shape z, real h, const batch *X, batch *P,
                             batch *lost, batch *D)
{
    const real  half = upper_half(h);
    const batch upper = b_of(half), rest = b_of(h - half);
    batch       V[ALL_NODES], bx[NOE_MAX_DEGREE];
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        const batch p = b_of(w->state.p[j] - w->nodal.rest_momenta[j]), dp = b_of(w->state.dp[j]);
        weigh(bx, z.B, w->method.weight, X + j * z.B);
        for (int b = 0; b < z.B; b++) {
            const batch push = contracted(b, z.B, w->method.Ahat, z.r, (const real *)bx);
            const batch more = (dp + rest * push) + upper * push, sum = p + more, back = sum - p;
            P[j * z.B + b] = sum, lost[j * z.B + b] = (p - (sum - back)) + (more - back);
        }
    }
    scaled_mass_solve(w, z, r_set(1), w->nodal.W, P, V);
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        weigh(bx, z.B, w->method.weight, V + j * z.B);
        for (int b = 0; b < z.B; b++) {
            const batch flight = contracted(b, z.B, w->method.A_V, z.r, (const real *)bx);
            D[j * z.B + b] = (b_of(w->state.dq[j]) + rest * flight) + upper * flight;
        }
    }
}

/* V = M^-1 ((P + lost) + h Ahat dX), where dX changes P by about a unit of rounding. */
INLINE void final_velocities(work *w, const shape z, real h, batch *P, const batch *lost,
                             const batch *dX)
{
    batch bx[NOE_MAX_DEGREE];
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        for (int b = 0; b < z.B; b++) bx[b] = (h * w->method.weight[b]) * dX[j * z.B + b];
        for (int b = 0; b < z.B; b++)
            P[j * z.B + b] += lost[j * z.B + b]
                            + contract_by_four(b, z.B, w->method.Ahat, z.r, (const real *)bx);
    }
    scaled_mass_solve(w, z, r_set(1), w->nodal.W, P, w->eval.V);
}

/* sum_i b_i x_i. */
INLINE real weighted_sum(const work *w, const shape z, const batch *X)
{
    const real *x = (const real *)X;
    real        even = w->method.b[0] * x[0], odd = w->method.b[1] * x[1];
    for (int i = 2; i < z.r; i++) *(i % 2 ? &odd : &even) += w->method.b[i] * x[i];
    return even + odd;
}

/* kick = h sum_i b_i (X + dX)_i, for the members that have a solution.  The part of dX is added
 * to the small product rest * push before the large rounded product, in which it would be lost;
 * `rest` is not 0 even where h is a power of 2. */
INLINE void kick_of_forces(const work *w, const shape z, real h, const batch *X, const batch *dX,
                           mask done, real *kick)
{
    const real upper = upper_half(h - h / LENGTH_PARTS), rest = h - upper;
    for (int j = 0; j < z.n; j++) {
        const real push = weighted_sum(w, z, X + j * z.B), late = weighted_sum(w, z, dX + j * z.B);
        kick[j] = r_if(done, (rest * push + h * late) + upper * push, kick[j]);
        kick[z.n + j] = r_if(done, r_set(0), kick[z.n + j]);
    }
}

/* w->nodal.X = the forces at the nodes of the motion with the modes in w->scratch.a. */
static __attribute__((noinline)) void forces_of_modes(work *w, real h)
{
    nodes(w, of(w), h);
    jet(w, GRADIENT, w->r);
    memcpy((void *)w->nodal.X, w->eval.out, (size_t)(w->n * w->B) * sizeof(batch));
}

/* w->eval.t, X and D = w->nodal.rho: times, forces and displacements at the nodes, predicted by the
 * polynomial of the last step's forces or by the modes that are given; v = M^-1 p, y = H X. */
INLINE void predict_displacements(work *w, const shape z, real h, const batch *hhW, batch *v,
                                  batch *y)
{
    const int    all = z.n * z.B;
    batch        d[ALL_NODES], e[ALL_NODES];
    batch *const X = w->nodal.X, *const D = w->nodal.rho;
    node_times_by_step(w, z, h);
    for (int j = 0; j < z.n; j++) {
        for (int b = 0; b < z.B; b++)
            d[j * z.B + b] = b_set((w->state.p[j] - w->nodal.rest_momenta[j]) + w->state.dp[j]);
        if (!w->history.given)
            contract(X + j * z.B, z.B, w->method.E_F, z.r, w->history.last_forces + j * z.B * WIDE);
    }
    if (w->history.given) forces_of_modes(w, h);
    scaled_mass_solve(w, z, r_set(1), w->nodal.W, d, v);
    apply_H(z, w->history.given ? w->method.H : w->method.HE,
            w->history.given ? X : (const batch *)w->history.last_forces, y);
    scaled_mass_solve(w, z, h * h, hhW, y, e);
    for (int i = 0; i < all; i++)
        D[i] = b_of(w->state.dq[i / z.B]) + ((b_of(h) * c_of(w->method.c[i % z.B])) * v[i] + e[i]);
}

/* How many sweeps, at least one, leave less than 1/DRIFT_MARGIN of a unit of rounding of the
 * residual `worst`, which so many of them and the second order made of `last`; more than
 * LINEAR_SWEEPS_MOST where another evaluation has to be made.  A sweep leaves the root of order
 * made + 1 of rate = worst/last or less, the second order 8 rate^2 worst or less. */
INLINE real last_sweeps(real worst, real last, const int made)
{
    const real rate = worst / last, units = DRIFT_MARGIN / EPS * worst;
    const mask small = r_at_most(8 * units * rate * rate, r_set(1));
    real       left = rate, count = r_set(1);
    for (int k = 0; k <= made; k++) left *= units;
    for (int k = 1; k <= LINEAR_SWEEPS_MOST; k++) {
        left *= rate;
        count += r_if(r_at_most(left, r_set(1)), r_set(0), r_set(1));
    }
    return r_if(small, count, r_set(LINEAR_SWEEPS_MOST + 1));
}

/* As fixed_point(): leaves the modes in w->scratch.a, kick = h sum_i b_i F_i, and the forces in
 * w->nodal.X. */
INLINE mask nystrom(work *w, const shape z, real h, mask want, real *kick, mask *slow_ones)
{
    const real           hh = h * h;
    const int            all = z.n * z.B;
    contraction_progress at = contraction_begin(want);
    batch v[ALL_NODES], r[ALL_NODES], d[ALL_NODES], g[ALL_NODES], e[ALL_NODES], hhW[ALL_NODES],
        P[ALL_NODES], lost[ALL_NODES], x[ALL_NODES], y[ALL_NODES], S[COFACTOR_MOST * ALL_NODES],
        dX[ALL_NODES], *const X = w->nodal.X, *const D = w->nodal.rho;
    if (!w->nodal.mass_known) evaluate_constant_mass(w, INERTIAL);
    for (int i = 0; i < all; i++) hhW[i] = w->nodal.coupled ? b_zero() : b_of(hh) * w->nodal.W[i];
    for (int i = 0; i < all; i++) dX[i] = P[i] = lost[i] = b_zero();
    predict_displacements(w, z, h, hhW, v, y);
    for (int it = 0; it < FIXED_POINT_ITERATIONS; it++) {
        /* F and F_q at Q = q + D. */
        for (int i = 0; i < all; i++) w->eval.Q[i] = b_of(w->state.q[i / z.B]) + D[i];
        jet(w, HESSIAN, z.r);
        if (it == 0) scales_of_forces(w, z, h, v);
        /* r = F - X, and its largest part of the scale. */
        real  worst = r_set(0);
        batch finite_probe = b_zero();
        for (int j = 0; j < z.n; j++) {
            batch b_worst = b_zero();
            for (int b = j * z.B; b < (j + 1) * z.B; b++) {
                r[b] = w->eval.out[b] - X[b];
                b_worst = b_max(b_worst, b_abs(b_of(h) * r[b]));
                finite_probe += r[b];
            }
            worst = r_max(worst, over_nodes(b_worst) * w->scratch.e[j]);
        }
        /* g = K r, and F_q (d - D) added: d, by Ahat and A, takes the place of D. */
        if (it > 0) motion_of_forces(w, z, h, X, P, lost, d);
        apply_H(z, w->method.H, r, y);
        scaled_force_jacobian(w, z, hh, hhW, S);
        apply_force_jacobian(z, S, y, g);
        for (int i = 0; i < all && it > 0; i++) e[i] = d[i] - D[i], D[i] = d[i];
        if (it > 0) add_force_change(w, z, e, g);
        /* r <- (1 + K + ..) r, g its last term, and y = H r but for that term. */
        const real sweeps = it ? last_sweeps(worst, contraction_base(&at), LINEAR_SWEEPS)
                               : r_set(LINEAR_SWEEPS_MOST + 1);
        const mask solves = r_at_most(sweeps, r_set(LINEAR_SWEEPS_MOST));
        const real count = r_if(solves, sweeps, r_set(LINEAR_SWEEPS));
        for (int i = 0; i < all; i++) r[i] += g[i];
        for (int k = 1; k < LINEAR_SWEEPS_MOST; k++) {
            const mask on = r_less(r_set(k), count);
            if (!m_any(on)) break;
            apply_H(z, w->method.H, g, x);
            apply_force_jacobian(z, S, x, e);
            for (int i = 0; i < all; i++) {
                g[i] = b_where(on, e[i], g[i]);
                y[i] = b_where(on, y[i] + x[i], y[i]), r[i] = b_where(on, r[i] + e[i], r[i]);
            }
        }
        const mask iterated = at.going;
        contraction_judge(w, &at, it, worst, b_finite(finite_probe), solves);
        for (int i = 0; i < all; i++)
            /* Members that have ended keep the correction of their own last iteration. */
            dX[i] = b_where(iterated, r[i], dX[i]);
        if (!m_any(at.going)) break;
        /* X <- X + r, D <- D + h^2 M^-1 H r, with the new r. */
        apply_H(z, w->method.H, g, x);
        for (int i = 0; i < all; i++) y[i] += x[i];
        scaled_mass_solve(w, z, hh, hhW, y, e);
        for (int i = 0; i < all; i++) D[i] += e[i], X[i] = b_where(at.going, X[i] + r[i], X[i]);
    }
    if (m_any(at.done)) { /* at least two evaluations: P and lost are those of X */
        final_velocities(w, z, h, P, lost, dX);
        kick_of_forces(w, z, h, X, dX, at.done, kick);
        for (int i = 0; i < all; i++) X[i] += dX[i];
    }
    contraction_count(w, &at, want, slow_ones);
    store_modes(w, z, at.done);
    return at.done;
}

#endif
