/* Results in memory: the rows of a sink as a table, its events as a second one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_format.h"

#include <stdlib.h>

typedef struct {
    noe_results *to;
    double      *row; /* [columns], or [event_columns] where these are more */
} memory;

static noe_status open_memory(noe_sink *s, const noe_head *h)
{
    memory *m = noe_status_alloc(1, sizeof *m);
    if (!m) return NOE_NO_MEMORY;
    s->own = m;
    m->to = s->memory;
    const int most = h->columns > h->event_columns ? h->columns : h->event_columns;
    m->row = noe_status_alloc((size_t)most, sizeof *m->row);
    m->to->rows = m->row ? noe_table_new(h->columns, h->name) : NULL;
    if (m->to->rows && h->event_columns
        && !(m->to->events = noe_table_new(h->event_columns, h->event_column)))
        return NOE_NO_MEMORY;
    return m->to->rows ? noe_table_head(m->to->rows, h) : NOE_NO_MEMORY;
}

static noe_status add(const memory *m, noe_table *to, const quad *x, int count)
{
    for (int j = 0; j < count; j++) m->row[j] = (double)x[j];
    return noe_table_add(to, m->row);
}

static noe_status row(noe_sink *s, const quad *x)
{
    const memory *m = s->own;
    return add(m, m->to->rows, x, s->columns);
}

static noe_status row_double(noe_sink *s, const double *x)
{
    const memory *m = s->own;
    return noe_table_add(m->to->rows, x);
}

static noe_status event(noe_sink *s, const quad *x)
{
    const memory *m = s->own;
    return add(m, m->to->events, x, s->event_columns);
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    const memory *m = s->own;
    (void)state, (void)bytes;
    return s->ended ? noe_table_ended(m->to->rows, s->ended) : NOE_OK;
}

static void close_memory(noe_sink *s)
{
    memory *m = s->own;
    if (m) free(m->row);
    free(m);
}

const noe_format noe_memory_format = {
    "", open_memory, row, finish, close_memory, event, row_double, NULL, false,
};
