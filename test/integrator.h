/* An integrator at its start, and steps of it; what fails ends the test.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTEGRATOR_H
#define INTEGRATOR_H

#include "laws.h"

#include "integrate/integrator.h"

static UNUSED noe_integrator *integrator(const noe_system *s, const char *name, quad h, int digits)
{
    noe_method *m = method(name);
    noe_error_clear();
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g)) fail_msg("%s: %s", name, noe_error());
    return g;
}

static UNUSED void steps(noe_integrator *g, int count)
{
    for (int k = 0; k < count; k++)
        if (noe_step(g)) fail_msg("step %d: %s", k, noe_error());
}

#endif
