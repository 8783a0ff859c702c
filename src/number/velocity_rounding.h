/* What rounding a position makes of a velocity in a step: 2^10 u |q/h|, u a unit of rounding.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Up to it a velocity does not vary: nothing moves.  The engines count units of the same number,
 * VELOCITY_ROUNDINGS in step/solver_constants.h. */
#ifndef NOE_NUMBER_VELOCITY_ROUNDING_H
#define NOE_NUMBER_VELOCITY_ROUNDING_H

#include "number/rounding_unit.h"

#include <math.h>
#include <stdbool.h>

/* A position or velocity that varies by less than this part of its size, by rounding alone, is
 * constant. */
static const double NOE_CONSTANT_PART = 0x1p-30;

/* wide: in binary128. */
static inline double noe_velocity_rounding(double position, double step, bool wide)
{
    return 0x1p10 * noe_rounding_unit_half(wide ? NOE_DIGITS_QUAD : NOE_DIGITS_DOUBLE)
         * fabs(position / step);
}

#endif
