/* Constants of the solvers of a step and of the tests of its solution: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names in ROUNDINGS count units of rounding EPS of what they bound.  Set A: 330 runs of 80 steps
 * in double, of 22 systems of systems/ by gauss 1, 3, 6, 8 and simpson with steps of 1/3, 1/10 and
 * 1/40, many of them too long; they take 125.0 thousand iterations and 64.2 thousand matrices.  10
 * of them end otherwise than in binary128, the same ones unless other numbers are given; "no
 * difference" is one below 0.1 %.  Set B: 396 runs of 60 steps of 22 systems by gauss 1, 2, 3, 6,
 * 8 and simpson with 1, 6 and 30 times the suggested step; 91.7 thousand iterations, 49.2 thousand
 * matrices, 705 continued steps; 32 runs end before their 60 steps.  Set C: 144 runs of 30 steps
 * of 8 mechanisms in the same way; 16.6 thousand iterations, 11.6 thousand matrices, 15 runs end
 * early.  Set D: 288 runs of 24 models of two coordinates with a monitor, whose L and mostly the
 * monitor depend on t, by gauss 1, 3, 5 and simpson with steps of 0.02, 0.1 and 0.4 up to 60 of
 * them; 40 runs end early.  Decisions are those of doc/decisions.md, sections those of
 * doc/theory.md.  Sums have their constants in sums/sums_constants.h, those of any number of digits
 * are in arb/arb_constants.h. */
#ifndef NOE_STEP_SOLVER_CONSTANTS_H
#define NOE_STEP_SOLVER_CONSTANTS_H

#include "number/real.h"
#include "tape/left_out_bounds.h" /* of constraints that are left out */

/* Added to a divisor that may be 0, and to the root of one: below every quantity of a model, and
 * still a normal number, also where it is multiplied by units of rounding: with 1e-300 comparisons
 * of coordinates at rest were of subnormal numbers, and a step of a free body took 8 % longer
 * (Intel Xeon).  Set B: 1e-200 to 1e-307, no difference. */
static const num LEAST_DIVISOR = (num)1e-280, LEAST_ROOT = (num)1e-150;

/* ---- Newton's method: step/newton_iteration.h ---- */

