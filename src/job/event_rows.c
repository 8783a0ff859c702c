/* The second table of the results of a run: event, t, positions and momenta at every event.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/event_rows.h"

#include "rows/state_columns.h"

#include <stdio.h>
#include <string.h>

bool noe_event_rows_make(noe_event_rows *x, const noe_system *s, noe_head *h)
{
    const noe_model *m = s->model;
    *x = (noe_event_rows){ 0 };
    if (!m || !m->events) return true;
    const int n = s->dyn.n <= NOE_USUAL_COORDINATES_MOST ? s->dyn.n : 0, columns = 2 + 2 * n;
    if (!(x->memory = noe_arena_new())) return false;
    x->column = noe_arena_take(x->memory, (size_t)columns * sizeof *x->column);
    x->event = noe_arena_take(x->memory, (size_t)m->events * sizeof *x->event);
    x->what = noe_arena_take(x->memory, (size_t)columns * sizeof *x->what);
    x->row = noe_arena_take(x->memory, (size_t)columns * sizeof *x->row);
    if (!x->column || !x->event || !x->what || !x->row) return false;
    for (int k = 0; k < m->events; k++) x->event[k] = m->event[k].name;
    x->column[0] = "event", x->column[1] = "t";
    for (int i = 0; i < n; i++) {
        const char *name = noe_system_name(s, i);
        char       *momentum = noe_arena_take(x->memory, strlen(name) + 4);
        if (!momentum || !(x->column[2 + i] = noe_arena_copy(x->memory, name, strlen(name))))
            return false;
        sprintf(momentum, "p(%s)", name);
        x->column[2 + n + i] = momentum;
    }
    for (int i = 1; i < columns; i++)
        if (!noe_column_name_find(s, x->column[i], &x->what[i]))
            return noe_column_name_refuse(s, x->column[i]), false;
    x->columns = columns;
    h->event_columns = columns, h->event_column = x->column;
    h->events = m->events, h->event = x->event;
    return true;
}

void noe_event_rows_drop(noe_event_rows *x)
{
    if (x->memory) noe_arena_free(x->memory);
}

noe_status noe_event_rows_put(noe_event_rows *x, noe_sink *sink, noe_integrator *at, int k)
{
    if (!x->columns) return NOE_OK;
    x->row[0] = k + 1;
    for (int i = 1; i < x->columns; i++) x->row[i] = noe_column_value(at, &x->what[i]);
    return sink ? noe_sink_event(sink, x->row) : NOE_OK;
}
