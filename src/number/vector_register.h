/* The doubles of one vector register of this machine, a part, and their operations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Elementary functions are computed on parts. Eight lanes are one part with AVX-512, two with
 * AVX, four with SSE2 and NEON. Every operation acts on each double separately and rounds it, so
 * the bits do not depend on the size of a part. */
#ifndef NOE_NUMBER_VECTOR_REGISTER_H
#define NOE_NUMBER_VECTOR_REGISTER_H

#include "number/real.h"

#if defined __aarch64__
#include <arm_neon.h>
#elif defined __SSE2__
#include <immintrin.h>
#endif

typedef uint64_t part_word __attribute__((vector_size(PART_BYTES)));

INLINE part part_if(part_mask m, part a, part b)
{
#if defined __AVX512DQ__
    return (part)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)m), (__m512d)b, (__m512d)a);
#elif defined __AVX__
    return (part)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
#else
    return (part)(((part_mask)a & m) | ((part_mask)b & ~m));
#endif
}
INLINE part      part_of(double x) { return (part){ 0 } + x; }
INLINE part      part_abs(part a) { return (part)((part_mask)a & INT64_MAX); }
INLINE part_word part_sign(part a) { return (part_word)a & (UINT64_C(1) << 63); }
/* a with this sign bit, for a >= 0. */
INLINE part part_signed(part a, part_word sign) { return (part)((part_word)a | sign); }

INLINE part part_sqrt(part a)
{
#if defined __AVX512F__
    return (part)_mm512_sqrt_pd((__m512d)a);
#elif defined __AVX__
    return (part)_mm256_sqrt_pd((__m256d)a);
#elif defined __SSE2__
    return (part)_mm_sqrt_pd((__m128d)a);
#elif defined __aarch64__
    return (part)vsqrtq_f64((float64x2_t)a);
#else
    for (unsigned i = 0; i < sizeof a / sizeof(double); i++) a[i] = __builtin_sqrt(a[i]);
    return a;
#endif
}

/* a b - p exactly, where p is a b rounded, by a fused operation or by splitting (G. W. Veltkamp;
 * T. J. Dekker, Numer. Math. 18 (1971) 224), with equal results, for 2^-900 < |p| and |a|, |b| <
 * 2^900. */
INLINE part part_product_rest(part a, part b, part p)
{
#if defined __AVX512F__
    return (part)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)p);
#elif defined __FMA__
    return (part)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)p);
#elif defined __aarch64__
    return (part)vfmaq_f64((float64x2_t)-p, (float64x2_t)a, (float64x2_t)b);
#else
    const part c = a * (0x1p27 + 1), d = b * (0x1p27 + 1);
    const part A = c - (c - a), B = d - (d - b), a2 = a - A, b2 = b - B;
    return ((A * B - p) + A * b2 + a2 * B) + a2 * b2;
#endif
}
/* a + b - s exactly, where s is a + b rounded and |a| >= |b| or a = 0. */
INLINE part part_sum_rest(part a, part b, part s) { return (a - s) + b; }

/* part_round: x rounded to an integer, |x| < 2^51. part_power_of_two: 2^k for an integer -1022
 * <= k <= 1023. part_scaled: y 2^k for k in twice that range. */
#define WHOLE 0x1.8p52
INLINE part part_round(part x) { return (x + WHOLE) - WHOLE; }
INLINE part part_power_of_two(part k)
{
    return (part)(((part_word)(k + WHOLE) << 52) + (UINT64_C(1023) << 52));
}
INLINE part part_scaled(part y, part k)
{
#if defined __AVX512F__
    return (part)_mm512_scalef_pd((__m512d)y, (__m512d)k);
#else
    /* the first product is exact, since it has about half the exponent */
    const part half = part_round(0.5 * k);
    return y * part_power_of_two(half) * part_power_of_two(k - half);
#endif
}

/* c_0 + c_1 z + ..: as two independent sums, of even and odd powers. */
INLINE part part_polynomial(const double *c, int count, part z)
{
    const part zz = z * z;
    part       even = part_of(c[(count - 1) & ~1]), odd = part_of(c[((count - 2) & ~1) + 1]);
#pragma GCC unroll 8
    for (int i = ((count - 1) & ~1) - 2; i >= 0; i -= 2) even = even * zz + c[i];
#pragma GCC unroll 8
    for (int i = ((count - 2) & ~1) - 1; i >= 1; i -= 2) odd = odd * zz + c[i];
    return even + z * odd;
}
#define POLYNOMIAL(c, z) part_polynomial(c, sizeof(c) / sizeof *(c), z)

#endif
