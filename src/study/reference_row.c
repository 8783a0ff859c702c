/* The numbers that a study compares, at the present state of an integrator.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/reference.h"

void noe_reference_row(const noe_study *s, noe_integrator *g, bool all, quad *x)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        if (!all && u->constant) continue;
        if (u->what == NOE_OF_COLUMN) x[u->first] = noe_column_value(g, &u->column);
        else noe_integrator_state_get(g, u->what == NOE_OF_Q ? NOE_AT_Q : NOE_AT_P, x + u->first);
    }
}
