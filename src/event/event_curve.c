/* An event function along a step, G(c) = g(c) + (1 - c) (g_a - g(0)) + c (g_b - g(1)).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * g(c) is the function at the interpolated state, g_a and g_b are its values at the two ends.
 * The state between the ends is that of the velocity polynomial of the step or, for methods without
 * one and after a restart, of cubic Hermite interpolation; momenta and the energy are interpolated
 * linearly.  The correction, linear in c, makes G exact at both ends.  G only brackets: events are
 * solved by fractional steps. */
#include "event/event_state.h"

/* Positions and velocities by cubic Hermite interpolation. */
static void hermite(noe_event_state *x, double c)
{
    const double h = (double)x->h;
    const double h00 = (1 + 2 * c) * (1 - c) * (1 - c), h10 = c * (1 - c) * (1 - c),
                 h01 = c * c * (3 - 2 * c), h11 = c * c * (c - 1);
    const double d00 = 6 * c * (c - 1), d10 = (1 - c) * (1 - 3 * c), d11 = c * (3 * c - 2);
    for (int j = 0; j < x->n; j++) {
        const double q0 = x->a.q[j], q1 = x->b.q[j], v0 = x->a.v[j], v1 = x->b.v[j];
        x->q[j] = h00 * q0 + h01 * q1 + h * (h10 * v0 + h11 * v1);
        x->v[j] = d00 / h * (q0 - q1) + d10 * v0 + d11 * v1;
    }
}

double noe_event_curve_raw(noe_event_state *x, noe_integrator *g, int k, double c)
{
    const int n = x->n;
    double   *in = x->value[k];
    if (!g->engine->events || !g->engine->events->curve(g->work, c, x->q, x->v)) hermite(x, c);
    else
        for (int j = 0; j < n; j++) x->q[j] += x->a.q[j];
    in[0] = (double)x->a.t + c * (double)x->h;
    for (int j = 0; j < n; j++) {
        in[noe_tape_input(NOE_Q, j, n)] = x->q[j], in[noe_tape_input(NOE_V, j, n)] = x->v[j];
        in[noe_tape_input(NOE_P, j, n)] = x->a.p[j] + c * (x->b.p[j] - x->a.p[j]);
    }
    in[noe_tape_input(NOE_H, 0, n)] = x->a.H + c * (x->b.H - x->a.H);
    noe_tape_double_run_again(x->tapes->value[k], in);
    return in[x->tapes->value[k]->out[0]];
}

double noe_event_curve_value(noe_event_state *x, noe_integrator *g, int k, double c)
{
    const int        at = k * NOE_WATCHED + NOE_WATCH_VALUE;
    noe_event_tally *y = &x->tally[k];
    if (!y->corrected) {
        y->off[0] = x->a.out[at] - noe_event_curve_raw(x, g, k, 0);
        y->off[1] = x->b.out[at] - noe_event_curve_raw(x, g, k, 1);
        y->corrected = true;
    }
    return noe_event_curve_raw(x, g, k, c) + (1 - c) * y->off[0] + c * y->off[1];
}
