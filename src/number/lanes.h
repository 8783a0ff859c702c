/* Eight doubles, one in each lane, in as many vector registers as this machine needs for them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums and products of `lanes` are the operators'.  Comparisons and choices go register by
 * register: gcc 12 takes vectors that are wider than a register apart for them, into single
 * numbers. */
#ifndef NOE_NUMBER_LANES_H
#define NOE_NUMBER_LANES_H

#include <stdint.h>
#if defined __AVX__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline, unused))

enum { LANES = 8 };
/* a double in each of eight lanes */
typedef double lanes __attribute__((vector_size(8 * sizeof(double))));
/* all bits of a lane are set (true) or 0 */
typedef int64_t lane_mask __attribute__((vector_size(8 * sizeof(int64_t))));

#if defined __AVX512F__
enum { PART_BYTES = 64 };
#elif defined __AVX__
enum { PART_BYTES = 32 };
#else
enum { PART_BYTES = 16 };
#endif
/* the doubles of one register; may alias a part of `lanes` */
typedef double  part __attribute__((vector_size(PART_BYTES), may_alias));
typedef int64_t part_mask __attribute__((vector_size(PART_BYTES)));
enum { PARTS = sizeof(lanes) / sizeof(part) };

typedef union {
    lanes     all;
    lane_mask mask;
    part      part[PARTS];
    part_mask bits[PARTS];
} lane_parts;

/* a < b, a <= b, a == b in each lane */
#define COMPARISON(name, compares)                                                \
    INLINE lane_mask name(lanes a, lanes b)                                       \
    {                                                                             \
        const lane_parts x = { a }, y = { b };                                    \
        lane_parts       m;                                                       \
        _Pragma("GCC unroll 4")                                                   \
        for (int i = 0; i < PARTS; i++) m.bits[i] = x.part[i] compares y.part[i]; \
        return m.mask;                                                            \
    }
COMPARISON(lanes_less, <)
COMPARISON(lanes_at_most, <=)
COMPARISON(lanes_equal, ==)
#undef COMPARISON

/* a in the lanes where m is set, b in the others */
INLINE lanes lanes_if(lane_mask m, lanes a, lanes b)
{
    const lane_parts w = { .mask = m }, x = { a };
    lane_parts       y = { b };
#pragma GCC unroll 4
    for (int i = 0; i < PARTS; i++) y.bits[i] = (x.bits[i] & w.bits[i]) | (y.bits[i] & ~w.bits[i]);
    return y.all;
}
/* Bit i of the result is set if lane i of the mask is. */
INLINE unsigned lanes_bits(lane_mask m)
{
#if defined __AVX512DQ__
    return _mm512_movepi64_mask((__m512i)m);
#elif defined __AVX__
    union {
        lane_mask all;
        __m256d   half[2];
    } x = { m };
    return (unsigned)(_mm256_movemask_pd(x.half[0]) | _mm256_movemask_pd(x.half[1]) << 4);
#else
    unsigned bits = 0;
    for (int i = 0; i < LANES; i++) bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}
INLINE lanes lanes_abs(lanes a) { return (lanes)((lane_mask)a & INT64_MAX); }

#endif
