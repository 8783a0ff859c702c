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
#include "number/sincos_steps.h"

#define NUMBER(name, value) static const double SINE_##name __attribute__((unused)) = value;
#include "number/sincos_constants.def"
#undef NUMBER

#define MUL(a, b) ((a) * (b))
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define SPREAD(a, b) ((lanes){ 0 } + (b))
#define DO(op, d, a, b) (d) = op(a, b);
#define BY(op, d, a, number) (d) = op(a, SINE_##number);

/* k modulo 2^52 and r + t = x - k pi/2, with an error of 2^-151 |k|, for |x| <= SINE_LARGEST:
 * a = x - k PI_1, b = a - k PI_2, d = b - k PI_3, and the rounding errors of these differences. */
INLINE lane_mask quarter_turns(lanes x, lanes *to_r, lanes *to_t)
{
    lanes shifted, k, w, rest, r, t, y, u;
    STEPS_OF_QUARTER_TURNS
    *to_r = r;
    *to_t = t;
    return (lane_mask)shifted;
}

/* sin(r + t) = r + *s, cos(r + t) = *one + *c, for |r| <= pi/4. */
INLINE void sines_of(lanes r, lanes t, lanes *s, lanes *one, lanes *to_c)
{
    lanes k, w, z, zz, y, u, c;
    STEPS_OF_SQUARES
    STEPS_OF_SINE_POLYNOMIAL
    STEPS_OF_SINE
    *s = -u;
    STEPS_OF_COSINE_POLYNOMIAL
    STEPS_OF_COSINE_HEAD
    STEPS_OF_COSINE
    *one = u;
    *to_c = c;
}
#undef MUL
#undef ADD
#undef SUB
#undef SPREAD
#undef DO
#undef BY

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
