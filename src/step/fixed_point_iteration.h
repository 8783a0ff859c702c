/* Fixed-point iteration for the velocities at the nodes: V <- V + M^-1 (p + h Ahat F - Pi P).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The equations of the step in nodal form: with A_ij = sum_m I_m(c_i) b_j l_m(c_j), Ahat_ij =
 * sum_m l_m(c_i) b_j X_m(c_j) and the projection Pi_ij = sum_m l_m(c_i) b_j l_m(c_j) on
 * polynomials of degree s-1 (1 when r = s), where Q = q + h A V, P = L_v, F = L_q there.  M =
 * L_vv node by node at the prediction, factored with one node a SIMD lane, serves for the whole
 * step.  No second derivatives and no matrix of all unknowns are needed: a long step of high
 * degree costs a dozen gradients, whose nodes fill the lanes.  A step for which the iteration
 * does not contract is left to Newton's method.  doc/theory.md, section 6.
 *
 * `worst` is the relative residual of an iteration, its largest over nodes and coordinates, of
 * which every member of the lanes has its own.  contraction_judge() ends the iteration in
 * step/nystrom_iteration.h, step/nodal_newton.h and step/canonical_iteration.h
 *   - when what is not yet found is below 1/DRIFT_MARGIN of a unit of rounding, now or after the
 *     correction just made, by the contraction just measured (canonical_iteration.h: or, where
 *     the residual is rounding, by those of the iterations before),
 *   - when the residual is a few units of rounding and does not shrink any more, or
 *   - when it stalls further above, after it contracted well.
 * fixed_point(), whose corrections are of first order, asks for a residual of a few units of
 * rounding and for a contraction, measured over two iterations, by which what is not yet found is
 * below that part of a unit; a stall ends it in the same way.
 * All of them fail after FIXED_POINT_ITERATIONS, or when the residual is not finite, shrinks slowly
 * more than SLOW_ITERATIONS times, or grows above 1: forces are then larger than those at the
 * prediction, which lay near a singularity or far from the motion, and what an iteration from
 * there finds is seldom the solution near the motion. */
#ifndef NOE_STEP_FIXED_POINT_ITERATION_H
#define NOE_STEP_FIXED_POINT_ITERATION_H

#include "step/newton_iteration.h"
#include "step/node_jet.h"

/* What one iteration passes on to the next. */
typedef struct {
    mask going,              /* members that iterate */
        done;                /* members that have converged */
    real last,               /* relative residual of the last iteration */
        before, long_before, /* and of the two before it; 0: there was none */
        rounds,              /* iterations so far */
        slow,                /* slow ones of them: SLOW_ITERATIONS */
        rate,  /* how much the first correction shrank the residual, or the first two; 1 before */
        grain; /* units of rounding in what is evaluated: 1, more where t is a large unknown */
} contraction_progress;

INLINE contraction_progress contraction_begin(mask want)
{
    return (contraction_progress){ .going = want, .rate = r_set(1), .grain = r_set(1) };
}

/* A residual that stops shrinking is rounding if it shrank well before; else what is left may be a
 * component that the iteration does not contract.  One above CLOSE_STALL_ROUNDINGS must not be
 * below that of two iterations before either: an iteration with complex factors goes up now and
 * then, and one of forces that depend on velocities at every other step. */
INLINE mask contraction_stalls(const contraction_progress *x, mask down, real worst)
{
    return m_not(down)
         & (r_at_most(worst, r_set(CLOSE_STALL_ROUNDINGS * EPS))
            | (r_at_most(worst, r_set(STALL_ROUNDINGS * EPS)) & r_at_most(x->before, worst)
               & r_less(CONTRACTION_GAIN * x->rate, r_set(1))));
}

/* Counts the iteration and takes note of its residual: `end` have converged and leave the residual
 * `left`; `measured`: this is the iteration whose rate tells of the contraction. */
