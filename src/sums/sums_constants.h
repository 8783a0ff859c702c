/* Constants of the solvers of sums and of the choice between them: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Those of the steps of systems that are written out stand in step/solver_constants.h; what means
 * the same here has its value from there.
 *
 * Set S: 432 runs of 60 steps in double of 24 models whose sums are kept, by midpoint, gauss 2, 3,
 * 5, 8 and simpson with 1, 6 and 30 times the step that suits them: the chains, clusters and
 * lattices of systems/, four of them with more sites too, beams of 10 and 30 links in the plane,
 * bars of 20 and 100 links with consistent masses, chains with 3 and 50 stiff springs, and rings
 * and chains of 3000 and 4200 sites.  They take 217.1 thousand iterations, 17.7 thousand matrices,
 * 14.9 thousand steps by the fixed point; 59 runs end early, most of them beyond the limit of
 * stability.  "Work" is the operations of iterations, solutions and matrices, the mean of its
 * ratios in the 24 models; "other" runs end more than 1e-8 away, or earlier or later; "no
 * difference" is one below 0.1 % and no other run. */
#ifndef NOE_SUMS_SUMS_CONSTANTS_H
#define NOE_SUMS_SUMS_CONSTANTS_H

#include "step/solver_constants.h"

/* ---- fixed point: tile_implicit.h ---- */

enum {
    /* Iterations for which the halos of the tiles are first made wide enough.  Set S: 5, tiles are
     * widened 54 times, 10, 18 times, 40, once; no difference of work. */
    FIRST_ROUNDS = 10,
    /* Most iterations in a step; what contracts more slowly costs less by Newton's method.  Set S:
     * 40, 2.5 % more work; 160, 1.4 % less, and 4 runs fewer end early. */
    ROUNDS_MOST = 80,
    /* Corrections that may be larger than the one before.  Set S: 1, 4 % more work, and one run
     * more ends early; 6 and 12, 0.2 % and 1.1 % less. */
    GROWN_MOST = 3,
    /* A correction, in EPS of the largest position, that may stall.  Set S: 16, 3 % more work;
     * 256, 0.1 % less. */
    SUMS_CLOSE_STALL_ROUNDINGS = CLOSE_STALL_ROUNDINGS
};
/* Stopping criterion of the fixed point: error of the positions at the nodes, relative to the
 * largest position. It is EPS/256, an error that the energy does not show in 1e7 steps
 * (DRIFT_MARGIN of step/solver_constants.h). It is below EPS since the error left by an iteration
 * is not random as roundings are: it is the same from step to step, and its effects add up.
 * Drift of the energy a step, relative, of six chains of 150 sites in 9000 steps of 0.1 to 0.15 by
 * gauss 5 and 8: EPS/128, 5e-19; EPS/8, 6e-19; 2 EPS, 9e-19; 32 EPS, 3e-17.  Set S: EPS/512, 0.6 %
 * more work; EPS/32, 0.5 % less; EPS, 3.4 % less. */
static const double CORRECTION_ZERO = EPS / DRIFT_MARGIN;

/* ---- Newton's method: sums_newton.h ---- */

