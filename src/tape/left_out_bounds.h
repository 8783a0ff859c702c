/* When does a constraint follow from others, and how far off may one be that is left out?
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A pivot of G M^-1 G^T below NOE_DEPENDENT_AT_START, relative to its diagonal, tells that a
 * constraint follows from others: numbers in a text have some twelve digits.  Where the choice is
 * not asked for, in diagnoses and forces, NOE_DEPENDENT_ROUNDING of binary128 tells it.
 *
 * |g| of one that is left out is relative to its terms.  A start may be off by
 * NOE_LEFT_OUT_AT_START, as lengths of a closed loop are that are written with ten digits.  How far
 * such a loop is off changes with its shape, so that a step may be off by more; where it is off by
 * NOE_LEFT_OUT_MOST the constraints contradict each other, and the step fails with NOE_SINGULAR. */
#ifndef NOE_TAPE_LEFT_OUT_BOUNDS_H
#define NOE_TAPE_LEFT_OUT_BOUNDS_H

static const double NOE_DEPENDENT_AT_START = 1e-12, NOE_DEPENDENT_ROUNDING = 0x1p-100;
static const double NOE_LEFT_OUT_AT_START = 1e-10, NOE_LEFT_OUT_MOST = 1e-8;

#endif
