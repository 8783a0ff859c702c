/* Newton's method for the modes of one step: a <- a - J^-1 R(a), and its stopping criterion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is new at the first iteration, unless the last step found the old one good enough
 * (decide_reuse(); not where new ones are cheaper, may_reuse_matrix() of engine/engine_setup.h, nor
 * for the parts of a composition, which have other lengths, nor with FULL_NEWTON).  It is used
 * again while each iteration makes the residual MATRIX_GAIN times smaller, CORRECTION_GAIN times
 * where a clock (w->dyn->clocked) keeps derivatives out of the matrix.
 * Residuals are relative to the size of the terms that cancel in R_j (scales() in
 * step/discrete_action.h, and what rounding of positions adds) and compared with the unit of
 * rounding EPS.  The iteration ends
 *   - when the residual is a few units of rounding,
 *   - when the next residual will be, by the contraction just measured with this very matrix,
 *   - when it will be by the measured curvature of R, the correction being by a new matrix, or
 *   - when the correction of some block did not become CORRECTION_GAIN times smaller, and either
 *     the residual is at most STALL_ROUNDINGS units of rounding or the correction of every block at
 *     most so many units of rounding of the velocities.
 * Corrections are compared by their kinetic norms, block by block (kinetic_norms()), because
 * residuals of different coordinates have no common unit, and a residual that is 0 at first has
 * no scale. */
#ifndef NOE_STEP_NEWTON_ITERATION_H
#define NOE_STEP_NEWTON_ITERATION_H

#include "matrix/batch_lu.h"
#include "step/discrete_action.h"
#include "step/member_copies.h"

/* Kinetic norm of velocities x, block by block: to [blocks] = |x|_B^2 = sum_{j,k in B} |M_jk| |x_j|
 * |x_k|, from modes x [n][s].  It does not depend on units of coordinates, constants in the
 * potential, total derivatives in L or boosts; a common factor of L, or another block, changes no
 * comparison.  M = w->newton.mass_bound; x_j is the largest mode of coordinate j; blocks are sets
 * of coordinates that L, forces or constraints couple. */
INLINE void kinetic_norms(const work *w, const shape z, const real *x, real *to)
{
    real size[NOE_MAX_DEGREE], *most = z.n <= NOE_MAX_DEGREE ? size : w->scratch.most;
    for (int j = 0; j < z.n; j++) {
        most[j] = r_set(0);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most[j] = r_max(most[j], r_abs(x[m]));
    }
    for (int b = 0; b < w->blocks; b++) to[b] = r_set(0);
    const noe_entry *y = w->dyn->mass;
    for (int j = 0; j < z.n; j++)
        to[w->block_of[j]] += most[j] * add_mass_row(w, z.n, j, &y, most, r_set(0));
}

/* Is a_b <= factor c_b in every block? */
INLINE mask norms_within(const work *w, const real *a, num factor, const real *c)
{
    mask yes = m_all(1);
    for (int b = 0; b < w->blocks; b++) yes = yes & r_at_most(a[b], factor * c[b]);
    return yes;
}

/* The same, but blocks with a_b <= small all_b, where a is rounding, count as within. */
INLINE mask norms_within_or_small(const work *w, const real *a, num factor, const real *c,
                                  num small, const real *all)
{
    mask yes = m_all(1);
    for (int b = 0; b < w->blocks; b++)
        yes = yes & (r_at_most(a[b], factor * c[b]) | r_at_most(a[b], small * all[b]));
    return yes;
}

/* J as `to` says and, for the members `which`, d kick / da and the bounds of the same age.  Where
 * these are all, directly in their place, without a copy. */
INLINE void accept_jacobian(work *w, const shape z, real h, mask which, jacobian_place to)
{
    newton_solver *const x = &w->newton;
    const newton_solver  own = *x;
    const bool           all = m_bits(which) == (1u << MEMBERS) - 1;
    if (all) {
        x->new_kick_jacobian = x->kick_jacobian;
        x->new_mass_bound = x->mass_bound;
        x->new_position_rounding = x->position_rounding;
    }
    jacobian(w, z, h, to);
    if (all) {
        x->new_kick_jacobian = own.new_kick_jacobian;
        x->new_mass_bound = own.new_mass_bound;
        x->new_position_rounding = own.new_position_rounding;
        return;
    }
    copy_where(which, x->kick_jacobian, x->new_kick_jacobian, z.n * z.N);
    copy_where(which, x->mass_bound, x->new_mass_bound, z.n * z.n);
    copy_where(which, x->position_rounding, x->new_position_rounding, z.n);
}

