/* Newton's method on the velocities at the nodes, few coordinates: M dV + P_q dQ = rho + h Ahat dF.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The equations are those of step/fixed_point_iteration.h, P = p + h Ahat F at Q = q + h A V, where
 * the mass moves or forces depend on velocities.  A correction dV changes them by
 *     dQ = h A dV,    dP = M dV + P_q dQ,    dF = F_q dQ + F_v dV,    dP = rho + h Ahat dF,
 * rho the residual, all derivatives at the present iterate: one evaluation of the Hessian's tape
 * costs hardly more than one of the gradient's.  These linear equations are solved by sweeps,
 * momenta first, which evaluate nothing:
 *     dV <- M^-1 (dP - P_q dQ),  dQ <- h A dV,  dV <- M^-1 (dP - P_q dQ),  dP <- rho + h Ahat dF.
 * A sweep that holds momenta, and not velocities, contracts like a double integral, k sweeps like
 * (h omega)^2k/(2k)!, also where velocities turn forces, as in a top.  Momenta of coordinates
 * whose force depends on t alone, and positions that nothing depends on, need no matrix products.
 * The end is that of the Nystrom form: the last correction is not evaluated again, but forces
 * follow it by their derivatives.
 * doc/theory.md, sections 6 and 9. */
#ifndef NOE_STEP_NODAL_NEWTON_H
#define NOE_STEP_NODAL_NEWTON_H

#include "step/nystrom_iteration.h"

/* y = y + sign D x, D the derivatives of one kind at the nodes. */
INLINE void add_derivatives(const work *w, const shape z, const noe_d_kind kind, const num sign,
                            const batch *x, batch *y)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
#pragma GCC unroll 3
        for (int k = 0; k < z.n; k++) {
            const int at = w->dyn->at[(j * z.n + k) * NOE_D_KINDS + (int)kind];
            if (at < 0) continue;
            const batch *D = w->eval.out + (size_t)at * z.B;
            for (int b = 0; b < z.B; b++)
                y[j * z.B + b] = sign < 0 ? y[j * z.B + b] - D[b] * x[k * z.B + b]
                                          : y[j * z.B + b] + D[b] * x[k * z.B + b];
        }
}

/* u = M^-1 x at the nodes. */
INLINE void divide_by_mass(const work *w, const shape z, const batch *x, batch *u)
{
    if (z.n > 1 && w->nodal.coupled) mass_solve(w->nodal.W, x, u, z.n, z.B);
    else
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) u[i] = w->nodal.W[i] * x[i];
}

/* dV = M^-1 (dP - P_q dQ) */
INLINE void velocity_changes(const work *w, const shape z, const batch *dP, const batch *dQ,
                             batch *dV)
{
    batch x[ALL_NODES];
#pragma GCC unroll 3
    for (int i = 0; i < z.n * z.B; i++) x[i] = dP[i];
    add_derivatives(w, z, NOE_D_PQ, -1, dQ, x);
    divide_by_mass(w, z, x, dV);
}

/* y_j = A (hb x_j), for one of the matrices over b of the nodal form, hb = h b, and the coordinates
 * j with `wanted`. */
INLINE void integrated(const shape z, const coef *A, const batch *hb, const bool *wanted,
                       const batch *x, batch *y)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        batch bx[NOE_MAX_DEGREE];
        if (!wanted[j]) continue;
        for (int b = 0; b < z.B; b++) bx[b] = hb[b] * x[j * z.B + b];
        for (int b = 0; b < z.B; b++)
            y[j * z.B + b] = contract_by_four(b, z.B, A, z.r, (const real *)bx);
    }
}

/* Q = q + h A V, for all coordinates, then for those that forces or momenta depend on. */
INLINE void move_nodes(work *w, const shape z, real h, bool first)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        if (first || w->nodal.is_argument[j]) move_coordinate(w, z, h, j);
}

/* rho = p + h Ahat F - P; returns max_ij |rho_ij| / scale_j.  gain = h Ahat F is computed anew
 * where F depends on the iterate, and elsewhere in the `first` iteration alone. */