enum {
    /* Most iterations from a prediction: a root that takes longer is not near the prediction.
     * Set A: 4 costs 1.5 % more iterations, as more steps are continued; 14 no difference. */
    NEWTON_ITERATIONS = 7,
    /* The residual that ends the iteration: a sum of some ten terms, each rounded. Set A: 4 and 16,
     * 0.2 % of the iterations. */
    RESIDUAL_ROUNDINGS = 8,
    /* Factor by which corrections must shrink with a matrix of this step, or the root is not near:
     * Deuflhard's restricted monotonicity with theta = 1/4 (step/continuation.h).  Set A: 2 saves
     * 11 % of the iterations, and 17 runs end otherwise than in binary128; 8 costs 17 % more. */
    CORRECTION_GAIN = 4,
    /* With a clock (a monitor and t in L or G: NODE_TIME_ITERATIONS) the matrix does not contain
     * the derivatives of t and E at the nodes, so that the iteration converges linearly: so many
     * times the iterations are allowed.  Set D: 4 and 16, no difference. */
    LINEAR_TIMES = 8,
    /* Factor by which an iteration must shrink the residual, or the next has a new matrix.  Set A:
     * 1 << 10, 3 % more iterations and 2 % fewer matrices; 1 << 14, the reverse. */
    MATRIX_GAIN = 1 << 12,
    /* After the fixed-point iteration has failed in a step, this and the next RETRY_STEPS - 1 steps
     * are made without it; after an old matrix has failed RETRY_STEPS + 1 steps begin with new
     * ones.  Set A: 5, 4.5 % more iterations; 80, 3.4 % fewer, but motions that became smooth
     * wait. */
    RETRY_STEPS = 20,
    /* With a matrix of an earlier step: a residual above this predicts no next one, as it may be
     * small by accident.  The residual that MATRIX_GAIN leaves of one of size 1.  Set B: 1 << 8 to
     * 1 << 16, no difference. */
    OLD_MATRIX_ROUNDINGS = 1 << 12,
    /* A residual up to this needs no new matrix.  Set A: 1 << 8 and 1 << 12, 0.1 %. */
    REUSE_ROUNDINGS = 1 << 10,
    /* A residual above this is not rounding: the curvature can be measured by it (decision 45).
     * Set A: a quarter and four times, no difference. */
    MEASURED_ROUNDINGS = 1 << 12,
    /* A residual above this is not rounding either where a curvature below CURVATURE_MOST explains
     * it.  Set B: 8 to 128, no difference. */
    SMALL_MEASURED_ROUNDINGS = 4 * RESIDUAL_ROUNDINGS,
    /* Curvature below which a residual above SMALL_MEASURED_ROUNDINGS is taken as measured.  Set A:
     * a quarter and four times, no difference. */
    CURVATURE_MOST = 1 << 16,
    /* The bound of the curvature is so many times the measured one.  Set B: 2, 0.6 % fewer
     * iterations and 1.2 % more matrices; 32, the reverse. */
    CURVATURE_MARGIN = 8,
    /* That bound falls to this part of itself at most from one measurement to the next.  Set B: 4
     * and 64, 0.1 % and 0.2 %. */
    CURVATURE_DECAY = 16,
    /* A residual up to this may stop shrinking: sums in F and P can cancel, which `scale` does
     * not see.  So may a correction up to this part of the velocities: a coordinate that hardly
     * moves beside others has their rounding in its own equation, whose terms are small.
     * Set A: a quarter, 0.2 % fewer iterations; four times, no difference. */
    STALL_ROUNDINGS = 1 << 20,
    /* A residual predicted from earlier ones counts as rounding where it is so much below it.
     * Set A: 64, 0.7 % fewer iterations; 1024, 0.7 % more. */
    PREDICTED_MARGIN = 256,
    /* Factor by which an iteration must have shrunk the residual, or it predicts no next one.
     * Set A: a quarter and four times, no difference. */
    PREDICTING_GAIN = 1024,
    /* A root that took more iterations may be another one, and is judged by the velocities.
     * Set A: 2 costs 13 % more iterations; 10, 1.2 % fewer. */
    SLOW_NEWTON_ITERATIONS = 5,
    /* The matrix of a step that took up to so many iterations serves the next step, too.
     * Set A: 2, 0.4 % more matrices; 6, 1.8 % more iterations, and one run more ends
     * otherwise than in binary128. */
    REUSE_ITERATIONS = 3,
    /* Values of NOE_SOLVER_CHOICE.  CHORD: the matrix is kept while it contracts by MATRIX_GAIN;
     * FULL_NEWTON: a new one in every iteration. */
    BY_DEGREE = 0,
    FIXED_POINT = 1,
    CHORD = 2,
    FULL_NEWTON = 3
};

/* ---- t and E at the nodes of a Lagrangian that a monitor transforms, where L or G depends on t:
 * node_times() of step/discrete_action.h finds them from positions and velocities there ---- */

enum {
    /* Most iterations, which contract by |dG/dt| times the step.  Set D with seven methods, 504
     * runs: 10, 149 runs more end early. */
    NODE_TIME_ITERATIONS = 40,
    /* The last change that ends them: t and E are sums of some terms, each rounded.  Set D: 1, 88
     * runs more end early; 16, together with 160 iterations, 8 fewer. */
    NODE_TIME_ROUNDINGS = 4
};

/* ---- prediction of the modes, step/predictor.h, and of multipliers, step/multiplier_history.h
 * ---- */

enum {
    /* Earlier steps stored for the predictor: its largest order, 15, rounded up to a power of 2,
     * because rows are indexed modulo it. */
    HISTORY_STEPS = 16,
    /* Orders among which the predictor chooses, those of order_of_modes. */
    PREDICTION_ORDERS = 8,
    /* Period, in steps, of the curvature and of the dither; the prediction's order is chosen twice
     * in it.  1224 runs of 100 steps of 68 systems by the methods of set B, 492 thousand
     * iterations, 230 thousand matrices, 139 runs end early: 8 and 32, 0.2 % of the iterations and
     * 0.4 % of the matrices. */
    PHASES = 16,
    /* Units of rounding by which the dither of one phase differs from that of the next.  Drift of
     * the pendulum's energy by simpson with steps of 0.02, as dither() has it: 0, 1.6e-19; 4,
     * 3.7e-20; 16, 3.3e-20; 64, 3.3e-20; 256, 3.0e-20. */
    DITHER_ROUNDINGS = 16,
    /* Steps of which multipliers are stored: the largest of multiplier_orders. */
    MULTIPLIER_STEPS = 8
};

