/* Constants of the solvers of sums and of the choice between them: what each bounds, and why.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Those of the steps of systems that are written out stand in step/solver_constants.h; what means
 * the same here has its value from there. */
#ifndef NOE_SUMS_SUMS_CONSTANTS_H
#define NOE_SUMS_SUMS_CONSTANTS_H

#include "step/solver_constants.h"

/* ---- fixed point: tile_implicit.h ---- */

enum {
    FIRST_ROUNDS = 10, /* iterations for which the halos of the tiles are first made wide enough */
    ROUNDS_MOST = 80,  /* most iterations in a step; what contracts more slowly costs less by
                          Newton's method */
    GROWN_MOST = 3,    /* corrections that may be larger than the one before */
    /* a correction, in EPS of the largest position, that may stall */
    SUMS_CLOSE_STALL_ROUNDINGS = CLOSE_STALL_ROUNDINGS
};
/* Stopping criterion of the fixed point: error of the positions at the nodes, relative to the
 * largest position. It is EPS/256, an error that the energy does not show in 1e7 steps
 * (DRIFT_MARGIN of step/solver_constants.h). It is below EPS since the error left by an iteration
 * is not random as roundings are: it is the same from step to step, and its effects add up. */
static const double CORRECTION_ZERO = EPS / DRIFT_MARGIN;

/* ---- Newton's method: sums_newton.h ---- */

enum {
    SPARSE_NEWTON_ITERATIONS = 40, /* most iterations in a step, by a matrix that is kept */
    ONE_THREAD_PLACES = 4096,      /* below so many coordinates one thread is faster than several */
    /* From so many iterations on the energy is checked, unless each correction was at most
     * CONTRACTION_MOST times the one before.  Then the solution is within a third of the second
     * correction of the linearly implicit step, where the iteration contracts, and is that of the
     * motion. */
    CHECKED_ITERATIONS = 9,
    /* Units of rounding of its terms that the energy may change by. */
    SUMS_ENERGY_ROUNDINGS = ENERGY_ROUNDINGS,
    /* About so many iterations remain after a new matrix: it pays where it saves more. */
    ITERATIONS_WITH_NEW_MATRIX = 4
};
/* The end of the iteration.  No other values were measured. */
enum {
    SETTLED_ROUNDINGS = 2, /* a correction, in EPS of the largest position, with which it ends */
    /* A correction is at its floor below so many roundings of a position, times 1 + h^2 omega^2 /
     * FLOOR_STIFFNESS, which cancel in the forces. */
    FLOOR_ROUNDINGS = 16,
    FLOOR_STIFFNESS = 24,
    /* At the floor it has stalled with a correction of more than 1/STALLED_GAIN of the last one,
     * which was less than STALLED_AFTER of the one before that. */
    STALLED_GAIN = 4,
    SUPERLINEAR_GAIN = 1024, /* a correction so many times smaller than the last: the next one is
                                 its square, relative to the last */
    SUMS_OLD_MATRIX_ROUNDINGS = OLD_MATRIX_ROUNDINGS,
    NEWTON_GROWN_MOST = 6 /* corrections that may be larger than the one before */
};
/* At the floor it has stalled, too, with a correction of more than STALLED_PART of the last one. */
static const double STALLED_PART = 0.9, STALLED_AFTER = 0.06;
/* Contraction by a matrix of this step above which the energy is checked at the end. */
static const double DOUBTED_CONTRACTION = 0.5;
static const double CONTRACTION_MOST = 1.0 / CORRECTION_GAIN;
/* The energy may change in a step by this part of what was exchanged. */
static const double SUMS_EXCHANGED_PART = EXCHANGED_PART;

/* ---- the choice: sums_solver.h.  A comparison is TRIAL_STEPS steps by Newton's method.  As the
 * interval doubles, comparisons are 8 of 1024 steps of a long run, and a motion that becomes stiff
 * is noticed within LAST_WAIT steps. ---- */

enum {
    COMPARED_ROUNDS =
        8,           /* iterations of a fixed-point step from which Newton's method is compared */
    TRIAL_STEPS = 8, /* steps of Newton's method in a comparison */
    FIRST_WAIT = 16, /* steps between the first two comparisons; doubled every time */
    LAST_WAIT = 1024 /* limit of that interval */
};

#endif
