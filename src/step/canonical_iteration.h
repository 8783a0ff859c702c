/* Canonical form of a monitored natural system: q' = G M^-1 p, p' = G F - (H - E) dG/dq.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The Hamiltonian of the transformed Lagrangian is G (H - E), H = (p - b).M^-1 (p - b)/2 + V, and a
 * Gauss method steps its canonical equations as it steps the Lagrangian's (r = s), with the mass
 * matrix of L itself, which is constant.  Unknowns are the positions and the momenta at the nodes.
 * One evaluation at positions Q gives F, V, G and g = dG/dq there, and then twice
 *     P <- p + h Ahat (G F - (H(Q, P) - E) g),
 * which costs no evaluation.  With U = M^-1 (P - b) after the first, and dP what the second does,
 *     Q' = q + h A G U,    Q <- Q' + h A (G M^-1 dP + U g.(Q' - Q)),
 * as a correction Q' - Q changes G.  P begins as M V/G + b of the predicted velocities V = G U
 * where M is diagonal, else with forces that are extrapolated.
 * Where L or G depends on t, t and E are unknowns at the nodes as well, t' = G and E' = G V_t +
 * (H - E) G_t: t moves with the positions, E with the momenta.
 * What is left of an error is of second order in the length of the step.  There are no second
 * derivatives and no factorizations; a step for which this does not contract is left to Newton's
 * method for the transformed Lagrangian.  Up to COFACTOR_MOST coordinates without t are solved by
 * step/canonical_newton.h, which shares the formulas here.  doc/theory.md, section 6. */
#ifndef NOE_STEP_CANONICAL_ITERATION_H
#define NOE_STEP_CANONICAL_ITERATION_H

#include "step/nystrom_iteration.h"

/* The outputs of the tape, at the nodes. */
INLINE const batch *G_at(const work *w, const shape z) { return w->eval.out + 2 * z.n * z.B; }
INLINE const batch *g_at(const work *w, const shape z) { return w->eval.out + z.n * z.B; }

/* sum_k A_kb x_k, in four independent sums, because what follows waits for it. */
INLINE batch combined(const shape z, const coef *A, const batch *x, int b)
{
    const real *y = (const real *)x;
    batch       one = A[b] * y[0], two = A[z.B + b] * y[1], three = A[2 * z.B + b] * y[2],
          four = A[3 * z.B + b] * y[3];
    int k = 4;
#pragma GCC unroll 4
    for (; k + 3 < z.r; k += 4) {
        one += A[k * z.B + b] * y[k], two += A[(k + 1) * z.B + b] * y[k + 1];
        three += A[(k + 2) * z.B + b] * y[k + 2], four += A[(k + 3) * z.B + b] * y[k + 3];
    }
    for (; k < z.r; k++) one += A[k * z.B + b] * y[k];
    return (one + two) + (three + four);
}

/* U = M^-1 (P - b), the velocities in time, and c = H - E; E [B]. */
INLINE void velocities_of_momenta(const work *w, const shape z, const batch *P, const batch *E,
                                  batch *U, batch *c)
{
    const batch *const V = G_at(w, z) + z.B;
    if (z.n > 1 && w->nodal.coupled) {
        batch *const own = w->nodal.canonical_rows + 2 * z.n * z.B;
        for (int i = 0; i < z.n * z.B; i++) own[i] = P[i] - w->nodal.rest_momenta[i / z.B];
        mass_solve(w->nodal.W, own, U, z.n, z.B);
    } else
        for (int i = 0; i < z.n * z.B; i++)
            U[i] = w->nodal.W[i] * (P[i] - w->nodal.rest_momenta[i / z.B]);
    for (int b = 0; b < z.B; b++) {
        batch twice = (P[b] - w->nodal.rest_momenta[0]) * U[b];
#pragma GCC unroll 3
        for (int j = 1; j < z.n; j++)
            twice += (P[j * z.B + b] - w->nodal.rest_momenta[j]) * U[j * z.B + b];
        c[b] = twice / 2 + (V[b] - E[b]);
    }
}

