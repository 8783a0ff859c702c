/* a <- a - J^-1 R(a): the modes of one step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is fresh at the first iteration (unless the last step found the old one good enough) and kept
 * while each iteration makes the residual 4096 times smaller.  The iteration ends when the residual is a few
 * units of what cancels in it; when the next one would be, by the contraction just measured with this very
 * matrix; or when corrections stop shrinking far below the resolution of the step's velocities.  Corrections are compared by
 * their kinetic norms, block by block (step/kinetic_norm.h): residuals have no common unit, and one that is 0 at first no scale. */
#ifndef NOE_STEP_NEWTON_ITERATION_H
#define NOE_STEP_NEWTON_ITERATION_H

#include "step/batch_lu.h"
#include "step/kinetic_norm.h"

enum {
    NEWTON_ITERATIONS = 7,  /* from a prediction: what takes longer is not near it */
    RESIDUAL_ROUNDINGS = 8, /* units of rounding in R that end the iteration */
    CORRECTION_GAIN =
        4, /* what a matrix of this solution must gain in corrections, or the root is not near */
    MATRIX_GAIN = 1 << 12,        /* what a matrix must gain to be kept */
    RETRY_STEPS = 20,             /* steps before an old matrix is tried again */
    REUSE_ROUNDINGS = 1 << 10,    /* units near which the matrix is good enough */
    MEASURED_ROUNDINGS = 1 << 12, /* and above which a residual is not rounding, */
    CURVATURE_MOST = 1 << 16,     /* nor is a smaller one that such a bend explains */
    STALL_ROUNDINGS = 1 << 20
}; /* and those at which it may stop shrinking: sums in F and P that cancel */

/* max_jm |R_jm| / (scale_j + reach_j / RESIDUAL_ROUNDINGS); not finite when any R is not. */
INLINE real worst_residual(const work *w, const shape z)
{
    real worst = r_set(0), poison = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real most = r_set(0);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) {
            most = r_max(most, r_abs(w->e[m]));
            poison += w->e[m] - w->e[m]; /* a maximum can lose a nan */
        }
        worst = r_max(worst, most / (w->scale[j] + w->position_rounding[j] / RESIDUAL_ROUNDINGS));
    }
    return worst + poison;
}

INLINE void copy_where(mask m, real *to, const real *from, int count)
{
    if (m_bits(m) == (1u << MEMBERS) - 1) memcpy((void *)to, from, (size_t)count * sizeof *to);
    else
        for (int i = 0; i < count; i++) to[i] = r_if(m, from[i], to[i]);
}

/* The matrix and what is of its age, for some members; for all of them without a copy. */
INLINE void refactor(work *w, const shape z, real h, mask which)
{
    real *const J = w->J, *const x = w->x, *const push = w->new_kick_jacobian,
                *const inertias = w->new_mass_bound, *const reaches = w->new_position_rounding;
    const bool all = m_bits(which) == (1u << MEMBERS) - 1;
    if (all)
        w->J = w->LU, w->x = w->pivot, w->new_kick_jacobian = w->kick_jacobian,
        w->new_mass_bound = w->mass_bound, w->new_position_rounding = w->position_rounding;
    jacobian(w, z, h);
    eliminate(w->J, w->x, z.N);
    if (all)
        w->J = J, w->x = x, w->new_kick_jacobian = push, w->new_mass_bound = inertias,
        w->new_position_rounding = reaches;
    else {
        copy_where(which, w->LU, w->J, z.N * z.N);
        copy_where(which, w->pivot, w->x, z.N);
        copy_where(which, w->kick_jacobian, w->new_kick_jacobian, z.n * z.N);
        copy_where(which, w->mass_bound, w->new_mass_bound, z.n * z.n);
        copy_where(which, w->position_rounding, w->new_position_rounding, z.n);
    }
    *w->refreshes += r_if(which, r_set(1), r_set(0));
}

/* After the first correction under a matrix of this very step the residual is bend times the square of the one before.
 * bend is measured where that is told from rounding, else bounded by it. */
