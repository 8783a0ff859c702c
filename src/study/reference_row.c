/* The numbers that a study compares, at the present state of an integrator.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/reference.h"

#include "between/fractional_step.h"

void noe_reference_row_here(const noe_study *s, noe_integrator *g, bool all, quad *x)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        if (!all && u->constant) continue;
        if (u->what == NOE_OF_COLUMN) x[u->first] = noe_column_value(g, &u->column);
        else noe_integrator_state_get(g, u->what == NOE_OF_Q ? NOE_AT_Q : NOE_AT_P, x + u->first);
    }
}

/* The run stands then at the last end of a step before t, and goes on from there. */
static noe_status monitored_row(const noe_study *s, noe_integrator *g, quad t, bool all, quad *x)
{
    bool       arrived = false;
    noe_status status = NOE_OK;
    while (!arrived && !status) status = noe_advance_monitored(g, t, &arrived);
    if (!status) status = noe_fractional_step_mark(g);
    if (status) return status;
    noe_integrator *const at = noe_fractional_step_at(g, t);
    if (at) noe_reference_row_here(s, at, all, x);
    noe_fractional_step_leave(g);
    return at ? NOE_OK : NOE_NOT_CONVERGED;
}

noe_status noe_reference_row_next(const noe_study *s, noe_integrator *g, int steps, quad t,
                                  bool all, quad *x)
{
    if (noe_system_monitored(g->system)) return monitored_row(s, g, t, all, x);
    noe_status status = NOE_OK;
    for (int i = 0; i < steps && !status; i++) status = noe_step(g);
    if (!status) noe_reference_row_here(s, g, all, x);
    return status;
}
