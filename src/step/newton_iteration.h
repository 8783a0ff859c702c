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

enum { EASY = 7,          /* from a prediction: what takes longer is not near it */
       FLOOR = 8,         /* units of rounding in R that end the iteration */
       SHRINK = 4,        /* what a matrix of this solution must gain in corrections, or the root is not near */
       FAST = 1 << 12,    /* what a matrix must gain to be kept */
       WAIT = 20,         /* steps before an old matrix is tried again */
       NEAR = 1 << 10,    /* units near which the matrix is good enough */
       LOUD = 1 << 12,    /* and above which a residual is not rounding, */
       BENT = 1 << 16,    /* nor is a smaller one that such a bend explains */
       STALL = 1 << 20 }; /* and those at which it may stop shrinking: sums in F and P that cancel */

/* max_jm |R_jm| / (scale_j + reach_j / FLOOR); not finite when any R is not. */
INLINE real worst_residual(const work *w, const shape z)
{
    real worst = r_set(0), poison = r_set(0);
    for (int j = 0; j < z.n; j++) {
        real most = r_set(0);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) {
            most = r_max(most, r_abs(w->e[m]));
            poison += w->e[m] - w->e[m]; /* a maximum can lose a nan */
        }
        worst = r_max(worst, most / (w->scale[j] + w->reach[j] / FLOOR));
    }
    return worst + poison;
}

INLINE void keep_if(mask m, real *to, const real *from, int count)
{
    if (m_bits(m) == (1u << MEMBERS) - 1) memcpy((void *)to, from, (size_t)count * sizeof *to);
    else
        for (int i = 0; i < count; i++) to[i] = r_if(m, from[i], to[i]);
}

/* The matrix and what is of its age, for some members; for all of them without a copy. */
INLINE void refactor(work *w, const shape z, real h, mask which)
{
    real *const J = w->J, *const x = w->x, *const push = w->new_push, *const inertias = w->new_inertia,
               *const reaches = w->new_reach;
    const bool  all = m_bits(which) == (1u << MEMBERS) - 1;
    if (all) w->J = w->LU, w->x = w->pivot, w->new_push = w->push, w->new_inertia = w->inertia, w->new_reach = w->reach;
    jacobian(w, z, h);
    eliminate(w->J, w->x, z.N);
    if (all) w->J = J, w->x = x, w->new_push = push, w->new_inertia = inertias, w->new_reach = reaches;
    else {
        keep_if(which, w->LU, w->J, z.N * z.N);
        keep_if(which, w->pivot, w->x, z.N);
        keep_if(which, w->push, w->new_push, z.n * z.N);
        keep_if(which, w->inertia, w->new_inertia, z.n * z.n);
        keep_if(which, w->reach, w->new_reach, z.n);
    }
    *w->refreshes += r_if(which, r_set(1), r_set(0));
}

/* After the first correction under a matrix of this very step the residual is bend times the square of the one before.
 * bend is measured where that is told from rounding, else bounded by it. */
static void measure_bend(work *w, mask which, real before, real after)
{
    const real square = before * before, bound = 8 * r_max(after, r_set(FLOOR * EPS)) / square, old = *w->bend;
    const mask told = (LOUD * EPS < after) | ((4 * FLOOR * EPS < after) & (after < BENT * square));
    const mask known = r_set(0) < old;
    const real bend = r_if(told, r_max(bound, old / 16), r_if(known & (old < bound), old, bound));
    *w->bend = r_if(which, r_max(bend, r_set(1)), old);
}

/* kick = h sum b F at the last modes: at those before the correction d, and its linear effect apart: less than a unit of the
 * whole, and of one sign for long. */
INLINE void last_push(work *w, const shape z, mask end, real *kick)
{
    for (int j = 0; j < z.n && m_any(end); j++) {
        real late = r_set(0);
        for (int m = 0; m < z.N; m++) late -= w->push[j * z.N + m] * w->d[m];
        kick[j] = r_if(end, w->kick[j], kick[j]);
        kick[z.n + j] = r_if(end, late, kick[z.n + j]);
    }
}

/* Will this matrix, fresh at a residual of this size, be too old for the next one?  That has an eighth of what the bend bounds.
 * It would be refused there, or leave more than a unit of rounding after it, 2 next^2 / worst; where matrices are cheap two of them are better than two
 * more gradients. */
INLINE mask foretold(const work *w, mask fresh, real worst)
{
    const real next = *w->bend * worst * worst / 8;
    const mask refused = m_not(FAST * next < worst), more = m_all(!w->keeps) & m_not(256 * next * next < worst * EPS);
    return fresh & (r_set(0) < *w->bend) & (refused | more);
}

/* What one iteration leaves to the next. */
typedef struct {
    mask going, done;
    mask old;      /* the matrix is not of this step */
    mask straight; /* corrected once, by a matrix of its own */
    mask anew;     /* the next one wants a matrix of its own */
    real last, rounds;
} iterates;

