/* The events of a run as they happen: what the tests of events share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EVENT_RECORD_H
#define EVENT_RECORD_H

#include "event/event_step.h"
#include "laws.h"

/* Events as they happen. */
typedef struct {
    int    count, event[4096];
    double t[4096], q[4096][4], p[4096][4];
    quad   exact[4096];
} record;

static UNUSED int remember(void *ctx, noe_integrator *at, int event)
{
    record *r = ctx;
    if (r->count == 4096) return 1;
    const int n = at->system->dyn.n;
    noe_integrator_state_get(at, NOE_AT_T, &r->exact[r->count]);
    r->t[r->count] = (double)r->exact[r->count];
    for (int j = 0; j < n && j < 4; j++) {
        r->q[r->count][j] = noe_q(at)[j], r->p[r->count][j] = noe_p(at)[j];
    }
    r->event[r->count++] = event;
    return 0;
}

static UNUSED noe_integrator *make(const noe_system *s, const char *name, quad h, int digits,
                                   record *r)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g) || noe_event_step_attach(g)) {
        noe_integrator_free(g);
        return NULL;
    }
    r->count = 0;
    g->events->watcher = remember, g->events->ctx = r;
    return g;
}

/* The events of a run; false where the method does not suit the system. */
static UNUSED bool pass(const noe_system *s, const char *name, double h, double until, record *r)
{
    noe_integrator *g = make(s, name, h, 15, r);
    noe_error_clear();
    if (!g) return false;
    if (noe_run(g, until, NULL, NULL)) fail_msg("%s: %s", name, noe_error());
    noe_integrator_free(g);
    return true;
}

#endif
