/* Options that can be set in an integrator and statistics that can be read from it, by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

static const struct {
    const char      *name, *meaning;
    noe_engine_value at;
    double           standard; /* value if not set; NAN: it can only be read */
} options[] = {
    { "step", "length of a step, in units of t; setting it starts anew from the present state",
      NOE_AT_STEP, 0.01 },
    { "threads",
      "of a structure or of many coordinates: threads that step it; 0: one for every processor; the result is the same",
      NOE_AT_THREADS, 0 },
    { "window",
      "of a structure: the window of stability in which its fastest modes may lie; 1: all in the first",
      NOE_AT_WINDOW, 1 },
    { "factorise", "of a structure: 1 solves by factors even where polynomials of K would do",
      NOE_AT_FACTORISE, 0 },
    { "bits",
      "of a structure: 0 the same on every machine where factors without the BLAS take seconds at most, 1 the same, 2 with the BLAS "
      "wherever it is faster",
      NOE_AT_BITS, 0 },
    { "blas",
      "statistic: 1 where the BLAS, which has other last digits on other processors, had a part in the numbers",
      NOE_AT_BLAS, NAN },
    { "steps", "statistic: steps since the start", NOE_AT_COUNT, NAN },
    { "iterations", "statistic: evaluations of the step's equations since the start",
      NOE_AT_ITERATIONS, NAN },
    { "solver",
      "of the equations of a step: 0 by the degree, 1 fixed point, 2 Newton with a matrix kept while it gains, 3 Newton",
      NOE_AT_SOLVER, 0 },
    { "contracted", "statistic: steps that the fixed point solved", NOE_AT_CONTRACTED, NAN },
    { "rounds", "statistic: iterations of the fixed point since the start", NOE_AT_ROUNDS, NAN },
    { "contraction",
      "statistic: what two iterations of the fixed point left of the residual, at its last step",
      NOE_AT_CONTRACTION, NAN },
    { "single", "statistic: steps that Newton solved by one evaluation", NOE_AT_SINGLE, NAN },
    { "refreshes", "statistic: Newton matrices since the start", NOE_AT_REFRESHES, NAN },
    { "subdivided", "statistic: steps solved by following the motion from a shorter step",
      NOE_AT_SUBDIVIDED, NAN },
    { "local_error",
      "statistic: largest part of what the velocity of a coordinate varies that a step gets wrong; NAN: not measured",
      NOE_AT_LOCAL_ERROR, NAN },
    { "energy_error",
      "statistic: largest error of the energy when it was asked for, by the mean kinetic energy of the motion about its mean "
      "velocity; NAN: not measured",
      NOE_AT_ENERGY_ERROR, NAN },
    { "growth", "statistic: largest |c s h| of a damped kick back in time (splitting methods)",
      NOE_AT_GROWTH, NAN },
    { "residual", "statistic: largest |p + R_0|, |R_k| left, relative to the momenta",
      NOE_AT_RESIDUAL, NAN },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

const char *noe_option_name(int i, const char **meaning, double *standard)
{
    if (i < 0 || i >= OPTIONS) return NULL;
    if (meaning) *meaning = options[i].meaning;
    if (standard) *standard = options[i].standard;
    return options[i].name;
}

bool noe_integrator_option_find(const char *name, noe_engine_value *at)
{
    for (int i = 0; i < OPTIONS; i++)
        if (!strcmp(options[i].name, name)) return *at = options[i].at, true;
    return false;
}
