/* One step of the smooth motion, without events: (q, p)(t) -> (q, p)(t + h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/energy_watch.h"
#include "integrate/monitor_check.h"
#include "integrate/singularity_guard.h"

#include <math.h>

noe_status noe_smooth_step(noe_integrator *g)
{
    noe_status s = noe_integrator_start_ready(g);
    if (s) return s;
    /* The energy watch repeats earlier steps.  That overwrites the engine's last step, whose
     * derivative and polynomial may be read until the next one: hence before that is made. */
    if (g->watch) noe_energy_watch_step(g->watch, 1);
    if (g->local_error) noe_local_error_look(g);
    const bool due = noe_singularity_guard_due(g);
    double     before, now;
    noe_integrator_moved(g);
    if (g->stepped.clock) noe_integrator_in_double(g, NOE_AT_T, &before);
    if (g->engine->step(g->work)) return noe_failure_diagnosis_find(g, g->engine->why(g->work, 0));
    if (g->stepped.clock) {
        noe_integrator_in_double(g, NOE_AT_T, &now);
        const double took = fabs(now - before);
        if ((s = noe_monitor_check_progress(g, now, took))) return s;
        noe_monitor_check_energy(g, took);
    }
    const noe_passed what = due ? noe_singularity_guard_passed(g) : NOE_PASSED_NOTHING;
    if (what == NOE_PASSED_SINGULAR_MASS)
        return noe_failure_diagnosis_of_singular_mass(g, g->guard->t1, g->guard->q1);
    if (what)
        return noe_failure_diagnosis_of_singular_lagrangian(g, g->guard->t1, g->guard->q1,
                                                            g->guard->share);
    if (g->system->dyn.constraints) noe_redundant_constraints_renew(g);
    return NOE_OK;
}