/* Iteration `it`; that it is the first is known when it is compiled. */
INLINE void iterate(work *w, const shape z, real h, const int it, real *kick, iterates *x)
{
    const real one = r_set(1), zero = r_set(0);
    const mask first = m_all(it == 0), going = x->going, old = x->old;
    const mask full = *w->solver == r_set(3); /* a matrix of its own for every iteration */
    mask       fresh = going & x->anew;
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
        const mask late = going & finite & (full | m_not(FAST * worst < x->last)) & m_not(worst <= NEAR * EPS) & m_not(fresh);
        if (m_any(late)) {
            jet(w, HESSIAN, z.r);
            refactor(w, z, h, late);
        }
        fresh = fresh | late;
    }
    substitute(w->LU, w->pivot, z.N, w->e, w->d);
    const num quarter = (num)1 / (SHRINK * SHRINK), small = (num)STALL * STALL * EPS * EPS; /* of squares */
    kinetic_norms(w, z, w->d, w->norm);
    const mask shrinks = first | norms_within(w, w->norm, quarter, w->norm_before);
    mask       tiny = m_all(0), near = shrinks; /* near: of blocks that are not tiny, all shrink */
    if (m_any(m_not(shrinks))) {
        kinetic_norms(w, z, w->a, w->norm_all);
        tiny = norms_within(w, w->norm, small, w->norm_all);
        near = shrinks | norms_within_or_small(w, w->norm, quarter, w->norm_before, small, w->norm_all);
    }
    for (int i = 0; i < z.N; i++) w->a[i] = r_if(going, w->a[i] - w->d[i], w->a[i]);

    const num  stall = STALL * EPS;
    const mask bottom = worst <= FLOOR * EPS;
    const mask stalled = m_not(shrinks) & ((worst <= stall) | tiny);
    /* A residual can be small by accident, its terms of first and of second order cancelling, under a matrix of
     * another step; one of this step contracts as it has just done. */
    const mask swift = m_not(first) & m_not(fresh) & (1024 * worst < x->last) & (256 * worst * worst < x->last * EPS)
                     & (m_not(old) | (worst <= FAST * EPS));
    if (it == 1 && m_any(going & x->straight)) measure_bend(w, going & x->straight & finite, x->last, worst);
    const mask sure = fresh & m_not(*w->phase == zero) & (zero < *w->bend) & (*w->bend * worst * worst <= r_set(EPS));
    const mask end = going & finite & (bottom | stalled | swift | sure);
    if (it == 0) x->straight = fresh;
    if (it == 0) *w->single += r_if(sure & going, one, zero);
    const mask fail = m_not(finite) | (m_not(near) & m_not(old));
    x->rounds += r_if(going, one, zero);
    last_push(w, z, end, kick);
    const real left = r_if(swift, worst * worst / x->last, r_if(sure, *w->bend * worst * worst, worst));
    *w->residual = r_if(end, r_max(*w->residual, left), *w->residual);
    x->done = x->done | end;
    x->going = going & m_not(end) & m_not(fail);
    x->old = old & m_not(fresh);
    x->anew = foretold(w, fresh, worst);
    x->last = worst;
    for (int b = 0; b < w->blocks; b++) w->norm_before[b] = w->norm[b];
}

/* Solves for the wanted members from the prediction in w->a, h the length of the step; returns those that converged within
 * `most` iterations, with h sum b F in `kick`.  *slow: those that needed more than five. */
INLINE mask newton(work *w, const shape z, real h, mask want, int most, real *kick, mask *slow)
{
    const real one = r_set(1), zero = r_set(0);
    iterates   x = { .going = want, .done = m_all(0), .straight = m_all(0), .last = zero, .rounds = zero,
                     .old = (zero < *w->keep) & m_not(*w->solver == r_set(3)) & m_all(w->keeps) };
    x.anew = m_not(x.old);
    iterate(w, z, h, 0, kick, &x);
    for (int it = 1; it < most && m_any(x.going); it++) iterate(w, z, h, it, kick, &x);
    *w->iterations += x.rounds;
    *slow = want & (r_set(5) < x.rounds);
    /* A matrix that was good at once serves the next step too; after one that was not, WAIT new ones. */
    const mask good = x.done & (x.rounds <= r_set(3)), kept = zero < *w->keep;
    const real next = r_if(kept, r_if(good & x.old, one, r_set(-WAIT)),
                           r_if(*w->keep < zero, *w->keep + 1, r_if(good, one, zero)));
    *w->keep = r_if(want, next, *w->keep);
    return x.done;
}

/* Of any shape, compiled once. */
static __attribute__((noinline)) mask newton_any(work *w, real h, mask want, int most, real *kick, mask *slow)
{
    return newton(w, of(w), h, want, most, kick, slow);
}

#endif
