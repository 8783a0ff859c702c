/* Reads the state and the statistics of an integrator: in binary128, and t, q, v, p as doubles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

#include <math.h>

void noe_integrator_state_get(noe_integrator *g, noe_engine_value what, quad *x)
{
    if (what != NOE_AT_STEP) noe_integrator_start_ready(g);
    if (what == NOE_AT_ENERGY && g->fresh_H) {
        *x = g->H;
        return;
    }
    g->engine->get(g->work, what, g->member, x);
    if (what == NOE_AT_ENERGY) g->H = *x, g->fresh_H = true;
}

/* Reads q, v or p from the engine on the first call after a step.  An integrator belongs to one
 * thread, so its cache may be filled behind a const pointer. */
static const double *cached(const noe_integrator *constant, noe_engine_value what, double *to,
                            bool *fresh)
{
    noe_integrator *g = (noe_integrator *)constant;
    if (!*fresh) {
        noe_integrator_start_ready(g);
        noe_integrator_in_double(g, what, to);
        *fresh = true;
    }
    return to;
}

double noe_time(const noe_integrator *g)
{
    if (!g) return NAN;
    quad t;
    noe_integrator_state_get((noe_integrator *)g, NOE_AT_T, &t);
    return (double)t;
}

const double *noe_q(const noe_integrator *g)
{
    return g ? cached(g, NOE_AT_Q, g->q, &((noe_integrator *)g)->fresh_q) : NULL;
}

const double *noe_v(const noe_integrator *g)
{
    return g ? cached(g, NOE_AT_V, g->v, &((noe_integrator *)g)->fresh_v) : NULL;
}

const double *noe_p(const noe_integrator *g)
{
    return g ? cached(g, NOE_AT_P, g->p, &((noe_integrator *)g)->fresh_p) : NULL;
}

const void *noe_integrator_state_of_file(noe_integrator *g, size_t *bytes)
{
    const noe_engine_large *large = g->engine->large;
    return large && large->whole ? large->whole(g->work, bytes) : g->engine->memory(g->work, bytes);
}
