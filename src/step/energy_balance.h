/* Energy balance: work += h sum_i b_i (f.V - L_t)_i, dissipated += h sum_i b_i (V.D_v)_i.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENERGY_BALANCE_H
#define NOE_STEP_ENERGY_BALANCE_H

#include "step/constrained_equations.h"
#include "step/legendre_transform.h"

/* Can anything change the energy? */
static bool has_balance(const work *w)
{
    const noe_dynamics *d = w->dyn;
    return d->power || d->f || d->L_t || d->constraint_function;
}

/* The time that the step takes where the Lagrangian is transformed, length sum_i b_i G_i; nan where
 * G is not positive.  Where t and E are unknowns, what it adds to E as well. */
static real time_of_step(work *w)
{
    const real *G = element(w->eval.out, w->B, 0, 0);
    nodes(w, of(w), w->state.length);
    jet(w, CLOCK, w->r);
    real sum = w->method.b[0] * G[0], least = G[0];
    for (int i = 1; i < w->r; i++) sum += w->method.b[i] * G[i], least = r_min(least, G[i]);
    if (w->dyn->clocked) {
        const real *L_t = element(w->eval.out, w->B, 2, 0);
        real        rate = w->method.b[0] * L_t[0];
        for (int i = 1; i < w->r; i++) rate += w->method.b[i] * L_t[i];
        w->nodal.energy_gain = -w->state.length * rate;
    }
    return r_if(r_less(r_set(0), least), w->state.length * sum, r_set((num)__builtin_nan("")));
}

/* w->state.gain = what the step with the modes in w->scratch.a adds to the sums, by the
 * quadrature of the method; the state is that before the step.  timed: the canonical form has
 * found how long it takes. */
static void step_gains(work *w, bool timed)
{
    w->state.gain[WORK] = w->state.gain[DISSIPATED] = r_set(0);
    if (w->dyn->transformed) w->state.gain[ELAPSED] = timed ? w->nodal.time_taken : time_of_step(w);
    if (!has_balance(w)) return;
    nodes(w, of(w), w->state.length);
    jet(w, POWER, w->r);
    for (int k = WORK; k <= DISSIPATED; k++) {
        const real *power = element(w->eval.out, w->B, k, 0);
        real        sum = w->method.b[0] * power[0];
        for (int i = 1; i < w->r; i++) sum += w->method.b[i] * power[i];
        w->state.gain[k] = w->state.length * sum;
    }
    if (w->dyn->constraints) w->state.gain[WORK] += constraint_work(w);
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
