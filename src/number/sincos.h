/* sin x, cos x = +-sin r, +-cos r,  r = x - k pi/2: eight at a time, the same bits everywhere.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction by Cody and Waite with pi/2 in three pieces of 33 bits, of which k < 2^20 multiples
 * are exact, and minimax polynomials on [-pi/4, pi/4] for r in two pieces (K. C. Ng, in fdlibm:
 * e_rem_pio2, k_sin, k_cos; the constants are theirs).  Errors below 0.8 units in the last
 * place; the sine of -0 is 0.  Arguments beyond 8e5 are reduced by number/argument_reduction.h,
 * each by itself. */
#ifndef NOE_NUMBER_SINCOS_H
#define NOE_NUMBER_SINCOS_H

#include "number/real.h"
#include "number/argument_reduction.h"

#define NUMBER(name, value) static const double SINE_##name __attribute__((unused)) = value;
#include "number/sincos_constants.def"
#undef NUMBER

/* k modulo 2^52 and r + t = x - k pi/2, with an error of 2^-151 |k|, for |x| <= SINE_LARGEST. */
INLINE lane_mask quarter_turns(lanes x, lanes *r, lanes *t)
{
    const lanes shifted = x * SINE_TWO_OVER_PI + SINE_SHIFT, k = shifted - SINE_SHIFT;
    const lanes a = x - k * SINE_PI_1, b = a - k * SINE_PI_2;
    lanes       w = k * SINE_PI_2, rest = (a - b) - w; /* rest: rounding error of the subtraction */
    w = k * SINE_PI_3;
    const lanes d = b - w;
    rest += ((b - d) - w) - k * SINE_PI_4;
    *r = d + rest, *t = (d - *r) + rest;
    return (lane_mask)shifted;
}

/* sin(r + t) = r + *s, cos(r + t) = *one + *c, for |r| <= pi/4. */
INLINE void sines_of(lanes r, lanes t, lanes *s, lanes *one, lanes *c)
{
    const lanes z = r * r, zz = z * z;
    const lanes ps = SINE_S2 + z * (SINE_S3 + z * (SINE_S4 + z * (SINE_S5 + z * SINE_S6)));
    const lanes v = z * r;
    *s = -((z * (0.5 * t - v * ps) - t) + v * SINE_S1);
    const lanes pc = z * (SINE_C1 + z * (SINE_C2 + z * SINE_C3))
                   + zz * zz * (SINE_C4 + z * (SINE_C5 + z * SINE_C6));
    const lanes half = 0.5 * z;
    *one = 1.0 - half;
    *c = ((1.0 - *one) - half) + (z * pc - r * t);
}

INLINE void sines_turned(lanes r, lanes t, lane_mask quadrant, lanes *s, lanes *c)
{
    lanes s_low, one, c_low;
    sines_of(r, t, &s_low, &one, &c_low);
    const lanes     sine = r + s_low, cosine = one + c_low;
    const lane_mask odd = -(quadrant & 1);
    const lane_mask sign_s = (quadrant & 2) << 62, sign_c = ((quadrant + 1) & 2) << 62;
    *s = (lanes)((lane_mask)lanes_if(odd, cosine, sine) ^ sign_s);
    *c = (lanes)((lane_mask)lanes_if(odd, sine, cosine) ^ sign_c);
}

INLINE void lanes_sincos(lanes x, lanes *s, lanes *c)
{
    lanes           r, t;
    const lane_mask quadrant = quarter_turns(x, &r, &t);
    sines_turned(r, t, quadrant, s, c);
}

/* lanes_large: bits of the lanes that are beyond SINE_LARGEST, or nan; turns_of_large: r, t and
 * quadrant of these lanes. */
INLINE unsigned lanes_large(lanes x)
{
    return lanes_bits(~lanes_at_most(lanes_abs(x), (lanes){ 0 } + SINE_LARGEST));
}
static __attribute__((noinline, unused)) void turns_of_large(const double *x, unsigned which,
                                                             double *r, double *t,
                                                             int64_t *quadrant)
{
    for (int i = 0; i < LANES; i++)
        if (which >> i & 1) quadrant[i] = noe_argument_reduction_turns(x[i], &r[i], &t[i]);
}

#endif