static void measure_curvature(work *w, mask which, real before, real after)
{
    const real square = before * before,
               bound = 8 * r_max(after, r_set(RESIDUAL_ROUNDINGS * EPS)) / square,
               old = *w->curvature;
    const mask measurable = (MEASURED_ROUNDINGS * EPS < after)
                          | ((4 * RESIDUAL_ROUNDINGS * EPS < after)
                             & (after < CURVATURE_MOST * square));
    const mask known = r_set(0) < old;
    const real curvature = r_if(measurable, r_max(bound, old / 16),
                                r_if(known & (old < bound), old, bound));
    *w->curvature = r_if(which, r_max(curvature, r_set(1)), old);
}

/* kick = h sum b F at the last modes: at those before the correction d, and its linear effect apart: less than a unit of the
 * whole, and of one sign for long. */
INLINE void last_kick(work *w, const shape z, mask end, real *kick)
{
    for (int j = 0; j < z.n && m_any(end); j++) {
        real stale = r_set(0);
        for (int m = 0; m < z.N; m++) stale -= w->kick_jacobian[j * z.N + m] * w->d[m];
        kick[j] = r_if(end, w->kick[j], kick[j]);
        kick[z.n + j] = r_if(end, stale, kick[z.n + j]);
    }
}

/* Will this matrix, fresh at a residual of this size, be too old for the next one?  That has an eighth of what the bend bounds.
 * It would be refused there, or leave more than a unit of rounding after it, 2 next^2 / worst; where matrices are cheap two of them are better than two
 * more gradients. */
INLINE mask matrix_expires(const work *w, mask fresh, real worst)
{
    const real next = *w->curvature * worst * worst / 8;
    const mask refused = m_not(MATRIX_GAIN * next < worst),
               more = m_all(!w->may_reuse_matrix) & m_not(256 * next * next < worst * EPS);
    return fresh & (r_set(0) < *w->curvature) & (refused | more);
}

/* What one iteration leaves to the next. */
typedef struct {
    mask going, done;
    mask old;             /* the matrix is not of this step */
    mask corrected_fresh; /* corrected once, by a matrix of its own */
    mask wants_matrix;    /* the next one wants a matrix of its own */
    real last, rounds;
} newton_progress;

