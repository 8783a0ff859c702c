/* q and p at a time within the next step, over the impacts before it; the run is not changed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "event/event_step.h"
#include "integrate/energy_watch.h"
#include "between/fractional_step.h"
#include "integrate/singularity_guard.h"

#include <string.h>

typedef struct {
    double t, *q, *p; /* time; [n] positions, momenta, to be filled */
    bool   found;     /* they are */
} wanted;

/* A part of the step, from an impact to the next. */
static noe_status look(void *ctx, noe_integrator *run, quad from, quad to)
{
    wanted *x = ctx;
    if (x->found || (x->t - from) / (to - from) > 1) return NOE_OK;
    x->found = true;
    return noe_fractional_step_read(run, x->t, x->q, x->p);
}

/* The step to time t with its impacts, without reports; then all is put back. */
static noe_status over_impacts(noe_integrator *g, wanted *w)
{
    noe_event_state      *x = g->events;
    const noe_event_state before = *x;
    noe_event_tally       tally[x->tapes->count];
    const int             event = g->event;
    size_t                bytes;
    memcpy(tally, x->tally, sizeof tally);
    x->quiet = x->limited = true, x->limit = w->t;
    x->passage = look, x->passage_ctx = w;
    noe_status s = noe_event_step_make(g);
    if (!s && !w->found) s = noe_fractional_step_read(g, w->t, w->q, w->p);
    noe_energy_watch_forget(g->watch), noe_local_error_forget(g);
    void *const memory = g->engine->memory(g->work, &bytes);
    memcpy(memory, x->begin, bytes);
    noe_singularity_guard_reset(g->guard);
    noe_integrator_moved(g);
    x->known = false, x->fresh = before.fresh, x->landed = before.landed;
    x->again = before.again, x->reported = before.reported;
    x->stopped = before.stopped, g->event = event;
    x->quiet = false, x->limited = before.limited, x->limit = before.limit;
    x->passage = before.passage, x->passage_ctx = before.passage_ctx;
    memcpy(x->tally, tally, sizeof tally);
    return s;
}

noe_status noe_at(noe_integrator *g, double t, double *q, double *p)
{
    if (!g || !q || !p) return NOE_INVALID;
    const noe_status s = noe_fractional_step_mark_before(g, t);
    if (s) return s;
    if (!g->events || !g->events->tapes->shocks) return noe_fractional_step_read(g, t, q, p);
    return over_impacts(g, &(wanted){ t, q, p, false });
}