/* X = G F - c g: the forces of the transformed Lagrangian. */
INLINE void canonical_forces(const work *w, const shape z, const batch *c, batch *X)
{
    const batch *const G = G_at(w, z), *const g = g_at(w, z);
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++)
            X[j * z.B + b] = G[b] * w->eval.out[j * z.B + b] - c[b] * g[j * z.B + b];
}

/* X_E = G V_t + c G_t, the rate of E. */
INLINE void rates_of_energy(const work *w, const shape z, const batch *c, batch *X)
{
    const batch *const G = G_at(w, z), *const V_t = G + 2 * z.B, *const G_t = G + 3 * z.B;
    for (int b = 0; b < z.B; b++) X[b] = G[b] * V_t[b] + c[b] * G_t[b];
}

/* E = E_0 + h Ahat X_E */
INLINE void raise_energies(const work *w, const shape z, real h, const batch *c, batch *E)
{
    batch X[NOE_MAX_DEGREE];
    rates_of_energy(w, z, c, X);
    for (int b = 0; b < z.B; b++) X[b] *= h * w->method.weight[b];
    for (int b = 0; b < z.B; b++)
        E[b] = *w->state.level + (w->state.balance[LEVEL_REST] + combined(z, w->method.Ahat, X, b));
}

/* t = t_0 + h A G at the nodes, for the members that iterate. */
INLINE void move_times(work *w, const shape z, real h, mask going)
{
    const batch *const G = G_at(w, z);
    const real         t = time_at(w, 0);
    batch              bx[NOE_MAX_DEGREE];
    for (int b = 0; b < z.B; b++) bx[b] = h * w->method.weight[b] * G[b];
    for (int b = 0; b < z.B; b++)
        w->eval.t[b] = b_where(going, t + combined(z, w->method.A_V, bx, b), w->eval.t[b]);
}

/* sum_j x_j y_j at batch b. */
INLINE batch dot(const shape z, const batch *x, const batch *y, int b)
{
    batch sum = x[b] * y[b];
#pragma GCC unroll 3
    for (int j = 1; j < z.n; j++) sum += x[j * z.B + b] * y[j * z.B + b];
    return sum;
}

/* to = x + dx + h A Y - from at the nodes: positions of their rates, or momenta of forces;
 * x, dx [n]; from = NULL: 0. */
INLINE void sum_from_start(const work *w, const shape z, real h, const real *x, const real *dx,
                           const coef *A, const batch *Y, const batch *from, batch *to)
{
    const real upper = upper_half(h), rest = h - upper;
    batch      bY[NOE_MAX_DEGREE];
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        const real begin = x[j], lost = dx[j];
        weigh(bY, z.B, w->method.weight, Y + j * z.B);
        for (int b = 0; b < z.B; b++) {
            const int   at = j * z.B + b;
            const batch sum = combined(z, A, bY, b), rise = (lost + rest * sum) + upper * sum;
            to[at] = from ? (begin - from[at]) + rise : begin + rise;
        }
    }
}

/* P = p + h Ahat X */
INLINE void push_momenta(const work *w, const shape z, real h, const batch *X, batch *P)
{
    sum_from_start(w, z, h, w->state.p, w->state.dp, w->method.Ahat, X, NULL, P);
}

/* Q' = q + h A Y into w->nodal.rho. */
INLINE void flights(work *w, const shape z, real h, const batch *Y)
{
    sum_from_start(w, z, h, w->state.q, w->state.dq, w->method.A_V, Y, NULL, w->nodal.rho);
}

/* P = M V/G + b, from the predicted velocities; for a diagonal M. */
INLINE void predicted_momenta(const work *w, const shape z, batch *P)
{
    const batch *const G = G_at(w, z);
    for (int i = 0; i < z.n * z.B; i++)
        P[i] = w->eval.V[i] / (w->nodal.W[i] * G[i % z.B]) + w->nodal.rest_momenta[i / z.B];
}

