/* name -> what of an integrator can be set, and what it counts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "run/integrator.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    noe_at      at;
    double      standard; /* NAN: it cannot be set */
} options[] = {
    { "step", "length of a step, in units of t; setting it starts anew from the present state", NOE_AT_STEP, 0.01 },
    { "threads", "of a structure or of many coordinates: threads that step it; 0: one for every processor; the result is the same", NOE_AT_THREADS, 0 },
    { "window", "of a structure: the window of stability in which its fastest modes may lie; 1: all in the first", NOE_AT_WINDOW, 1 },
    { "factorise", "of a structure: 1 solves by factors even where polynomials of K would do", NOE_AT_FACTORISE, 0 },
    { "steps", "statistic: steps since the start", NOE_AT_COUNT, NAN },
    { "iterations", "statistic: evaluations of the step's equations since the start", NOE_AT_ITERATIONS, NAN },
    { "solver", "of the equations of a step: 0 by the degree, 1 fixed point, 2 Newton with a matrix kept while it gains, 3 Newton",
      NOE_AT_SOLVER, 0 },
    { "contracted", "statistic: steps that the fixed point solved", NOE_AT_CONTRACTED, NAN },
    { "rounds", "statistic: iterations of the fixed point since the start", NOE_AT_ROUNDS, NAN },
    { "contraction", "statistic: what two iterations of the fixed point left of the residual, at its last step", NOE_AT_CONTRACTION, NAN },
    { "single", "statistic: steps that Newton solved by one evaluation", NOE_AT_SINGLE, NAN },
    { "refreshes", "statistic: Newton matrices since the start", NOE_AT_REFRESHES, NAN },
    { "subdivided", "statistic: steps solved by following the motion from a shorter step", NOE_AT_SUBDIVIDED, NAN },
    { "growth", "statistic: largest |c s h| of a damped kick back in time (splitting methods)", NOE_AT_GROWTH, NAN },
    { "residual", "statistic: largest |p + R_0|, |R_k| left, relative to the momenta", NOE_AT_RESIDUAL, NAN },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

const char *noe_option_name(int i, const char **meaning, double *standard)
{
    if (i < 0 || i >= OPTIONS) return NULL;
    if (meaning) *meaning = options[i].meaning;
    if (standard) *standard = options[i].standard;
    return options[i].name;
}

bool noe_option_at(const char *name, noe_at *at)
{
    for (int i = 0; i < OPTIONS; i++)
        if (!strcmp(options[i].name, name)) return *at = options[i].at, true;
    return false;
}

/* A running integrator starts anew, from where it is. */
static noe_status set_step(noe_integrator *g, double step)
{
    if (step == 0) return noe_fail(NOE_INVALID, "the step is 0: expected another number");
    const quad x = step;
    if (!g->ready || g->state) {
        g->core->set(g->work, NOE_AT_STEP, 0, &x);
        return NOE_OK;
    }
    const double  t = noe_time(g);
    const double *q = noe_q(g), *p = noe_p(g);
    g->core->set(g->work, NOE_AT_STEP, 0, &x);
    return noe_start_momentum(g, t, q, p);
}

static noe_status set_solver(noe_integrator *g, double which)
{
    const quad x = which;
    if (which != 0 && which != 1 && which != 2 && which != 3)
        return noe_fail(NOE_INVALID, "solver = %g: expected 0 (by the degree), 1 (fixed point), 2 (Newton, the matrix kept), "
                        "3 (Newton)", which);
    quad now = -1;
    g->core->set(g->work, NOE_AT_SOLVER, 0, &x);
    g->core->get(g->work, NOE_AT_SOLVER, 0, &now);
    if (now == x || which == 0) return NOE_OK;
    return noe_fail(NOE_INVALID, "solver = %g: this run solves its equations in one way only", which);
}

/* The core that steps without a choice keeps the standard value. */
static noe_status set_structure(noe_integrator *g, noe_at at, const char *name, double value)
{
    const quad x = value;
    quad       now = NAN;
    g->core->set(g->work, at, 0, &x);
    g->core->get(g->work, at, 0, &now);
    if (now == x || g->system->dyn.structure) return NOE_OK; /* a small structure has nothing to share or to factorise */
    return noe_fail(NOE_INVALID, "%s = %g: only structures, given by mass and stiffness, have this choice", name, value);
}

noe_status noe_set(noe_integrator *g, const char *name, double value)
{
    noe_column c;
    if (!g || !name) return NOE_INVALID;
    if (!noe_column_find(g->system, name, &c)) return noe_column_unknown(g->system, name);
    if (!isfinite(value)) return noe_fail(NOE_INVALID, "%.60s = %g: expected a finite number", name, value);
    if (c.kind == NOE_COL_AT && c.at == NOE_AT_STEP) return set_step(g, value);
    if (c.kind == NOE_COL_AT && c.at == NOE_AT_SOLVER) return set_solver(g, value);
    if (c.kind == NOE_COL_AT && (c.at == NOE_AT_THREADS || c.at == NOE_AT_WINDOW || c.at == NOE_AT_FACTORISE)) {
        const int most = c.at == NOE_AT_FACTORISE ? 1 : 64;
        if (value != floor(value) || value < (c.at == NOE_AT_WINDOW) || value > most)
            return noe_fail(NOE_INVALID, "%.60s = %g: expected a whole number from %d to %d", name, value,
                            c.at == NOE_AT_WINDOW, most);
        return set_structure(g, c.at, name, value);
    }
    if (c.kind != NOE_COL_PARAMETER || g->system->model)
        return noe_fail(NOE_INVALID, "'%.60s' cannot be set in an integrator%s", name,
                        c.kind == NOE_COL_PARAMETER ? ": make a new system with noe_system_with" : "");
    g->param[c.index] = value; /* the momenta stay, the velocities follow */
    g->core->set(g->work, NOE_AT_PARAM, 0, g->param);
    noe_integrator_moved(g);
    return NOE_OK;
}
