/* Derivatives of a step, M = d(q, p)(t + h)/d(q, p)(t), and of the motion, S = d(q, p)(t)/dc.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "integrate/integrator.h"

#include <stdlib.h>

enum { STRUCTURE_MOST = 1000 }; /* coordinates of a structure up to which M is computed */

/* Refuses systems too large for a dense matrix, and methods whose derivative is not available. */
static noe_status refused(const noe_integrator *g)
{
    const int n = g->system->dyn.n;
    if (g->system->dyn.structure && n > STRUCTURE_MOST)
        return noe_status_fail(
            NOE_INVALID,
            "%s: the derivative of a step is a dense matrix, for structures of up to %d "
            "coordinates, not %d",
            g->system->source, STRUCTURE_MOST, n);
    if (g->system->dyn.columns)
        return noe_status_fail(
            NOE_INVALID,
            "%s: the system is differentiated by parameters and starts: noe_sensitivity has the "
            "derivatives of all steps together",
            g->system->source);
    if (g->in_v)
        return noe_status_fail(
            NOE_INVALID,
            "%s steps (q, v): its derivative wants third derivatives of L, which no system "
            "gives; take \"rk4\", or difference steps",
            g->method);
    if (g->system->dyn.constraints)
        return noe_status_fail(
            NOE_INVALID,
            "%s: the derivative of a step is not known for systems with constraints: difference "
            "steps "
            "from starts that satisfy them",
            g->system->source);
    if (g->digits > NOE_DIGITS_QUAD)
        return noe_status_fail(NOE_INVALID,
                               "%d digits: the derivative of a step is computed in at most 33",
                               g->digits);
    return NOE_OK;
}

/* For systems of sums: the derivative of the expanded integrator's step. */
static noe_status by_expanded_sums(noe_integrator *g, double *M)
{
    if (g->system->dyn.n > NOE_WHOLE_MOST)
        return noe_status_fail(NOE_INVALID,
                               "the derivative of a step is a dense matrix: up to %d coordinates",
                               NOE_WHOLE_MOST);
    noe_integrator  *expanded = noe_expanded_integrator(g);
    const noe_status s = expanded ? noe_step_jacobian(expanded, M) : NOE_INVALID;
    return s ? s : noe_smooth_step(g);
}

noe_status noe_step_jacobian(noe_integrator *g, double *M)
{
    if (!g || !M) return NOE_INVALID;
    noe_status s = refused(g);
    if (s) return s;
    if (noe_integrator_start_ready(g)) return g->status;
    if (g->system->dyn.groups || noe_integrator_uses_sums(g)) return by_expanded_sums(g, M);
    if (g->stepped.clock && !g->stepped.transformed)
        return noe_status_fail(
            NOE_INVALID,
            "%s: the length of a step depends on the state ('monitor .. reversible'): the "
            "derivative of a step is "
            "known for a monitor without 'reversible'",
            g->system->source);
    if (g->stepped.clocked)
        return noe_status_fail(NOE_INVALID,
                               "%s: the derivative of a step that follows a monitor is known where "
                               "L and the monitor do not depend on t",
                               g->system->source);
    if (!noe_integrator_has_jacobian(g))
        return noe_status_fail(
            NOE_INVALID,
            "%s: the derivative of a damped kick wants second derivatives of the forces, which "
            "no system gives; take a Galerkin method, as \"simpson\", or difference steps",
            g->method);
    const size_t size = 4 * (size_t)g->system->dyn.n * (size_t)g->system->dyn.n;
    if (!g->jacobian) g->jacobian = noe_status_alloc(size, sizeof *g->jacobian);
    if (!g->jacobian) return NOE_NO_MEMORY;
    if (g->events)
        return noe_status_fail(
            NOE_INVALID,
            "%s: the derivative of a step is known for motions without events that "
            "change them",
            g->system->source);
    if ((s = noe_smooth_step(g))) return s;
    if (!g->engine->derivative(g->work, 0, g->jacobian))
        return noe_status_fail(
            NOE_NOT_FINITE,
            "the step from t = %.12g has no finite derivative: second derivatives of L "
            "are infinite there, or the equations of the step singular; the state before the step "
            "is "
            "kept; noe_step goes on without the derivative",
            noe_time(g));
    for (size_t i = 0; i < size; i++) M[i] = (double)g->jacobian[i];
    return NOE_OK;
}

noe_status noe_sensitivity(noe_integrator *g, double *S)
{
    if (!g || !S) return NOE_INVALID;
    const noe_dynamics *d = &g->system->dyn;
    if (!d->columns)
        return noe_status_fail(NOE_INVALID,
                               "%s: the system is not differentiated by anything: "
                               "noe_system_differentiated makes one that is",
                               g->system->source);
    const noe_status s = noe_integrator_start_ready(g);
    if (s) return s;
    const size_t size = 2 * (size_t)d->n * (size_t)d->columns;
    quad        *x = noe_status_alloc(size, sizeof *x);
    if (!x) return NOE_NO_MEMORY;
    g->engine->get(g->work, NOE_AT_SENSITIVITY, g->member, x);
    for (size_t i = 0; i < size; i++) S[i] = (double)x[i];
    free(x);
    return NOE_OK;
}