enum {
    /* Most iterations in a step, by a matrix that is kept.  Set S: 20, 9 runs more end early; 80,
     * 2.7 % more work, and none fewer. */
    SPARSE_NEWTON_ITERATIONS = 40,
    /* Below so many coordinates one thread is faster than several; results do not depend on it. */
    ONE_THREAD_PLACES = 4096,
    /* From so many iterations on the energy is checked, unless each correction was at most
     * CONTRACTION_MOST times the one before.  Then the solution is within a third of the second
     * correction of the linearly implicit step, where the iteration contracts, and is that of the
     * motion.  Set S: 4, one other run; 18 and 1000, no difference. */
    CHECKED_ITERATIONS = 9,
    /* Units of rounding of its terms that the energy may change by.  Set S: a quarter and four
     * times, no difference. */
    SUMS_ENERGY_ROUNDINGS = ENERGY_ROUNDINGS,
    /* About so many iterations remain after a new matrix: it pays where it saves more.  Set S: 2,
     * 46 % more matrices, 4.6 % more work; 8, half the matrices, 5.4 % less work, and one run more
     * ends early. */
    ITERATIONS_WITH_NEW_MATRIX = 4
};
/* The end of the iteration. */
enum {
    /* A correction, in EPS of the largest position, with which it ends.  Set S: 1, 1 % more work;
     * 4, 1.2 % less; 8, 1.9 % less, and 6 other runs. */
    SETTLED_ROUNDINGS = 2,
    /* A correction is at its floor below so many roundings of a position, times 1 + h^2 omega^2 /
     * FLOOR_STIFFNESS, which cancel in the forces.  Set S: FLOOR_ROUNDINGS 4, 6 % more matrices,
     * and one run more ends early; 64, 7 % fewer; FLOOR_STIFFNESS 6 and 96, 6 % fewer and 5 % more;
     * work within 1 %. */
    FLOOR_ROUNDINGS = 16,
    FLOOR_STIFFNESS = 24,
    /* At the floor it has stalled with a correction of more than 1/STALLED_GAIN of the last one,
     * which was less than STALLED_AFTER of the one before that.  Set S: 2 and 8, 0.4 % more and
     * 0.5 % less work. */
    STALLED_GAIN = 4,
    /* A correction so many times smaller than the last: the next one is its square, relative to
     * the last.  Set S: 16, 3 % less work; 256, 1.3 % less; 4096, 0.5 % more; 2, 1 and 3 other
     * runs. */
    SUPERLINEAR_GAIN = 1024,
    /* A correction, in EPS of the largest position, from which a matrix of an earlier step does not
     * tell the next one.  Set S: a sixteenth and 16 times, 0.1 % of the work. */
    SUMS_OLD_MATRIX_ROUNDINGS = OLD_MATRIX_ROUNDINGS,
    /* Corrections that may be larger than the one before.  Set S: 1, 3 runs more end early; 3, one;
     * 12, 3.9 % more work, and none fewer. */
    NEWTON_GROWN_MOST = 6
};
/* At the floor it has stalled, too, with a correction of more than STALLED_PART of the last one.
 * Set S: STALLED_PART 0.45 to 0.99, 0.3 % of the work; without, 35 runs more end early.
 * STALLED_AFTER 0.015 and 0.24, 0.5 % more and 0.6 % less work; without, 0.9 % more. */
static const double STALLED_PART = 0.9, STALLED_AFTER = 0.06;
/* Contraction by a matrix of this step above which the energy is checked at the end.  Set S: 0.125,
 * 2 runs more end early; 0.25, one other run; without, one run goes on that otherwise ends after 7
 * steps. */
static const double DOUBTED_CONTRACTION = 0.5;
/* See CHECKED_ITERATIONS.  Set S: a quarter and twice, no difference; without both, 3 runs more end
 * early (and test_small_forces fails). */
static const double CONTRACTION_MOST = 1.0 / CORRECTION_GAIN;
/* The energy may change in a step by this part of what was exchanged.  Set S: a quarter and a half,
 * 5 runs more end early; twice, none fewer, 6 other runs; without the check 9 fewer, 24 other
 * runs. */
static const double SUMS_EXCHANGED_PART = EXCHANGED_PART;

/* ---- the choice: sums_solver.h.  A comparison is TRIAL_STEPS steps by Newton's method.  As the
 * interval doubles, comparisons are 8 of 1024 steps of a long run, and a motion that becomes stiff
 * is noticed within LAST_WAIT steps. ---- */

enum {
    /* Iterations of a fixed-point step from which Newton's method is compared.  Set S: 4, 4.3 %
     * less work; 16, 7 % more, and one run more ends early. */
    COMPARED_ROUNDS = 8,
    /* Steps of Newton's method in a comparison.  Set S: 4, 1.8 % less work; 16, 4 % more. */
    TRIAL_STEPS = 8,
    /* Steps between the first two comparisons; doubled every time.  Set S: 4, 1.8 % more work; 64,
     * 2.1 % less. */
    FIRST_WAIT = 16,
    /* Limit of that interval.  54 runs of set S with 4000 steps (the lattice of Klein and Gordon,
     * Toda's, 3 stiff springs): 256, 3 % more work; 4096, 0.8 % more. */
    LAST_WAIT = 1024
};

#endif
