/* |g| of a constraint that follows from the others and is left out, relative to its terms: bounds.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A start may be off by NOE_LEFT_OUT_AT_START: lengths of a closed loop that are written with ten
 * digits.  How far such a loop is off changes with its shape, so that a step may be off by more;
 * where it is off by NOE_LEFT_OUT_MOST the constraints contradict each other, and the step fails
 * with NOE_SINGULAR. */
#ifndef NOE_TAPE_LEFT_OUT_BOUNDS_H
#define NOE_TAPE_LEFT_OUT_BOUNDS_H

static const double NOE_LEFT_OUT_AT_START = 1e-10, NOE_LEFT_OUT_MOST = 1e-8;

#endif
