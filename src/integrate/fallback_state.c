/* Stores the state at rows of results; restores it where the energy of a later row is not finite.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* Copies the state of the engine to g->fallback_state, or back. */
static void copy(noe_integrator *g, bool back)
{
    const noe_engine_large *large = g->engine->large;
    size_t                  bytes;
    void                   *memory = g->engine->memory(g->work, &bytes);
    if (large && large->copy) large->copy(g->work, g->fallback_state, back);
    else memcpy(back ? memory : g->fallback_state, back ? g->fallback_state : memory, bytes);
}

noe_status noe_fallback_state_take(noe_integrator *g)
{
    size_t bytes;
    g->engine->memory(g->work, &bytes);
    g->no_message = !noe_error();
    if (!g->fallback_state && !(g->fallback_state = noe_status_alloc(1, bytes)))
        return NOE_NO_MEMORY;
    copy(g, false);
    return NOE_OK;
}

noe_status noe_fallback_state_go_back(noe_integrator *g, double steps)
{
    if (g->no_message) noe_error_clear(); /* what a later step has said is not the cause */
    if (g->fallback_state) copy(g, true);
    for (double k = 0; g->fallback_state && k < steps; k++) g->engine->step(g->work);
    noe_integrator_moved(g);
    return noe_failure_diagnosis_find(g, NOE_NOT_FINITE);
}

noe_status noe_fallback_state_check_energy(noe_integrator *g)
{
    quad H;
    noe_integrator_state_get(g, NOE_AT_ENERGY, &H);
    return finiteq(H) ? NOE_OK : noe_fallback_state_go_back(g, 0);
}