/* ---- fixed point: step/fixed_point_iteration.h, step/nystrom_iteration.h, step/nodal_newton.h,
 * step/canonical_iteration.h, step/canonical_newton.h ---- */

enum {
    /* Least degree for which the fixed-point iteration is faster than a dense Newton matrix:
     * decision 24. */
    FIXED_POINT_DEGREE = 4,
    /* Most coordinates whose coupled M is inverted by cofactors: one division, and no sum waits for
     * another; step/node_jet.h has the formulas up to 3.  Also of the iterations of Nystrom and of
     * Newton at the nodes, which a smaller number leaves out, too.  By gauss 8 and steps of 0.01:
     * 2, the top of Lagrange (3) takes 8.6 times as long; 1, the double pendulum (2) takes 1.3
     * times. */
    COFACTOR_MOST = 3,
    /* Most coordinates with coupled masses for which L_vv is factored at every node and the fixed
     * point is tried.  The pendulum of n links by gauss 8 and its suggested step: without it n = 5,
     * 10, 20, 40, 64 take 9.6, 17, 2.1, 2.1, 2.0 times as long; of 90 links both take as long, as
     * the fixed point is given up. */
    COUPLED_MASS_MOST = 64,
    /* Most iterations.  Set A: 10, 12 % fewer iterations but 3 % more matrices; 160, 0.3 %
     * more iterations. */
    FIXED_POINT_ITERATIONS = 40,
    /* Nystrom form and nodal Newton: the kick h sum_i b_i F_i is a sum of two products, with
     * (1 - 1/LENGTH_PARTS) h rounded to half its digits and with the rest, which is then of a size
     * that keeps its digits.  Set B: 16 to 65536, no difference. */
    LENGTH_PARTS = 1024,
    /* Factor by which two iterations must shrink the residual, or they are slow
     * (contraction_judge(): one).  Runs of PHASES: 2, 0.8 % more iterations; 8, 1.1 % fewer, 0.1 %
     * more matrices. */
    CONTRACTION_GAIN = 4,
    /* Most slow iterations.
     * Set A: 2, 1.7 % fewer iterations; 8, 1.3 % more. */
    SLOW_ITERATIONS = 4,
    /* A root that took more iterations may be another one, and is judged by the velocities.  Set B:
     * 8, 1.7 % more iterations; 32, no difference. */
    SLOW_CONTRACTION_ITERATIONS = 16,
    /* Residual at which the iteration may stop shrinking however it contracted before.
     * Set A: a quarter and four times, no difference. */
    CLOSE_STALL_ROUNDINGS = 64,
    /* Sweeps of the linear equations of a correction (step/nodal_newton.h and nystrom_iteration.h),
     * and most sweeps of the last one.  Tried, evaluations of double pendulum, top, 10 steps a
     * period: LINEAR_SWEEPS 1, 5.0, 7.1; 2, 3.8, 3.6; 3, 3.4, 3.5; with up to 5 in the last
     * correction 3.1, 2.8.  Of pendulum and Henon-Heiles, gauss 8, 9 and 13 steps a period: 1, 3.1,
     * 2.9; 2, 2.7, 2.0; 3, 2.9, 2.0; up to 7 in the last, no difference. */
    LINEAR_SWEEPS = 2,
    LINEAR_SWEEPS_MOST = 5,
    /* The same of step/canonical_newton.h; the second a power of 2.  Kepler's problem, evaluations
     * and ns a step:
     *     CANONICAL_SWEEPS               2          3          4
     *     e = 0.9, 20 points          3.2  834   2.7  826   2.3  819
     *     e = 0.9, 8 points                      4.9 1246   4.5 1289
     *     e = 0.99, 32 points         3.0  833   2.7  817   2.3  823
     *     e = 0.99, 10 points                    5.9 1441   4.7 1399 */
    CANONICAL_SWEEPS = 3,
    CANONICAL_SWEEPS_MOST = 8,
    /* The part of the solution that is not yet found must be below 1/DRIFT_MARGIN of a unit of
     * rounding: it has the same sign in step after step and is a drift in a long run in which
     * rounding is only a random walk (section 9; test/step/test_rounding.c). */
    DRIFT_MARGIN = 256
};

