/* Stores the state at rows of results; restores it where the energy of a later row is not finite.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

noe_status noe_fallback_state_take(noe_integrator *g)
{
    size_t      bytes;
    const void *memory = g->engine->memory(g->work, &bytes);
    g->no_message = !noe_error();
    if (!g->fallback_state && !(g->fallback_state = noe_status_alloc(1, bytes)))
        return NOE_NO_MEMORY;
    memcpy(g->fallback_state, memory, bytes);
    return NOE_OK;
}

noe_status noe_fallback_state_go_back(noe_integrator *g, double steps)
{
    size_t bytes;
    void  *memory = g->engine->memory(g->work, &bytes);
    if (g->no_message) noe_error_clear(); /* what a later step has said is not the cause */
    if (g->fallback_state) memcpy(memory, g->fallback_state, bytes);
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
