/* Constants of the engine in any number of digits and of closed forms: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Corrections and residuals are compared by their exponents of 2, so that no bound depends on the
 * number of digits.  Those of double and binary128 are in step/solver_constants.h.
 *
 * Set A: 736 runs of 20 steps of 23 systems of systems/ without constraints by gauss 1, 3, 6 and
 * simpson with 50 and 100 digits and 1, 10, 30 and 90 times the suggested step; they take 142.5
 * thousand iterations, 2800 continuations and 19.9 thousand strides, and 144 end before their 20
 * steps.  Set E: 528 states, those of the 11 systems of systems/ with a solution in closed form at
 * 16 times from -8 to 1e5 with 30, 100 and 300 digits; they take 1024 evaluations, 759 of Newton's
 * corrections for Kepler's problem, and none fails.  "No difference" is one below 0.1 % in these
 * numbers, and the same results in all digits that were looked at, 12. */
#ifndef NOE_ARB_ARB_CONSTANTS_H
#define NOE_ARB_ARB_CONSTANTS_H

/* ---- precision ---- */

enum {
    /* Bits beyond the digits asked for, which the roundings of a long run may use up: 2^64 steps
     * that add one unit each in the same direction.  Set A: 32, 2.3 % fewer iterations. */
    GUARD_BITS = 64,
    /* Bits that rounding may have cost an entry of a matrix: a pivot below 2^LOST_BITS of a unit of
     * rounding is 0 (arb/arb_jet.c), and so is a difference of two entries (linear_solution.c).
     * Sets A and E: 12 and 48, no difference. */
    LOST_BITS = 24,
    /* Bits of numbers of which only the size matters: energies that are compared, error bounds.
     * ROUGH_BITS, set A: 32 and 128, no difference.  BOUND_BITS, set E: 30, no difference. */
    ROUGH_BITS = 64,
    BOUND_BITS = 53,
    /* H with so many times the bits, since its terms may cancel near an equilibrium.  Set A: 1 and
     * 8, no run ends otherwise. */
    ENERGY_PRECISIONS = 4,
    /* Bits beyond the precision with which velocities are solved for from the momenta of a start:
     * their own last bits are correct then.  Sets A and E: 0, no difference. */
    START_BITS = 32,
    /* Bits beyond the precision for the roots that are nodes of a quadrature, and, for each node,
     * for the product of the factors of Lagrange's polynomials, whose powers of x cancel.  Set A: 0
     * with 4, and 16, no difference. */
    ROOT_BITS = 8,
    NODE_BITS = 8,
    /* A residual below 2^RESIDUAL_BITS_LEAST is not recorded: double ends at 2^-1074. */
    RESIDUAL_BITS_LEAST = -1000
};

/* ---- velocities of momenta: arb/arb_jet.c ---- */

enum {
    /* Most iterations.  Set A: 25, no difference. */
    ARB_LEGENDRE_ITERATIONS = 100,
    /* The last correction is up to 2^LEGENDRE_ROUNDING_BITS of a unit of rounding.  Set A: 4 and
     * 16, no state differs. */
    LEGENDRE_ROUNDING_BITS = 8,
    /* Not before so many iterations may the corrections have stopped shrinking, at half of the
     * digits or less.  Set A: 0 and 6, no state differs.  Both with ENERGY_PRECISIONS make 2.8 %
     * fewer and 0.5 % more of these 34.3 thousand iterations. */
    LEGENDRE_SETTLING = 3
};

/* ---- Newton's method: arb/arb_galerkin.c ---- */

enum {
    /* Most iterations of a stride of the continuation.  Set A: 30 and 120, no difference. */
    ARB_ITERATIONS = 60,
    /* Most iterations from a prediction: a root that takes more is not near it.  Set A: 6, 9.4 %
     * more iterations and 12 % more continuations, but 6 runs fewer end early; 24, 0.8 % more
     * iterations. */
    ARB_NEAR_ITERATIONS = 12,
    /* The next correction must be below 2^-UNSOLVED_BITS of a unit of rounding, by the quadratic
     * convergence just measured; as DRIFT_MARGIN of step/solver_constants.h.  Set A: 4, 0.3 % fewer
     * iterations; 16, 1 % more. */
    UNSOLVED_BITS = 8,
    /* Corrections that may be no smaller than the one before.  Set A: 1, 2.2 % fewer iterations,
     * but 3 % more continuations and 20 steps fewer; 4, 5.6 % more iterations. */
    RISES_MOST = 2,
    /* The size, in bits above a unit of rounding, at which one more is rounding itself.  Set A: 8
     * and 32, no difference. */
    STALL_BITS = 16
};

