/* rows of a run: every k-th step, the first and the last.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "run/integrator.h"

#include <stdlib.h>

static noe_status add(noe_table *t, noe_integrator *g, const noe_columns *x, double *row)
{
    for (int i = 0; i < x->count; i++) row[i] = (double)noe_column_value(g, &x->column[i]);
    return noe_table_add(t, row);
}

noe_table *noe_record(noe_integrator *g, double until, int every, const char *columns)
{
    if (!g) return NULL;
    if (every < 1) {
        noe_fail(NOE_INVALID, "every %d-th row: expected 1 or more", every);
        return NULL;
    }
    noe_columns *x = noe_columns_parse(g->system, columns);
    noe_table   *t = x ? noe_table_new(x->count, x->name) : NULL;
    double      *row = x ? noe_alloc((size_t)x->count, sizeof *row) : NULL;
    bool         whole;
    if (t && row && !noe_integrator_ready(g)) {
        const double steps = noe_integrator_steps(g, until, &whole);
        if (!(steps >= 0)) noe_fail(NOE_INVALID, "cannot run until t = %g: it lies behind the present time", until);
        noe_status s = add(t, g, x, row);
        for (double k = 1; k <= steps && !s; k++) {
            s = noe_step(g);
            if (!s && ((long)k % every == 0 || k == steps)) s = add(t, g, x, row);
        }
    }
    free(row);
    free(x);
    return t;
}
