/* sin x, cos x = +-sin r, +-cos r,  r = x - k pi/2: eight at a time, the same bits everywhere.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction by Cody and Waite with pi/2 in three pieces of 33 bits, of which k < 2^20 multiples are exact, and
 * minimax polynomials on [-pi/4, pi/4] for r in two pieces (K. C. Ng, in fdlibm: e_rem_pio2, k_sin, k_cos; the
 * constants are theirs).  Errors below 0.8 units in the last place.  Arguments beyond 8e5 go to SLEEF. */
#ifndef NOE_CORE_SINCOS_H
#define NOE_CORE_SINCOS_H

#include "core/real.h"

INLINE void lanes_sincos(lanes x, lanes *s, lanes *c)
{
    const double shift = 0x1.8p52, two_over_pi = 0x1.45f306dc9c883p-1;
    const lanes     shifted = x * two_over_pi + shift, k = shifted - shift;
    const lane_mask quadrant = (lane_mask)shifted;

    /* r + t = x - k pi/2 to 2^-151 |k| */
    lanes a = x - k * 0x1.921fb544p0, w = k * 0x1.0b4611a6p-34, b = a - w;
    lanes rest = (a - b) - w; /* what that subtraction lost */
    w = k * 0x1.3198a2ep-69;
    const lanes tail = k * 0x1.b839a252049c1p-104;
    const lanes d = b - w;
    rest += ((b - d) - w) - tail;
    const lanes r = d + rest, t = (d - r) + rest;

    const lanes z = r * r, zz = z * z;
    const lanes ps = 8.33333333332248946124e-03
                   + z * (-1.98412698298579493134e-04
                          + z * (2.75573137070700676789e-06
                                 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    const lanes v = z * r;
    const lanes sine = r - ((z * (0.5 * t - v * ps) - t) + v * 1.66666666666666324348e-01);
    const lanes pc = z * (4.16666666666666019037e-02
                          + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
                   + zz * zz * (-2.75573143513906633035e-07
                                + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    const lanes half = 0.5 * z, one = 1.0 - half;
    const lanes cosine = one + (((1.0 - one) - half) + (z * pc - r * t));

    const lane_mask odd = -(quadrant & 1);
    const lane_mask sign_s = (quadrant & 2) << 62, sign_c = ((quadrant + 1) & 2) << 62;
    *s = (lanes)((lane_mask)lanes_if(odd, cosine, sine) ^ sign_s);
    *c = (lanes)((lane_mask)lanes_if(odd, sine, cosine) ^ sign_c);
}

#endif
