/* Decimal digits of a run: 15 stand for double, 33 for binary128; more are multiple precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_DIGITS_H
#define NOE_NUMBER_DIGITS_H

enum { NOE_DIGITS_DOUBLE = 15, NOE_DIGITS_QUAD = 33 };

#endif
