/* Records a run as a table: the first state, every k-th step, and the last state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "rows/column_list.h"

#include <math.h>
#include <stdlib.h>

/* Fills the head of the table, which output files repeat. */
static noe_status describe(noe_table *t, noe_integrator *g, double until, double steps)
{
    const noe_system *s = g->system;
    char             *changes = noe_system_changes(s);
    if (!changes) return NOE_NO_MEMORY;
    noe_head head = { .model = s->model ? s->model->text : NULL,
                      .source = s->source,
                      .changes = changes,
                      .inputs = s->model ? s->model->inputs : NULL,
                      .method = g->method,
                      .system = s->source };
    noe_integrator_state_get(g, NOE_AT_STEP, &head.step);
    noe_integrator_state_get(g, NOE_AT_T0, &head.t0);
    noe_integrator_state_get(g, NOE_AT_T, &head.last);
    head.until = until;
    head.last += (quad)steps * head.step;
    const noe_status status = noe_table_head(t, &head);
    free(changes);
    return status;
}

static noe_status add(noe_table *t, noe_integrator *g, const noe_columns *x, double *row)
{
    for (int i = 0; i < x->count; i++) row[i] = noe_column_double(g, &x->column[i]);
    return noe_table_add(t, row);
}

noe_table *noe_record(noe_integrator *g, double until, int every, const char *columns)
{
    double steps;
    bool   whole;
    if (!g) return NULL;
    if (every < 1) {
        noe_status_fail(NOE_INVALID, "every %d-th row: expected 1 or more", every);
        return NULL;
    }
    if (noe_integrator_start_ready(g) || noe_advance_count_steps(g, until, "until", &steps, &whole))
        return NULL;
    noe_columns *x = noe_column_list_parse(g->system, columns);
    if (x && noe_exact_column_ready(g, x)) {
        free(x);
        return NULL;
    }
    noe_table *t = x ? noe_table_new(x->count, x->name) : NULL;
    double    *row = x ? noe_status_alloc((size_t)x->count, sizeof *row) : NULL;
    noe_status s = t && row ? describe(t, g, until, steps) : NOE_NO_MEMORY;
    if (!s) s = add(t, g, x, row);
    for (double k = 0, done = 0; k < steps && !s; k += done) {
        s = noe_checkpoint_take(g);
        const noe_status ended = s ? s : noe_advance_steps(g, fmin(every, steps - k), &done);
        s = !s && done > 0 ? noe_checkpoint_check_energy(g)
                           : NOE_OK; /* after a failure the last good state is a row, too */
        if (done > 0 && !s) s = add(t, g, x, row);
        if (!s) s = ended;
    }
    if (s && noe_table_rows(t)) noe_table_ended(t, noe_error());
    free(row);
    free(x);
    if (noe_table_rows(t)) return t;
    noe_table_free(t);
    return NULL;
}
