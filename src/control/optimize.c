/* noe_optimize: the controls of least cost as a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "control/optimize.h"

#include "base/status.h"
#include "control/optimal_motion.h"
#include "control/trajectory.h"
#include "system/system.h"

#include <math.h>

enum { STEPS = 40, STEPS_MOST = 1000000, ITERATIONS = 1000 };

/* The end of time as the model suggests it. */
static bool until(const noe_model *m, noe_optimum *o)
{
    quad value;
    if (!isnan(o->until) || !m->until) return true;
    if (!noe_parse_model_value(m, "until", m->until, &value)) return false;
    o->until = (double)value;
    return true;
}

/* What came out, and what is to be said. */
static void report(const noe_optimal_motion *x, noe_optimum *o)
{
    char text[400];
    o->cost = x->t.cost, o->error = x->error;
    o->end = x->t.t0 + x->t.x[x->t.T_at];
    o->violation = x->search.violation;
    o->found = x->how == NOE_OPTIMUM;
    if (x->how == NOE_STRANDED)
        noe_status_fail(NOE_NOT_CONVERGED, "%s: %s", x->model->name, x->search.why);
    if (x->how == NOE_INTERRUPTED)
        noe_status_fail(NOE_STOPPED, "%s: interrupted: the best point of the search is no optimum",
                        x->model->name);
    if (noe_optimal_motion_unsettled(x, text, sizeof text))
        noe_status_fail(NOE_NOT_CONVERGED, "%s: %s", x->model->name, text);
}

noe_table *noe_optimize_until(const noe_system *s, const noe_method *f, noe_optimum *o,
                              volatile sig_atomic_t *interrupted)
{
    if (!s || !f || !o) return NULL;
    if (!s->model || o->steps < 0 || o->steps > STEPS_MOST || o->iterations < 0) {
        noe_status_fail(NOE_INVALID, s->model ? "an optimal control problem: expected 0 or more "
                                                "steps, up to 1000000, and iterations"
                                              : "a system made in C has no controls");
        return NULL;
    }
    noe_optimal_motion x = {
        .model = s->model,
        .method = f,
        .steps = o->steps ? (int)o->steps : STEPS,
        .search = { .interrupted = interrupted,
                    .most = o->iterations ? (int)fmin((double)o->iterations, 1e9) : ITERATIONS,
                    .tolerance = 1e-9 }
    };
    noe_table *t = NULL;
    if (until(s->model, o)) {
        x.until = o->until;
        if (!noe_optimal_motion_find(&x)) t = noe_trajectory_table(&x.t);
        if (t) report(&x, o);
    }
    noe_optimal_motion_drop(&x);
    return t;
}

noe_table *noe_optimize(const noe_system *s, const noe_method *f, noe_optimum *o)
{
    return noe_optimize_until(s, f, o, NULL);
}
