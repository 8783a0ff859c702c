/* One step of the smooth motion, without events: (q, p)(t) -> (q, p)(t + h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/singularity_guard.h"

noe_status noe_smooth_step(noe_integrator *g)
{
    const noe_status s = noe_integrator_start_ready(g);
    if (s) return s;
    const bool due = noe_singularity_guard_due(g);
    noe_integrator_moved(g);
    if (g->core->step(g->work)) return noe_failure_diagnosis_find(g, g->core->why(g->work, 0));
    if (!due) return NOE_OK;
    const noe_passed what = noe_singularity_guard_passed(g);
    if (what == NOE_PASSED_SINGULAR_MASS)
        return noe_failure_diagnosis_of_singular_mass(g, g->guard->t1, g->guard->q1);
    return what ? noe_failure_diagnosis_of_singular_lagrangian(g, g->guard->t1, g->guard->q1,
                                                               g->guard->share)
                : NOE_OK;
}