INLINE void contraction_advance(work *w, contraction_progress *x, bool measured, mask finite,
                                mask shrinks, mask end, real worst, real left)
{
    const real zero = r_set(0), one = r_set(1);
    const mask grows = r_less(zero, x->rounds) & r_less(x->last, worst) & r_less(one, worst);
    if (measured) *w->stats.contraction = r_if(x->going, x->rate, *w->stats.contraction);
    x->slow += r_if(shrinks | r_at_most(worst, r_set(STALL_ROUNDINGS * EPS)), zero, one);
    x->rounds += r_if(x->going, one, zero);
    *w->stats.residual = r_if(end, r_max(*w->stats.residual, left), *w->stats.residual);
    x->done = x->done | end;
    x->going = x->going & m_not(end | grows) & finite & r_at_most(x->slow, r_set(SLOW_ITERATIONS));
    x->long_before = x->before;
    x->before = x->last;
    x->last = worst;
}

/* The residual before the last correction, for the quotient of the present one and it.  At most 1:
 * a residual above 1 is no base for a prediction of how the next correction contracts. */
INLINE real contraction_base(const contraction_progress *x) { return r_min(x->last, r_set(1)); }

/* Is the next residual, about worst^2/last, less than 1/DRIFT_MARGIN of a unit of rounding? */
INLINE mask contraction_solves(const contraction_progress *x, real worst)
{
    return r_at_most(DRIFT_MARGIN * worst * worst, EPS * contraction_base(x));
}

/* Is `worst` rounding, and does the correction that made it leave less than that, by the rates of
 * the iterations before?  A rate that has grown is taken to grow on. */
INLINE mask contraction_solves_by_rate(const contraction_progress *x, real worst)
{
    const real rate = x->last / x->before,
               growth = r_max(rate * x->long_before / x->before, r_set(1)),
               next = x->last * rate * growth, left = next * rate * growth * growth;
    return r_less(r_set(0), x->long_before) & r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS))
         & r_at_most(DRIFT_MARGIN * left, r_set(EPS));
}

/* Iteration `it` left the residual `worst`, and its correction, of second order, makes the next
 * about worst^2/last, or nothing for the members that it `solves`: which members go on.  Those
 * that end take this correction, too. */
INLINE void contraction_judge(work *w, contraction_progress *x, int it, real worst, mask finite,
                              mask solves)
{
    const mask first = m_all(it == 0), shrinks = first | r_less(CONTRACTION_GAIN * worst, x->last),
               down = first | r_less(worst, x->last);
    const mask tiny = r_at_most(DRIFT_MARGIN * worst, r_set(EPS)),
               unsolved_is_small = m_not(first) & (tiny | solves);
    if (it == 1) x->rate = worst / (x->last + LEAST_DIVISOR);
    const mask stall = contraction_stalls(x, down, worst)
                     | (m_not(down) & r_at_most(worst, CLOSE_STALL_ROUNDINGS * EPS * x->grain));
    const mask end = x->going & finite
                   & (unsolved_is_small
                      | (m_not(shrinks) & r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS)))
                      | stall);
    const real left = r_if(unsolved_is_small & m_not(tiny), worst * worst / contraction_base(x),
                           worst);
    contraction_advance(w, x, it == 1, finite, shrinks, end, worst, left);
}

/* Adds the iterations to the statistics.  *slow_ones: the wanted members that needed more than
 * SLOW_CONTRACTION_ITERATIONS. */
INLINE void contraction_count(work *w, const contraction_progress *x, mask want, mask *slow_ones)
{
    *w->stats.iterations += x->rounds;
    *w->stats.rounds += x->rounds;
    *slow_ones = want & r_less(r_set(SLOW_CONTRACTION_ITERATIONS), x->rounds);
}

/* Is the prediction formed directly at the nodes, from the velocity polynomial of the last step,
 * without modes? */
INLINE bool continues_velocities(const work *w, const shape z)
{
    return z.s >= FIXED_POINT_DEGREE && w->method.parts == 1 && z.r == z.s && !w->history.given;
}

/* w->eval.V = the predicted velocities at the nodes: from the velocity polynomial of the last step,
 * from free flight where there is none, or from the predicted modes in w->scratch.a. */
