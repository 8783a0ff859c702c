/* Options that can be set in an integrator and statistics that can be read from it, by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/energy_watch.h"

#include <math.h>
#include <string.h>

static const struct {
    const char     *name, *meaning; /* as in noe_set(); in `noether show options` */
    noe_column_kind kind;           /* which interface of the engine knows it */
    int             at;             /* its number there */
    double          standard;       /* value if not set; NAN: it can only be read */
} options[] = {
    { "step", "length of a step, in units of t; setting it starts anew from the present state",
      NOE_COL_AT, NOE_AT_STEP, 0.01 },
    { "threads",
      "of a structure or of many coordinates: threads that step it; 0: one for every processor; "
      "the result is the same",
      NOE_COL_THREADS, 0, 0 },
    { "window",
      "of a structure: the window of stability in which its fastest modes may lie; 1: all in the "
      "first",
      NOE_COL_LINEAR, NOE_LINEAR_WINDOW, 1 },
    { "factorise", "of a structure: 1 solves by factors even where polynomials of K would do",
      NOE_COL_LINEAR, NOE_LINEAR_FACTORISE, 0 },
    { "bits",
      "of a structure: 0 the same on every machine where factors without the BLAS take seconds at "
      "most, 1 the same, 2 with the BLAS "
      "wherever it is faster",
      NOE_COL_LINEAR, NOE_LINEAR_FACTOR_BITS, 0 },
    { "blas",
      "statistic: 1 where the BLAS, which has other last digits on other processors, had a part in "
      "the numbers",
      NOE_COL_LINEAR, NOE_LINEAR_BLAS, NAN },
    { "steps", "statistic: steps since the start", NOE_COL_AT, NOE_AT_COUNT, NAN },
    { "iterations", "statistic: evaluations of the step's equations since the start",
      NOE_COL_SOLVER, NOE_SOLVER_ITERATIONS, NAN },
    { "solver",
      "of the equations of a step: 0 by the degree, 1 fixed point, 2 Newton with a matrix kept "
      "while it gains, 3 Newton",
      NOE_COL_SOLVER, NOE_SOLVER_CHOICE, 0 },
    { "contracted", "statistic: steps that the fixed point solved", NOE_COL_SOLVER,
      NOE_SOLVER_CONTRACTED, NAN },
    { "rounds", "statistic: iterations of the fixed point since the start", NOE_COL_SOLVER,
      NOE_SOLVER_ROUNDS, NAN },
    { "contraction",
      "statistic: what the first correction of the fixed point, or the first two together, left of "
      "the residual, at its last step",
      NOE_COL_SOLVER, NOE_SOLVER_CONTRACTION, NAN },
    { "single", "statistic: steps that Newton solved by one evaluation", NOE_COL_SOLVER,
      NOE_SOLVER_SINGLE, NAN },
    { "refreshes", "statistic: Newton matrices since the start", NOE_COL_SOLVER,
      NOE_SOLVER_REFRESHES, NAN },
    { "subdivided", "statistic: steps solved by following the motion from a shorter step",
      NOE_COL_SOLVER, NOE_SOLVER_SUBDIVIDED, NAN },
    { "local_error",
      "statistic: largest part of what the velocity of a coordinate varies that a step gets wrong; "
      "NAN: not measured",
      NOE_COL_LOCAL_ERROR, 0, NAN },
    { "energy_error",
      "statistic: largest error of the energy when it was asked for, by the mean kinetic energy of "
      "the motion about its mean "
      "velocity; NAN: not measured",
      NOE_COL_ENERGY_ERROR, 0, NAN },
    { "accumulated_error",
      "statistic: what the local errors of all steps make where they add up, by what the velocity "
      "of a coordinate varies: at most so many rad of phase; NAN: not measured",
      NOE_COL_ACCUMULATED, 0, NAN },
    { "growth", "statistic: largest |c s h| of a damped kick back in time (splitting methods)",
      NOE_COL_SOLVER, NOE_SOLVER_GROWTH, NAN },
    { "residual", "statistic: largest |p + R_0|, |R_k| left, relative to the momenta",
      NOE_COL_SOLVER, NOE_SOLVER_RESIDUAL, NAN },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

const char *noe_option_name(int i, const char **meaning, double *standard)
{
    if (i < 0 || i >= OPTIONS) return NULL;
    if (meaning) *meaning = options[i].meaning;
    if (standard) *standard = options[i].standard;
    return options[i].name;
}

bool noe_integrator_option_find(const char *name, noe_column *c)
{
    for (int i = 0; i < OPTIONS; i++)
        if (!strcmp(options[i].name, name)) {
            *c = (noe_column){ options[i].kind, NOE_AT_T, 0, false, 0 };
            if (c->kind == NOE_COL_AT) c->at = (noe_engine_value)options[i].at;
            else c->index = options[i].at;
            return true;
        }
    return false;
}

quad noe_integrator_option_value(noe_integrator *g, const noe_column *c)
{
    const noe_engine *engine = g->engine;
    noe_integrator_start_ready(g);
    switch (c->kind) {
    case NOE_COL_SOLVER:
        return engine->solver ? engine->solver->get(g->work, (noe_solver_at)c->index, g->member)
                              : 0;
    case NOE_COL_LINEAR:
        return engine->linear ? engine->linear->get(g->work, (noe_linear_at)c->index)
                              : c->index == NOE_LINEAR_WINDOW;
    case NOE_COL_SIMPSON: return engine->linear ? engine->linear->simpson(g->work) : (quad)NAN;
    case NOE_COL_THREADS: return engine->large ? engine->large->threads(g->work) : 0;
    case NOE_COL_LOCAL_ERROR:
        return noe_integrator_start_ready(g) ? (quad)NAN : noe_local_error_of(g).size;
    case NOE_COL_ENERGY_ERROR: return noe_energy_watch_look(g).size;
    case NOE_COL_ACCUMULATED:
        return noe_integrator_start_ready(g) ? (quad)NAN : noe_accumulated_error_of(g).size;
    default: return NAN;
    }
}
