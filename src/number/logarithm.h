/* log x, x^y.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt 2;  log(1 + f) = 2 artanh s, s = f/(2 + f),
 * |s| < 0.172, by minimax polynomials in s^2.  For x^y = e^(y log x) the logarithm is a sum of
 * two doubles of 2^-68. */
#ifndef NOE_NUMBER_LOGARITHM_H
#define NOE_NUMBER_LOGARITHM_H

#include "number/exponential.h"

/* 2 artanh s = 2 s + s (z P(z)), z = s^2;  and = 2 s + s z (2/3 + z (2/5 + z Q(z))). */
static const double ARTANH_P[] = { 0x1.5555555555558p-1, 0x1.9999999995303p-2, 0x1.2492492df3035p-2,
                                   0x1.c71c62e0b72cbp-3, 0x1.7462b661a6689p-3, 0x1.39fe212ae99bap-3,
                                   0x1.2b5b8533c9337p-3 };
static const double ARTANH_Q[] = { 0x1.2492492492497p-2, 0x1.c71c71c7151d6p-3, 0x1.745d175535392p-3,
                                   0x1.3b13a51167a4p-3,  0x1.1115a470d6524p-3, 0x1.e01ee3519fe97p-4,
                                   0x1.d9cf8cfbe4346p-4 };
#define TWO_THIRDS 0x1.5555555555555p-1
#define TWO_THIRDS_LOW 0x1.5555555555555p-55
#define TWO_FIFTHS 0x1.999999999999ap-2
#define TWO_FIFTHS_LOW -0x1.999999999999ap-56

/* k and f of x > 0. */
INLINE part fraction_of(part x, part *k)
{
    const part_word root_half = (part_word)part_of(0x1.6a09e667f3bcdp-1),
                    up = (part_word){ 0 } + (UINT64_C(1024) << 52);
    const part_mask tiny = x < 0x1p-1022;
    const part_word bits = (part_word)part_if(tiny, x * 0x1p54, x),
                    power = (bits - root_half + up) >> 52;
    *k = ((part)(power | (part_word)part_of(0x1p52)) - (0x1p52 + 1024))
       - part_if(tiny, part_of(54), part_of(0));
    return (part)(bits - (power << 52) + up) - 1;
}

INLINE part part_log(part x)
{
    part       k;
    const part f = fraction_of(x, &k), s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const part whole = k * LN2_HIGH, y = whole + f;
    const part log = y
                   + (part_sum_rest(whole, f, y)
                      + ((s * (half + z * POLYNOMIAL(ARTANH_P, z)) + k * LN2_LOW) - half));
    const part end = part_if(x == 0, part_of(-__builtin_inf()),
                             part_if(x < 0, part_of(__builtin_nan("")), x)); /* inf, nan */
    return part_if((x > 0) & (x < __builtin_inf()), log, end);
}

/* log x = the value + *low, x > 0. */
INLINE part log_in_two(part x, part *low)
{
    part       k;
    const part f = fraction_of(x, &k), d = 2 + f, d_low = part_sum_rest(part_of(2), f, d);
    const part s = f / d, sd = s * d,
               s_low = (((f - sd) - part_product_rest(s, d, sd)) - s * d_low) / d;
    const part z = s * s, z_low = part_product_rest(s, s, z) + 2 * s * s_low;
    const part b = z * POLYNOMIAL(ARTANH_Q, z), c = TWO_FIFTHS + b,
               c_low = part_sum_rest(part_of(TWO_FIFTHS), b, c) + TWO_FIFTHS_LOW;
    const part t = z * c, t_low = part_product_rest(z, c, t) + (z * c_low + z_low * c);
    const part g = TWO_THIRDS + t,
               g_low = part_sum_rest(part_of(TWO_THIRDS), t, g) + (t_low + TWO_THIRDS_LOW);
    const part y = z * g, y_low = part_product_rest(z, g, y) + (z * g_low + z_low * g);
    const part e = 2 + y, e_low = part_sum_rest(part_of(2), y, e) + y_low;
    const part h = s * e, h_low = part_product_rest(s, e, h) + (s * e_low + s_low * e);
    const part whole = k * LN2_HIGH, sum = whole + h,
               rest = part_sum_rest(whole, h, sum) + (h_low + k * LN2_LOW), value = sum + rest;
    *low = part_sum_rest(sum, rest, value);
    return value;
}

/* x^y; the results for 0, infinities and nan are those of C17, F.10.4.4. */
INLINE part part_pow(part x, part y)
{
    const double    inf = __builtin_inf();
    const part      size = part_abs(x), by = part_abs(y);
    const part_mask ordinary = (size > 0) & (size < inf);
    part            low;
    const part      log = log_in_two(part_if(ordinary, size, part_of(1)), &low);
    const part n = part_if(y > 0x1p65, part_of(0x1p65), part_if(y < -0x1p65, part_of(-0x1p65), y)),
               p = n * log;
    const part_mask within = (p < 1000) & (p > -1000);
    const part      p_low = part_if(within, part_product_rest(n, log, p) + n * low, part_of(0));
    part            power = part_exp(p, p_low);
    power = part_if(ordinary | (y != y), power,
                    part_if((size == 0) == (y > 0), part_of(0), part_of(inf)));
    power = part_if(size != size, size, power);

    const part      up = by + 0x1p52;
    const part_mask small = by < 0x1p52, whole = ~small | (up - 0x1p52 == by);
    const part_word last = (part_word)part_if(small, up, by);
    const part_mask odd = whole & (by < 0x1p53) & -(part_mask)(last & 1),
                    negative = -(part_mask)((part_word)x >> 63);
    power = part_if(negative & ordinary & ~whole, part_of(__builtin_nan("")), power);
    power = (part)((part_word)power ^ (part_sign(x) & (part_word)odd));
    return part_if((y == 0) | (x == 1), part_of(1), power);
}

#endif
