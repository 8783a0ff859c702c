/* Energies and velocities of rows, computed when they are read: eight states at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By the Legendre transform in lanes that rows/row_buffer.c makes during a run: the same bits. */
#include "rows/late_energies.h"

#include "base/status.h"
#include "rows/row_buffer.h"
#include "rows/state_columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = NOE_ROW_BUFFER_MOST };

bool noe_late_energies_possible(const noe_integrator *g)
{
    return g->energy && g->digits <= NOE_DIGITS_DOUBLE && noe_row_buffer_applies(g);
}

noe_columns *noe_late_energies_columns(const noe_system *s)
{
    static const char *const part[] = { ",%s", ",p(%s)" };
    char                    *list = noe_state_columns_name(s, "t", part, 2, "");
    if (!list) return NULL;
    noe_columns *x = noe_column_list_parse(s, list);
    free(list);
    return x;
}

static size_t numbers_of(const noe_system *s) { return 2 + 4 * (size_t)s->dyn.n; }

noe_status noe_late_energies_reserve(noe_late_rows *r, const noe_system *s, size_t rows)
{
    const size_t row = numbers_of(s) * sizeof *r->x;
    if (rows <= r->capacity) return NOE_OK;
    double *x = rows > SIZE_MAX / row ? NULL : realloc(r->x, rows * row);
    if (!x) return noe_status_fail(NOE_NO_MEMORY, "no memory for %zu rows", rows);
    r->x = x;
    r->capacity = rows;
    return NOE_OK;
}

/* The place of the next row; NULL: no memory. */
static double *next_row(noe_late_rows *r, const noe_system *s)
{
    if (r->rows == r->capacity && noe_late_energies_reserve(r, s, 2 * r->capacity + 16))
        return NULL;
    return r->x + r->rows * numbers_of(s);
}

noe_status noe_late_energies_begin(noe_late_rows *r, noe_integrator *g)
{
    const size_t n = (size_t)g->system->dyn.n, bytes = n * sizeof(double);
    double      *row = next_row(r, g->system);
    if (!row) return NOE_NO_MEMORY;
    row[0] = row[1] = noe_time(g);
    memcpy(row + 2, noe_q(g), bytes), memcpy(row + 2 + n, noe_p(g), bytes);
    memset(row + 2 + 2 * n, 0, bytes);
    memcpy(row + 2 + 3 * n, noe_v(g), bytes);
    r->first[0] = noe_get(g, "energy");
    memcpy(r->first + 1, noe_v(g), bytes);
    r->rows++;
    return NOE_OK;
}

noe_status noe_late_energies_add(noe_late_rows *r, noe_integrator *g, bool *possible)
{
    double *row = next_row(r, g->system);
    if (!row) return NOE_NO_MEMORY;
    *possible = g->engine->batch->describe(g->work, row);
    r->rows += *possible;
    return NOE_OK;
}

noe_status noe_late_energies_compute(const noe_integrator *g, const double *x, size_t rows,
                                     double *const *out)
{
    const noe_engine *engine = noe_engine_lanes();
    const size_t      numbers = numbers_of(g->system), values = 1 + (size_t)g->system->dyn.n;
    noe_method       *f = noe_method_parse(g->method);
    void             *work = f ? engine->make(&g->stepped, f) : NULL;
    double           *state = noe_status_alloc(MEMBERS * (numbers + values), sizeof *state);
    double           *value = state + MEMBERS * numbers;
    for (size_t i = 0; work && state && i < rows; i += MEMBERS) {
        const size_t count = rows - i < MEMBERS ? rows - i : MEMBERS;
        for (size_t m = 0; m < MEMBERS; m++) /* copies of the first add no iterations */
            memcpy(state + m * numbers, x + (i + (m < count ? m : 0)) * numbers,
                   numbers * sizeof *x);
        engine->batch->energies(work, state, value);
        for (size_t m = 0; m < count; m++)
            for (size_t k = 0; k < values; k++) out[k][i + m] = value[m * values + k];
    }
    const noe_status s = work && state ? NOE_OK : NOE_NO_MEMORY;
    if (work) engine->drop(work);
    noe_method_free(f);
    free(state);
    return s;
}
