/* Rows whose energies and velocities are still to be computed, of eight states at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a state needs is copied after its step, 1 + 4 n numbers; the Legendre transform, which takes
 * two evaluations of the Lagrangian and its second derivatives, is made of eight of them in lanes.
 * A lane has the bits that the engine of one trajectory gives. */
#include "rows/row_buffer.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 8, COORDINATES_MOST = 64 };

struct noe_row_buffer {
    const noe_columns *columns;
    const noe_engine  *core; /* the engine of eight trajectories */
    void              *work;
    int                n, count;
    double *state, *value; /* [MEMBERS][1 + 4 n]; energies and velocities [MEMBERS][1 + n] */
    double *row;           /* [MEMBERS][columns] */
    quad   *v;             /* [n] */
};

static bool suits(const noe_integrator *g, const noe_columns *c)
{
    if (g->core != noe_engine_double() || noe_engine_lanes()->members != MEMBERS || g->events
        || g->dof || g->borrows_work || g->system->dyn.n > COORDINATES_MOST)
        return false;
    for (int i = 0; i < c->count; i++) {
        const noe_column *x = &c->column[i];
        if (x->kind != NOE_COL_AT || x->exact
            || (x->at != NOE_AT_T && x->at != NOE_AT_Q && x->at != NOE_AT_V && x->at != NOE_AT_P
                && x->at != NOE_AT_ENERGY))
            return false;
    }
    return true;
}

noe_row_buffer *noe_row_buffer_new(noe_integrator *g, const noe_columns *c)
{
    if (!suits(g, c)) return NULL;
    const size_t    n = (size_t)g->system->dyn.n, columns = (size_t)c->count;
    noe_method     *f = noe_method_parse(g->method);
    noe_row_buffer *x = calloc(1, sizeof *x);
    if (x && f) {
        *x = (noe_row_buffer){ .columns = c, .core = noe_engine_lanes(), .n = (int)n };
        x->state = calloc(MEMBERS * (2 + 5 * n + columns), sizeof *x->state);
        x->v = calloc(n, sizeof *x->v);
        x->work = x->core->make(&g->as, f);
        x->value = x->state + MEMBERS * (1 + 4 * n), x->row = x->value + MEMBERS * (1 + n);
    }
    noe_method_free(f);
    if (x && x->state && x->v && x->work) return x;
    noe_row_buffer_free(x);
    noe_error_clear(); /* without memory rows are read one by one */
    return NULL;
}

void noe_row_buffer_free(noe_row_buffer *x)
{
    if (!x) return;
    if (x->work) x->core->drop(x->work);
    free(x->state), free(x->v), free(x);
}

bool noe_row_buffer_full(const noe_row_buffer *x) { return x->count == MEMBERS; }

int noe_row_buffer_count(const noe_row_buffer *x) { return x->count; }

bool noe_row_buffer_take(noe_row_buffer *x, noe_integrator *g)
{
    const int n = x->n;
    double   *z = x->state + x->count * (1 + 4 * n), *row = x->row + x->count * x->columns->count;
    if (!g->core->batch->describe(g->work, z)) return false;
    for (int i = 0; i < x->columns->count; i++) {
        const noe_column *c = &x->columns->column[i];
        if (c->at == NOE_AT_T) row[i] = noe_time(g);
        else if (c->at == NOE_AT_Q) row[i] = z[1 + c->index];
        else if (c->at == NOE_AT_P) row[i] = z[1 + n + c->index];
    }
    x->count++;
    return true;
}

int noe_row_buffer_compute(noe_row_buffer *x, noe_integrator *g, const double **rows)
{
    const int n = x->n, count = x->count, columns = x->columns->count;
    int       good = 0;
    *rows = x->row, x->count = 0;
    if (!count) return 0;
    for (int k = count; k < MEMBERS; k++) /* a copy adds no iterations */
        memcpy(x->state + k * (1 + 4 * n), x->state, (size_t)(1 + 4 * n) * sizeof *x->state);
    x->core->batch->energies(x->work, x->state, x->value);
    for (int k = 0; k < count; k++) {
        const double *value = x->value + k * (1 + n);
        for (int i = 0; i < columns; i++) {
            const noe_column *c = &x->columns->column[i];
            if (c->at == NOE_AT_ENERGY) x->row[k * columns + i] = value[0];
            if (c->at == NOE_AT_V) x->row[k * columns + i] = value[1 + c->index];
        }
        if (good == k && isfinite(value[0])) good++;
    }
    /* As after a state that was read: the velocities of the last row. */
    for (int j = 0; j < n; j++) x->v[j] = x->value[(count - 1) * (1 + n) + 1 + j];
    if (good == count) g->core->set(g->work, NOE_AT_V, 0, x->v);
    return good;
}
