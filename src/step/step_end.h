/* Which times count as one, and does a step end at a time?  What of a time is rounding.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_STEP_END_H
#define NOE_STEP_STEP_END_H

#include "number/quad.h"

#include <math.h>

/* Times that are nearer than this part of the larger are one: 4 units in the last place of a
 * double, in which many of them were written down or computed. */
static const quad NOE_SAME_TIME_PART = 0x1p-50;
/* A time that a step misses by less than this part of it is its end: so much may be rounding where
 * times and lengths of many steps were computed in double, and no step is made for such a rest. */
static const double NOE_STEP_END_PART = 1e-9;

/* Times that are nearer to one another than this are one. */
static inline quad noe_step_end_near(quad a, quad b)
{
    return NOE_SAME_TIME_PART * fmaxq(fabsq(a), fabsq(b));
}

/* Does a step whose end is `beyond` past a time end after it, rather than at it? */
static inline bool noe_step_end_passes(quad beyond, quad begin, quad end)
{
    return beyond > NOE_STEP_END_PART * fabsq(end - begin);
}

/* The number of whole steps for so many. */
static inline double noe_step_end_count(double steps) { return ceil(steps - NOE_STEP_END_PART); }

#endif
