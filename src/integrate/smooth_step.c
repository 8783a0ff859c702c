/* One step of the smooth motion, without events: (q, p)(t) -> (q, p)(t + h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "integrate/energy_watch.h"
#include "integrate/monitor_check.h"
#include "integrate/singularity_guard.h"
#include "constraint/constraint_jump.h"
#include "constraint/dead_point_watch.h"

#include <math.h>

/* A place or a velocity that a constraint prescribes jumps in the step from t: an impact. */
static noe_status impact(const noe_integrator *g, const noe_constraint_jump *jump, quad t)
{
    return noe_status_fail(
        NOE_SINGULAR,
        "step %.0f from t = %.12g: at t = %.12g the %s of the constraint '%.60s' jumps by %.3g, an "
        "impact that the model does not describe; the state before the step is kept; write sides "
        "that are continuous with their first derivatives by t, or end the run at t = %.12g",
        noe_get(g, "steps") + 1, (double)t, (double)jump->t,
        jump->what == NOE_JUMPS_POSITION ? "value" : "first derivative by t",
        noe_system_constraint(g->system, jump->constraint), (double)jump->by, (double)t);
}

/* Refuses a step in which a constraint jumps or bends in time. */
static noe_status meet_jumps(noe_integrator *g)
{
    quad t, h, left_out[g->system->dyn.constraints], *q = g->x, *v = g->x + g->system->dyn.n;
    if (!g->point && !(g->point = noe_constraint_point_new(&g->system->dyn))) return NOE_NO_MEMORY;
    g->fresh_point = false;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_V, g->member, v);
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
    noe_constraint_point_leave_out(g->point, left_out);
    const noe_constraint_jump jump = noe_constraint_jump_find(g->point, t, h, q, v);
    return jump.what ? impact(g, &jump, t) : NOE_OK;
}

/* Before a step: has it to be looked at, as a dead point may be close?  Then the state is read. */
static bool watches_dead_points(noe_integrator *g)
{
    const noe_dynamics   *d = &g->system->dyn;
    quad                  left_out[d->constraints];
    double                t, dependence;
    noe_dead_point_watch *w = g->dead_points;
    if (w) { /* else there was no step before; engines with constraints have in_double */
        if (!isnan(w->t)) return false; /* one is told */
        if (w->wait > 0) return w->wait--, false;
        g->engine->in_double(g->work, NOE_AT_DEPENDENCE, g->member, &dependence);
        if (dependence < NOE_DEPENDENCE_NEAR) return false;
    } else if (!(w = g->dead_points = noe_dead_point_watch_new(d))) return false;
    noe_integrator_in_double(g, NOE_AT_T, &t);
    g->engine->get(g->work, NOE_AT_LEFT_OUT, g->member, left_out);
    noe_dead_point_watch_begin(w, t, noe_q(g), noe_v(g), left_out);
    return true;
}

/* After a step that is watched. */
static void look_for_dead_point(noe_integrator *g)
{
    double t;
    noe_integrator_in_double(g, NOE_AT_T, &t);
    noe_dead_point_watch_end(g->dead_points, t, noe_q(g), noe_v(g));
}

noe_status noe_smooth_step(noe_integrator *g)
{
    noe_status s = noe_integrator_start_ready(g);
    if (s) return s;
    /* The energy watch repeats earlier steps.  That overwrites the engine's last step, whose
     * derivative and polynomial may be read until the next one: hence before that is made. */
    if (g->watch) noe_energy_watch_step(g->watch, 1);
    if (g->local_error) noe_local_error_look(g);
    const bool due = noe_singularity_guard_due(g);
    const bool watched = g->system->dyn.constraints > 1 && watches_dead_points(g);
    double     before, now;
    noe_integrator_moved(g);
    if (g->system->dyn.constraint_times && (s = meet_jumps(g))) return s;
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
    if (watched) look_for_dead_point(g);
    if (g->system->dyn.constraints) noe_redundant_constraints_renew(g);
    return NOE_OK;
}
