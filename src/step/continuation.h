/* a(1) along the branch a(x), 0 <= x <= 1, of the solutions of a step of length x h, which begins with free flight, a(0) = (v, 0, ..).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * This is what "the solution of a step" means: the equations of a long step have others, far from the motion.  A stride along
 * the branch counts where Newton's corrections fall to a quarter each from the first on, which keeps it on its branch; else it
 * is halved (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 5.1).  Where the branch turns back before x = 1
 * the step has no solution. */
#ifndef NOE_STEP_CONTINUATION_H
#define NOE_STEP_CONTINUATION_H

#include "step/step_update.h"

enum {
    STRIDES_MOST = 100,     /* tries */
    STRIDE_ITERATIONS = 10, /* iterations of a stride */
    STRIDE_PARTS = 256
}; /* 1/STRIDE_PARTS of a step is the shortest stride */

/* w->a = the modes at x = to from those at x = at, w->branch_modes, and x = was, w->branch_modes_before; mode m of a smooth motion is x^m times what
 * changes slowly, which is continued by a straight line. */
static void extrapolate_branch(work *w, real was, real at, real to)
{
    const real zero = r_set(0), one = r_set(1);
    const mask begins = at <= zero, second = was <= zero;
    const real back = r_if(begins, one, at), far = r_if(second, one, was);
    const real share = r_if(begins, zero, (to - at) / r_if(begins, one, at - was));
    for (int j = 0; j < w->n; j++) {
        real now = one, before = one, next = one;
        for (int m = 0; m < w->s; m++, now *= back, before *= far, next *= to) {
            const int  i = j * w->s + m;
            const real slope = r_if(m ? second : m_all(0), zero,
                                    w->branch_modes[i] / now - w->branch_modes_before[i] / before);
            w->a[i] = (w->branch_modes[i] / now + share * slope) * next;
        }
    }
}

/* Solves for the wanted members; those that reached the end of the branch, with their kicks.  v at the beginning of the step is
 * asked of the momenta, so that nothing depends on the steps before. */
static mask follow_branch(work *w, mask want, real *kick)
{
    const real one = r_set(1), zero = r_set(0);
    real       was = zero, at = zero, stride = one;
    mask       slow, going = want & velocities(w, NULL, want, w->v);
    for (int i = 0; i < w->N; i++)
        w->branch_modes[i] = w->branch_modes_before[i] = r_if(
            want, i % w->s ? zero : w->v[i / w->s], w->branch_modes[i]);
    for (int round = 0; round < STRIDES_MOST && m_any(going); round++) {
        const real to = r_if(one < at + stride, one, at + stride);
        extrapolate_branch(w, was, at, to);
        *w->matrix_reuse = r_if(going, zero, *w->matrix_reuse);
        const mask ok = newton_any(w, to * w->length, going, STRIDE_ITERATIONS, kick, &slow);
        copy_where(ok, w->branch_modes_before, w->branch_modes, w->N);
        copy_where(ok, w->branch_modes, w->a, w->N);
        if (round == 0) *w->subdivided += r_if(going & m_not(ok), one, zero);
        was = r_if(ok, at, was);
        at = r_if(ok, to, at);
        stride = r_if(ok, 2 * stride, stride / 2);
        going = going & (at < one) & ((num)1 / STRIDE_PARTS < stride);
    }
    for (int i = 0; i < w->N; i++) w->a[i] = r_if(want, w->branch_modes[i], w->a[i]);
    return want & m_not(at < one);
}

#endif
