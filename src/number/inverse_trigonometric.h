/* atan x, the angle of (x, y), asin x, acos x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The angle is a multiple of pi/4 plus the arc tangent of a quotient below tan(pi/8), which is
 * stored with its rounding error; asin x = pi/2 - 2 asin sqrt((1 - x)/2) above 1/2.  Minimax
 * polynomials with errors below 2^-57. */
#ifndef NOE_NUMBER_INVERSE_TRIGONOMETRIC_H
#define NOE_NUMBER_INVERSE_TRIGONOMETRIC_H

#include "number/vector_register.h"

#define PI_HIGH 0x1.921fb54442d18p1
#define PI_LOW 0x1.1a62633145c07p-53

/* atan t = t - t z A(z);  asin x = x + x z N(z);  z the square. */
static const double ATAN_A[] = {
    0x1.5555555555555p-2, -0x1.9999999999429p-3, 0x1.249249243d5b1p-3, -0x1.c71c7188a8d82p-4,
    0x1.745d0b9950424p-4, -0x1.3b126bad6f088p-4, 0x1.10fae1bfac062p-4, -0x1.dfecac135c776p-5,
    0x1.a0b7ad5ba7592p-5, -0x1.41b1c56eb5c06p-5, 0x1.3ae34f61f11f2p-6
};
static const double ASIN_N[] = { 0x1.5555555555556p-3, 0x1.3333333332dc8p-4, 0x1.6db6db6e442c2p-5,
                                 0x1.f1c71c1478c97p-6, 0x1.6e8bb30e1ed27p-6, 0x1.1c4d1a7281b7cp-6,
                                 0x1.c9d1fdde358c5p-7, 0x1.780afddec99b9p-7, 0x1.52eb71998178ap-7,
                                 0x1.603756089bbcfp-8, 0x1.20a9f2e10d53fp-6, -0x1.f1700255eb69dp-7,
                                 0x1.dabba2b5ad0a6p-6 };

/* The angle of (x, y) in the upper half plane: x of either sign, y >= 0. */
INLINE part angle(part x, part y)
{
    const double    inf = __builtin_inf();
    part            w = part_abs(x);
    const part_mask left = -(part_mask)((part_word)x >> 63), far = (w == inf) | (y == inf),
                    same = w == y;
    w = part_if(far, part_if(same | (w == inf), part_of(1), part_of(0)), w);
    part h = part_if(far, part_if(same | (y == inf), part_of(1), part_of(0)), y);

    /* by tan(pi/8) and tan(3 pi/8): which multiple of pi/4 is nearest */
    const part_mask low = h <= 0.4140625 * w, high = ~low & (h > 2.4140625 * w),
                    middle = ~low & ~high;
    const part scale = part_if(
        (w > 0x1p900) | (h > 0x1p900), part_of(0x1p-100),
        part_if((w < 0x1p-900) & (h < 0x1p-900), part_of(0x1p150), part_of(1)));
    const part small = h, large = w;
    /* the quotient is so small that scaling its parts may lose digits */
    const part_mask flat = small < 0x1p-300 * large;
    w *= scale, h *= scale;
    part over = part_if(low, h, part_if(high, -w, h - w)),
         under = part_if(low, w, part_if(high, h, h + w));
    /* rounding errors of the sum and the difference */
    const part other = part_if(h > w, w, h), more = part_if(h > w, h, w);
    const part over_low = part_if(
        middle,
        part_if(h > w, part_sum_rest(more, -other, h - w), -part_sum_rest(more, -other, w - h)),
        part_of(0));
    const part under_low = part_if(middle, part_sum_rest(more, other, under), part_of(0));
    /* under between 1 and 2 */
    const part unit = (part)((UINT64_C(0x7fe) << 52)
                             - ((part_word)under & (UINT64_C(0x7ff) << 52)));
    over = part_if(flat, small, over * unit), under = part_if(flat, large, under * unit);

    part       t = over / under;
    const part p = t * under, kept = (((over - p) - part_product_rest(t, under, p))
                                      + unit * over_low - t * (unit * under_low))
                                   / under;
    const part_mask usual = (part_abs(over) > 0x1p-300) & (part_abs(t) > 0x1p-300);
    part            t_low = part_if(usual, kept, part_of(0));
    const part_mask none = h == 0; /* t may contain 0/0 */
    t = part_if(none, part_of(0), t), t_low = part_if(none, part_of(0), t_low);

    const part_word reflect = part_sign((part)left); /* pi - angle */
    t = (part)((part_word)t ^ reflect), t_low = (part)((part_word)t_low ^ reflect);
    const part eighths = part_if(low | none, part_if(left, part_of(4), part_of(0)),
                                 part_if(high, part_of(2), part_if(left, part_of(3), part_of(1))));
    const part base = eighths * (PI_HIGH / 4), z = t * t; /* 3 pi/4 rounds: */
    const part base_low = part_if(eighths == 3, part_of(0x1.a79394c9e8a0ap-54),
                                  eighths * (PI_LOW / 4));
    const part sum = base + t;
    return part_if(eighths == 0, t + (t_low - t * (z * POLYNOMIAL(ATAN_A, z))),
                   sum
                       + (part_sum_rest(base, t, sum)
                          + (base_low + (t_low - t * (z * POLYNOMIAL(ATAN_A, z))))));
}

INLINE part part_atan2(part y, part x)
{
    const part a = part_signed(angle(x, part_abs(y)), part_sign(y));
    return part_if((x == x) & (y == y), a, x + y);
}

INLINE part part_atan(part x)
{
    return part_if(x == x, part_signed(angle(part_of(1), part_abs(x)), part_sign(x)), x);
}

/* a = |x|: s + s_low = a or, above 1/2, sqrt((1 - a)/2), and more = asin s - s. */
typedef struct {
    part_mask above;   /* |x| > 1/2 */
    part      s, more; /* see above; more includes s_low */
} arc_sine;

INLINE arc_sine arc_sine_of(part a)
{
    const part_mask above = a > 0.5;
    const part      z = part_if(above, 0.5 * (1 - a), a * a), root = part_sqrt(z), p = root * root;
    const part      rest = (z - p) - part_product_rest(root, root, p);
    const part      low = part_if(above & (z > 0), rest / (root + root), part_of(0));
    const part      s = part_if(above, root, a);
    return (arc_sine){ above, s, low + s * (z * POLYNOMIAL(ASIN_N, z)) };
}

INLINE part part_asin(part x)
{
    const arc_sine y = arc_sine_of(part_abs(x));
    const part     twice = 2 * y.s, h = PI_HIGH / 2 - twice,
               low = part_sum_rest(part_of(PI_HIGH / 2), -twice, h);
    return part_signed(part_if(y.above, h + (low + (PI_LOW / 2 - 2 * y.more)), y.s + y.more),
                       part_sign(x));
}

INLINE part part_acos(part x)
{
    const arc_sine  y = arc_sine_of(part_abs(x));
    const part_word sign = part_sign(x);
    const part      s = (part)((part_word)y.s ^ sign), more = (part)((part_word)y.more ^ sign),
               twice = 2 * y.s;
    const part h = PI_HIGH / 2 - s,
               middle = h + (part_sum_rest(part_of(PI_HIGH / 2), -s, h) + (PI_LOW / 2 - more));
    const part l = PI_HIGH - twice,
               left = l + (part_sum_rest(part_of(PI_HIGH), -twice, l) + (PI_LOW - 2 * y.more));
    return part_if(y.above, part_if(x < 0, left, twice + 2 * y.more), middle);
}

#endif