/* Q = Q' + h A (G M^-1 dP + U g.(Q' - Q)), for the members that iterate; overwrites dP [n][B]. */
INLINE void move_positions(work *w, const shape z, real h, const batch *U, batch *dP, mask going)
{
    const batch *const G = G_at(w, z), *const g = g_at(w, z);
    const batch *const to = w->nodal.rho;
    batch              bx[NOE_MAX_DEGREE], change[NOE_MAX_DEGREE], bG[NOE_MAX_DEGREE];
    if (z.n > 1 && w->nodal.coupled) {
        batch *const rest = w->nodal.canonical_rows + 2 * z.n * z.B;
        memcpy((void *)rest, dP, (size_t)(z.n * z.B) * sizeof *rest);
        mass_solve(w->nodal.W, rest, dP, z.n, z.B);
    } else
        for (int i = 0; i < z.n * z.B; i++) dP[i] = w->nodal.W[i] * dP[i];
    for (int b = 0; b < z.B; b++) {
        const batch weight = h * w->method.weight[b];
        batch       sum = g[b] * (to[b] - w->eval.Q[b]);
#pragma GCC unroll 3
        for (int j = 1; j < z.n; j++)
            sum += g[j * z.B + b] * (to[j * z.B + b] - w->eval.Q[j * z.B + b]);
        change[b] = weight * sum, bG[b] = weight * G[b];
    }
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) {
        for (int b = 0; b < z.B; b++) bx[b] = change[b] * U[j * z.B + b] + bG[b] * dP[j * z.B + b];
        for (int b = 0; b < z.B; b++) {
            const int   at = j * z.B + b;
            const batch moved = to[at] + combined(z, w->method.A_V, bx, b);
            w->eval.Q[at] = MEMBERS > 1 ? b_where(going, moved, w->eval.Q[at]) : moved;
        }
    }
}

/* scale_j = |p_j| + max_i (|P_ij| + |h| (|G F_ij| + (|T| + |V| + |E|) |g_ij|)) + sum_k |M_jk| max_i
 * |U_ik|, as in scales_at_prediction() of step/fixed_point_iteration.h: the size of what cancels
 * in P; e = 1/scale, and the mass bound of the transformed Lagrangian, |M| max_i 1/G_i. */
INLINE void canonical_scales(work *w, const shape z, real h, mask want, const batch *P,
                             const batch *U, const batch *c)
{
    const batch *const G = G_at(w, z), *const g = g_at(w, z), *const V = G + z.B;
    batch slowest = b_zero();
    for (int b = 0; b < z.B; b++) slowest = b_max(slowest, b_abs(1 / G[b]));
    for (int j = 0; j < z.n; j++) {
        batch most = b_zero(), fast = b_zero();
        for (int b = 0; b < z.B; b++) {
            const int   at = j * z.B + b;
            const batch sizes = b_abs(c[b]) + 2 * (b_abs(V[b]) + r_abs(*w->state.level)),
                        push = b_abs(G[b] * w->eval.out[at]) + sizes * b_abs(g[at]);
            most = b_max(most, b_abs(P[at]) + r_abs(h) * push);
            fast = b_max(fast, b_abs(U[at]));
        }
        w->scratch.scale[j] = r_abs(w->state.p[j]) + over_nodes(most) + LEAST_DIVISOR;
        w->scratch.speed[j] = over_nodes(fast);
    }
    add_mass_scales(w, z);
    keep_mass_bound(w, z, want, over_nodes(slowest));
}

/* The largest relative change: |P - before|/scale, and that of G since the last evaluation, whose
 * values `last` takes; nan where one is not finite. */
