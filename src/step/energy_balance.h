/* Energy balance: work += h sum_i b_i (f.V - L_t)_i, dissipated += h sum_i b_i (V.D_v)_i.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENERGY_BALANCE_H
#define NOE_STEP_ENERGY_BALANCE_H

#include "step/legendre_transform.h"

/* Rows of w->state.balance, in energy: the two sums, their compensations at REST and REST + 1, the
 * energy at the start. */
enum { WORK, DISSIPATED, REST, START = 4, BALANCE_ROWS };

/* Can anything change the energy? */
static bool has_balance(const work *w) { return w->dyn->power || w->dyn->f || w->dyn->L_t; }

/* w->state.gain = what the step with the modes in w->scratch.a adds to both sums, by the quadrature of the
 * method; the state is that before the step. */
static void step_gains(work *w)
{
    w->state.gain[WORK] = w->state.gain[DISSIPATED] = r_set(0);
    if (!has_balance(w)) return;
    nodes(w, of(w), w->state.length);
    jet(w, POWER, w->r);
    for (int k = WORK; k <= DISSIPATED; k++) {
        const real *power = element(w->eval.out, w->B, k, 0);
        real        sum = w->method.b[0] * power[0];
        for (int i = 1; i < w->r; i++) sum += w->method.b[i] * power[i];
        w->state.gain[k] = w->state.length * sum;
    }
}

/* Adds a Runge-Kutta stage at (x, V) with weight b to w->state.gain, which is 0 at the beginning of
 * the step. */
static void gain_at(work *w, const site *x, const real *V, num b)
{
    if (!has_balance(w)) return;
    jet_at(w, POWER, x, V);
    for (int k = WORK; k <= DISSIPATED; k++) w->state.gain[k] += *w->state.h * (b * output(w, k));
}

/* The change of the energy that work and dissipation do not explain: the error of the method. */
static real balance_error(work *w)
{
    const real change = energy(w) - w->state.balance[START];
    return ((change + w->state.balance[DISSIPATED]) - w->state.balance[WORK])
         + (w->state.balance[REST + DISSIPATED] - w->state.balance[REST + WORK]);
}

#endif