/* ---- velocities of momenta: step/legendre_transform.h ---- */

enum {
    /* Most iterations: halved steps take one for each bit near the end of the range of L_v.  Set B:
     * 50 to 800, no difference. */
    LEGENDRE_ITERATIONS = 200,
    /* A pivot of L_vv, scaled to entries of size 1, is 0 below n times this.  Set B: 1 to 256, no
     * difference. */
    PIVOT_ROUNDINGS = 64
};
/* Least part of a Newton step that is tried.  Set B: 2^-30 to 2^-100, no difference. */
static const num LEGENDRE_SHARE_LEAST = (num)0x1p-60;

/* ---- constraints: step/constrained_newton.h, which takes others from Newton's method ---- */

enum {
    /* Most iterations from a prediction: a root that takes longer is not near it.  The first step
     * begins with multipliers 0, which costs one or two.  Set C: 6, 12 % more iterations, as twice
     * as many steps are continued; 24, no difference. */
    CONSTRAINED_ITERATIONS = 12,
    /* A root that took more may be another one, and is judged by the velocities.  Set C: 4, 11 %
     * more iterations; 16, no difference. */
    SLOW_CONSTRAINED_ITERATIONS = 8,
    /* |g| that ends the iteration, in EPS of its terms.  Set C: 1 and 8, 0.1 %. */
    CONSTRAINT_ROUNDINGS = 2,
    /* A correction, times h, that is rounding of the positions, in EPS.  Set C: 2 to 32, no
     * difference. */
    POSITION_ROUNDINGS = 8,
    /* Unknowns above which there is no full matrix after the condensed one: its factors would take
     * longer than any other part of a run, U^3/3 = 4e8 multiply-adds.  No run of set C has so
     * many. */
    FULL_MATRIX_MOST = 1024,
    /* Most sweeps of a condensed correction (step/coupling_sweeps.h): what needs more has
     * forces that change much within the step, and a full matrix is better.  Set C: 4, 0.2 % more
     * iterations; 16, no difference. */
    SWEEPS_MOST = 8,
    /* Factor by which the next sweep must be below what would matter, or it is made.  Set C: 2,
     * 0.2 % more iterations; 32, 0.1 % fewer. */
    SWEEP_MARGIN = 8,
    /* Most projections of the momenta (step/momentum_projection.h); one suffices where L is
     * quadratic in the velocities.  Set C: 4 to 16, no
     * difference. */
    PROJECTIONS_MOST = 8,
    /* |G v + g_t| that ends them, in EPS of its terms.  Set C: 1 to 8, no state differs by
     * 1e-8. */
    HIDDEN_ROUNDINGS = 2,
    /* Largest |G v + g_t|, in EPS of its terms, that may stop shrinking.  Set C: 1 << 8 to
     * 1 << 16, no state differs by 1e-8. */
    HIDDEN_STALL_ROUNDINGS = 1 << 12
};

/* ---- continuation from free flight: step/continuation.h.  Limits of the work for one step, which
 * may have no solution; after a stride that is accepted the next is twice as long. ---- */

enum {
    /* Most strides that are tried in a step.  Set B: 25 to 400, no difference. */
    STRIDES_MOST = 100,
    /* Most Newton iterations of a stride without constraints; with them: CONSTRAINED_ITERATIONS.
     * Set B: 5, 13 % more iterations; 20, no difference. */
    STRIDE_ITERATIONS = 10,
    /* 1/STRIDE_PARTS of a step is the shortest stride.  Set B: 64, two runs more end early; 1024,
     * 0.3 % more iterations. */
    STRIDE_PARTS = 256
};

/* ---- does a step continue the motion?  step/velocity_jump.h, section 6, decision 74 ---- */

/* A step whose jump is above this part of the range is not accepted unless continuation finds
 * the same solution.  For comparison, on a harmonic oscillation one mode makes a jump of omega
 * h/2, two modes one of 0.04 (omega h)^3.  Set B: halves, 1.7 and 2.4 % more iterations; doubles,
 * 1.4 and 2.2 % fewer, and one run more ends early with each. */