/* Evaluates and factors the matrix for the members `which`; where these are all, directly in its
 * place. */
INLINE void refactor(work *w, const shape z, real h, mask which)
{
    newton_solver *const x = &w->newton;
    const bool           all = m_bits(which) == (1u << MEMBERS) - 1;
    real *const J = all ? x->LU : x->J, *const pivot = all ? x->pivot : x->new_pivot;
    accept_jacobian(w, z, h, which, (jacobian_place){ J, NULL, NULL });
    eliminate(J, pivot, z.N);
    if (!all) {
        copy_where(which, x->LU, J, z.N * z.N);
        copy_where(which, x->pivot, pivot, z.N);
    }
    *w->stats.refreshes += r_if(which, r_set(1), r_set(0));
}

/* w->newton.curvature = beta: after the first correction, with a matrix of this very step,
 * residual <= beta (residual before)^2.  beta is CURVATURE_MARGIN times the measured quotient
 * where the residual can be told from rounding, else that quotient is a bound. */
static void measure_curvature(work *w, mask which, real before, real after)
{
    if (w->dyn->clocked) return; /* J is without the derivatives of t and E at the nodes */
    const real square = before * before,
               bound = CURVATURE_MARGIN * r_max(after, r_set(RESIDUAL_ROUNDINGS * EPS)) / square,
               old = *w->newton.curvature;
    const mask measurable = r_less(r_set(MEASURED_ROUNDINGS * EPS), after)
                          | (r_less(r_set(SMALL_MEASURED_ROUNDINGS * EPS), after)
                             & r_less(after, CURVATURE_MOST * square));
    const mask known = r_less(r_set(0), old);
    const real curvature = r_if(measurable, r_max(bound, old / CURVATURE_DECAY),
                                r_if(known & r_less(old, bound), old, bound));
    *w->newton.curvature = r_if(which, r_max(curvature, r_set(1)), old);
}

/* kick [2][n] of the members that end: h sum_i b_i F_i at the modes before the last correction
 * d, and apart from it the linear effect of d, -dkick/da d.  That is less than a unit of
 * rounding of the kick, but has one sign over many steps; added to the kick it would be lost,
 * and the energy would drift (doc/theory.md, section 9). */
INLINE void last_kick(work *w, const shape z, mask end, real *kick)
{
    const bool             sparse = is_sparse(w, z);
    const coordinate_pair *y = w->newton.pair, *const last = y + w->newton.pairs;
    for (int j = 0; j < z.n && m_any(end); j++) {
        const real *const row = w->newton.kick_jacobian + j * z.N;
        real              correction_kick = r_set(0);
        for (int m = 0; m < z.N && !sparse; m++) correction_kick -= row[m] * w->scratch.d[m];
        for (; y < last && y->row == j && sparse; y++)
            for (int m = y->col * z.s; m < (y->col + 1) * z.s; m++)
                correction_kick -= row[m] * w->scratch.d[m];
        kick[j] = r_if(end, w->scratch.kick[j], kick[j]);
        kick[z.n + j] = r_if(end, correction_kick, kick[z.n + j]);
    }
}

/* Will this matrix, new at a residual `worst`, be too old at the next residual? That is expected
 * to be its bound without the margin, next = curvature worst^2 / CURVATURE_MARGIN.  The matrix
 * is too old if it would be refused there (MATRIX_GAIN) or, where matrices are `cheap`, if
 * next_is_roundoff() would not hold there, PREDICTED_MARGIN next^2 / worst being above a unit of
 * rounding: two matrices then cost less than two more gradients. */