/* Iteration `it`; that it is the first is known when it is compiled. */
INLINE void newton_iterate(work *w, const shape z, real h, const int it, real *kick,
                           newton_progress *x)
{
    const real one = r_set(1), zero = r_set(0);
    const mask first = m_all(it == 0), going = x->going, old = x->old;
    const mask full = *w->solver == r_set(3); /* a matrix of its own for every iteration */
    mask       fresh = going & x->wants_matrix;
    const bool hessian = m_any(fresh);
    nodes(w, z, h);
    jet(w, hessian ? HESSIAN : GRADIENT, z.r);
    residual(w, z, h);
    if (it == 0) scales_at_start(w, z, h);
    if (hessian) refactor(w, z, h, fresh);
    scales(w, z);
    const real worst = worst_residual(w, z);
    const mask finite = r_finite(worst);
    if (it > 0) {
        const mask stale = going & finite & (full | m_not(MATRIX_GAIN * worst < x->last))
                         & m_not(worst <= REUSE_ROUNDINGS * EPS) & m_not(fresh);
        if (m_any(stale)) {
            jet(w, HESSIAN, z.r);
            refactor(w, z, h, stale);
        }
        fresh = fresh | stale;
    }
    substitute(w->LU, w->pivot, z.N, w->e, w->d);
    const num quarter = (num)1 / (CORRECTION_GAIN * CORRECTION_GAIN),
              small = (num)STALL_ROUNDINGS * STALL_ROUNDINGS * EPS * EPS; /* of squares */
    kinetic_norms(w, z, w->d, w->norm);
    const mask shrinks = first | norms_within(w, w->norm, quarter, w->norm_before);
    mask       tiny = m_all(0), near = shrinks; /* near: of blocks that are not tiny, all shrink */
    if (m_any(m_not(shrinks))) {
        kinetic_norms(w, z, w->a, w->velocity_norm);
        tiny = norms_within(w, w->norm, small, w->velocity_norm);
        near = shrinks
             | norms_within_or_small(w, w->norm, quarter, w->norm_before, small, w->velocity_norm);
    }
    for (int i = 0; i < z.N; i++) w->a[i] = r_if(going, w->a[i] - w->d[i], w->a[i]);

    const num  stall = STALL_ROUNDINGS * EPS;
    const mask at_roundoff = worst <= RESIDUAL_ROUNDINGS * EPS;
    const mask stalled = m_not(shrinks) & ((worst <= stall) | tiny);
    /* A residual can be small by accident, its terms of first and of second order cancelling, under a matrix of
     * another step; one of this step contracts as it has just done. */
    const mask next_at_roundoff = m_not(first) & m_not(fresh) & (1024 * worst < x->last)
                                & (256 * worst * worst < x->last * EPS)
                                & (m_not(old) | (worst <= MATRIX_GAIN * EPS));
    if (it == 1 && m_any(going & x->corrected_fresh))
        measure_curvature(w, going & x->corrected_fresh & finite, x->last, worst);
    const mask bound_at_roundoff = fresh & m_not(*w->phase == zero) & (zero < *w->curvature)
                                 & (*w->curvature * worst * worst <= r_set(EPS));
    const mask end = going & finite
                   & (at_roundoff | stalled | next_at_roundoff | bound_at_roundoff);
    if (it == 0) x->corrected_fresh = fresh;
    if (it == 0) *w->single += r_if(bound_at_roundoff & going, one, zero);
    const mask fail = m_not(finite) | (m_not(near) & m_not(old));
    x->rounds += r_if(going, one, zero);
    last_kick(w, z, end, kick);
    const real left = r_if(next_at_roundoff, worst * worst / x->last,
                           r_if(bound_at_roundoff, *w->curvature * worst * worst, worst));
    *w->residual = r_if(end, r_max(*w->residual, left), *w->residual);
    x->done = x->done | end;
    x->going = going & m_not(end) & m_not(fail);
    x->old = old & m_not(fresh);
    x->wants_matrix = matrix_expires(w, fresh, worst);
    x->last = worst;
    for (int b = 0; b < w->blocks; b++) w->norm_before[b] = w->norm[b];
}

/* Solves for the wanted members from the prediction in w->a, h the length of the step; returns those that converged within
 * `most` iterations, with h sum b F in `kick`.  *slow: those that needed more than five. */
INLINE mask newton(work *w, const shape z, real h, mask want, int most, real *kick, mask *slow)
{
    const real      one = r_set(1), zero = r_set(0);
    newton_progress x = { .going = want,
                          .done = m_all(0),
                          .corrected_fresh = m_all(0),
                          .last = zero,
                          .rounds = zero,
                          .old = (zero < *w->matrix_reuse) & m_not(*w->solver == r_set(3))
                               & m_all(w->may_reuse_matrix) };
    x.wants_matrix = m_not(x.old);
    newton_iterate(w, z, h, 0, kick, &x);
    for (int it = 1; it < most && m_any(x.going); it++) newton_iterate(w, z, h, it, kick, &x);
    *w->iterations += x.rounds;
    *slow = want & (r_set(5) < x.rounds);
    /* A matrix that was good at once serves the next step too; after one that was not, RETRY_STEPS new ones. */
    const mask good = x.done & (x.rounds <= r_set(3)), kept = zero < *w->matrix_reuse;
    const real next = r_if(
        kept, r_if(good & x.old, one, r_set(-RETRY_STEPS)),
        r_if(*w->matrix_reuse < zero, *w->matrix_reuse + 1, r_if(good, one, zero)));
    *w->matrix_reuse = r_if(want, next, *w->matrix_reuse);
    return x.done;
}

/* Of any shape, compiled once. */
static __attribute__((noinline)) mask newton_any(work *w, real h, mask want, int most, real *kick,
                                                 mask *slow)
{
    return newton(w, of(w), h, want, most, kick, slow);
}

#endif
