/* The numbers of the iteration in emitted steps: those of step/solver_constants.h, and others, why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Emitted C counts in DBL_EPSILON = 2 EPS, so that a number of the core in ROUNDINGS allows twice
 * as much there. */
#define NOE_REAL NOE_DOUBLE
#include "codegen/emitted_numbers.h"

#include "step/solver_constants.h"

#include <string.h>

enum {
    /* The residual of Simpson's step that ends the iteration: RESIDUAL_ROUNDINGS EPS, as in the
     * core.  That of other methods is RESIDUAL_ROUNDINGS DBL_EPSILON, twice as much: the scale of
     * the core also has what rounding of positions adds, that of the emitted step has not. */
    SIMPSON_ROUNDINGS = RESIDUAL_ROUNDINGS / 2,
    /* So many times the bound of the curvature, which has CURVATURE_MARGIN in it already, must
     * predict a residual of rounding; 2 would be the condition of the core.  Stricter, not
     * measured. */
    BOUND_MARGIN = 16,
    /* Steps with new matrices after an old one was refused.  RETRY_STEPS of the core is 20; a
     * quarter and four times change 3 to 5 % of its iterations. */
    RENEWED_STEPS = 16,
    /* What the core asks of the kinetic norm of a correction the emitted step, which has no such
     * norm, asks of its work.  The work is divided by scale |a| of the coordinate and
     * 1/REST_PART of that of all coordinates, so that one at rest has a scale. */
    REST_PART = 1024,
    /* The velocity of a momentum, without halved steps (step/legendre_transform.h): most
     * iterations, and the factor by which one must shrink the residual, or it has stopped. */
    VELOCITY_ITERATIONS = 50,
    VELOCITY_GAIN = 2
};
/* A residual up to this may stop shrinking: STALL_ROUNDINGS EPS = 1.2e-10, rounded.  The work of a
 * correction that is rounding: DBL_EPSILON^2, as the work is quadratic. */
static const double STALLED_RESIDUAL = 1e-10, WORK_ROUNDING = 5e-20;

static const struct {
    const char *name;  /* what a text calls it, after the $ */
    double      value; /* in the unit that its name says */
} numbers[] = {
    /* of residuals here, of corrections in the core */
    { "CORRECTION_GAIN", CORRECTION_GAIN },
    { "MATRIX_GAIN", MATRIX_GAIN },
    { "PREDICTED_MARGIN", PREDICTED_MARGIN },
    { "OLD_MATRIX_ROUNDINGS", OLD_MATRIX_ROUNDINGS },
    { "REUSE_ROUNDINGS", REUSE_ROUNDINGS },
    { "RESIDUAL_ROUNDINGS", RESIDUAL_ROUNDINGS },
    { "CURVATURE_MARGIN", CURVATURE_MARGIN },
    { "CURVATURE_DECAY", CURVATURE_DECAY },
    /* by this alone a residual is measured, without CURVATURE_MOST and MEASURED_ROUNDINGS */
    { "SMALL_MEASURED_ROUNDINGS", SMALL_MEASURED_ROUNDINGS },
    { "SIMPSON_ROUNDINGS", SIMPSON_ROUNDINGS },
    { "BOUND_MARGIN", BOUND_MARGIN },
    { "RENEWED_STEPS", RENEWED_STEPS },
    { "REST_PART", REST_PART },
    { "VELOCITY_ITERATIONS", VELOCITY_ITERATIONS },
    { "VELOCITY_GAIN", VELOCITY_GAIN },
    { "STALLED_RESIDUAL", STALLED_RESIDUAL },
    { "WORK_ROUNDING", WORK_ROUNDING },
};

const char *noe_emitted_numbers_write(noe_text *t, const char *name)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && !memcmp(numbers[i].name, name, length))
            noe_text_add(t, "%g", numbers[i].value);
    return name + length;
}