/* ---- continuation from free flight: arb/arb_galerkin.c ---- */

enum {
    /* Most strides that are tried in a step.  Set A: 100, 0.6 % fewer iterations and strides; 50, 2
     * runs more end early. */
    ARB_STRIDES_MOST = 200,
    /* A first correction below 2^-FLIGHT_BITS of free flight is a small one.  Set A: 1, 2.5 %
     * fewer iterations; 3, 2.2 % more, and 2 runs more end early. */
    FLIGHT_BITS = 2
};
/* An energy that changes in a step by this part of the change of the kinetic energy is that of
 * another motion, as EXCHANGED_PART of step/solver_constants.h.  Set A: 0.125, 8
 * runs more end early; 0.5, 8 fewer. */
static const double SUSPECT_PART = 0.25;
/* Part of the step that is solved first, and the least by which it goes on.  Set A:
 * FIRST_STRIDE 0.25, 5.4 % fewer iterations, 0.0625, 6.9 % more; LEAST_STRIDE twice as large, 2
 * runs more end early; half, 0.8 % more iterations. */
static const double FIRST_STRIDE = 0.125, LEAST_STRIDE = 1.0 / 4096;

/* ---- is a solution in closed form that of the model?  arb/solution_check.c ---- */

enum {
    /* Random times at which the equations of motion are evaluated.  Set E: 2 and 10 accept the
     * same; each costs 9.7 % of all evaluations. */
    CHECKED_TIMES = 5,
    /* They are up to so many times of the motion before and after the start.  Set E: 10 and 40, no
     * difference. */
    CHECKED_SPAN = 20,
    /* Digits of the solution there.  Set E: 40 and 128 accept the same. */
    CHECKED_DIGITS = 64,
    /* d/dt is a difference over 2^-DIFFERENCE_BITS of the motion's time.  Set E: 32 leaves
     * residuals of 1e-20 and accepts none; 96, no difference. */
    DIFFERENCE_BITS = 64
};
/* Residual of the equations of motion, relative to their terms: the differences leave 1e-38,
 * another motion about 1. */
static const double RESIDUAL_MOST = 1e-25;

/* ---- states of a solution in closed form: arb/solution_state.c and the families ---- */

enum {
    /* Bits by which the radius of a position is below the last digit asked for.  Set E: 0 and 16,
     * no difference. */
    SHARP_BITS = 8,
    /* Bits beyond these for the first attempt.  Set E: 20, 0.7 % more evaluations; 80, 0.1 %
     * fewer. */
    SOLUTION_BITS = 40,
    /* Most attempts, each with twice the bits.  Set E: 2 are enough. */
    DOUBLINGS_MOST = 6,
    /* An angle whose cut lies within the radius of its arguments is that of their middles, to so
     * many bits less than the precision.  Set E: 8 and 32, no difference. */
    CUT_BITS = 16,
    /* Bits below a unit of rounding of the largest entry at which Jacobi's rotations leave an entry
     * as it is.  Set E: 4 and 16, no difference. */
    ROTATED_BITS = 8,
    /* Most sweeps of Jacobi's rotations.  Random, tridiagonal and Hilbert's matrices of 2 to 30
     * rows took 2 to 17 with 64 to 1000 bits, up to 12 rows 14 at most with 4000.  After the last
     * one the matrix is taken as it is. */
    JACOBI_SWEEPS_MOST = 60,
    /* Bits of the arithmetic while the root of Kepler's equation is bracketed and halved.  Set E:
     * 48, 22 % more corrections; 192, no difference. */
    BRACKET_BITS = 96,
    /* Most doublings of the bracket, which begins with s/r0.  Set E: 10, no difference. */
    BRACKET_DOUBLINGS = 200,
    /* Halvings: the bits that Newton's method begins with, less than BRACKET_BITS.  Set E: 35, 25 %
     * more corrections; 140, 1.3 % fewer. */
    BRACKET_HALVINGS = 70,
    /* Most corrections of Newton's method, which double the bits; after them the state is unknown.
     * Set E: 8, no difference; the bracket is too coarse after 1e17 turns, and they do run out. */
    KEPLER_ITERATIONS = 60
};

#endif
