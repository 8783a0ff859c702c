/* Constants of the engine in any number of digits: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Corrections and residuals are compared by their exponents of 2, so that no bound depends on the
 * number of digits.  Those of double and binary128 are in step/solver_constants.h. */
#ifndef NOE_ARB_ARB_CONSTANTS_H
#define NOE_ARB_ARB_CONSTANTS_H

/* ---- precision: arb/arb_engine.c ---- */

enum {
    /* Bits beyond the digits asked for, which the roundings of a long run may use up. */
    GUARD_BITS = 64,
    /* Bits that rounding may have cost an entry of a matrix: a pivot below 2^LOST_BITS of a unit of
     * rounding is 0 (arb/arb_jet.c), and so is a difference of two entries (linear_solution.c). */
    LOST_BITS = 24
};

/* ---- Newton's method: arb/arb_galerkin.c ---- */

enum {
    /* Most iterations of a stride of the continuation. */
    ARB_ITERATIONS = 60,
    /* Most iterations from a prediction: a root that takes more is not near it. */
    ARB_NEAR_ITERATIONS = 12,
    /* The next correction must be below 2^-UNSOLVED_BITS of a unit of rounding, by the quadratic
     * convergence just measured; as DRIFT_MARGIN of step/solver_constants.h. */
    UNSOLVED_BITS = 8,
    /* Corrections that may be no smaller than the one before, */
    RISES_MOST = 2,
    /* and the size, in bits above a unit of rounding, at which one more is rounding itself. */
    STALL_BITS = 16
};

/* ---- continuation from free flight: arb/arb_galerkin.c ---- */

enum {
    ARB_STRIDES_MOST = 200, /* most strides that are tried in a step. */
    FLIGHT_BITS = 2 /* a first correction below 2^-FLIGHT_BITS of free flight is a small one. */
};
/* An energy that changes in a step by this part of the change of the kinetic energy is that of
 * another motion, as EXCHANGED_PART of step/solver_constants.h. */
static const double SUSPECT_PART = 0.25;
/* Part of the step that is solved first, and the least by which it goes on. */
static const double FIRST_STRIDE = 0.125, LEAST_STRIDE = 1.0 / 4096;

/* ---- is a solution in closed form that of the model?  arb/solution_check.c ---- */

enum {
    CHECKED_TIMES = 5,   /* random times at which the equations of motion are evaluated */
    CHECKED_DIGITS = 64, /* digits of the solution there */
    DIFFERENCE_BITS = 64 /* d/dt is a difference over 2^-DIFFERENCE_BITS of the motion's time */
};
/* Residual of the equations of motion, relative to their terms: the differences leave 1e-38,
 * another motion about 1. */
static const double RESIDUAL_MOST = 1e-25;

#endif
