/* Sums that keep what rounding cuts off, in double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both find the rounding error of a sum exactly (Knuth, The Art of Computer Programming 2, 4.2.2).
 * add_compensated() of number/real.h is the first, for the numbers of an engine. */
#ifndef NOE_NUMBER_COMPENSATED_H
#define NOE_NUMBER_COMPENSATED_H

/* *sum + *lost <- *sum + *lost + what, where *lost is the rounding error of *sum: for a state,
 * whose increments are small beside it. */
static inline void noe_compensated_add(double *sum, double *lost, double what)
{
    const double d = what + *lost, s = *sum + d, b = s - *sum;
    *lost = (*sum - (s - b)) + (d - b);
    *sum = s;
}

/* *sum + *lost <- *sum + *lost + what, where *lost is the sum of all rounding errors of *sum: for
 * numbers of any size, added up once. */
static inline void noe_compensated_collect(double *sum, double *lost, double what)
{
    const double s = *sum + what, b = s - *sum;
    *lost += (*sum - (s - b)) + (what - b);
    *sum = s;
}

#endif
