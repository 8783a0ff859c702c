/* Steps of an integrator: (q, p)(t) -> (q, p)(t + h) -> .. -> (q, p)(until).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "event/event_step.h"
#include "between/fractional_step.h"
#include "integrate/singularity_guard.h"
#include "step/step_end.h"
#include "system/monitored_dynamics.h"

#include <math.h>

/* Where more than this many steps of the last length are left before the end, a step that follows a
 * monitor may be made without a look at where it ends. */
enum { FAR_STEPS = 64 };

noe_status noe_step(noe_integrator *g)
{
    if (!g) return NOE_INVALID;
    return g->events ? noe_event_step_make(g) : noe_smooth_step(g);
}

/* Makes up to `steps` steps at once; the number of those made.  The next one is left to noe_step(),
 * which finds out why it fails, if it does. */
static double steps_at_once(noe_integrator *g, double steps)
{
    quad from, to;
    g->engine->get(g->work, NOE_AT_COUNT, 0, &from);
    noe_integrator_moved(g);
    const bool all = !g->engine->run(g->work, steps);
    g->engine->get(g->work, NOE_AT_COUNT, 0, &to);
    return all ? steps : (double)(to - from);
}

/* The number of coming steps that nothing looks at. */
static double steps_unseen(noe_integrator *g)
{
    if (!g->engine->run || g->events || g->watch || g->stepped.clock || g->system->dyn.constraints)
        return 0;
    return fmin(noe_singularity_guard_rest(g), noe_local_error_rest(g));
}

/* Linear systems are looked at before and after all steps. */
static double linear_steps(noe_integrator *g, double steps)
{
    if (g->local_error) noe_local_error_probe(g, 0);
    const double done = steps_at_once(g, steps);
    if (g->local_error && done > 0) noe_local_error_probe(g, steps);
    return done;
}

noe_status noe_advance_steps(noe_integrator *g, double steps, double *done)
{
    noe_status s = noe_integrator_start_ready(g);
    *done = 0;
    noe_integrator_moved(g);
    if (!s && steps > 1 && !g->events && g->engine->linear && g->engine->run)
        *done = linear_steps(g, steps);
    while (!s && *done < steps) {
        const double some = fmin(steps_unseen(g), steps - *done);
        const double made = some > 1 ? steps_at_once(g, some) : 0;
        *done += made;
        noe_local_error_skip(g, made);
        noe_singularity_guard_skip(g, (int)made);
        if (made < fmax(some, 1) && !(s = noe_step(g))) ++*done;
    }
    return s;
}

/* The message of an end that steps of h from t do not reach. */
static noe_status lies_behind(const char *name, quad until, quad t, quad h)
{
    return noe_status_fail(
        NOE_INVALID, "%s %.12g lies behind the start, t = %.12g, for a step of %.12g: %s", name,
        (double)until, (double)t, (double)h,
        h > 0 ? "a negative step goes back in time" : "a positive step goes forward");
}

noe_status noe_advance_count_steps(noe_integrator *g, quad until, const char *name, double *steps,
                                   bool *whole)
{
    quad t, h;
    if (noe_monitored_dynamics_refuse(g->system, name)) return NOE_INVALID;
    g->engine->get(g->work, NOE_AT_T, 0, &t);
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    const quad x = (until - t) / h, nearest = roundq(x), eps = fabsq(x) * NOE_SAME_TIME_PART;
    if (!finiteq(x))
        return noe_status_fail(NOE_INVALID, "%s %g: expected a finite time", name, (double)until);
    *whole = fabsq(x - nearest) <= fmaxq(NOE_STEP_END_PART, eps);
    *steps = (double)(*whole ? nearest : floorq(x));
    if (*steps >= 0) return NOE_OK;
    return lies_behind(name, until, t, h);
}

/* A step whose events past `until` do not happen. */
static noe_status step_to(noe_integrator *g, quad until)
{
    if (g->events) g->events->limited = true, g->events->limit = until;
    const noe_status s = noe_step(g);
    if (g->events) g->events->limited = false;
    return s;
}

noe_status noe_advance_monitored(noe_integrator *g, quad until, bool *arrived)
{
    quad       t, now, h;
    noe_status s = noe_fractional_step_mark(g);
    *arrived = false;
    if (s) return s;
    g->engine->get(g->work, NOE_AT_T, 0, &t);
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    const quad left = h > 0 ? until - t : t - until;
    *arrived = left <= noe_step_end_near(t, until);
    if (*arrived || (s = step_to(g, until))) return s;
    g->engine->get(g->work, NOE_AT_T, 0, &now);
    if (!noe_step_end_passes(h > 0 ? now - until : until - now, t, now)) return NOE_OK;
    noe_event_step_take_back(g, until);
    *arrived = true;
    return NOE_OK;
}

noe_status noe_advance_part(noe_integrator *g, quad until)
{
    noe_status s = noe_fractional_step_mark(g);
    if (!s && !(s = step_to(g, until))) noe_event_step_take_back(g, until);
    return s;
}

noe_status noe_advance_check_end(noe_integrator *g, quad until, const char *name)
{
    quad t, h;
    g->engine->get(g->work, NOE_AT_T, 0, &t);
    g->engine->get(g->work, NOE_AT_STEP, 0, &h);
    if (!finiteq(until))
        return noe_status_fail(NOE_INVALID, "%s %g: expected a finite time", name, (double)until);
    if ((h > 0 ? until - t : t - until) >= 0) return NOE_OK;
    return lies_behind(name, until, t, h);
}

/* The time of the present state. */
static double time_of(noe_integrator *g)
{
    double t;
    noe_integrator_in_double(g, NOE_AT_T, &t);
    return t;
}

noe_status noe_advance_monitored_far(noe_integrator *g, quad until, bool *arrived, double *took)
{
    const double before = time_of(g), left = fabs((double)until - before);
    const bool   far = !g->events && *took > 0 && left > FAR_STEPS * *took;
    *arrived = false;
    const noe_status s = far ? noe_step(g) : noe_advance_monitored(g, until, arrived);
    *took = fabs(time_of(g) - before);
    if (s || !far || *took <= left) return s;
    return noe_status_fail(
        NOE_NOT_CONVERGED,
        "the step from t = %.12g has taken more than %d times as long as the one "
        "before, and passed t = %.12g: the steps are too long for the monitor; "
        "take smaller ones",
        before, FAR_STEPS, (double)until);
}

/* Steps up to the last that does not end after `until`. */
static noe_status run_monitored(noe_integrator *g, quad until, noe_observer *observer, void *ctx)
{
    bool       arrived = false;
    double     took = 0;
    noe_status s = noe_advance_check_end(g, until, "until");
    while (!s && !arrived) {
        s = noe_advance_monitored_far(g, until, &arrived, &took);
        if (!s && !arrived && observer && observer(ctx, g)) s = NOE_STOPPED;
    }
    return s;
}

noe_status noe_run(noe_integrator *g, double until, noe_observer *observer, void *ctx)
{
    if (!g) return NOE_INVALID;
    double     steps;
    bool       whole;
    noe_status s = noe_integrator_start_ready(g);
    if (!s && noe_system_monitored(g->system)) return run_monitored(g, until, observer, ctx);
    if (!s) s = noe_advance_count_steps(g, until, "until", &steps, &whole);
    double k = 0;
    if (!s && !observer) return noe_advance_steps(g, steps, &k);
    for (; !s && k < steps; k++) {
        s = noe_step(g);
        if (!s && observer && observer(ctx, g)) s = NOE_STOPPED;
    }
    return s;
}
