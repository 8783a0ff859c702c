/* Momenta of symmetries as observables of a system: columns of a run, lines of its summary.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/momentum_columns.h"

#include "base/status.h"
#include "integrate/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of coordinates for a search of symmetries before a run: 3 ms, and 2 ms to load
 * LAPACK. */
enum { SEARCHED_MOST = 12 };

/* Does the list of columns contain the beginning of a name of a momentum found by the search? */
static bool asks_for_one(const char *columns)
{
    for (int i = 0; i < NOE_MOMENTUM_STEMS && columns; i++)
        if (strstr(columns, noe_column_name_stem[i])) return true;
    return false;
}

/* Would the momenta that a search finds be shown nowhere?  So for members of an ensemble, which
 * have no summary, and for a quiet run with given columns. */
static bool unseen(const noe_job *j)
{
    return j->ensemble || j->sweep || j->scatter || (j->quiet && j->columns);
}

bool noe_momentum_columns_searched(const noe_job *j, const noe_system *s)
{
    const bool named = asks_for_one(j->columns) || asks_for_one(j->plot_columns),
               many = s->dyn.n > SEARCHED_MOST;
    return s->model && ((!many && !unseen(j)) || named);
}

noe_symmetries *noe_momentum_columns_find(const noe_system *s, bool search)
{
    noe_symmetries *found = search   ? noe_symmetry_find(s)
                          : s->model ? noe_symmetry_declared(s)
                                     : NULL;
    if (!found) noe_error_clear(); /* a singular start gets its message later */
    return found;
}

noe_system *noe_momentum_columns_add(const noe_system *s, const noe_symmetries *found)
{
    size_t capacity = 1;
    for (int i = 0; i < found->count; i++) capacity += strlen(found->found[i].momentum) + 96;
    char *lines = noe_status_alloc(capacity, 1), *at = lines;
    for (int i = 0; lines && i < found->count; i++) {
        const noe_symmetry *y = &found->found[i];
        char                name[NOE_MOMENTUM_NAME];
        noe_column_name_of_momentum(y->name, name);
        if (y->kind != NOE_ENERGY && !noe_model_find(s->model, name, strlen(name)))
            at += sprintf(at, "observe %s = %s\n", name, y->momentum);
    }
    noe_system *more = at > lines ? noe_system_observing(s, lines) : NULL;
    free(lines);
    noe_error_clear(); /* a momentum too long for a line is left out */
    return more;
}