static const num JUMP_MOST_ONE_MODE = 0.5, JUMP_MOST_MODES = 0.0625;
/* With constraints: a jump below this part of the ranges that it is coupled to is none, in the norm
 * of the kinetic energy: an eighth of the least range that noe_coupled_blocks_least_ranges() lets
 * count, since a jump of an eighth of a range is coarse.  A governor in steady rotation, whose
 * heights have ranges of errors alone, has jumps of 2^-13 at 36 steps a turn by simpson. */
static const num CONSTRAINED_SHARE = (num)0x1p-10;
/* jump range / sd^2 above which the energy is looked at: the energy may then be wrong by twice this
 * part of the least scale.  Runs of PHASES with 260 steps, 1062 energy errors: 0 takes 27.3
 * thousand looks at the energy; 0.0025, 16.9 thousand, which find 86 errors to less than 0.9 of
 * what those find; 0.01, 15.9 and 124; 0.04, 14.6 and 159.  The same errors are large. */
static const num NOTED_JUMP = (num)0.01;
enum {
    /* A step that makes the range larger by this factor is suspect, too.  Set B: 2 to 8, no
     * difference. */
    RANGE_GROWTH = 4,
    /* Not before so many steps have been made.  Set B: 4 to 16, no difference. */
    SETTLING_STEPS = 8,
    /* Units of rounding of a velocity up to which a difference is no jump.  Set B: 1 << 8 to
     * 1 << 12, no difference. */
    VELOCITY_ROUNDINGS = 1 << 10,
    /* Number of modes from which on momenta at the end of the step are not compared: the last
     * mode tells enough, and the Nystrom form evaluates no momenta.  Runs of PHASES: 2, 0.3 % fewer
     * iterations and 0.6 % fewer matrices; 8, 1.1 % and 1.5 % more. */
    LAST_MODE_DEGREE = 4
};

/* ---- does the energy contradict it?  step/energy_jump.h, section 6, decision 74 ---- */

/* H may change by EXCHANGED_PART of X, plus KINETIC_PART of the change of the kinetic energy in
 * the step, plus ENERGY_ROUNDINGS units of rounding of its terms.  Set B: of 32 runs that end early
 * EXCHANGED_PART 0.125 makes 35, 0.5 makes 30; KINETIC_PART 0.125 makes 32, 0.5 makes 30. */
static const num EXCHANGED_PART = 0.25, KINETIC_PART = 0.25;
/* A velocity whose range since the start is up to so many units of rounding of its size has varied
 * by rounding alone: 2^10 steps that each add 2^2 units.  300 flights of 40 to 4000 steps into a
 * spring, of two coordinates with coupled masses: with 0 31 of them are refused there, with 2^4 4,
 * with 2^8 1, from 2^10 to 2^28 none.  Runs of PHASES: 0 to 2^24, no difference. */
static const num FREE_FLIGHT_ROUNDINGS = 0x1p12;
/* In the first FIRST_STEPS steps the kinetic energy is a scale, too.  Set B: 2, one run ends
 * otherwise; 32, three runs fewer end early.  ENERGY_ROUNDINGS: 1 << 8 to 1 << 12, no difference.
 */
enum { ENERGY_ROUNDINGS = 1 << 10, FIRST_STEPS = 8 };
/* The change of the energy as an integral of forces counts where quadratures with 2 and 4 nodes
 * differ by less than 1/QUADRATURE_AGREEMENT of what is allowed.  Set B: 64 to 16384, no
 * difference. */
enum { QUADRATURE_AGREEMENT = 1024 };

/* ---- may an old Newton matrix be cheaper?  may_reuse_matrix() of engine/engine_setup.h; counts of
 * multiply-adds, a rough estimate: an old matrix trades 1 matrix for 1.3 iterations ---- */

enum {
    /* An elementary function takes as long as so many.  Set B: 2, 0.9 % more iterations and 1.1 %
     * fewer matrices; 32, 1.6 % fewer and 2.2 % more. */
    FUNCTION_OPERATIONS = 8,
    /* An elimination takes N^3/ELIMINATION_SHARE.  Set B: 1, 2.6 % more iterations and 3.4 % fewer
     * matrices; 16, the reverse. */
    ELIMINATION_SHARE = 4,
    /* What surrounds the evaluation of a gradient.  Set B: 0, 3.6 % more iterations and 4.9 % fewer
     * matrices; 160, 2.3 % fewer and 3.2 % more. */
    ITERATION_OPERATIONS = 40
};

#endif
