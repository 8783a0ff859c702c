/* A fit as a table: value, error, interval and correlations of each number that is estimated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { OWN = 4 }; /* columns before the correlations */

/* The rows; NULL: no memory. */
static noe_table *tabulate(const noe_fit *s)
{
    const int    u = s->unknowns;
    const char **column = noe_arena_take(s->arena, (size_t)(OWN + u) * sizeof *column);
    double      *row = noe_arena_take(s->arena, (size_t)(OWN + u) * sizeof *row);
    if (!column || !row) return NULL;
    column[0] = "value", column[1] = "error", column[2] = "low", column[3] = "high";
    memcpy(column + OWN, s->name, (size_t)u * sizeof *column);
    noe_table *t = noe_table_new(OWN + u, column);
    for (int i = 0; t && i < u; i++) {
        row[0] = s->x[i], row[1] = s->error[i];
        row[2] = s->x[i] - s->quantile * s->error[i];
        row[3] = s->x[i] + s->quantile * s->error[i];
        memcpy(row + OWN, s->correlation + i * u, (size_t)u * sizeof *row);
        if (!noe_table_add_labelled(t, row, s->name[i])) continue;
        noe_table_free(t);
        t = NULL;
    }
    return t;
}

noe_table *noe_estimate(const noe_system *s, const noe_method *f, double step,
                        const noe_measured *to)
{
    if (!s || !f || !to) return NULL;
    if (!to->vary || !to->data || to->files < 1) {
        noe_status_fail(NOE_INVALID, "a fit needs files of data and what to vary");
        return NULL;
    }
    noe_fit_job j = { .data = to->data,
                      .datas = to->files,
                      .vary = to->vary,
                      .columns = to->columns,
                      .weights = to->weights,
                      .starts = to->starts,
                      .seed = to->seed,
                      .segments = to->segments,
                      .quiet = 1,
                      .system = s,
                      .scheme = f,
                      .h = step };
    noe_fit     x;
    noe_table  *t = noe_fit_setup_make(&x, &j) && noe_fit_setup_solve(&x) ? tabulate(&x) : NULL;
    if (t && *x.undetermined) noe_status_fail(NOE_INVALID, "%s", x.undetermined);
    noe_fit_setup_drop(&x);
    return t;
}
