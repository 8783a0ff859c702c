/* Number types of an engine: real = double, eight doubles (SIMD lanes), or binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One source, three instances.  An engine steps `real`s; tapes are evaluated on `batch`es; a
 * `coef` is a coefficient such that batch = coef * real; a `num` is one number:
 *
 *     instance    real      batch                coef              one batch holds
 *     double      double    eight doubles        eight doubles     eight nodes, or eight modes
 *     lanes       8 doubles eight doubles        double            one node of eight trajectories
 *     quad        binary128 binary128            binary128         one node
 *
 * Every element sees the same operations in the same order in the first two, so their results
 * are equal bit for bit.  Arithmetic is the operators'; all else goes through the shims below. */
#ifndef NOE_NUMBER_REAL_H
#define NOE_NUMBER_REAL_H

#include "number/lanes.h"
#include "number/quad.h"

#define NOE_DOUBLE 1
#define NOE_LANES 2
#define NOE_QUAD 3

/* Name of a function that is compiled once per instruction set: name_avx2 for instance. */
#define NOE_PASTE(name, isa) name##isa
#define NOE_PASTE_BUILD(name, isa) NOE_PASTE(name, isa)
#if defined __AVX512F__
#define NOE_BUILD_LEVEL 2 /* the value of noe_engine_instruction_set() */
#elif defined __AVX2__
#define NOE_BUILD_LEVEL 1
#else
#define NOE_BUILD_LEVEL 0
#endif
#if defined NOE_ONE_BUILD || !defined __x86_64__
#define NOE_BUILD(name) NOE_PASTE_BUILD(name, any)
#elif defined __AVX512F__
#define NOE_BUILD(name) NOE_PASTE_BUILD(name, avx512)
#elif defined __AVX2__
#define NOE_BUILD(name) NOE_PASTE_BUILD(name, avx2)
#else
#define NOE_BUILD(name) NOE_PASTE_BUILD(name, sse2)
#endif

#if NOE_REAL == NOE_QUAD
typedef quad real, batch, coef, num;
typedef int  mask;
#elif NOE_REAL == NOE_LANES
typedef lanes     real, batch;
typedef double    coef, num;
typedef lane_mask mask;
#else
typedef double real, num;
typedef lanes  batch, coef;
typedef int    mask;
#endif

enum {
    WIDE = sizeof(batch) / sizeof(real),        /* nodes or modes in one batch */
    MEMBERS = NOE_REAL == NOE_LANES ? LANES : 1 /* trajectories in one real */
};

/* Number of batches that hold n nodes or modes. */
INLINE int blocks(int n) { return (n + WIDE - 1) / WIDE; }

/* Comparisons of reals, a < b, a <= b, a == b. */
#if NOE_REAL == NOE_LANES
INLINE mask r_less(real a, real b) { return lanes_less(a, b); }
INLINE mask r_at_most(real a, real b) { return lanes_at_most(a, b); }
INLINE mask r_equal(real a, real b) { return lanes_equal(a, b); }
#else
INLINE mask       r_less(real a, real b) { return a < b; }
INLINE mask       r_at_most(real a, real b) { return a <= b; }
INLINE mask       r_equal(real a, real b) { return a == b; }
#endif

#if NOE_REAL == NOE_LANES
INLINE real     r_if(mask m, real a, real b) { return lanes_if(m, a, b); }
INLINE real     r_abs(real a) { return lanes_abs(a); }
INLINE mask     m_all(int yes) { return (mask){ 0 } - yes; }
INLINE mask     m_not(mask m) { return ~m; }
INLINE unsigned m_bits(mask m) { return lanes_bits(m); }
/* The largest of the members' values. */
INLINE num  r_most(real x) { return lanes_largest(x); }
INLINE real r_set(num x) { return lanes_of(x + 0); }
INLINE num  r_member(real x, int i) { return x[i]; }
INLINE void r_put(real *x, int i, num y) { (*x)[i] = y; }
#define MEMBER(array, i, k) ((const double *)(array))[(i)*LANES + (k)]
#else
INLINE real       r_if(mask m, real a, real b) { return m ? a : b; }
#if NOE_REAL == NOE_QUAD
INLINE real       r_abs(real a) { return fabsq(a); }
#else
INLINE real r_abs(real a) { return __builtin_fabs(a); }
#endif
INLINE mask       m_all(int yes) { return yes; }
INLINE mask       m_not(mask m) { return !m; }
INLINE unsigned   m_bits(mask m) { return m != 0; }
INLINE num        r_most(real x) { return x; }
INLINE real       r_set(num x) { return x; }
INLINE num        r_member(real x, int i) { return (void)i, x; }
INLINE void       r_put(real *x, int i, num y) { (void)i, *x = y; }
#endif