INLINE void predict_velocities(work *w, const shape z)
{
    const bool on = continues_velocities(w, z);
    const mask none = r_at_most(*w->history.length, r_set(0));
    for (int j = 0; j < z.n; j++)
        contract(w->eval.V + j * z.B, z.B, on ? w->method.E_V : w->method.l, z.s,
                 (on ? w->history.last : w->scratch.a) + j * z.s);
    for (int i = 0; i < z.n * z.B && on && m_any(none); i++)
        w->eval.V[i] = b_where(none, b_set(w->state.v[i / z.B]), w->eval.V[i]);
    if (z.r > z.s) memcpy((void *)w->scratch.d, w->scratch.a, (size_t)z.N * sizeof *w->scratch.d);
}

/* V_j and Q_j at the nodes: from V itself or, where there are more nodes than modes, from its modes
 * in w->scratch.d. */
INLINE void move_coordinate(work *w, const shape z, real h, int j)
{
    const int   B = z.B;
    const bool  nodal = z.r == z.s;
    const real  half = upper_half(h);
    const batch upper = b_of(half), rest = b_of(h - half), q = b_of(w->state.q[j]),
                dq = b_of(w->state.dq[j]);
    batch *const V = w->eval.V, *const Q = w->eval.Q;
    batch       bV[NOE_MAX_POINTS];
    const coef *A = nodal ? w->method.A_V : w->method.I;
    const real *x = nodal ? (const real *)bV : w->scratch.d + j * z.s;
    if (nodal) weigh(bV, B, w->method.weight, V + j * B);
    else contract(V + j * B, B, w->method.l, z.s, x);
    for (int b = 0; b < B; b++) {
        const batch flight = contracted(b, B, A, z.s, x);
        Q[j * B + b] = q + ((dq + rest * flight) + upper * flight);
    }
}

/* The same for all coordinates. */
INLINE void node_motion(work *w, const shape z, real h)
{
#pragma GCC unroll 3
    for (int j = 0; j < z.n; j++) move_coordinate(w, z, h, j);
}

/* rho = p + h Ahat F - Pi P of coordinate j where there are more nodes than modes, by its modes. */
static void project_residual(work *w, batch *rho, int j, real upper, real rest)
{
    const int   B = w->B, s = w->s;
    batch       bF[NOE_MAX_POINTS], bP[NOE_MAX_POINTS], F_m[NOE_MAX_DEGREE], P_m[NOE_MAX_DEGREE];
    const real *F = (const real *)F_m, *P = (const real *)P_m;
    real        R[NOE_MAX_DEGREE];
    weigh(bF, B, w->method.weight, w->eval.out + j * B);
    weigh(bP, B, w->method.weight, w->eval.out + (w->n + j) * B);
    contract(F_m, w->S, w->method.X_m, w->r, (const real *)bF);
    contract(P_m, w->S, w->method.l_m, w->r, (const real *)bP);
    for (int m = 0; m < s; m++)
        R[m] = (r_of(w->method.w[m]) * w->state.p[j] - P[m])
             + ((r_of(w->method.w[m]) * w->state.dp[j] + rest * F[m]) + upper * F[m]);
    contract(rho, B, w->method.l, s, R);
}

/* Where there are more nodes than modes: adds the modes of U to those in w->scratch.d, for the
 * members that iterate. */
static void add_velocity_modes(work *w, const batch *U, mask going, int j)
{
    const int B = w->B, s = w->s;
    batch     bU[NOE_MAX_POINTS], modes[NOE_MAX_DEGREE];
    weigh(bU, B, w->method.weight, U);
    contract(modes, w->S, w->method.l_m, w->r, (const real *)bU);
    for (int m = 0; m < s; m++)
        w->scratch.d[j * s + m] += r_if(going, ((const real *)modes)[m], r_set(0));
}

