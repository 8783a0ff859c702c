/* Is the monitor G > 0 at the start, and on the way of a step that failed?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/monitor_check.h"

#include "base/status.h"
#include "integrate/energy_error.h"

#include <stdlib.h>

/* Part of the time that a step moves it by at least. */
static const double NO_PROGRESS = 0x1p-46;
/* By this factor a step must be shorter for the next look at the energy, whose error grows by no
 * more than its inverse in between. */
static const double NEXT_LOOK_RATIO = 0.8;

quad noe_monitor_check_value(const noe_integrator *g, quad t, const quad *q)
{
    const noe_tape *tape = g->stepped.clock;
    const int       n = g->system->dyn.n;
    quad            out[3] = { (quad)__builtin_nan("") };
    if (!tape) return 1;
    quad *in = noe_status_alloc((size_t)(tape->inputs + tape->slots), sizeof *in);
    if (!in) return out[0];
    in[0] = t;
    for (int i = 0; i < n; i++) in[noe_tape_input(NOE_Q, i, n)] = q[i];
    noe_tape_quad_run(tape, in, in + tape->inputs, out);
    free(in);
    return out[0];
}

noe_status noe_monitor_check_path(noe_integrator *g)
{
    enum { LOOKS = 64 };
    const size_t n = (size_t)g->system->dyn.n;
    quad         t, h, count, here = 1, G = 1, share = 0;
    if (!g->stepped.clock) return NOE_OK;
    quad *q = noe_status_alloc(3 * n, sizeof *q), *v = q + n, *there = v + n;
    if (!q) return NOE_NO_MEMORY;
    g->engine->get(g->work, NOE_AT_T, g->member, &t);
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    g->engine->get(g->work, NOE_AT_PACE, g->member, &h);
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    for (int k = 0; k <= LOOKS && G > 0; k++) {
        share = 2 * (quad)k / LOOKS;
        for (size_t i = 0; i < n; i++) there[i] = k ? q[i] + share * h * v[i] : q[i];
        G = noe_monitor_check_value(g, k ? t + share * h : t, there);
        if (k == 0) here = G;
    }
    free(q);
    if (G > 0) return NOE_OK;
    if (here > 0 && !finiteq(h)) /* a density of steps, which follows 1/G */
        return noe_status_fail(
            NOE_NOT_FINITE,
            "step %.0f from t = %.12g: the monitor, %.6g there, has grown so much within a step "
            "that the next one would have no length; the state before the step is kept; try a "
            "smaller step",
            (double)count + 1, (double)t, (double)here);
    return noe_status_fail(
        NOE_NOT_FINITE,
        "step %.0f from t = %.12g: the monitor is %.6g there and %.6g at t = %.6g: it must be "
        "positive "
        "wherever the motion goes; the state before the step is kept; add a constant to the "
        "monitor",
        (double)count + 1, (double)t, (double)here, (double)G,
        (double)(share > 0 ? t + share * h : t));
}

noe_status noe_monitor_check_progress(noe_integrator *g, double now, double took)
{
    const size_t n = (size_t)g->system->dyn.n;
    quad         count, G;
    if (took > NO_PROGRESS * fabs(now)) return NOE_OK;
    quad *q = noe_status_alloc(n, sizeof *q);
    if (!q) return NOE_NO_MEMORY;
    g->engine->get(g->work, NOE_AT_Q, 0, q);
    g->engine->get(g->work, NOE_AT_COUNT, 0, &count);
    G = noe_monitor_check_value(g, now, q);
    free(q);
    return noe_status_fail(
        NOE_NOT_FINITE,
        "step %.0f to t = %.12g: the monitor has fallen to %.3g, and the steps with it, so that "
        "the time does "
        "not go on: it must be positive wherever the motion goes; add a constant to the monitor",
        (double)count, now, (double)G);
}

void noe_monitor_check_energy(noe_integrator *g, double took)
{
    if (!g->stepped.transformed || !g->energy) return;
    if (g->shortest_step > 0 && took >= NEXT_LOOK_RATIO * g->shortest_step) return;
    g->shortest_step = took;
    noe_energy_error_look(g);
}
