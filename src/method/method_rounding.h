/* Up to which difference coefficients of methods are equal.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_METHOD_ROUNDING_H
#define NOE_METHOD_METHOD_ROUNDING_H

/* Difference of two coefficients of a method, or of a sum of them and what it should be, that is
 * the rounding of binary128.  Of 545 methods, among them degrees 1 to 12 by all quadratures of up
 * to 32 nodes and compositions up to order 14, the sums leave 3.9e-33 at most and symmetric
 * coefficients differ by 0; the least of all other differences is 2.2e-4.  1e-32 to 1e-5: the same
 * traits and orders. */
static const double COEFFICIENTS_EQUAL = 1e-28;

#endif