#if NOE_REAL == NOE_QUAD
INLINE batch     b_abs(batch a) { return fabsq(a); }
INLINE mask      b_less(batch a, batch b) { return a < b; }
INLINE mask      b_at_most(batch a, batch b) { return a <= b; }
INLINE batch     b_max(batch a, batch b) { return a < b ? b : a; }
static const num EPS = 0x1p-113; /* half a unit in the last place of 1 */
#else
INLINE batch      b_abs(batch a) { return lanes_abs(a); }
INLINE lane_mask  b_less(batch a, batch b) { return lanes_less(a, b); }
INLINE lane_mask  b_at_most(batch a, batch b) { return lanes_at_most(a, b); }
/* a where one of them is nan */
INLINE batch b_max(batch a, batch b)
{
#if defined __AVX512F__
    return (batch)_mm512_max_pd((__m512d)b, (__m512d)a);
#else
    return lanes_if(lanes_less(a, b), b, a);
#endif
}
static const num EPS = 0x1p-53;
#endif

#if NOE_REAL == NOE_LANES
INLINE batch b_where(mask m, batch a, batch b) { return lanes_if(m, a, b); }
INLINE real  r_max(real a, real b) { return b_max(a, b); }
INLINE real  r_min(real a, real b) { return -b_max(-a, -b); }
#else
INLINE batch     b_where(mask m, batch a, batch b) { return m ? a : b; }
INLINE real      r_max(real a, real b) { return r_if(a < b, b, a); }
INLINE real      r_min(real a, real b) { return r_if(b < a, b, a); }
#endif
INLINE int m_any(mask m) { return m_bits(m) != 0; }
/* True if a is finite: inf - inf and nan are not equal to themselves. */
INLINE mask  r_finite(real a) { return r_equal(a - a, a - a); }
INLINE batch b_zero(void) { return (batch){ 0 }; }
/* b_of: x at all nodes of a batch; c_of, r_of: a, x for all members; b_set: as b_of, but -0 becomes
 * 0.  The operators would do it, but not by registers where it is used more than once: gcc 12 then
 * stores it number by number (number/lanes.h). */
#if NOE_REAL == NOE_DOUBLE
INLINE batch b_of(real x) { return lanes_of(x); }
#else
INLINE batch     b_of(real x) { return x; }
#endif
#if NOE_REAL == NOE_LANES
INLINE batch c_of(coef a) { return lanes_of(a); }
INLINE real  r_of(num x) { return lanes_of(x); }
#else
INLINE coef      c_of(coef a) { return a; }
INLINE real      r_of(num x) { return x; }
#endif
INLINE batch b_set(real x) { return b_of(x + 0); }

/* over_nodes: the largest value of the nodes in a batch; b_finite: are all of them finite? */
#if NOE_REAL == NOE_DOUBLE
INLINE real over_nodes(batch x) { return lanes_largest(x); }
INLINE mask b_finite(batch x) { return lanes_bits(lanes_equal(x - x, x - x)) == (1 << LANES) - 1; }
#else
INLINE real      over_nodes(batch x) { return x; }
INLINE mask      b_finite(batch x) { return r_finite(x); }
#endif

/* s + e = a + b exactly (Knuth, The Art of Computer Programming 2, 4.2.2). */
INLINE real two_sum(real a, real b, real *e)
{
    const real s = a + b, bb = s - a;
    *e = (a - (s - bb)) + (b - bb);
    return s;
}

/* sum + rest <- sum + rest + what, for the members of m; `rest` is what rounding of `sum` has
 * lost. */
INLINE void add_compensated(mask m, real *sum, real *rest, real what)
{
    real       lost;
    const real s = two_sum(*sum, what + *rest, &lost);
    *sum = r_if(m, s, *sum);
    *rest = r_if(m, lost, *rest);
}

/* The upper half of the bits of h (Veltkamp's splitting). Where h x is added to the state, it is
 * computed as two products, with this half and with the rest. Reason: the bits of a decimal step
 * repeat, 0.1 is 1.1001 1001 .., so the products with all x have fractions of a unit in the last
 * place that are close to fifths, and their rounding errors have the mean of a tenth of a unit
 * instead of 0. */
INLINE real upper_half(real h)
{
    const real c = h * (NOE_REAL == NOE_QUAD ? (num)0x1p57 + 1 : (num)0x1p27 + 1);
    return c - (c - h);
}

/* out[nb] = b x, node by node. */
INLINE void weigh(batch *out, int nb, const coef *b, const batch *x)
{
    for (int k = 0; k < nb; k++) out[k] = c_of(b[k]) * x[k];
}

/* sum_k A_kb x_k: values at nodes from modes, or modes from nodes. Two independent sums, of even
 * and odd k, are faster than one. */
INLINE batch contracted(int b, int nb, const coef *A, int terms, const real *x)
{
    batch even = c_of(A[b]) * b_of(x[0]);
    if (terms == 1) return even;
    batch odd = c_of(A[nb + b]) * b_of(x[1]);
    int   k = 2;
#pragma GCC unroll 3
    for (; k + 1 < terms; k += 2) {
        even += c_of(A[k * nb + b]) * b_of(x[k]);
        odd += c_of(A[(k + 1) * nb + b]) * b_of(x[k + 1]);
    }
    if (k < terms) even += c_of(A[k * nb + b]) * b_of(x[k]);
    return even + odd;
}
INLINE void contract(batch *out, int nb, const coef *A, int terms, const real *x)
{
    for (int b = 0; b < nb; b++) out[b] = contracted(b, nb, A, terms, x);
}

#endif
