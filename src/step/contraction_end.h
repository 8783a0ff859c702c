/* Stopping criterion of the iterations that contract without a matrix: worst <= c EPS, or EPS next.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by step/fixed_point_iteration.h, step/nystrom_iteration.h and step/canonical_iteration.h;
 * Newton's is in step/newton_iteration.h.  `worst` is the relative residual of an iteration, its
 * largest over nodes and coordinates, and every member of the lanes ends by itself
 *   - when what is not yet found is below 1/DRIFT_MARGIN of a unit of rounding, now or after the
 *     correction just made, by the contraction just measured,
 *   - when the residual is a few units of rounding and does not shrink any more, or
 *   - when it stalls further above, after it contracted well.
 * It fails when the residual is not finite or shrinks slowly too often. */
#ifndef NOE_STEP_CONTRACTION_END_H
#define NOE_STEP_CONTRACTION_END_H

#include "step/engine_state.h"
#include "step/solver_constants.h"

/* What one iteration passes on to the next. */
typedef struct {
    mask going, /* members that iterate */
        done;   /* members that have converged */
    real last,  /* relative residual of the last iteration */
        before, /* and of the one before it; of the fixed point only */
        rounds, /* iterations so far */
        slow,   /* slow ones of them: SLOW_ITERATIONS */
        rate;   /* how much the first correction shrank the residual; 1 at first */
} contraction_progress;

INLINE contraction_progress contraction_begin(mask want)
{
    const real zero = r_set(0);
    return (contraction_progress){ want, m_all(0), zero, zero, zero, zero, r_set(1) };
}

/* A residual that stops shrinking is rounding if it shrank well before; else what is left may be a
 * component that the iteration does not contract. */
INLINE mask contraction_stalls(mask down, real worst, real rate)
{
    return m_not(down)
         & ((worst <= CLOSE_STALL_ROUNDINGS * EPS)
            | ((worst <= STALL_ROUNDINGS * EPS) & (4 * rate < r_set(1))));
}

/* Counts the iteration and takes note of its residual: `end` have converged and leave the residual
 * `left`; `measured`: this is the iteration whose rate tells of the contraction. */
INLINE void contraction_advance(work *w, contraction_progress *x, bool measured, mask finite,
                                mask shrinks, mask end, real worst, real left)
{
    const real zero = r_set(0), one = r_set(1);
    if (measured) *w->stats.contraction = r_if(x->going, x->rate, *w->stats.contraction);
    x->slow += r_if(shrinks | (worst <= STALL_ROUNDINGS * EPS), zero, one);
    x->rounds += r_if(x->going, one, zero);
    *w->stats.residual = r_if(end, r_max(*w->stats.residual, left), *w->stats.residual);
    x->done = x->done | end;
    x->going = x->going & m_not(end) & finite & (x->slow <= r_set(SLOW_ITERATIONS));
    x->before = x->last;
    x->last = worst;
}

/* Iteration `it` left the residual `worst`, and its correction, of second order, makes the next
 * about worst^2/last: which members go on.  Those that end take this correction, too. */
INLINE void contraction_judge(work *w, contraction_progress *x, int it, real worst, mask finite)
{
    const mask first = m_all(it == 0), shrinks = first | (4 * worst < x->last),
               down = first | (worst < x->last);
    const mask tiny = DRIFT_MARGIN * worst <= EPS,
               unsolved_is_small = m_not(first)
                                 & (tiny | (DRIFT_MARGIN * worst * worst <= EPS * x->last));
    if (it == 1) x->rate = worst / (x->last + (num)1e-300);
    const mask stall = contraction_stalls(down, worst, x->rate);
    const mask end = x->going & finite
                   & (unsolved_is_small | (m_not(shrinks) & (worst <= RESIDUAL_ROUNDINGS * EPS))
                      | stall);
    const real left = r_if(unsolved_is_small & m_not(tiny), worst * worst / x->last, worst);
    contraction_advance(w, x, it == 1, finite, shrinks, end, worst, left);
}

/* Adds the iterations to the statistics.  *slow_ones: the wanted members that needed more than
 * SLOW_CONTRACTION_ITERATIONS. */
INLINE void contraction_count(work *w, const contraction_progress *x, mask want, mask *slow_ones)
{
    *w->stats.iterations += x->rounds;
    *w->stats.rounds += x->rounds;
    *slow_ones = want & (r_set(SLOW_CONTRACTION_ITERATIONS) < x->rounds);
}

#endif
