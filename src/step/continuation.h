/* Continuation of a step from free flight, a(0) = (v, 0, ..): a(x) solves a step of length x h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The end a(1) of this branch, 0 <= x <= 1, is by definition the solution of a step: the
 * equations of a long step have other solutions, far from the motion.  A stride along the branch
 * is accepted if Newton's corrections shrink to a quarter each from the first on, which keeps
 * the solution on its branch; else the stride is halved (P. Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004, section 5.1).  Where the branch turns back before x = 1 the step has
 * no solution. */
#ifndef NOE_STEP_CONTINUATION_H
#define NOE_STEP_CONTINUATION_H

#include "step/constrained_newton.h"

/* w->scratch.a = the predicted modes at x = to, from w->scratch.branch_modes at x = at and
 * w->scratch.branch_modes_before at x = was.  Mode m of a smooth motion is x^m times a slowly
 * changing factor, which is extrapolated linearly. */
static void extrapolate_branch(work *w, real was, real at, real to)
{
    const real zero = r_set(0), one = r_set(1);
    const mask begins = r_at_most(at, zero), second = r_at_most(was, zero);
    const real back = r_if(begins, one, at), far = r_if(second, one, was);
    const real share = r_if(begins, zero, (to - at) / r_if(begins, one, at - was));
    for (int j = 0; j < w->n; j++) {
        real now = one, before = one, next = one;
        for (int m = 0; m < w->s; m++, now *= back, before *= far, next *= to) {
            const int  i = j * w->s + m;
            const real slope = r_if(m ? second : m_all(0), zero,
                                    w->scratch.branch_modes[i] / now
                                        - w->scratch.branch_modes_before[i] / before);
            w->scratch.a[i] = (w->scratch.branch_modes[i] / now + share * slope) * next;
        }
    }
}

/* Solves a step for the wanted members; returns those that reached the end of the branch, with
 * their kicks.  v at the beginning of the step is computed from the momenta, so that nothing
 * depends on the steps before. */
static mask follow_branch(work *w, mask want, real *kick)
{
    const real one = r_set(1), zero = r_set(0);
    real       was = zero, at = zero, stride = one;
    mask       slow, going = want & velocities(w, NULL, want, w->state.v);
    for (int i = 0; i < w->N; i++)
        w->scratch.branch_modes[i] = w->scratch.branch_modes_before[i] = r_if(
            want, i % w->s ? zero : w->state.v[i / w->s], w->scratch.branch_modes[i]);
    forget_multipliers(w, want);
    for (int round = 0; round < STRIDES_MOST && m_any(going); round++) {
        const real to = r_if(r_less(one, at + stride), one, at + stride);
        extrapolate_branch(w, was, at, to);
        *w->newton.matrix_reuse = r_if(going, zero, *w->newton.matrix_reuse);
        const mask ok = solve_modes(w, to * w->state.length, going, STRIDE_ITERATIONS, kick, &slow);
        copy_where(ok, w->scratch.branch_modes_before, w->scratch.branch_modes, w->N);
        copy_where(ok, w->scratch.branch_modes, w->scratch.a, w->N);
        if (round == 0) *w->stats.subdivided += r_if(going & m_not(ok), one, zero);
        was = r_if(ok, at, was);
        at = r_if(ok, to, at);
        stride = r_if(ok, 2 * stride, stride / 2);
        going = going & r_less(at, one) & r_less(r_set((num)1 / STRIDE_PARTS), stride);
    }
    for (int i = 0; i < w->N; i++)
        w->scratch.a[i] = r_if(want, w->scratch.branch_modes[i], w->scratch.a[i]);
    return want & m_not(r_less(at, one));
}

#endif
