/* Events of a run for the command: found by name, told in the summary, left out of emitted code.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/event_report.h"
#include "job/verbs.h"

#include "base/nearest_word.h"
#include "base/status.h"

#include <string.h>

int noe_event_report_find(const noe_system *s, const char *option, const char *name)
{
    const noe_model *m = s->model;
    noe_nearest_word near = noe_nearest_word_to(name, strlen(name));
    for (int k = 0; k < m->events; k++) {
        if (!strcmp(m->event[k].name, name)) return k;
        noe_nearest_word_try(&near, m->event[k].name);
    }
    if (!m->events)
        noe_status_fail(NOE_INVALID,
                        "%s %.60s: the model has no events; write 'event %.60s: EXPR = EXPR' in it",
                        option, name, name);
    else if (near.best)
        noe_status_fail(NOE_INVALID, "%s %.60s: no event has this name; did you mean '%.60s'?",
                        option, name, near.best);
    else
        noe_status_fail(NOE_INVALID, "%s %.60s: no event has this name; the first is '%.60s'",
                        option, name, m->event[0].name);
    return -1;
}

void noe_event_report_left_out(const noe_system *s, FILE *to)
{
    for (int k = 0; s && s->model && k < s->model->events; k++)
        fprintf(to, "noether: the event '%.60s' is not part of the emitted C\n",
                s->model->event[k].name);
}

void noe_event_report_print(const noe_integrator *g, FILE *to)
{
    const noe_event_state *x = g->events;
    for (int k = 0; x && k < x->tapes->count; k++) {
        const noe_event_tally *y = &x->tally[k];
        const char            *name = x->model->event[k].name;
        if (y->count == 0) fprintf(to, "  event %s: never\n", name);
        else if (y->count == 1)
            fprintf(to, "  event %s: once, at t = %.15g\n", name, (double)y->first);
        else
            fprintf(to, "  event %s: %.0f times, first at t = %.15g, last at t = %.15g\n", name,
                    y->count, (double)y->first, (double)y->last);
    }
    if (x && x->stopped >= 0)
        fprintf(to, "  stopped by the event %s\n", x->model->event[x->stopped].name);
}