INLINE mask matrix_expires(const work *w, bool cheap, mask fresh, real worst)
{
    const real next = *w->newton.curvature * worst * worst / CURVATURE_MARGIN;
    const mask refused = m_not(r_less(MATRIX_GAIN * next, worst)),
               more = m_all(cheap) & m_not(r_less(PREDICTED_MARGIN * next * next, worst * EPS));
    return fresh & r_less(r_set(0), *w->newton.curvature) & (refused | more);
}

/* Is a new matrix due?  The one there is is not `fresh`, of this iterate, and the residual is not
 * so small that it needs none, nor `gain` times smaller than the last one; `always`: even then. */
INLINE mask matrix_is_stale(mask fresh, mask always, num gain, real worst, real last)
{
    return r_finite(worst) & (always | m_not(r_less(gain * worst, last)))
         & m_not(r_at_most(worst, r_set(REUSE_ROUNDINGS * EPS))) & m_not(fresh);
}

/* What one iteration passes on to the next. */
typedef struct {
    mask going,           /* members that iterate */
        done;             /* members that have converged */
    mask old;             /* the matrix is of an earlier step */
    mask corrected_fresh; /* the first correction was by a matrix of this iterate */
    mask wants_matrix;    /* the next iteration needs a new matrix */
    real last,            /* relative residual of the last iteration */
        rounds;           /* iterations so far */
} newton_progress;

/* R(a) in w->scratch.e, and J where it is due: at the first iteration, where the last one asked for
 * it, and where the residual has not become small enough.  Returns the relative residual; *fresh:
 * the matrix is of this iterate. */
INLINE real newton_residual(work *w, const shape z, real h, const int it, const newton_progress *x,
                            mask *fresh)
{
    const mask full = r_equal(*w->newton.choice,
                              r_set(FULL_NEWTON)); /* a new matrix every iteration */
    *fresh = x->going & x->wants_matrix;
    const bool hessian = m_any(*fresh);
    nodes(w, z, h);
    jet(w, hessian ? HESSIAN : GRADIENT, z.r);
    residual(w, z, h);
    if (it == 0) scales_at_start(w, z, h);
    if (hessian) refactor(w, z, h, *fresh);
    scales(w, z);
    const real worst = worst_residual(w, z);
    if (it == 0) return worst;
    const num  gain = w->dyn->clocked ? CORRECTION_GAIN : MATRIX_GAIN;
    const mask stale = x->going & matrix_is_stale(*fresh, full, gain, worst, x->last);
    if (m_any(stale)) {
        jet(w, HESSIAN, z.r);
        refactor(w, z, h, stale);
    }
    *fresh = *fresh | stale;
    return worst;
}

/* What the size of a correction says. */
typedef struct {
    mask shrinks, /* it is CORRECTION_GAIN times smaller than the one before, in every block */
        near,     /* so it is in every block in which it is not tiny */
        tiny;     /* it is below STALL_ROUNDINGS of the velocities, in every block */
} correction_size;

/* Of the correction w->scratch.d, by kinetic norms: squares.  The first has none to compare
 * with. */
INLINE correction_size size_of_correction(work *w, const shape z, int it)
{
    const num gain_squared = (num)1 / (CORRECTION_GAIN * CORRECTION_GAIN),
              stall_squared = (num)STALL_ROUNDINGS * STALL_ROUNDINGS * EPS * EPS;
    if (it == 0) return (correction_size){ m_all(1), m_all(1), m_all(0) };
    kinetic_norms(w, z, w->scratch.d, w->scratch.norm);
    const mask shrinks = norms_within(w, w->scratch.norm, gain_squared, w->scratch.norm_before);
    if (!m_any(m_not(shrinks))) return (correction_size){ shrinks, shrinks, m_all(0) };
    kinetic_norms(w, z, w->scratch.a, w->scratch.velocity_norm);
    const mask tiny = norms_within(w, w->scratch.norm, stall_squared, w->scratch.velocity_norm),
               near = norms_within_or_small(w, w->scratch.norm, gain_squared,
                                            w->scratch.norm_before, stall_squared,
                                            w->scratch.velocity_norm);
    return (correction_size){ shrinks, shrinks | near, tiny };
}

