/* Monitored runs: eps = step/G(q_0) and E in binary128; steps by a density rho, of length eps/rho.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A transformed Lagrangian needs E to the last digit: an error of E is a force, small and
 * constant in sign, and the time drifts by it.
 * Hairer and Soderlind (2005): rho, which follows 1/G, is a variable of its own, rho <- rho - eps
 * (dG/dt)/G, and is never set to 1/G again, so that the whole is reversible; every step is an
 * ordinary one, which keeps all momenta. */
#ifndef NOE_STEP_MONITORED_STEP_H
#define NOE_STEP_MONITORED_STEP_H

#include "step/energy_balance.h"
#include "step/predictor.h"

/* The step in fictitious time, and velocities that are given in time as velocities in it. */
static void begin_clock(work *w, const bool *momentum)
{
    real rate;
    *w->state.count = r_set(0);
    w->state.balance[ELAPSED] = w->state.balance[REST + ELAPSED] = *w->state.level = r_set(0);
    const real G = monitor_here(w, &rate);
    *w->state.fictitious = *w->state.nominal / G;
    *w->state.h = w->dyn->transformed ? *w->state.fictitious : *w->state.nominal;
    w->state.given_length = false;
    for (int j = 0; j < w->n && w->dyn->transformed; j++)
        if (!momentum[j]) w->state.v[j] *= G;
    if (w->dyn->transformed) place_level(w, *w->state.level);
}

/* The outputs of tape k at the present state and E = 0 of one member, in binary128, with the
 * constants that the steps have, which are rounded. */
static const quad *in_binary128(work *w, int k, int member)
{
    const int n = w->n;
    noe_tape  tape = *tape_of(w->dyn, k);
    quad *in = w->eval.wide, *constant = in + noe_tape_inputs(n), *slot = constant + tape.constants,
         *out = slot + tape.slots;
    for (int i = 0; i < noe_tape_inputs(n); i++) in[i] = 0;
    in[0] = r_member(time_at(w, 0), member);
    for (int j = 0; j < n; j++) {
        in[noe_tape_input(NOE_Q, j, n)] = (quad)r_member(w->state.q[j], member)
                                        + r_member(w->state.dq[j], member);
        in[noe_tape_input(NOE_V, j, n)] = r_member(w->state.v[j], member);
    }
    for (int i = 0; i < tape.constants; i++)
        constant[i] = r_member(*element(w->eval.frame, w->B, w->eval.plan.constants[k] + i, 0),
                               member);
    tape.constant = constant;
    noe_tape_quad_run(&tape, in, slot, out);
    return out;
}

/* H(q, p) = (v.p - Lbar)/G at E = 0; an error of v, which solves Lbar_v(q, v) = p, is
 * squared. */
static quad energy_in_binary128(work *w, int member)
{
    quad        H = 0;
    const quad *out = in_binary128(w, LEGENDRE, member);
    for (int j = 0; j < w->n; j++)
        H += (quad)r_member(w->state.v[j], member)
           * ((quad)r_member(w->state.p[j], member) + r_member(w->state.dp[j], member));
    H -= out[w->n];
    out = in_binary128(w, CLOCK, member);
    return H / out[0];
}

static void begin_level(work *w)
{
    for (int i = 0; i < MEMBERS; i++) r_put(w->state.level, i, (num)energy_in_binary128(w, i));
}

/* The density before the first half of the first step, 1/G - eps C/2, C = -(dG/dt)/G. */
static void begin_density(work *w)
{
    real       rate;
    const real G = monitor_here(w, &rate);
    w->state.balance[DENSITY] = 1 / G + *w->state.fictitious / 2 * (rate / G);
    w->state.balance[DENSITY_REST] = r_set(0);
}

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
