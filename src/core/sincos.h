/* sin x, cos x = +-sin r, +-cos r,  r = x - k pi/2: eight at a time, the same bits everywhere.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction by Cody and Waite with pi/2 in three pieces of 33 bits, of which k < 2^20 multiples are exact, and
 * minimax polynomials on [-pi/4, pi/4] for r in two pieces (K. C. Ng, in fdlibm: e_rem_pio2, k_sin, k_cos; the
 * constants are theirs).  Errors below 0.8 units in the last place.  Arguments beyond 8e5 go to SLEEF. */
#ifndef NOE_CORE_SINCOS_H
#define NOE_CORE_SINCOS_H

#include "core/real.h"

#define NUMBER(name, value) static const double SINE_##name __attribute__((unused)) = value;
#include "core/sines.def"
#undef NUMBER

INLINE void lanes_sincos(lanes x, lanes *s, lanes *c)
{
    const lanes     shifted = x * SINE_TWO_OVER_PI + SINE_SHIFT, k = shifted - SINE_SHIFT;
    const lane_mask quadrant = (lane_mask)shifted;

    /* r + t = x - k pi/2 to 2^-151 |k| */
    lanes a = x - k * SINE_PI_1, w = k * SINE_PI_2, b = a - w;
    lanes rest = (a - b) - w; /* what that subtraction lost */
    w = k * SINE_PI_3;
    const lanes tail = k * SINE_PI_4;
    const lanes d = b - w;
    rest += ((b - d) - w) - tail;
    const lanes r = d + rest, t = (d - r) + rest;

    const lanes z = r * r, zz = z * z;
    const lanes ps = SINE_S2
                   + z * (SINE_S3
                          + z * (SINE_S4
                                 + z * (SINE_S5 + z * SINE_S6)));
    const lanes v = z * r;
    const lanes sine = r - ((z * (0.5 * t - v * ps) - t) + v * SINE_S1);
    const lanes pc = z * (SINE_C1
                          + z * (SINE_C2 + z * SINE_C3))
                   + zz * zz * (SINE_C4
                                + z * (SINE_C5 + z * SINE_C6));
    const lanes half = 0.5 * z, one = 1.0 - half;
    const lanes cosine = one + (((1.0 - one) - half) + (z * pc - r * t));

    const lane_mask odd = -(quadrant & 1);
    const lane_mask sign_s = (quadrant & 2) << 62, sign_c = ((quadrant + 1) & 2) << 62;
    *s = (lanes)((lane_mask)lanes_if(odd, cosine, sine) ^ sign_s);
    *c = (lanes)((lane_mask)lanes_if(odd, sine, cosine) ^ sign_c);
}

#endif
