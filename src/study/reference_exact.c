/* The reference solution y(t_k) in closed form, for models that name one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/reference_build.h"

#include "base/optional_library.h"

#include <stdio.h>

#ifdef NOE_ARB
enum { MORE_DIGITS = 8 };

bool noe_reference_exact_exists(const noe_system *s)
{
    return s->model->exact && noe_optional_library_has(NOE_OF_FLINT);
}

/* Does the quantity have a closed form? */
static bool closed(const noe_quantity *u)
{
    const noe_engine_value at = u->column.at;
    if (u->what != NOE_OF_COLUMN || u->column.kind == NOE_COL_OBSERVABLE) return true;
    if (u->column.kind == NOE_COL_AT && !u->column.by
        && (at == NOE_AT_Q || at == NOE_AT_V || at == NOE_AT_P || at == NOE_AT_ENERGY))
        return true;
    return noe_status_fail(NOE_INVALID, "'%.60s' has no exact value: take the reference 33",
                           u->name),
           false;
}

static bool exact_row(const noe_study *s, noe_exact_solution *exact, noe_wide *t, noe_wide *value,
                      quad *x)
{
    for (int i = 0; i < s->quantities; i++) {
        const noe_quantity *u = &s->quantity[i];
        const noe_column   *column = &u->column;
        if (!u->constant && !closed(u)) return false;
        for (int c = 0; c < u->count && !u->constant; c++) {
            const bool named = u->what == NOE_OF_COLUMN,
                       seen = named && column->kind == NOE_COL_OBSERVABLE;
            const int what = seen                ? NOE_AT_OBSERVABLE
                           : named               ? (int)column->at
                           : u->what == NOE_OF_Q ? NOE_AT_Q
                                                 : NOE_AT_P;
            if (!noe_exact_solution_get(exact, t, what, named ? column->index : c, value))
                return false;
            if (!finiteq(x[u->first + c] = noe_wide_get(value)))
                return noe_status_fail(NOE_NOT_FINITE, "the exact %.60s is not finite", u->name),
                       false;
        }
    }
    return true;
}

/* Fills the rows of a grid from share/NOE_SHARES of the grid to the next share.  Each share
 * evaluates the solution with an object of its own. */
void noe_reference_exact_fill(const noe_reference_builder *b, noe_reference_rows *grid, int share)
{
    const noe_study    *s = b->s;
    noe_exact_solution *exact = noe_exact_solution_new(
        grid->system->model, (s->digits > NOE_DIGITS_QUAD ? 64 : NOE_DIGITS_QUAD) + MORE_DIGITS,
        NULL);
    noe_wide  *t = noe_wide_new(), *value = noe_wide_new();
    bool       ok = exact && t && value;
    const long end = (share + 1) * grid->rows / NOE_SHARES;
    for (long k = share * grid->rows / NOE_SHARES;
         k < end && ok && !noe_task_pool_interrupted(b->progress); k++) {
        noe_wide_set(t, s->system->model->t0 + grid->H * k);
        ok = exact_row(s, exact, t, value, grid->x + (size_t)k * (size_t)s->components);
        noe_task_pool_progress_add(b->progress, 1);
    }
    if (!ok)
        snprintf(grid->why, NOE_REASON_MOST, "%s", noe_error() ? noe_error() : "out of memory"),
            grid->broken = true;
    noe_error_clear();
    noe_exact_solution_free(exact);
    noe_wide_free(t);
    noe_wide_free(value);
}
#else

bool noe_reference_exact_exists(const noe_system *s) { return (void)s, false; }

void noe_reference_exact_fill(const noe_reference_builder *b, noe_reference_rows *grid,
                              /* not called: noe_reference_choose offers no exact reference then */
                              int share)
{
    (void)b, (void)share;
    snprintf(grid->why, NOE_REASON_MOST, "built without FLINT/Arb"), grid->broken = true;
}
#endif
