/* Rows whose energies and velocities are still to be computed, of eight states at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a state needs is copied after its step, 2 + 4 n numbers; the Legendre transform, which takes
 * two evaluations of the Lagrangian and its second derivatives, is made of eight of them in lanes.
 * A lane has the bits that the engine of one trajectory gives. */
#include "rows/row_buffer.h"

#include "base/status.h"
#include "rows/state_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = NOE_ROW_BUFFER_MOST };

struct noe_row_buffer {
    const noe_engine *engine;             /* the engine of eight trajectories */
    void             *work;               /* an instance of it */
    int               n, columns, count;  /* coordinates; columns of a row; rows at present */
    int               of_state, of_value; /* numbers of a state, 2 + 4 n, and of a value, 1 + n */
    double           *state;              /* [MEMBERS][of_state] */
    double           *value;              /* [MEMBERS][of_value] energies and velocities */
    double           *row;                /* [MEMBERS][columns] the rows that go on */
    int              *place; /* [columns] of a column in a state; -1 - k: in a value, at k */
    quad             *v;     /* [n] velocities at the last one */
};

bool noe_row_buffer_applies(const noe_integrator *g)
{
    return g->engine == noe_engine_double() && noe_engine_lanes()->members == MEMBERS && !g->events
        && !g->dof && !g->borrows_work && g->system->dyn.n <= NOE_USUAL_COORDINATES_MOST;
}

static bool can_record(const noe_integrator *g, const noe_columns *c)
{
    if (!noe_row_buffer_applies(g)) return false;
    for (int i = 0; i < c->count; i++) {
        const noe_column *x = &c->column[i];
        if (x->kind != NOE_COL_AT || x->exact || x->by
            || (x->at != NOE_AT_T && x->at != NOE_AT_Q && x->at != NOE_AT_V && x->at != NOE_AT_P
                && x->at != NOE_AT_ENERGY))
            return false;
    }
    return true;
}

static int place(const noe_column *c, int n)
{
    return c->at == NOE_AT_T      ? 0
         : c->at == NOE_AT_Q      ? 2 + c->index
         : c->at == NOE_AT_P      ? 2 + n + c->index
         : c->at == NOE_AT_ENERGY ? -1
                                  : -2 - c->index;
}

noe_row_buffer *noe_row_buffer_new(noe_integrator *g, const noe_columns *c)
{
    if (!can_record(g, c)) return NULL;
    const int       n = g->system->dyn.n, numbers = 2 + 4 * n + 1 + n + c->count;
    noe_method     *f = noe_method_parse(g->method);
    noe_row_buffer *x = calloc(1, sizeof *x);
    if (x && f) {
        *x = (noe_row_buffer){ .engine = noe_engine_lanes(),
                               .n = n,
                               .columns = c->count,
                               .of_state = 2 + 4 * n,
                               .of_value = 1 + n };
        x->state = calloc(MEMBERS * (size_t)numbers, sizeof *x->state);
        x->place = calloc((size_t)c->count, sizeof *x->place);
        x->v = calloc((size_t)n, sizeof *x->v);
        x->work = x->engine->make(&g->stepped, f);
        x->value = x->state + MEMBERS * x->of_state, x->row = x->value + MEMBERS * x->of_value;
        for (int i = 0; x->place && i < c->count; i++) x->place[i] = place(&c->column[i], n);
    }
    noe_method_free(f);
    if (x && x->state && x->place && x->v && x->work) return x;
    noe_row_buffer_free(x);
    noe_error_clear(); /* without memory rows are read one by one */
    return NULL;
}

void noe_row_buffer_free(noe_row_buffer *x)
{
    if (!x) return;
    if (x->work) x->engine->drop(x->work);
    free(x->state), free(x->place), free(x->v), free(x);
}

bool noe_row_buffer_full(const noe_row_buffer *x) { return x->count == MEMBERS; }

int noe_row_buffer_count(const noe_row_buffer *x) { return x->count; }

bool noe_row_buffer_take(noe_row_buffer *x, noe_integrator *g)
{
    if (!g->engine->batch->describe(g->work, x->state + x->count * x->of_state)) return false;
    x->count++;
    return true;
}

int noe_row_buffer_compute(noe_row_buffer *x, noe_integrator *g, const double **rows,
                           double energies[NOE_ROW_BUFFER_MOST])
{
    const int count = x->count, columns = x->columns;
    int       good = 0;
    *rows = x->row, x->count = 0;
    if (!count) return 0;
    for (int k = count; k < MEMBERS; k++) /* a copy adds no iterations */
        memcpy(x->state + k * x->of_state, x->state, (size_t)x->of_state * sizeof *x->state);
    x->engine->batch->energies(x->work, x->state, x->value);
    for (int k = 0; k < count; k++) {
        const double *state = x->state + k * x->of_state, *value = x->value + k * x->of_value;
        double       *row = x->row + k * columns;
        for (int i = 0; i < columns; i++)
            row[i] = x->place[i] < 0 ? value[-1 - x->place[i]] : state[x->place[i]];
        energies[k] = value[0];
        if (good == k && isfinite(value[0])) good++;
    }
    /* As after a state that was read: the velocities of the last row. */
    for (int j = 0; j < x->n; j++) x->v[j] = x->value[(count - 1) * x->of_value + 1 + j];
    if (good == count) g->engine->set(g->work, NOE_AT_V, 0, x->v);
    return good;
}