/* V_j <- V_j + U, or the same in modes, for the members that iterate. */
INLINE void add_velocities(work *w, const shape z, const batch *U, mask going, int j)
{
    if (z.r > z.s) add_velocity_modes(w, U, going, j);
    else
        for (int b = 0; b < z.B; b++)
            w->eval.V[j * z.B + b] = b_where(going, w->eval.V[j * z.B + b] + U[b],
                                             w->eval.V[j * z.B + b]);
}

/* rho = p + h Ahat F - Pi P at the nodes, then V <- V + U, U = M^-1 rho.  Returns the relative
 * residual max_ij |rho_ij| / scale_j; it is not finite when a correction is not. */
INLINE real correct_velocities(work *w, const shape z, real h, mask going)
{
    const int    n = z.n, B = z.B;
    const bool   coupled = n > 1 && w->nodal.coupled;
    const real   upper = upper_half(h), rest = h - upper;
    batch        worst = b_zero(), finite_probe = worst;
    batch *const rho = w->nodal.rho, *const U = w->nodal.U;
    for (int j = 0; j < n; j++) {
        const batch *P = w->eval.out + (n + j) * B;
        batch        bF[NOE_MAX_POINTS];
        const batch  p = b_of(w->state.p[j]), dp = b_of(w->state.dp[j]), e = b_of(w->scratch.e[j]);
        if (z.r == z.s) weigh(bF, B, w->method.weight, w->eval.out + j * B);
        else project_residual(w, rho + j * B, j, upper, rest);
        for (int b = 0; b < B; b++) {
            if (z.r == z.s) {
                const batch push = contracted(b, B, w->method.Ahat, z.r, (const real *)bF);
                rho[j * B + b] = (p - P[b]) + ((dp + b_of(rest) * push) + b_of(upper) * push);
            }
            worst = b_max(worst, b_abs(rho[j * B + b]) * e);
            if (coupled) continue;
            U[j * B + b] = w->nodal.W[j * B + b] * rho[j * B + b];
            finite_probe += U[j * B + b];
        }
        if (!coupled) add_velocities(w, z, U + j * B, going, j);
    }
    if (coupled) {
        mass_solve(w->nodal.W, rho, U, n, B);
        for (int j = 0; j < n; j++) {
            for (int b = 0; b < B; b++) finite_probe += U[j * B + b];
            add_velocities(w, z, U + j * B, going, j);
        }
    }
    return r_if(b_finite(finite_probe), over_nodes(worst), r_set((num)__builtin_nan("")));
}

/* kick = h sum_i b_i F_i for the members that end; nothing is added later (compare
 * last_kick() of step/newton_iteration.h). */
INLINE void store_kick(work *w, const shape z, real h, mask end, real *kick)
{
    const real upper = upper_half(h), rest = h - upper;
    for (int j = 0; j < z.n && m_any(end); j++) {
        const real *F = element(w->eval.out, z.B, j, 0);
        real        sum = w->method.b[0] * F[0];
        for (int i = 1; i < z.r; i++) sum += w->method.b[i] * F[i];
        kick[j] = r_if(end, rest * sum + upper * sum, kick[j]);
        kick[z.n + j] = r_if(end, r_set(0), kick[z.n + j]);
    }
}

/* scale_j += sum_k |M_jk| speed_k, by the bounds of the entries of M; e = 1/scale. */
INLINE void add_mass_scales(work *w, const shape z)
{
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        w->scratch.scale[x->row] += w->nodal.mass_entry_bound[k] * w->scratch.speed[x->col];
    }
    for (int j = 0; j < z.n; j++) w->scratch.e[j] = 1 / w->scratch.scale[j];
}

/* The bound of the mass matrix for the members `want`: that of its entries times a factor. */
INLINE void keep_mass_bound(work *w, const shape z, mask want, real factor)
{
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        real            *M = &w->newton.mass_bound[x->row * z.n + x->col];
        *M = r_if(want, w->nodal.mass_entry_bound[k] * factor, *M);
    }
}

/* scale_j = |p_j| + max_i ( |P_ij| + |h F_ij| ) + sum_k max_i |M_jk| max_i |V_ik|: the size of
 * the terms that cancel in rho_j, at the prediction.  Scales of later iterates would let an
 * iteration that diverges loosen its own stopping criterion. */
