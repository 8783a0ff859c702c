/* Energies and velocities of rows, computed when they are read: eight states at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By the Legendre transform in lanes that rows/row_buffer.c makes during a run: the same bits. */
#include "rows/late_energies.h"

#include "base/status.h"
#include "rows/row_buffer.h"

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
    static const char *const part[] = { "%s,", "p(%s),", "%s,", "%s'," };
    const int                n = s->dyn.n;
    size_t                   capacity = 16;
    for (int i = 0; i < n; i++) capacity += 4 * strlen(noe_system_name(s, i)) + 12;
    char *list = noe_status_alloc(capacity, 1), *at = list;
    if (!list) return NULL;
    at += sprintf(at, "t,t,");
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        for (int i = 0; i < n; i++) {
            const char *hole = strchr(part[k], '%');
            at += sprintf(at, "%.*s%s%s", (int)(hole - part[k]), part[k], noe_system_name(s, i),
                          hole + 2);
        }
    at[-1] = 0;
    noe_columns *x = noe_column_list_parse(s, list);
    free(list);
    return x;
}

bool noe_late_energies_row(noe_integrator *g, bool first, double *row)
{
    const size_t n = (size_t)g->system->dyn.n, bytes = n * sizeof *row;
    if (!first) return g->core->batch->describe(g->work, row);
    row[0] = row[1] = noe_time(g);
    memcpy(row + 2, noe_q(g), bytes), memcpy(row + 2 + n, noe_p(g), bytes);
    memset(row + 2 + 2 * n, 0, bytes);
    memcpy(row + 2 + 3 * n, noe_v(g), bytes);
    return true;
}

/* The rows from `first` on, up to eight of them; a copy of the first adds no iterations. */
static void gather(const double *const *column, size_t numbers, size_t first, size_t count,
                   double *state)
{
    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t k = 0; k < numbers; k++)
            state[i * numbers + k] = column[k][first + (i < count ? i : 0)];
}

noe_status noe_late_energies_compute(const noe_integrator *g, const double *const *column,
                                     size_t rows, double *const *out)
{
    const noe_engine *core = noe_engine_lanes();
    const size_t      n = (size_t)g->system->dyn.n, numbers = 2 + 4 * n, values = 1 + n;
    noe_method       *f = noe_method_parse(g->method);
    void             *work = f ? core->make(&g->as, f) : NULL;
    double           *state = noe_status_alloc(MEMBERS * (numbers + values), sizeof *state);
    double           *value = state + MEMBERS * numbers;
    for (size_t i = 0; work && state && i < rows; i += MEMBERS) {
        const size_t count = rows - i < MEMBERS ? rows - i : MEMBERS;
        gather(column, numbers, i, count, state);
        core->batch->energies(work, state, value);
        for (size_t m = 0; m < count; m++)
            for (size_t k = 0; k < values; k++) out[k][i + m] = value[m * values + k];
    }
    const noe_status s = work && state ? NOE_OK : NOE_NO_MEMORY;
    if (work) core->drop(work);
    noe_method_free(f);
    free(state);
    return s;
}
