/* work += h sum_i b_i (f.V - L_t)_i,  dissipated += h sum_i b_i (V.D_v)_i: the energy's books, by the method's own weights.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENERGY_BALANCE_H
#define NOE_STEP_ENERGY_BALANCE_H

#include "step/legendre_transform.h"

/* Rows of the book: two sums, their compensation, the energy at the start. */
enum { WORK, DISSIPATED, REST, START = 4, BALANCE_ROWS };

static bool has_balance(const work *w) { return w->dyn->power || w->dyn->f || w->dyn->L_t; }

/* What the step with the modes in w->a adds to the books, from the state before it. */
static void step_gains(work *w)
{
    w->gain[WORK] = w->gain[DISSIPATED] = r_set(0);
    if (!has_balance(w)) return;
    nodes(w, of(w), w->length);
    jet(w, POWER, w->r);
    for (int k = WORK; k <= DISSIPATED; k++) {
        const real *power = element(w->out, w->B, k, 0);
        real        sum = w->b[0] * power[0];
        for (int i = 1; i < w->r; i++) sum += w->b[i] * power[i];
        w->gain[k] = w->length * sum;
    }
}

/* The same for a stage at (x, V) of weight b in a step that began with gain = 0. */
static void gain_at(work *w, const site *x, const real *V, num b)
{
    if (!has_balance(w)) return;
    jet_at(w, POWER, x, V);
    for (int k = WORK; k <= DISSIPATED; k++) w->gain[k] += *w->h * (b * output(w, k));
}

/* What of the energy the books do not explain: the error of the method. */
static real balance_error(work *w)
{
    const real change = energy(w) - w->balance[START];
    return ((change + w->balance[DISSIPATED]) - w->balance[WORK])
         + (w->balance[REST + DISSIPATED] - w->balance[REST + WORK]);
}

#endif
