/* Expanded integrator: the same system with its sums written out, in the same state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For whatever needs all of L at once: derivatives of a step, the diagnosis of failures. */
#include "integrate/integrator.h"

#include "base/status.h"

static noe_integrator *make(const noe_integrator *g)
{
    noe_system *written = noe_system_written(g->system, g->method);
    noe_method *f = noe_method_parse(g->method);
    quad        h;
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    noe_integrator *x = written && f ? noe_integrator_make(written, f, h, g->digits) : NULL;
    if (x) x->written = written;
    else noe_system_free(written);
    noe_method_free(f);
    return x;
}

noe_integrator *noe_expanded_integrator(noe_integrator *g)
{
    static const noe_engine_value same[] = { NOE_AT_STEP, NOE_AT_T0, NOE_AT_COUNT };
    if (!g->expanded && !(g->expanded = make(g))) return NULL;
    noe_integrator *x = g->expanded;
    if (noe_start_momentum(x, noe_time(g), noe_q(g), noe_p(g))) return NULL;
    for (int i = 0; i < 3; i++) {
        quad y;
        g->engine->get(g->work, same[i], 0, &y);
        x->engine->set(x->work, same[i], 0, &y);
    }
    noe_integrator_moved(x);
    return x;
}
