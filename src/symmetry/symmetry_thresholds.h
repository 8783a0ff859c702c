/* What counts as 0 in the search for symmetries: thresholds, each relative to what it judges.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In the order in which a symmetry meets them: null vectors of random rows (matrix/nullspace.c:
 * residuals of 1e-30 to 1e-16), coefficients, the identity on fresh states, jumps, forces.  What is
 * computed in binary128 is rounded to 1e-34. */
#ifndef NOE_SYMMETRY_SYMMETRY_THRESHOLDS_H
#define NOE_SYMMETRY_SYMMETRY_THRESHOLDS_H

#include "number/quad.h"

/* Coefficients below this part are 0: of the largest of a null vector; of 1 (a shift: of its effect
 * on positions) where the vector satisfies the identity, exactly or to rounding. */
static const quad COEFFICIENT_ZERO = 1e-9, EXACT_COEFFICIENT_ZERO = 1e-24,
                  ROUNDED_COEFFICIENT_ZERO = 1e-14;
/* A condition on combinations that is below this follows from the others: they were reduced, which
 * costs digits. */
static const quad CONDITION_FOLLOWS = 1e-18;
/* The residual of Noether's identity on fresh states, at most: of a symmetry that is exact, of one
 * to the rounding of the numbers in the text, of one with fractions for its coefficients.  The
 * second one is above EPS because the terms at one of the states may be a thousandth of the numbers
 * that are rounded; null vectors have a bound of their own below it. */
static const double RESIDUAL_EXACT = 1e-27, RESIDUAL_MOST = 1e-12, RESIDUAL_FRACTIONS = 1e-25;
/* The identity over a jump, whose sides are differences. */
static const quad JUMP_ZERO = 1e-12;
/* The power of the forces along the generator, a sum of products. */
static const quad FORCE_ZERO = 1e-24;
/* Part by which equal coefficients differ by rounding; in 68 systems of systems/ by 1.7e-16 at
 * most, others by 7.7e-9 at least. */
static const quad EQUAL_COEFFICIENTS = (quad)1e-9;
/* Part by which a coefficient differs from a fraction by the rounding of numbers of the text, two
 * units of it; in these systems by 1.7e-16 at most.  The largest denominator of such a fraction. */
static const double FRACTION_ROUNDED = 4e-16;
enum { DENOMINATOR_MOST = 1000 };

#endif