/* Will the next residual, about worst^2 / last, be rounding?  With a matrix of another step a
 * residual can be small by accident, its terms of first and of second order cancelling; a matrix
 * of this step contracts as it has just done. */
INLINE mask next_is_roundoff(mask first, mask fresh, mask old, real worst, real last)
{
    return m_not(first) & m_not(fresh) & r_less(PREDICTING_GAIN * worst, last)
         & r_less(PREDICTED_MARGIN * worst * worst, last * EPS)
         & (m_not(old) | r_at_most(worst, r_set(OLD_MATRIX_ROUNDINGS * EPS)));
}

/* Will it be, by the measured curvature?  Not at phase 0, where curvature is measured anew. */
INLINE mask bound_is_roundoff(const work *w, mask fresh, real worst)
{
    return fresh & m_not(r_equal(*w->newton.phase, r_set(0)))
         & r_less(r_set(0), *w->newton.curvature)
         & r_at_most(*w->newton.curvature * worst * worst, r_set(EPS));
}

/* The residual that these two, or neither, expect after the correction. */
INLINE real residual_after(const work *w, mask next, mask bound, real worst, real last)
{
    return r_if(next, worst * worst / last,
                r_if(bound, *w->newton.curvature * worst * worst, worst));
}

/* Iteration `it`: a <- a - J^-1 R(a), then which members end.  Inlined, so that the first iteration
 * is compiled by itself. */
INLINE void newton_iterate(work *w, const shape z, real h, const int it, real *kick,
                           newton_progress *x)
{
    const real one = r_set(1), zero = r_set(0);
    const mask first = m_all(it == 0), going = x->going;
    mask       fresh;
    const real worst = newton_residual(w, z, h, it, x, &fresh);
    substitute(w->newton.LU, w->newton.pivot, z.N, w->scratch.e, w->scratch.d);
    const correction_size d = size_of_correction(w, z, it);
    for (int i = 0; i < z.N; i++)
        w->scratch.a[i] = r_if(going, w->scratch.a[i] - w->scratch.d[i], w->scratch.a[i]);

    const mask finite = r_finite(worst);
    if (it == 1 && m_any(going & x->corrected_fresh))
        measure_curvature(w, going & x->corrected_fresh & finite, x->last, worst);
    const mask at_roundoff = r_at_most(worst, r_set(RESIDUAL_ROUNDINGS * EPS)),
               stalled = m_not(d.shrinks)
                       & (r_at_most(worst, r_set(STALL_ROUNDINGS * EPS)) | d.tiny),
               next = next_is_roundoff(first, fresh, x->old, worst, x->last),
               bound = bound_is_roundoff(w, fresh, worst),
               end = going & finite & (at_roundoff | stalled | next | bound),
               fail = m_not(finite) | (m_not(d.near) & m_not(x->old));
    last_kick(w, z, end, kick);
    keep_last_jet(w, z, end);

    real remaining = residual_after(w, next, bound, worst, x->last);
    /* a coordinate that hardly moves beside others has their rounding in its own equation */
    remaining = r_if(stalled & d.tiny & r_less(r_set(STALL_ROUNDINGS * EPS), remaining),
                     r_set(STALL_ROUNDINGS * EPS), remaining);
    *w->stats.residual = r_if(end, r_max(*w->stats.residual, remaining), *w->stats.residual);
    if (it == 0) *w->stats.single += r_if(bound & going, one, zero);
    if (it == 0) x->corrected_fresh = fresh;
    x->rounds += r_if(going, one, zero);
    x->done = x->done | end;
    x->going = going & m_not(end) & m_not(fail);
    x->old = x->old & m_not(fresh);
    x->wants_matrix = matrix_expires(w, !w->newton.may_reuse_matrix, fresh, worst);
    x->last = worst;
    if (it == 0 && m_any(x->going)) kinetic_norms(w, z, w->scratch.d, w->scratch.norm);
    for (int b = 0; b < w->blocks; b++) w->scratch.norm_before[b] = w->scratch.norm[b];
}

