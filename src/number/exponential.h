/* exp, sinh, cosh and tanh.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     x = k log 2 + r,  |r| <= log 2 / 2 (Cody and Waite);   e^+-r = 1 +- r + even +- odd
 *
 * even and odd are minimax polynomials in r^2 with errors below 2^-57.  The rounding error of 1
 * +- r is kept and added, so that only the last sum rounds. */
#ifndef NOE_NUMBER_EXPONENTIAL_H
#define NOE_NUMBER_EXPONENTIAL_H

#include "number/vector_register.h"

#define LOG2_E 0x1.71547652b82fep0
#define LN2_HIGH 0x1.62e42feep-1 /* 32 bits: k LN2_HIGH is exact */
#define LN2_LOW 0x1.a39ef35793c76p-33

static const double SINH_ODD[] = { 0x1.5555555555556p-3, 0x1.1111111110706p-7,
                                   0x1.a01a01a90737dp-13, 0x1.71de0a2722cd1p-19,
                                   0x1.af3f3d6aeb765p-26 };
static const double COSH_EVEN[] = { 0x1.5555555555555p-5, 0x1.6c16c16c16d9cp-10,
                                    0x1.a01a01a1ce909p-16, 0x1.27e4e958f29fp-22,
                                    0x1.1f593fc1c1737p-29 };

/* e^+-(x + low) = 2^+-k (1 +- r + even +- odd). */
typedef struct {
    part k, r, even, odd; /* as in the formula */
} exponential;

INLINE exponential exponential_of(part x, part low)
{
    const part k = part_round(x * LOG2_E);
    const part high = x - k * LN2_HIGH, back = k * LN2_LOW - low;
    const part r = high - back, rest = (high - r) - back;
    const part z = r * r;
    return (exponential){ k, r, (0.5 * z + z * z * POLYNOMIAL(COSH_EVEN, z)) + rest * r,
                          r * z * POLYNOMIAL(SINH_ODD, z) + rest };
}

/* e^(x + low), |low| < 2^-40; beyond +-1000 it is infinite or 0 anyway. */
INLINE part part_exp(part x, part low)
{
    x = part_if(x > 1000, part_of(1000), part_if(x < -1000, part_of(-1000), x));
    const exponential e = exponential_of(x, low);
    const part        u = 1 + e.r;
    return part_scaled(u + (part_sum_rest(part_of(1), e.r, u) + (e.even + e.odd)), e.k);
}

/* (e^|x| -+ e^-|x|) 2^-k, each as a sum of two, the second at most a rounding of the first: sinh
 * and cosh times 2^(1 - k). */
typedef struct {
    part k, sinh, sinh_low, cosh, cosh_low; /* see above; k of 2^k */
} hyperbolic;

INLINE hyperbolic hyperbolic_of(part size)
{
    size = part_if(size > 1000, part_of(1000), size);
    const exponential e = exponential_of(size, part_of(0));
    const part w = part_power_of_two(-2 * part_if(e.k > 400, part_of(400), e.k)); /* e^-x of e^x */
    const part u = 1 + e.r, v = 1 - e.r, u_low = part_sum_rest(part_of(1), e.r, u),
               v_low = part_sum_rest(part_of(1), -e.r, v);
    const part wv = w * v, s = u - wv, c = u + wv;
    const part s_low = part_sum_rest(u, -wv, s) + (u_low - w * v_low)
                     + (e.even * (1 - w) + e.odd * (1 + w));
    const part c_low = part_sum_rest(u, wv, c) + (u_low + w * v_low)
                     + (e.even * (1 + w) + e.odd * (1 - w));
    return (hyperbolic){ e.k, s, s_low, c, c_low };
}

INLINE part part_sinh(part x)
{
    const hyperbolic h = hyperbolic_of(part_abs(x));
    return part_signed(part_scaled(h.sinh + h.sinh_low, h.k - 1), part_sign(x));
}

INLINE part part_cosh(part x)
{
    const hyperbolic h = hyperbolic_of(part_abs(x));
    return part_scaled(h.cosh + h.cosh_low, h.k - 1);
}

/* (a + a_low)/(b + b_low). */
INLINE part quotient(part a, part a_low, part b, part b_low)
{
    const part A = a + a_low, B = b + b_low, al = part_sum_rest(a, a_low, A),
               bl = part_sum_rest(b, b_low, B);
    const part q = A / B, p = q * B;
    return q + (((A - p) - part_product_rest(q, B, p)) + (al - q * bl)) / B;
}

INLINE part part_tanh(part x)
{
    const part       size = part_abs(x);
    const hyperbolic h = hyperbolic_of(part_if(size > 30, part_of(30), size));
    const part y = part_if(size < 0x1p-30, size, quotient(h.sinh, h.sinh_low, h.cosh, h.cosh_low));
    return part_signed(y, part_sign(x));
}

#endif
