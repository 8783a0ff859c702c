/* Rows of states alone; observables o_k(t, q, v, p, H) in binary128, computed when they are read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/state_columns.h"

#include "base/status.h"
#include "step/engine_interface.h"
#include "tape/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool noe_state_columns_suffice(const noe_integrator *g)
{
    const noe_system *s = g->system;
    return g->engine == noe_engine_double() && !g->dof && g->digits <= NOE_DIGITS_DOUBLE
        && s->observe && s->usual > 0 && s->dyn.n <= NOE_USUAL_COORDINATES_MOST
        && !noe_system_monitored(s);
}

char *noe_state_columns_name(const noe_system *s, const char *begin, const char *const *part,
                             int parts, const char *end)
{
    const int n = s->dyn.n;
    size_t    capacity = strlen(begin) + strlen(end) + 1;
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < n; i++) capacity += strlen(part[k]) + strlen(noe_system_name(s, i));
    char *list = noe_status_alloc(capacity, 1), *at = list;
    if (!list) return NULL;
    at += sprintf(at, "%s", begin);
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < n; i++) {
            const char *hole = strchr(part[k], '%');
            at += sprintf(at, "%.*s%s%s", (int)(hole - part[k]), part[k], noe_system_name(s, i),
                          hole + 2);
        }
    sprintf(at, "%s", end);
    return list;
}

char *noe_state_columns_list(const noe_system *s)
{
    static const char *const part[] = { "%s,", "%s',", "p(%s)," };
    return noe_state_columns_name(s, "t,", part, 3, "energy");
}

noe_status noe_state_columns_observe(const noe_system *s, const double *const *column, size_t rows,
                                     double *const *out)
{
    const size_t inputs = (size_t)noe_tape_inputs(s->dyn.n), slots = (size_t)s->observe->slots;
    quad *input = noe_status_alloc(inputs + slots + (size_t)s->model->observables, sizeof *input),
         *slot = input + inputs, *seen = slot + slots;
    if (!input) return NOE_NO_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < inputs; k++) input[k] = column[k][i];
        noe_tape_quad_run(s->observe, input, slot, seen);
        for (int k = 0; k < s->usual; k++) out[k][i] = (double)seen[k];
    }
    free(input);
    return NOE_OK;
}
