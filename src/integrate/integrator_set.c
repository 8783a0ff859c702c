/* Sets an option of an integrator: step, solver, threads, or a parameter of functions in C.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "integrate/energy_watch.h"

#include <math.h>

/* Sets the step.  A running integrator starts anew from its present state. */
static noe_status set_step(noe_integrator *g, double step)
{
    if (step == 0) return noe_status_fail(NOE_INVALID, "the step is 0: expected another number");
    const quad x = step;
    if (!g->ready || g->status) {
        g->engine->set(g->work, NOE_AT_STEP, 0, &x);
        return NOE_OK;
    }
    const double  t = noe_time(g);
    const double *q = noe_q(g), *p = noe_p(g);
    g->engine->set(g->work, NOE_AT_STEP, 0, &x);
    return noe_start_momentum(g, t, q, p);
}

static noe_status set_solver(noe_integrator *g, double which)
{
    const noe_engine_solver *solver = g->engine->solver;
    if (which != 0 && which != 1 && which != 2 && which != 3)
        return noe_status_fail(
            NOE_INVALID,
            "solver = %g: expected 0 (by the degree), 1 (fixed point), 2 (Newton, the matrix "
            "kept), "
            "3 (Newton)",
            which);
    if (solver && solver->choose) return solver->choose(g->work, 0, which), NOE_OK;
    if (which == 0) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "solver = %g: this run solves its equations in one way only", which);
}

/* An engine for few coordinates accepts one thread; a small structure needs no more. */
static noe_status set_threads(noe_integrator *g, double value)
{
    if (g->engine->large) return g->engine->large->set_threads(g->work, (int)value), NOE_OK;
    if (g->system->dyn.structure || value <= 1) return NOE_OK;
    return noe_status_fail(
        NOE_INVALID,
        "threads = %g: this system is stepped by one thread; more are for structures and for many "
        "coordinates",
        value);
}

/* Sets an option of engines for structures; another engine accepts the standard value only. */
static noe_status set_structure(noe_integrator *g, noe_linear_at at, const char *name, double value)
{
    const noe_engine_linear *linear = g->engine->linear;
    if (linear) linear->set(g->work, at, (int)value);
    const int now = linear ? linear->get(g->work, at) : at == NOE_LINEAR_WINDOW;
    if (now == value || g->system->dyn.structure || at == NOE_LINEAR_FACTOR_BITS)
        return NOE_OK; /* a small structure needs no factors */
    return noe_status_fail(
        NOE_INVALID, "%s = %g: only structures, given by mass and stiffness, have this choice",
        name, value);
}

/* Sets parameter i of functions in C: the momenta stay, the velocities follow.  The energy jumps
 * with it, so that within a run its error is no longer measured. */
static noe_status set_parameter(noe_integrator *g, int i, double value)
{
    quad count = 0;
    if (g->ready && !g->status) g->engine->get(g->work, NOE_AT_COUNT, 0, &count);
    noe_energy_watch_forget(g->watch), noe_local_error_forget(g);
    g->param[i] = value;
    g->engine->set(g->work, NOE_AT_PARAM, 0, g->param);
    noe_integrator_moved(g);
    if (!g->energy) return NOE_OK;
    if (count == 0) return noe_energy_error_begin(g);
    noe_energy_watch_free(g->watch), g->watch = NULL;
    noe_energy_error_free(g->energy), g->energy = NULL;
    return NOE_OK;
}

noe_status noe_set(noe_integrator *g, const char *name, double value)
{
    noe_column c;
    if (!g || !name) return NOE_INVALID;
    if (!noe_column_name_find(g->system, name, &c)) return noe_column_name_refuse(g->system, name);
    if (!isfinite(value))
        return noe_status_fail(NOE_INVALID, "%.60s = %g: expected a finite number", name, value);
    if (c.kind == NOE_COL_AT && c.at == NOE_AT_STEP) return set_step(g, value);
    if (c.kind == NOE_COL_SOLVER && c.index == NOE_SOLVER_CHOICE) return set_solver(g, value);
    const bool linear = c.kind == NOE_COL_LINEAR && c.index != NOE_LINEAR_BLAS;
    if (linear || c.kind == NOE_COL_THREADS) {
        const int least = linear && c.index == NOE_LINEAR_WINDOW,
                  most = linear && c.index == NOE_LINEAR_FACTORISE   ? 1
                       : linear && c.index == NOE_LINEAR_FACTOR_BITS ? 2
                                                                     : 64;
        if (value != floor(value) || value < least || value > most)
            return noe_status_fail(NOE_INVALID, "%.60s = %g: expected a whole number from %d to %d",
                                   name, value, least, most);
        return linear ? set_structure(g, (noe_linear_at)c.index, name, value)
                      : set_threads(g, value);
    }
    if (c.kind != NOE_COL_PARAMETER || g->system->model)
        return noe_status_fail(
            NOE_INVALID, "'%.60s' cannot be set in an integrator%s", name,
            c.kind == NOE_COL_PARAMETER ? ": make a new system with noe_system_with" : "");
    return set_parameter(g, c.index, value);
}
