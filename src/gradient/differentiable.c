/* Which motions have derivatives by parameters and starts; what has none is refused, in one line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "gradient/gradient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the model has that derivatives are not known for; NULL: nothing. */
static const char *obstacle(const noe_model *m, const noe_dynamics *d)
{
    if (d->groups) return "sums that are not written out (more than 64 coordinates)";
    for (int i = 0; i < m->events && d->constraints; i++)
        if (m->event[i].then) return "constraints and events that change the motion";
    for (int i = 0; i < m->events && m->monitor.given; i++)
        if (m->event[i].then)
            return "a monitor and events that change the motion: leave out the monitor, "
                   "'monitor=none' after the model";
    return NULL;
}

bool noe_differentiable_counts(const noe_model *m, const noe_by *by)
{
    if (!m->shaped || by->kind != NOE_BY_PARAMETER) return false;
    char        text[300];
    const char *change[m->changes + 1];
    const bool  clean = !noe_error();
    for (int i = 0; i < m->changes; i++) change[i] = m->change[i];
    snprintf(text, sizeof text, "%s = %.20g", by->name, (double)m->param[by->index] + 0.37);
    change[m->changes] = text;
    noe_model *between = noe_parse_model_text(m->name, m->text, m->length, change, m->changes + 1);
    noe_model_free(between);
    if (clean) noe_error_clear();
    return !between;
}

bool noe_differentiable_model(const noe_model *m, const noe_dynamics *d)
{
    const char *const why = obstacle(m, d);
    if (!why) return true;
    noe_status_fail(NOE_INVALID,
                    "%s: derivatives by parameters and starts are not known for models with %s",
                    m->name, why);
    return false;
}

bool noe_differentiable_by(const noe_model *m, const noe_by *by)
{
    if (!noe_differentiable_counts(m, by)) return true;
    noe_status_fail(NOE_INVALID,
                    "%s: '%.60s' is an index or a number of terms: no derivative by it", m->name,
                    by->name);
    return false;
}