INLINE real largest_change(const work *w, const shape z, const batch *P, const batch *before,
                           batch *last)
{
    const batch *const G = G_at(w, z);
    batch              most = b_zero(), finite_probe = most; /* b_max() passes nan over */
    for (int b = 0; b < z.B; b++) {
        finite_probe += G[b] - last[b];
        most = b_max(most, b_abs((G[b] - last[b]) / G[b]));
        last[b] = G[b];
    }
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++)
        for (int b = 0; b < z.B; b++) {
            const batch change = P[j * z.B + b] - before[j * z.B + b];
            finite_probe += change;
            most = b_max(most, b_abs(change) * w->scratch.e[j]);
        }
    return r_if(b_finite(finite_probe), over_nodes(most), r_set((num)__builtin_nan("")));
}

/* Y = G U, the modes, the kick and the time, of the positions and momenta at which each member has
 * ended. */
INLINE void canonical_solution(work *w, const shape z, real h, mask done, const batch *P,
                               const batch *E, batch *U, real *kick)
{
    const batch *const G = G_at(w, z);
    const real        *X = (const real *)w->nodal.X, upper = upper_half(h), rest = h - upper;
    batch              c[NOE_MAX_DEGREE];
    velocities_of_momenta(w, z, P, E, U, c);
    canonical_forces(w, z, c, w->nodal.X);
    for (int i = 0; i < z.n * z.B; i++) w->eval.V[i] = G[i % z.B] * U[i];
    for (int j = 0; j < z.n; j++, X += z.B * WIDE) {
        real sum = w->method.b[0] * X[0];
        for (int i = 1; i < z.r; i++) sum += w->method.b[i] * X[i];
        kick[j] = r_if(done, rest * sum + upper * sum, kick[j]);
        kick[z.n + j] = r_if(done, r_set(0), kick[z.n + j]);
    }
    const real *at = (const real *)G;
    real        sum = w->method.b[0] * at[0], least = at[0];
    for (int i = 1; i < z.r; i++) sum += w->method.b[i] * at[i], least = r_min(least, at[i]);
    w->nodal.time_taken = r_if(r_less(r_set(0), least), rest * sum + upper * sum,
                               r_set((num)__builtin_nan("")));
    if (w->dyn->clocked) {
        batch more[NOE_MAX_DEGREE];
        rates_of_energy(w, z, c, more);
        const real *rate = (const real *)more;
        sum = w->method.b[0] * rate[0];
        for (int i = 1; i < z.r; i++) sum += w->method.b[i] * rate[i];
        w->nodal.energy_gain = rest * sum + upper * sum;
    }
    store_modes(w, z, done);
}

/* The units of rounding that forces and G have where t is an unknown: a rounding of t is |t|/(h G)
 * roundings of the time of the step.  At most what STALL_ROUNDINGS allows. */
INLINE real grain_of_time(work *w, const shape z, real h)
{
    const batch *const G = G_at(w, z);
    batch              most = b_zero();
    for (int b = 0; b < z.B; b++) most = b_max(most, b_abs(G[b]));
    const real span = r_abs(h) * over_nodes(most) + LEAST_DIVISOR;
    return r_min(1 + r_abs(time_at(w, 0)) / span, r_set(STALL_ROUNDINGS / CLOSE_STALL_ROUNDINGS));
}

/* M, where it is not known yet, the predicted velocities G U, and where they lead to. */
INLINE void predict_positions(work *w, const shape z, real h)
{
    if (!w->nodal.mass_known) evaluate_constant_mass(w, OWN_INERTIAL);
    predict_velocities(w, z);
    node_motion(w, z, h);
}

/* P, where masses are coupled: with the forces of the last step continued, or of given modes. */
INLINE void momenta_of_predicted_forces(work *w, const shape z, real h, batch *P)
{
    batch *const X = w->nodal.X;
    if (w->history.given && !w->dyn->clocked) forces_of_modes(w, h);
    else
        for (int j = 0; j < z.n; j++)
            contract(X + j * z.B, z.B, w->method.E_F, z.r, w->history.last_forces + j * z.B * WIDE);
    push_momenta(w, z, h, X, P);
}

