/* Eight doubles, one in each lane, in as many vector registers as this machine needs for them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums, products and choices of `lanes` are the operators'.  Comparisons and sets go register by
 * register: gcc 12 takes vectors that are wider than a register apart for them, into single
 * numbers, or stores single numbers and waits to read them as one register. */
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

/* term(0), term(1), .. for the registers of `lanes`.  Not a loop: gcc would keep them in memory. */
#if defined __AVX512F__
#define REGISTERS(term) term(0)
#elif defined __AVX__
#define REGISTERS(term) term(0), term(1)
#else
#define REGISTERS(term) term(0), term(1), term(2), term(3)
#endif

/* a < b, a <= b, a == b in each lane */
#define LESS(i) x.part[i] < y.part[i]
#define AT_MOST(i) x.part[i] <= y.part[i]
#define EQUAL(i) x.part[i] == y.part[i]
#define COMPARISON(name, term)                                   \
    INLINE lane_mask name(lanes a, lanes b)                      \
    {                                                            \
        const lane_parts x = { a }, y = { b };                   \
        return (lane_parts){ .bits = { REGISTERS(term) } }.mask; \
    }
COMPARISON(lanes_less, LESS)
COMPARISON(lanes_at_most, AT_MOST)
COMPARISON(lanes_equal, EQUAL)
#undef COMPARISON
#undef LESS
#undef AT_MOST
#undef EQUAL

/* a in the lanes where m is set, b in the others */
INLINE lanes lanes_if(lane_mask m, lanes a, lanes b)
{
    return (lanes)(((lane_mask)a & m) | ((lane_mask)b & ~m));
}
/* x in all lanes */
INLINE lanes lanes_of(double x)
{
    const part every = x - (part){ 0 };
#define EVERY(i) every
    return (lane_parts){ .part = { REGISTERS(EVERY) } }.all;
#undef EVERY
}
/* Bit i of the result is set if lane i of the mask is. */
INLINE unsigned lanes_bits(lane_mask m)
{
#if defined __AVX512DQ__
    return _mm512_movepi64_mask((__m512i)m);
#elif defined __AVX__
    const lane_parts x = { .mask = m };
    return (unsigned)(_mm256_movemask_pd((__m256d)x.part[0])
                      | _mm256_movemask_pd((__m256d)x.part[1]) << 4);
#else
    unsigned bits = 0;
    for (int i = 0; i < LANES; i++) bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}
/* The largest, by a < b ? b : a in pairs. */
INLINE double lanes_largest(lanes x)
{
#define LARGER(a, b) ((a) < (b) ? (b) : (a))
    const double a = LARGER(x[0], x[4]), b = LARGER(x[1], x[5]), c = LARGER(x[2], x[6]),
                 d = LARGER(x[3], x[7]), e = LARGER(a, c), f = LARGER(b, d);
    return LARGER(e, f);
#undef LARGER
}
INLINE lanes lanes_abs(lanes a) { return (lanes)((lane_mask)a & INT64_MAX); }

#endif
