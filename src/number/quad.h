/* quad = IEEE binary128, u = 2^-113.  The number in which coefficients and constants are kept.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It is long double where that has 113 bits, with libm's functions under libquadmath's names;
 * elsewhere libquadmath's.  These are the same source; where their bits differ, number/quad.c
 * has one of our own. */
#ifndef NOE_NUMBER_QUAD_H
#define NOE_NUMBER_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG == 113

#include <complex.h>
#undef I
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef long double quad;
typedef long double _Complex quad_complex;

#define fabsq fabsl
#define fmaxq fmaxl
#define fminq fminl
#define cbrtq cbrtl
#define sinq sinl
#define cosq cosl
#define tanq tanl
#define atanq atanl
#define atan2q atan2l
#define sinhq sinhl
#define coshq coshl
#define tanhq tanhl
#define expq expl
#define logq logl
#define log2q log2l
#define powq powl
#define floorq floorl
#define ceilq ceill
#define roundq roundl
#define rintq rintl
#define fmodq fmodl
#define ldexpq ldexpl
#define scalbnq scalbnl
#define frexpq frexpl
#define ilogbq ilogbl
#define nanq nanl
#define isnanq isnan
#define finiteq isfinite
#define conjq conjl
#define crealq creall
#define cimagq cimagl
#define strtoflt128 strtold
#define FLT128_MANT_DIG LDBL_MANT_DIG

static inline void __attribute__((unused)) sincosq(quad x, quad *s, quad *c)
{
    *s = sinl(x), *c = cosl(x);
}

/* Formats one quad, with the format %.*Qe only. */
static inline int __attribute__((unused))
quadmath_snprintf(char *text, size_t size, const char *format, ...)
{
    char    with_l[32];
    va_list rest;
    int     n = snprintf(with_l, sizeof with_l, "%s", format);
    for (int i = 0; i < n; i++)
        if (with_l[i] == 'Q') with_l[i] = 'L';
    va_start(rest, format);
    n = vsnprintf(text, size, with_l, rest);
    va_end(rest);
    return n;
}

#else

#include <math.h>
#include <quadmath.h>

typedef __float128   quad;
typedef __complex128 quad_complex;

#endif

/* sqrt x correctly rounded; asin x and acos x to 3 units in the last place; sqrt(x^2 + y^2) for
 * numbers whose squares do not overflow or underflow. */
quad noe_quad_asin(quad x);
quad noe_quad_acos(quad x);
quad noe_quad_hypot(quad x, quad y);
quad noe_quad_dot(const quad *x, const quad *y, int n); /* sum_i x_i y_i, in this order */
#if LDBL_MANT_DIG == 113
#define sqrtq(x) sqrtl(x)
#else
quad                 noe_quad_sqrt(quad x);
#define sqrtq(x) noe_quad_sqrt(x)
#endif
#define asinq(x) noe_quad_asin(x)
#define acosq(x) noe_quad_acos(x)
#define hypotq(x, y) noe_quad_hypot(x, y)
#define cabsq(z) noe_quad_hypot(crealq(z), cimagq(z))

#endif
