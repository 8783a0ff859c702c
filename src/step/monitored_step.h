/* Steps by a density: rho <- rho - eps (dG/dt)/G, h = eps/rho, and an ordinary step of this length.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Hairer and Soderlind (2005): rho, which follows 1/G, is a variable of its own and is never set to
 * 1/G again, so that the whole is reversible; every step is one of the method, which keeps all
 * momenta. */
#ifndef NOE_STEP_MONITORED_STEP_H
#define NOE_STEP_MONITORED_STEP_H

#include "step/composition_step.h"
#include "step/predictor.h"

/* The length of the next step, nan where the density or G is not positive. */
static real next_length(work *w)
{
    real rate;
    update_velocities(w);
    const real G = monitor_here(w, &rate), eps = *w->state.fictitious;
    w->state.density[0] = w->state.balance[DENSITY];
    w->state.density[1] = w->state.balance[DENSITY_REST];
    add_compensated(m_all(1), &w->state.density[0], &w->state.density[1], -eps * (rate / G));
    const mask good = r_less(r_set(0), w->state.density[0]) & r_less(r_set(0), G);
    return r_if(good, eps / w->state.density[0], r_set((num)__builtin_nan("")));
}

/* The time that a step takes; where the Lagrangian is transformed, to the first order in the
 * fictitious step. */
static real pace(work *w)
{
    real rate;
    if (!w->eval.tape[CLOCK]) return *w->state.h;
    return w->dyn->transformed ? *w->state.fictitious * monitor_here(w, &rate) : next_length(w);
}

/* Prepares the next step: its length, and its prediction, the polynomial of the last one
 * continued. */
static void set_length(work *w)
{
    if (w->state.given_length) return;
    const real last = *w->state.h;
    *w->state.h = next_length(w);
    *w->newton.matrix_reuse = *w->newton.curvature = r_set(0);
    w->history.given = w->kind == NOE_GALERKIN && !m_any(r_at_most(*w->history.length, r_set(0)));
    if (w->history.given) predict_fraction(w, w->history.all_last, 1, *w->state.h / last);
}

/* t <- t + h, and the density goes on, for the members that were stepped. */
static void move_clock(work *w, unsigned failed)
{
    real stepped = r_set(0);
    for (int i = 0; i < MEMBERS; i++) r_put(&stepped, i, !(failed >> i & 1));
    const mask ok = r_less(r_set(0), stepped);
    add_compensated(ok, &w->state.balance[ELAPSED], &w->state.balance[REST + ELAPSED], *w->state.h);
    if (!w->state.given_length)
        for (int i = 0; i < 2; i++)
            w->state.balance[DENSITY + i] = r_if(ok, w->state.density[i],
                                                 w->state.balance[DENSITY + i]);
    w->state.given_length = false;
}

#endif
