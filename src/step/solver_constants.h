/* Constants of the solvers of a step and of the tests of its solution: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names in ROUNDINGS count units of rounding EPS of what they bound.  "Tried": 330 runs of 80 steps
 * in double, of 22 systems of systems/ by gauss 1, 3, 6, 8 and simpson with steps of 1/3, 1/10 and
 * 1/40, many of them too long; they take 125.0 thousand iterations and 64.2 thousand matrices.  10
 * of them end otherwise than in binary128, the same ones unless other numbers are given; "no
 * difference" is one below 0.1 %.  Decisions are those of doc/decisions.md, sections those of
 * doc/theory.md.  Sums have theirs in sums/sums_constants.h, the arithmetic of any number of digits
 * in arb/arb_constants.h. */
#ifndef NOE_STEP_SOLVER_CONSTANTS_H
#define NOE_STEP_SOLVER_CONSTANTS_H

#include "number/real.h"

/* ---- Newton's method: step/newton_iteration.h ---- */

enum {
    /* Most iterations from a prediction: a root that takes longer is not near the prediction.
     * Tried: 4 costs 1.5 % more iterations, as more steps are continued; 14 no difference. */
    NEWTON_ITERATIONS = 7,
    /* The residual that ends the iteration: a sum of some ten terms, each rounded. Tried: 4 and 16,
     * 0.2 % of the iterations. */
    RESIDUAL_ROUNDINGS = 8,
    /* Factor by which corrections must shrink with a matrix of this step, or the root is not near:
     * Deuflhard's restricted monotonicity with theta = 1/4 (step/continuation.h). Tried: 2 saves 11
     * % of the iterations, and 17 runs end otherwise than in binary128; 8 costs 17 % more. */
    CORRECTION_GAIN = 4,
    /* Factor by which an iteration must shrink the residual, or the next has a new matrix.  Tried:
     * 1 << 10, 3 % more iterations and 2 % fewer matrices; 1 << 14, the reverse. */
    MATRIX_GAIN = 1 << 12,
    /* Steps before an old matrix, or the fixed-point iteration, is tried again after it failed.
     * Tried: 5, 4.5 % more iterations; 80, 3.4 % fewer, but motions that became smooth wait. */
    RETRY_STEPS = 20,
    /* A residual up to this needs no new matrix.  Tried: 1 << 8 and 1 << 12, 0.1 %. */
    REUSE_ROUNDINGS = 1 << 10,
    /* A residual above this is not rounding: the curvature can be measured by it (decision 45).
     * Tried: a quarter and four times, no difference. */
    MEASURED_ROUNDINGS = 1 << 12,
    /* Nor is a smaller residual that a curvature below this explains.  Tried: as before. */
    CURVATURE_MOST = 1 << 16,
    /* A residual up to this may stop shrinking: sums in F and P can cancel, which `scale` does
     * not see.  Tried: a quarter, 0.2 % fewer iterations; four times, no difference. */
    STALL_ROUNDINGS = 1 << 20,
    /* A residual predicted from earlier ones counts as rounding where it is so much below it.
     * Tried: 64, 0.7 % fewer iterations; 1024, 0.7 % more. */
    PREDICTED_MARGIN = 256,
    /* Factor by which an iteration must have shrunk the residual, or it predicts no next one.
     * Tried: a quarter and four times, no difference. */
    PREDICTING_GAIN = 1024,
    /* A root that took more iterations may be another one, and is judged by the velocities.
     * Tried: 2 costs 13 % more iterations; 10, 1.2 % fewer. */
    SLOW_NEWTON_ITERATIONS = 5,
    /* The matrix of a step that took up to so many iterations serves the next step, too.
     * Tried: 2, 0.4 % more matrices; 6, 1.8 % more iterations, and one run more ends
     * otherwise than in binary128. */
    REUSE_ITERATIONS = 3,
    /* The value of NOE_SOLVER_CHOICE that asks for a new matrix in every iteration. */
    FULL_NEWTON = 3
};

/* ---- fixed point: step/fixed_point_iteration.h, step/nystrom_iteration.h, step/nodal_newton.h,
 * step/canonical_iteration.h ---- */

enum {
    /* Least degree for which the fixed-point iteration is faster than a dense Newton matrix:
     * decision 24. */
    FIXED_POINT_DEGREE = 4,
    /* Most iterations.  Tried: 10, 12 % fewer iterations but 3 % more matrices; 160, 0.3 %
     * more iterations. */
    FIXED_POINT_ITERATIONS = 40,
    /* Most slow iterations: less than a factor 4 in two iterations (Nystrom form: in one).
     * Tried: 2, 1.7 % fewer iterations; 8, 1.3 % more. */
    SLOW_ITERATIONS = 4,
    /* A root that took more iterations may be another one, and is judged by the velocities. */
    SLOW_CONTRACTION_ITERATIONS = 16,
    /* Residual at which the iteration may stop shrinking however it contracted before.
     * Tried: a quarter and four times, no difference. */
    CLOSE_STALL_ROUNDINGS = 64,
    /* Sweeps of the linear equations of a correction (step/nodal_newton.h), and most sweeps of the
     * last one.  Tried, evaluations of double pendulum, top, 10 steps a period: LINEAR_SWEEPS 1,
     * 5.0, 7.1; 2, 3.8, 3.6; 3, 3.4, 3.5; with up to 5 in the last correction 3.1, 2.8. */
    LINEAR_SWEEPS = 2,
    LINEAR_SWEEPS_MOST = 5,
    /* The part of the solution that is not yet found must be below 1/DRIFT_MARGIN of a unit of
     * rounding: it has the same sign in step after step and is a drift in a long run in which
     * rounding is only a random walk (section 9; test/step/test_rounding.c). */
    DRIFT_MARGIN = 256
};

