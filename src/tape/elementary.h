/* sin, exp, pow ..: elementary functions of a batch, same bits on every machine, in every lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In double: number/sincos.h and number/vector_functions.h.  In binary128: those of
 * number/quad.h. */
#ifndef NOE_TAPE_ELEMENTARY_H
#define NOE_TAPE_ELEMENTARY_H

#include "number/real.h"
#include "expr/tabulated.h"

#if NOE_REAL == NOE_QUAD

#define UNARY(name) \
    INLINE batch f_##name(batch x) { return name##q(x); }
#define BINARY(name) \
    INLINE batch f_##name(batch x, batch y) { return name##q(x, y); }
INLINE batch f_abs(batch x) { return fabsq(x); }
INLINE batch f_floor(batch x) { return floorq(x); }
INLINE batch f_sign(batch x) { return x < 0 ? -1 : x > 0 ? 1 : x; }
INLINE batch b_if(batch c, batch x, batch y) { return c != 0 ? x : y; }
INLINE batch b_truth(int m) { return m; }
INLINE void  f_sincos(batch x, batch *s, batch *c) { sincosq(x, s, c); }
INLINE batch f_table(const noe_tables *t, batch x, batch which)
{
    return noe_tabulated_at(t, which, x);
}
UNARY(sqrt)
UNARY(sin)
UNARY(cos)

#else

#include "number/vector_functions.h"
#include "number/vector_register.h"
#include "number/sincos.h"

#define UNARY(name)                       \
    INLINE batch f_##name(batch x)        \
    {                                     \
        batch y;                          \
        NOE_BUILD(noe_##name##_)(&x, &y); \
        return y;                         \
    }
#define BINARY(name)                          \
    INLINE batch f_##name(batch x, batch y)   \
    {                                         \
        batch z;                              \
        NOE_BUILD(noe_##name##_)(&x, &y, &z); \
        return z;                             \
    }
INLINE batch f_sqrt(batch x)
{
    batch y;
    for (int i = 0; i < PARTS; i++) ((part *)&y)[i] = part_sqrt(((const part *)&x)[i]);
    return y;
}
INLINE batch f_abs(batch x) { return lanes_abs(x); }
INLINE batch f_sign(batch x)
{
    const batch zero = { 0 };
    return lanes_if(lanes_less(x, zero), zero - 1, lanes_if(lanes_less(zero, x), zero + 1, x));
}
/* Beyond 2^52 all numbers are whole; below, adding it rounds to a whole number near by. */
INLINE batch f_floor(batch x)
{
    const batch     size = lanes_abs(x), whole = (size + 0x1p52) - 0x1p52;
    const lane_mask sign = (lane_mask)x & INT64_MIN;
    const batch     near = (batch)((lane_mask)whole | sign);
    const batch     zero = { 0 }, down = near - lanes_if(lanes_less(x, near), zero + 1, zero);
    return lanes_if(lanes_less(size, zero + 0x1p52), down, x);
}
INLINE batch b_if(batch c, batch x, batch y)
{
    return lanes_if(lanes_equal(c, (batch){ 0 }), y, x);
}
INLINE batch b_truth(lane_mask m) { return lanes_if(m, (batch){ 0 } + 1, (batch){ 0 }); }
INLINE batch f_table(const noe_tables *t, batch x, batch which)
{
    batch y;
    for (int i = 0; i < LANES; i++) y[i] = noe_tabulated_near(t, which[i], x[i]);
    return y;
}
static __attribute__((noinline, unused)) void sincos_large(lanes x, unsigned which, lanes *s,
                                                           lanes *c)
{
    lanes     r = { 0 }, t = { 0 }, sine, cosine;
    lane_mask quadrant = { 0 };
    turns_of_large((const double *)&x, which, (double *)&r, (double *)&t, (int64_t *)&quadrant);
    sines_turned(r, t, quadrant, &sine, &cosine);
    for (int i = 0; i < LANES; i++)
        if (which >> i & 1) {
            (*s)[i] = sine[i];
            (*c)[i] = cosine[i];
        }
}

INLINE void f_sincos(batch x, batch *s, batch *c)
{
    const unsigned large = lanes_large(x);
    lanes_sincos(x, s, c);
    if (__builtin_expect(large, 0)) sincos_large(x, large, s, c);
}
INLINE batch f_sin(batch x)
{
    batch s, c;
    f_sincos(x, &s, &c);
    return s;
}
INLINE batch f_cos(batch x)
{
    batch s, c;
    f_sincos(x, &s, &c);
    return c;
}

#endif

/* In [0, y) for y > 0, in (y, 0] for y < 0. */
INLINE batch f_mod(batch x, batch y)
{
    batch       r = x - y * f_floor(x / y);
    const batch zero = b_zero();
    r = b_if(b_truth((b_less(r, zero) & b_less(zero, y)) | (b_less(zero, r) & b_less(y, zero))),
             r + y, r);
    return b_if(b_truth(b_at_most(b_abs(y), b_abs(r))), zero, r);
}

UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(exp)
UNARY(log)
BINARY(pow)
BINARY(atan2)

#endif
