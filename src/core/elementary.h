/* sin, exp, pow ..: elementary functions of a batch, the same bits on every machine and in every lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In double: SLEEF's deterministic functions without fused operations (at most 1 ulp; N. Shibata and
 * F. Petrogalli, IEEE TPDS 31 (2020) 1316), by the widest vectors that the file is compiled for, but for sine
 * and cosine, core/sincos.h.  In binary128: libquadmath. */
#ifndef NOE_CORE_ELEMENTARY_H
#define NOE_CORE_ELEMENTARY_H

#include "core/real.h"
#include "lang/samples.h"

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
INLINE batch f_table(const noe_tables *t, batch x, batch which) { return noe_samples_at(t, which, x); }
UNARY(sqrt)

#else

#include "core/sincos.h"

#include <sleef.h>

#if defined __AVX512F__
typedef __m512d part;
#define SLEEF(name) Sleef_cinz_##name##d8_u10avx512fnofma
#define PART_SQRT _mm512_sqrt_pd
#elif defined __AVX__
typedef __m256d part;
#define SLEEF(name) Sleef_cinz_##name##d4_u10avx
#define PART_SQRT _mm256_sqrt_pd
#elif defined __SSE2__
typedef __m128d part;
#define SLEEF(name) Sleef_cinz_##name##d2_u10sse2
#define PART_SQRT _mm_sqrt_pd
#else
typedef double part;
#define SLEEF(name) Sleef_cinz_##name##d1_u10purec
#define PART_SQRT __builtin_sqrt
#endif

enum { PARTS = sizeof(lanes) / sizeof(part) };
typedef union {
    lanes all;
    part  one[PARTS];
} parts;

#define UNARY_BY(name, f)                                          \
    INLINE batch f_##name(batch x)                                 \
    {                                                              \
        parts v = { x };                                           \
        for (int i = 0; i < PARTS; i++) v.one[i] = f(v.one[i]);    \
        return v.all;                                              \
    }
#define UNARY(name) UNARY_BY(name, SLEEF(name))
#define BINARY(name)                                                              \
    INLINE batch f_##name(batch x, batch y)                                       \
    {                                                                             \
        parts v = { x }, w = { y };                                               \
        for (int i = 0; i < PARTS; i++) v.one[i] = SLEEF(name)(v.one[i], w.one[i]); \
        return v.all;                                                             \
    }
UNARY_BY(sqrt, PART_SQRT)
INLINE batch f_abs(batch x) { return lanes_abs(x); }
INLINE batch f_sign(batch x) { return lanes_if(x < 0, (batch){ 0 } - 1, lanes_if(x > 0, (batch){ 0 } + 1, x)); }
/* Beyond 2^52 all numbers are whole; below, adding it rounds to a whole number near by. */
INLINE batch f_floor(batch x)
{
    const batch     size = lanes_abs(x), whole = (size + 0x1p52) - 0x1p52;
    const lane_mask sign = (lane_mask)x & INT64_MIN;
    const batch     near = (batch)((lane_mask)whole | sign);
    return lanes_if(size < 0x1p52, near - lanes_if(near > x, (batch){ 0 } + 1, (batch){ 0 }), x);
}
INLINE batch b_if(batch c, batch x, batch y) { return lanes_if(c != (batch){ 0 }, x, y); }
INLINE batch b_truth(lane_mask m) { return lanes_if(m, (batch){ 0 } + 1, (batch){ 0 }); }
INLINE batch f_table(const noe_tables *t, batch x, batch which)
{
    batch y;
    for (int i = 0; i < LANES; i++) y[i] = noe_samples_near(t, which[i], x[i]);
    return y;
}
/* Large arguments, each lane by itself, whatever the others hold. */
static __attribute__((noinline)) void sincos_large(const double *x, unsigned which, double *s, double *c)
{
    for (int i = 0; i < LANES; i++) {
        if (!(which >> i & 1)) continue;
        const Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(x[i]);
        s[i] = both.x;
        c[i] = both.y;
    }
}

INLINE void f_sincos(batch x, batch *s, batch *c)
{
    const unsigned large = lanes_bits(~(lanes_abs(x) <= SINE_LARGEST)); /* or nan */
    lanes_sincos(x, s, c);
    if (__builtin_expect(large, 0)) {
        const lanes copy = x;
        sincos_large((const double *)&copy, large, (double *)s, (double *)c);
    }
}

#endif

/* In [0, y) for y > 0, in (y, 0] for y < 0. */
INLINE batch f_mod(batch x, batch y)
{
    batch r = x - y * f_floor(x / y);
    r = b_if(b_truth(((r < 0) & (y > 0)) | ((r > 0) & (y < 0))), r + y, r);
    return b_if(b_truth(b_abs(r) >= b_abs(y)), b_zero(), r);
}

UNARY(sin) UNARY(cos) UNARY(tan) UNARY(asin) UNARY(acos) UNARY(atan)
UNARY(sinh) UNARY(cosh) UNARY(tanh) UNARY(exp) UNARY(log)
BINARY(pow) BINARY(atan2)

#endif
