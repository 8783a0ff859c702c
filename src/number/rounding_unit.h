/* The unit in the last place of 1, and half of it, in the numbers of a run of so many digits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Half of it bounds the relative error of one rounding: it is the "unit of rounding" of the solvers
 * and of theory.md, EPS of number/real.h.  More digits than those of binary128 count as
 * binary128, in which states are read and compared. */
#ifndef NOE_NUMBER_ROUNDING_UNIT_H
#define NOE_NUMBER_ROUNDING_UNIT_H

#include "number/digits.h"

static inline double noe_rounding_unit_last_place(int digits)
{
    return digits > NOE_DIGITS_DOUBLE ? 0x1p-112 : 0x1p-52;
}

static inline double noe_rounding_unit_half(int digits)
{
    return digits > NOE_DIGITS_DOUBLE ? 0x1p-113 : 0x1p-53;
}

#endif