/* Sets matrix_reuse, which the next step reads: 1, its first iteration uses the matrix of this
 * step, as this took at most REUSE_ITERATIONS; 0 and below, it begins with a new one.  If an old
 * matrix took more iterations, the next RETRY_STEPS + 1 steps begin with new ones, the count going
 * up from -RETRY_STEPS. */
INLINE void decide_reuse(work *w, mask want, const newton_progress *x)
{
    const real one = r_set(1), zero = r_set(0), reuse = *w->newton.matrix_reuse;
    const mask good = x->done & r_at_most(x->rounds, r_set(REUSE_ITERATIONS));
    const real after_old = r_if(good & x->old, one, r_set(-RETRY_STEPS)),
               after_new = r_if(r_less(reuse, zero), reuse + 1, r_if(good, one, zero));
    *w->newton.matrix_reuse = r_if(want, r_if(r_less(zero, reuse), after_old, after_new), reuse);
}

/* Solves R(a) = 0 for the wanted members from the prediction in w->scratch.a, h the length of
 * the step. Returns the members that converged within `most` iterations, with their kick as
 * last_kick() leaves it.  *slow: those that needed more than SLOW_NEWTON_ITERATIONS.  With a clock
 * both numbers are LINEAR_TIMES as large. */
INLINE mask newton(work *w, const shape z, real h, mask want, int most, real *kick, mask *slow)
{
    const real      zero = r_set(0);
    const int       times = w->dyn->clocked ? LINEAR_TIMES : 1;
    newton_progress x = { .going = want,
                          .done = m_all(0),
                          .corrected_fresh = m_all(0),
                          .last = zero,
                          .rounds = zero,
                          .old = r_less(zero, *w->newton.matrix_reuse)
                               & m_not(r_equal(*w->newton.choice, r_set(FULL_NEWTON)))
                               & m_all(w->newton.may_reuse_matrix) };
    x.wants_matrix = m_not(x.old);
    newton_iterate(w, z, h, 0, kick, &x);
    for (int it = 1; it < times * most && m_any(x.going); it++)
        newton_iterate(w, z, h, it, kick, &x);
    *w->stats.iterations += x.rounds;
    *slow = want & r_less(r_set(times * SLOW_NEWTON_ITERATIONS), x.rounds);
    decide_reuse(w, want, &x);
    return x.done;
}

/* Compiled once for all sizes; for Simpson's method, and for as many nodes as modes, one to three,
 * in any number of coordinates: loops over nodes and modes then have known lengths. */
static __attribute__((noinline)) mask newton_any(work *w, real h, mask want, int most, real *kick,
                                                 mask *slow)
{
    return newton(w, of(w), h, want, most, kick, slow);
}
#if NOE_REAL == NOE_DOUBLE && defined __AVX2__
static __attribute__((noinline)) mask newton_simpson(work *w, real h, mask want, int most,
                                                     real *kick, mask *slow)
{
    return newton(w, of_simpson(w->n), h, want, most, kick, slow);
}
static __attribute__((noinline)) mask newton_one(work *w, real h, mask want, int most, real *kick,
                                                 mask *slow)
{
    return newton(w, of_nodes(w->n, 1), h, want, most, kick, slow);
}
static __attribute__((noinline)) mask newton_two(work *w, real h, mask want, int most, real *kick,
                                                 mask *slow)
{
    return newton(w, of_nodes(w->n, 2), h, want, most, kick, slow);
}
static __attribute__((noinline)) mask newton_three(work *w, real h, mask want, int most, real *kick,
                                                   mask *slow)
{
    return newton(w, of_nodes(w->n, 3), h, want, most, kick, slow);
}
#else
#define newton_simpson newton_any
#define newton_one newton_any
#define newton_two newton_any
#define newton_three newton_any
#endif
static mask unconstrained_modes(work *w, real h, mask want, int most, real *kick, mask *slow)
{
    return (w->method.simpson ? newton_simpson
            : w->r != w->s    ? newton_any
            : w->s == 1       ? newton_one
            : w->s == 2       ? newton_two
            : w->s == 3       ? newton_three
                              : newton_any)(w, h, want, most, kick, slow);
}

#endif
