/* Steps of scales: 1, 2 or 5 times a power of ten.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ANIMATE_FLAT_SCALE_H
#define NOE_ANIMATE_FLAT_SCALE_H

#include <math.h>

/* The step nearest to x > 0. */
static inline double noe_flat_scale_step(double x)
{
    const double d = pow(10, floor(log10(x))), u = x / d;
    return d * (u < 1.5 ? 1 : u < 3.5 ? 2 : u < 7.5 ? 5 : 10);
}

#endif
