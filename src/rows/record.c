/* Records a run as a table: the first state, every k-th step, and the last state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "rows/column_list.h"
#include "rows/recorder.h"

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
    if (noe_system_monitored(s)) head.last = until; /* its last step ends there or before */
    else head.last += (quad)steps * head.step;
    const noe_status status = noe_table_head(t, &head);
    free(changes);
    return status;
}

static noe_status add(void *table, const double *row, double energy)
{
    (void)energy;
    return noe_table_add(table, row);
}

/* Makes `most` steps and adds a row; after a failure the last good state is a row, too. */
static noe_status advance(noe_recorder *r, noe_integrator *g, double most, double *done)
{
    noe_status s = noe_recorder_ready(r);
    if (s) return s;
    const noe_status ended = noe_advance_steps(g, most, done);
    if (*done > 0) s = noe_recorder_row(r, *done);
    if (!s && ended) s = noe_recorder_flush(r);
    return s ? s : ended;
}

static noe_status record(noe_recorder *r, noe_integrator *g, double steps, double every)
{
    noe_status s = noe_recorder_read(r);
    for (double k = 0, done = 0; k < steps && !s; k += done)
        s = advance(r, g, fmin(every, steps - k), &done);
    return s ? s : noe_recorder_flush(r);
}

/* The same with steps that follow a monitor, whose last ends at `until` or before. */
static noe_status record_monitored(noe_recorder *r, noe_integrator *g, double until, int every)
{
    bool       arrived = false;
    double     took = 0;
    noe_status s = noe_recorder_read(r);
    for (double done = 0; !s && !arrived;) {
        if ((s = noe_recorder_ready(r))) return s;
        noe_status ended = NOE_OK;
        for (done = 0; !ended && !arrived && done < every;) {
            ended = noe_advance_monitored_far(g, until, &arrived, &took);
            if (!ended && !arrived) done++;
        }
        if (done > 0) s = noe_recorder_row(r, done);
        if (!s && ended) s = noe_recorder_flush(r);
        if (!s) s = ended;
    }
    return s ? s : noe_recorder_flush(r);
}

noe_table *noe_record(noe_integrator *g, double until, int every, const char *columns)
{
    double steps = 0;
    bool   whole;
    if (!g) return NULL;
    const bool varies = noe_system_monitored(g->system);
    if (every < 1) {
        noe_status_fail(NOE_INVALID, "every %d-th row: expected 1 or more", every);
        return NULL;
    }
    if (noe_integrator_start_ready(g)) return NULL;
    if (varies ? noe_advance_check_end(g, until, "until")
               : noe_advance_count_steps(g, until, "until", &steps, &whole))
        return NULL;
    noe_columns *x = noe_column_list_parse(g->system, columns);
    if (x && noe_exact_column_ready(g, x)) {
        free(x);
        return NULL;
    }
    noe_table    *t = x ? noe_table_new(x->count, x->name) : NULL;
    const bool    many = steps / every >= NOE_RECORDER_MANY;
    noe_recorder *r = t ? noe_recorder_new(g, x, many, add, t) : NULL;
    noe_status    s = r ? describe(t, g, until, steps) : NOE_NO_MEMORY;
    if (!s) s = varies ? record_monitored(r, g, until, every) : record(r, g, steps, every);
    if (s && noe_table_rows(t)) noe_table_ended(t, noe_error());
    noe_recorder_free(r);
    free(x);
    if (noe_table_rows(t)) return t;
    noe_table_free(t);
    return NULL;
}
