/* An integrator for programs: it heeds the events of its model that stop or change the motion.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"

noe_integrator *noe_integrator_new(const noe_system *s, const noe_method *f, double step)
{
    noe_integrator *g = noe_integrator_make(s, f, step, NOE_DIGITS_DOUBLE);
    if (!g || !g->system->events || !g->system->events->acts || !noe_event_step_attach(g)) return g;
    noe_integrator_free(g);
    return NULL;
}
