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

/* A velocity below this part of those that it is coupled to may be that of the front of a wave:
 * largest_jump() of step/velocity_jump.h; in integrate/local_error.c where its range has doubled
 * of late.  Set B of step/solver_constants.h: 0.01 to 0.1, no difference. */
static const double NOE_FRONT_SHARE = 0.03;

/* wide: in binary128. */
static inline double noe_velocity_rounding(double position, double step, bool wide)
{
    return 0x1p10 * noe_rounding_unit_half(wide ? NOE_DIGITS_QUAD : NOE_DIGITS_DOUBLE)
         * fabs(position / step);
}

#endif
