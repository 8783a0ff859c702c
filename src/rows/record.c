/* Records a run as a table: the first state, every k-th step, and the last state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/table.h"
#include "rows/column_list.h"
#include "rows/row_buffer.h"

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

/* Rows from which on a buffer for them is worth its machine code, a millisecond. */
static const double BUFFERED_LEAST = 8192;

typedef struct {
    noe_integrator    *g;
    const noe_columns *columns;
    noe_table         *table;
    double            *row;    /* [columns] */
    noe_row_buffer    *buffer; /* NULL: rows are read one by one */
    double             at[8];  /* steps since the stored state, at the rows of the buffer, */
    double             last;   /* at the last row, */
    double             since;  /* and now */
    bool               silent; /* there was no message before */
} recording;

static noe_status add(recording *r)
{
    for (int i = 0; i < r->columns->count; i++)
        r->row[i] = noe_column_double(r->g, &r->columns->column[i]);
    return noe_table_add(r->table, r->row);
}

/* Back at the last row with a finite energy, so many steps behind the stored state.  What a later
 * step has said is not the cause. */
static noe_status go_back(recording *r, double steps)
{
    if (r->silent) noe_error_clear();
    return noe_checkpoint_go_back(r->g, steps);
}

/* Moves the rows of the buffer to the table, those before an energy that is not finite; the state
 * is then that of the last of them. */
static noe_status flush(recording *r)
{
    const double *row;
    const int     count = r->buffer ? noe_row_buffer_count(r->buffer) : 0,
              good = count ? noe_row_buffer_compute(r->buffer, r->g, &row) : 0;
    noe_status s = NOE_OK;
    for (int k = 0; k < good && !s; k++) s = noe_table_add(r->table, row + k * r->columns->count);
    if (good == count || s) return s;
    return go_back(r, good ? r->at[good - 1] : 0);
}

/* A row of the present state. */
static noe_status put(recording *r)
{
    if (r->buffer && r->g->checkpoint && noe_row_buffer_take(r->buffer, r->g)) {
        r->at[noe_row_buffer_count(r->buffer) - 1] = r->last = r->since;
        return noe_row_buffer_full(r->buffer) ? flush(r) : NOE_OK;
    }
    noe_status s = flush(r);
    quad       H;
    if (s) return s;
    noe_integrator_state_get(r->g, NOE_AT_ENERGY, &H);
    return finiteq(H) ? add(r) : go_back(r, r->last);
}

/* Makes `most` steps and adds a row; after a failure the last good state is a row, too. */
static noe_status advance(recording *r, double most, double *done)
{
    const bool stored = r->buffer && noe_row_buffer_count(r->buffer);
    noe_status s = stored ? NOE_OK : noe_checkpoint_take(r->g);
    if (s) return s;
    if (!stored) r->last = r->since = 0;
    const noe_status ended = noe_advance_steps(r->g, most, done);
    r->since += *done;
    if (*done > 0) s = put(r);
    if (!s && ended) s = flush(r);
    return s ? s : ended;
}

static noe_status record(recording *r, double steps, double every)
{
    r->silent = !noe_error();
    noe_status s = add(r);
    if (steps / every >= BUFFERED_LEAST) r->buffer = noe_row_buffer_new(r->g, r->columns);
    for (double k = 0, done = 0; k < steps && !s; k += done)
        s = advance(r, fmin(every, steps - k), &done);
    if (!s) s = flush(r);
    noe_row_buffer_free(r->buffer);
    return s;
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
    recording  r = { .g = g, .columns = x, .table = t, .row = row };
    noe_status s = t && row ? describe(t, g, until, steps) : NOE_NO_MEMORY;
    if (!s) s = record(&r, steps, every);
    if (s && noe_table_rows(t)) noe_table_ended(t, noe_error());
    free(row);
    free(x);
    if (noe_table_rows(t)) return t;
    noe_table_free(t);
    return NULL;
}