INLINE real momentum_residual(const work *w, const shape z, real h, bool first, batch *gain,
                              batch *rho)
{
    const real  half = upper_half(h);
    const batch upper = b_of(half), rest = b_of(h - half);
    batch       worst = b_zero();
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        const batch *P = w->eval.out + (z.n + j) * z.B;
        batch        bF[NOE_MAX_DEGREE];
        const batch  p = b_of(w->state.p[j]), dp = b_of(w->state.dp[j]), e = b_of(w->scratch.e[j]);
        const bool   anew = first || w->nodal.force_varies[j];
        if (anew) weigh(bF, z.B, w->method.weight, w->eval.out + j * z.B);
        for (int b = 0; b < z.B; b++) {
            if (anew) {
                const batch push = contract_by_four(b, z.B, w->method.Ahat, z.r, (const real *)bF);
                gain[j * z.B + b] = (dp + rest * push) + upper * push;
            }
            rho[j * z.B + b] = (p - P[b]) + gain[j * z.B + b];
            worst = b_max(worst, b_abs(rho[j * z.B + b]) * e);
        }
    }
    return over_nodes(worst);
}

/* dV and dF of Newton's correction for the residual rho, by so many sweeps for each member. */
INLINE void solve_linear(const work *w, const shape z, const batch *hb, const batch *rho,
                         real sweeps, batch *dV, batch *dF)
{
    batch dP[ALL_NODES], dQ[ALL_NODES], f[ALL_NODES], u[ALL_NODES];
    divide_by_mass(w, z, rho, dV);
#pragma GCC unroll 3
    for (int i = 0; i < z.n * z.B; i++) dP[i] = rho[i], dF[i] = dQ[i] = b_zero();
    for (int k = 0; k < LINEAR_SWEEPS_MOST; k++) {
        const mask on = r_less(r_set(k), sweeps);
        if (!m_any(on)) break;
        integrated(z, w->method.A_V, hb, w->nodal.is_argument, dV, dQ);
        velocity_changes(w, z, dP, dQ, u);
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) f[i] = b_zero();
        add_derivatives(w, z, NOE_D_FQ, 1, dQ, f);
        add_derivatives(w, z, NOE_D_FV, 1, u, f);
        integrated(z, w->method.Ahat, hb, w->nodal.force_varies, f, dP);
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++)
            dP[i] = w->nodal.force_varies[i / z.B] ? rho[i] + dP[i] : rho[i];
        velocity_changes(w, z, dP, dQ, u);
#pragma GCC unroll 3
        for (int i = 0; i < z.n * z.B; i++) {
            dV[i] = b_where(on, u[i], dV[i]);
            dF[i] = b_where(on, f[i], dF[i]);
        }
    }
}

/* As fixed_point(): leaves the modes in w->scratch.a and kick = h sum_i b_i F_i. */
INLINE mask nodal_newton(work *w, const shape z, real h, mask want, real *kick, mask *slow_ones)
{
    contraction_progress at = contraction_begin(want);
    const int            all = z.n * z.B;
    batch hb[NOE_MAX_DEGREE], gain[ALL_NODES], rho[ALL_NODES], dV[ALL_NODES], dF[ALL_NODES];
    node_times_by_step(w, z, h);
    for (int b = 0; b < z.B; b++) hb[b] = b_of(h) * c_of(w->method.weight[b]);
#pragma GCC unroll 3
    for (int i = 0; i < all; i++) gain[i] = b_zero();
    predict_velocities(w, z);
    for (int it = 0; it < FIXED_POINT_ITERATIONS && m_any(at.going); it++) {
        move_nodes(w, z, h, it == 0);
        jet(w, HESSIAN, z.r);
        if (!w->nodal.mass_known) factor_masses(w);
        if (it == 0) scales_at_prediction(w, z, h, want);
        w->nodal.mass_known = w->dyn->mass_constant;
        const real worst = momentum_residual(w, z, h, it == 0, gain, rho),
                   sweeps = it ? last_sweeps(worst, contraction_base(&at), LINEAR_SWEEPS)
                               : r_set(LINEAR_SWEEPS_MOST + 1);
        const mask solves = r_at_most(sweeps, r_set(LINEAR_SWEEPS_MOST));
        solve_linear(w, z, hb, rho, r_if(solves, sweeps, r_set(LINEAR_SWEEPS)), dV, dF);
        batch finite_probe = b_zero();
#pragma GCC unroll 3
        for (int i = 0; i < all; i++) {
            finite_probe += dV[i] + dF[i];
            w->eval.V[i] = b_where(at.going, w->eval.V[i] + dV[i], w->eval.V[i]);
        }
        const mask iterated = at.going;
        contraction_judge(w, &at, it, worst, b_finite(finite_probe), solves);
        const mask ends = iterated & at.done;
        if (m_any(ends)) kick_of_forces(w, z, h, w->eval.out, dF, ends, kick);
    }
    contraction_count(w, &at, want, slow_ones);
    store_modes(w, z, at.done);
    return at.done;
}

#endif