INLINE void scales_at_prediction(work *w, const shape z, real h, mask want)
{
    const int n = z.n, B = z.B;
    for (int j = 0; j < n; j++) {
        const batch *F = w->eval.out + j * B, *P = w->eval.out + (n + j) * B,
                    *V = w->eval.V + j * B;
        batch most = b_zero(), fast = most;
        for (int b = 0; b < B; b++) {
            most = b_max(most, b_abs(P[b]) + b_abs(b_of(h) * F[b]));
            fast = b_max(fast, b_abs(V[b]));
        }
        w->scratch.scale[j] = r_abs(w->state.p[j]) + over_nodes(most) + LEAST_DIVISOR;
        w->scratch.speed[j] = over_nodes(fast);
    }
    for (int k = 0; k < w->dyn->masses && !w->nodal.mass_known; k++) {
        const batch *const M = mass_entry(w, &w->nodal.mass[k]);
        batch              most = b_zero();
        for (int b = 0; b < B; b++) most = b_max(most, b_abs(M[b]));
        w->nodal.mass_entry_bound[k] = over_nodes(most);
    }
    add_mass_scales(w, z);
    keep_mass_bound(w, z, want, r_set(1));
}

/* w->scratch.a = the modes of the solution, for the members that have one. */
INLINE void store_modes(work *w, const shape z, mask done)
{
    batch bV[NOE_MAX_POINTS], modes[NOE_MAX_DEGREE];
    if (z.r > z.s) {
        copy_where(done, w->scratch.a, w->scratch.d, z.N);
        return;
    }
    for (int j = 0; j < z.n && m_any(done); j++) {
        weigh(bV, z.B, w->method.weight, w->eval.V + j * z.B);
        contract(modes, z.S, w->method.l_m, z.r, (const real *)bV);
        copy_where(done, w->scratch.a + j * z.s, (const real *)modes, z.s);
    }
}

/* As newton(): iterates from the prediction; returns the members that converged, with their
 * modes in w->scratch.a and kick = h sum_i b_i F_i.  *slow_ones: see contraction_count(). */
INLINE mask fixed_point(work *w, const shape z, real h, mask want, real *kick, mask *slow_ones)
{
    contraction_progress at = contraction_begin(want);
    node_times_by_step(w, z, h);
    predict_velocities(w, z);
    for (int it = 0; it < FIXED_POINT_ITERATIONS && m_any(at.going); it++) {
        node_motion(w, z, h);
        if (w->dyn->clocked) node_times(w, h);
        const bool needs_masses = it == 0 && !w->nodal.mass_known;
        jet(w, needs_masses ? INERTIAL : GRADIENT, z.r);
        if (needs_masses) factor_masses(w);
        if (it == 0) scales_at_prediction(w, z, h, want);
        if (needs_masses) w->nodal.mass_known = w->dyn->mass_constant;
        const real worst = correct_velocities(w, z, h, at.going);
        /* The contraction is measured over two iterations: where forces depend on velocities
         * every other iteration gains little. */
        const real before = at.before, last = at.last;
        const mask finite = r_finite(worst), first = m_all(it == 0),
                   shrinks = m_all(it < 2) | r_less(CONTRACTION_GAIN * worst, before);
        const mask unsolved_is_small = first
                                     | r_at_most(DRIFT_MARGIN * last * last * last,
                                                 EPS * before * before)
                                     | r_at_most(DRIFT_MARGIN * worst * worst, EPS * last);
        if (it == 2) at.rate = worst / before;
        const mask stall = contraction_stalls(&at, first | r_less(worst, last), worst);
        const mask end = at.going & finite
                       & ((r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS)) & unsolved_is_small)
                          | stall);
        store_kick(w, z, h, end, kick);
        keep_last_jet(w, z, end);
        contraction_advance(w, &at, it == 2, finite, shrinks, end, worst, worst);
    }
    contraction_count(w, &at, want, slow_ones);
    store_modes(w, z, at.done);
    return at.done;
}

#endif
