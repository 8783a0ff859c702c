/* Multipliers of a step, extrapolated from those of the steps before by polynomials.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     lambda_k = sum_{i=1..j} -(-1)^i C(j, i) lambda_k(i steps before),   j of 1, 2, 4 and 8
 * for each node k.  The number j that would have predicted the last step best is taken.  Modes are
 * predicted to many digits (step/predictor.h); impulses of the last step alone would cost Newton's
 * method an iteration or two. */
#ifndef NOE_STEP_MULTIPLIER_HISTORY_H
#define NOE_STEP_MULTIPLIER_HISTORY_H

#include "step/constrained_equations.h"

static const int multiplier_orders[] = { 1, 2, 4, 8 };
enum { MULTIPLIER_ORDERS = sizeof multiplier_orders / sizeof(int) };
static const num multiplier_share[MULTIPLIER_ORDERS][MULTIPLIER_STEPS] = {
    { 1 }, { 2, -1 }, { 4, -6, 4, -1 }, { 8, -28, 56, -70, 56, -28, 8, -1 }
};
_Static_assert(MULTIPLIER_STEPS == 8, "the largest order");

/* The next steps of these members begin with multipliers 0. */
static void forget_multipliers(work *w, mask which)
{
    if (!w->dyn->constraints) return; /* no memory for either number */
    *w->constraint.steps_known = r_if(which, r_set(0), *w->constraint.steps_known);
    *w->constraint.order_used = r_if(which, r_set(0), *w->constraint.order_used);
}

/* Multiplier i of the next step, extrapolated from those of the last j steps. */
INLINE real extrapolated(const constraint_solver *c, int size, int i, const num *share, int j)
{
    real sum = share[0] * c->lambda[i];
    for (int k = 1; k < j; k++) sum += share[k] * c->lambda[k * size + i];
    return sum;
}

/* impulse = h w_k lambda, predicted, for the members `want`. */
static void predict_multipliers(work *w, real h, mask want)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, size = w->s * m;
    for (int i = 0; i < size; i++) c->impulse[i] = r_if(want, r_set(0), c->impulse[i]);
    for (int o = 0; o < MULTIPLIER_ORDERS; o++) {
        const int  j = multiplier_orders[o];
        const mask which = want & r_equal(*c->order_used, r_set(j));
        const num *share = multiplier_share[o];
        if (!m_any(which)) continue;
        for (int k = 0; k < w->s; k++)
            for (int i = k * m; i < (k + 1) * m; i++)
                c->impulse[i] = r_if(which, h * (c->weight[k] * extrapolated(c, size, i, share, j)),
                                     c->impulse[i]);
    }
}

/* Every eighth step, and while few multipliers are known: used = the order that would have
 * predicted the multipliers `now` [s][m] best, in the velocity that a multiplier makes in the
 * step. */
static void choose_multiplier_order(work *w, mask which, const real *now)
{
    constraint_solver *const c = &w->constraint;
    const int                size = w->s * c->count;
    real                     least = r_set((num)__builtin_inf()), best = *c->order_used;
    const mask               due = which
                   & (r_less(*c->steps_known, r_set(MULTIPLIER_STEPS))
                      | r_less(*c->order_used, r_set(1)) | r_equal(*w->newton.phase, r_set(0))
                      | r_equal(*w->newton.phase, r_set(PHASES / 2)));
    if (!m_any(due)) return;
    best = r_if(r_less(*c->steps_known, r_set(1)), r_set(1), best);
    for (int o = 0; o < MULTIPLIER_ORDERS; o++) {
        const int  j = multiplier_orders[o];
        const mask has = due & r_at_most(r_set(j), *c->steps_known);
        real       off = r_set(0);
        if (!m_any(has)) break;
        for (int i = 0; i < size; i++)
            off = r_max(off, r_abs(now[i] - extrapolated(c, size, i, multiplier_share[o], j))
                                 / c->row_scale[i]);
        const mask better = has & r_less(off, least);
        least = r_if(better, off, least), best = r_if(better, r_set(j), best);
    }
    *c->order_used = r_if(due, best, *c->order_used);
}

/* Stores the multipliers of a step that was solved.  Parts of a composition, and steps that are
 * shorter, are no sequence to extrapolate: the last one alone is kept. */
static void store_multipliers(work *w, real h, mask which)
{
    constraint_solver *const c = &w->constraint;
    const int                m = c->count, size = w->s * m;
    const mask               sequence = m_all(w->method.parts == 1) & r_equal(h, w->state.length);
    real *const              now = c->residual; /* as scratch */
    for (int i = 0; i < size; i++) now[i] = c->impulse[i] / (h * c->weight[i / m]);
    *c->steps_known = r_if(which & m_not(sequence), r_set(0), *c->steps_known);
    choose_multiplier_order(w, which, now);
    if (m_bits(which) == (1u << MEMBERS) - 1) {
        memmove((void *)(c->lambda + size), c->lambda,
                (size_t)((MULTIPLIER_STEPS - 1) * size) * sizeof *c->lambda);
        memcpy((void *)c->lambda, now, (size_t)size * sizeof *now);
    }
    for (int k = MULTIPLIER_STEPS - 1; k >= 0 && m_any(m_not(which)); k--)
        for (int i = 0; i < size; i++)
            c->lambda[k * size + i] = r_if(which, k ? c->lambda[(k - 1) * size + i] : now[i],
                                           c->lambda[k * size + i]);
    *c->steps_known = r_if(which & r_less(*c->steps_known, r_set(MULTIPLIER_STEPS)),
                           *c->steps_known + 1, *c->steps_known);
}

#endif