/* ---- velocities of momenta: step/legendre_transform.h ---- */

enum {
    /* Most iterations: halved steps take one for each bit near the end of the range of L_v. */
    LEGENDRE_ITERATIONS = 200,
    /* A pivot of L_vv, scaled to entries of size 1, is 0 below n times this. */
    PIVOT_ROUNDINGS = 64
};
/* Least part of a Newton step that is tried. */
static const num SHARE_LEAST = (num)0x1p-60;

/* ---- constraints: step/constrained_newton.h, which has the rest from Newton's method ---- */

enum {
    /* Most iterations from a prediction: a root that takes longer is not near it.  The first step
     * begins with multipliers 0, which costs one or two. */
    CONSTRAINED_ITERATIONS = 12,
    /* A root that took more may be another one, and is judged by the velocities. */
    SLOW_CONSTRAINED_ITERATIONS = 8,
    /* |g| that ends the iteration, in EPS of its terms. */
    CONSTRAINT_ROUNDINGS = 2,
    /* A correction, times h, that is rounding of the positions, in EPS. */
    POSITION_ROUNDINGS = 8,
    /* Unknowns above which there is no full matrix after the condensed one: its factors would take
     * longer than any other part of a run. */
    FULL_MATRIX_MOST = 1024,
    /* Most sweeps of a condensed correction (step/condensed_constraints.h): what needs more has
     * forces that change much within the step, and a full matrix is better. */
    SWEEPS_MOST = 8,
    /* Factor by which the next sweep must be below what would matter, or it is made. */
    SWEEP_MARGIN = 8,
    /* Most projections of the momenta (step/momentum_projection.h); one suffices where L is
     * quadratic in the velocities. */
    PROJECTIONS_MOST = 8,
    /* |G v + g_t| that ends them, in EPS of its terms. */
    HIDDEN_ROUNDINGS = 2,
    /* |G v + g_t| from which on it may stop shrinking. */
    HIDDEN_STALL = 1 << 12
};
/* |g| of a constraint that is left out, in units of its terms, beyond which it does not follow from
 * the others any more; a start may have 1e-10. */
static const double LEFT_OUT_MOST = 1e-8;

/* ---- continuation from free flight: step/continuation.h.  Limits of the work for one step, which
 * may have no solution; after a stride that is accepted the next is twice as long. ---- */

enum {
    STRIDES_MOST = 100,     /* most strides that are tried in a step. */
    STRIDE_ITERATIONS = 10, /* most Newton iterations of a stride. */
    STRIDE_PARTS = 256      /* 1/STRIDE_PARTS of a step is the shortest stride. */
};

/* ---- does a step continue the motion?  step/velocity_jump.h, section 6, decision 74 ---- */

/* A step whose jump is above this part of the range is not accepted unless continuation finds
 * the same solution.  For comparison, on a harmonic oscillation one mode makes a jump of omega
 * h/2, two modes one of 0.04 (omega h)^3. */
static const num JUMP_MOST_ONE_MODE = 0.5, JUMP_MOST_MODES = 0.0625;
/* A velocity below this part of the velocities that it is coupled to may be that of the front of
 * a wave: see largest_jump(). */
static const num FRONT_SHARE = (num)0.03;
/* jump range / sd^2 above which the energy is looked at: it may then be wrong by twice this part of
 * the least scale. */
static const num NOTED_JUMP = (num)0.01;
enum {
    /* A step that makes the range larger by this factor is suspect, too, */
    RANGE_GROWTH = 4,
    /* once this many steps have been made. */
    SETTLING_STEPS = 8,
    /* Units of rounding of a velocity up to which a difference is no jump. */
    VELOCITY_ROUNDINGS = 1 << 10,
    /* Number of modes from which on momenta at the end of the step are not compared: the last
     * mode tells enough, and the Nystrom form evaluates no momenta. */
    LAST_MODE_DEGREE = 4
};

/* ---- does the energy contradict it?  step/energy_jump.h, section 6, decision 74 ---- */

/* H may change by EXCHANGED_PART of X, plus KINETIC_PART of the change of the kinetic energy in
 * the step, plus ENERGY_ROUNDINGS units of rounding of its terms. */
static const num EXCHANGED_PART = 0.25, KINETIC_PART = 0.25;
/* In the first FIRST_STEPS steps the kinetic energy is a scale, too. */
enum { ENERGY_ROUNDINGS = 1 << 10, FIRST_STEPS = 8 };

#endif
