/* The way of a run with a monitor: its state at a given time, and the same way back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"
#include "certify/few_steps.h"
#include "integrate/fractional_step.h"

/* Turns b, which begins where g stands, back on the way of g: the fictitious step backwards, and E
 * or the density of the way, which the start of b has computed anew.  The density is that of the
 * next step of g. */
void noe_monitored_way_turn(const noe_integrator *g, noe_integrator *b)
{
    const noe_engine_value kept = g->stepped.transformed ? NOE_AT_LEVEL : NOE_AT_DENSITY;
    quad                   forth, back, pace, value;
    if (!g->stepped.clock) return;
    g->engine->get(g->work, NOE_AT_FICTITIOUS, 0, &forth);
    g->engine->get(g->work, NOE_AT_PACE, 0, &pace);
    g->engine->get(g->work, kept, 0, &value);
    if (!g->stepped.transformed) value = forth / pace;
    back = -forth;
    b->engine->set(b->work, NOE_AT_FICTITIOUS, 0, &back);
    b->engine->set(b->work, kept, 0, &value);
}

double noe_monitored_way_missed(noe_integrator *b, quad t0, quad t)
{
    quad now;
    noe_integrator_state_get(b, NOE_AT_T, &now);
    return (double)(fabsq(now - t0) / fmaxq(fabsq(t - t0), fabsq(t)));
}

/* The state at time `end`, where the steps follow a monitor and lead to other times for each h. */
bool noe_monitored_way_state(noe_integrator *g, quad end, quad *x)
{
    bool arrived = false;
    while (!arrived)
        if (noe_advance_monitored(g, end, &arrived)) return false;
    noe_status            s = noe_fractional_step_mark(g);
    noe_integrator *const y = s ? NULL : noe_fractional_step_at(g, end);
    if (y) noe_few_steps_state(y, x);
    noe_fractional_step_leave(g);
    return y != NULL;
}