/* As fixed_point(): leaves the modes in w->scratch.a, kick = h sum_i b_i X_i, the forces in
 * w->nodal.X and the time in w->nodal.time_taken. */
INLINE mask canonical(work *w, const shape z, real h, mask want, real *kick, mask *slow_ones)
{
    const int            all = z.n * z.B;
    const bool           clocked = w->dyn->clocked, coupled = z.n > 1 && w->nodal.coupled;
    contraction_progress at = contraction_begin(want);
    batch        c[NOE_MAX_DEGREE], G[NOE_MAX_DEGREE], E[NOE_MAX_DEGREE], E_before[NOE_MAX_DEGREE];
    batch *const P = w->nodal.canonical_rows, *const before = P + all, *const between = P + 3 * all,
                 *const U = w->nodal.U, *const X = w->nodal.X;
    predict_positions(w, z, h);
    for (int b = 0; b < z.B; b++) E[b] = b_set(*w->state.level);
    for (int b = 0; b < z.B && clocked; b++) w->eval.t[b] = b_set(time_at(w, 0));
    if (clocked) jet(w, CANONICAL, z.r), move_times(w, z, h, want);
    if (coupled) momenta_of_predicted_forces(w, z, h, P);
    for (int it = 0; it < FIXED_POINT_ITERATIONS; it++) {
        jet(w, CANONICAL, z.r);
        if (it == 0 && !coupled) predicted_momenta(w, z, P);
        for (int i = 0; i < all; i++) before[i] = P[i];
        for (int b = 0; b < z.B; b++) E_before[b] = E[b];
        for (int b = 0; b < z.B && it == 0; b++) G[b] = G_at(w, z)[b];
        /* between = p + h Ahat (G F - c g), from U = M^-1 (P - b) and c = H - E. */
        velocities_of_momenta(w, z, P, E, U, c);
        if (it == 0) canonical_scales(w, z, h, want, P, U, c);
        if (it == 0 && clocked) at.grain = grain_of_time(w, z, h);
        canonical_forces(w, z, c, X);
        push_momenta(w, z, h, X, between);
        if (clocked) raise_energies(w, z, h, c, E);
        /* P = the same, from U and c at `between`; dP = P - between. */
        velocities_of_momenta(w, z, between, E, U, c);
        canonical_forces(w, z, c, X);
        for (int i = 0; i < all; i++) w->eval.V[i] = G_at(w, z)[i % z.B] * U[i];
        push_momenta(w, z, h, X, P);
        /* Q' = q + h A G U, and where it goes on Q <- Q' + h A (G M^-1 dP + U g.(Q' - Q)). */
        flights(w, z, h, w->eval.V);
        if (clocked) raise_energies(w, z, h, c, E);
        const real worst = largest_change(w, z, P, before, G);
        const mask iterated = at.going;
        contraction_judge(w, &at, it, worst, r_finite(worst),
                          contraction_solves(&at, worst) | contraction_solves_by_rate(&at, worst));
        /* Members that have ended keep the momenta of their own last iteration. */
        for (int i = 0; i < all && MEMBERS > 1; i++) P[i] = b_where(iterated, P[i], before[i]);
        for (int b = 0; b < z.B && MEMBERS > 1; b++) E[b] = b_where(iterated, E[b], E_before[b]);
        if (!m_any(at.going)) break;
        for (int i = 0; i < all; i++) between[i] = P[i] - between[i];
        move_positions(w, z, h, U, between, at.going);
        if (clocked) move_times(w, z, h, at.going);
    }
    if (m_any(at.done)) canonical_solution(w, z, h, at.done, P, E, U, kick);
    contraction_count(w, &at, want, slow_ones);
    return at.done;
}

#endif
