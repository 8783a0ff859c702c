/* sqrt, asin, acos and hypot in binary128: the same bits on every machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of libquadmath and glibc have the same source except the square root: correctly
 * rounded in glibc, within two units in the last place in libquadmath, whose asin, acos and
 * hypot use it. */
#include "number/quad.h"

#include <stdint.h>

#if LDBL_MANT_DIG != 113
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128          i128;

/* Y = sqrt N rounded to nearest, N = m 2^112 in [2^224, 2^226), Y in [2^112, 2^113). From m 2^14
 * = s^2 + d with s of 64 bits follows Y ~ s 2^49 + d 2^48/s; the last bits follow from N - Y^2,
 * for which 128 bits are enough. */
static u128 root(u128 m)
{
    const long double rough = sqrtl((long double)(uint64_t)(m >> 50) * 0x1p64L);
    const uint64_t    s = rough < 0x1p64L ? (uint64_t)rough : UINT64_MAX;
    const i128        d = (i128)((m << 14) - (u128)s * s) * ((i128)1 << 48);
    u128              y = (u128)((i128)((u128)s << 49) + d / s);
    i128              rest = (i128)((m << 112) - y * y);
    for (; rest > (i128)y; y++) rest -= (i128)(2 * y + 1);
    for (; rest <= -(i128)y; y--) rest += (i128)(2 * y - 1);
    return y;
}

quad noe_quad_sqrt(quad x)
{
    union {
        quad x;
        u128 bits;
    } u = { x };
    const u128 one = 1, digits = (one << 112) - 1;
    int        power = (int)(u.bits >> 112);
    if (x < 0) return nanq("");
    if (x == 0 || power == 0x7fff) return x + x;
    if (power == 0) return noe_quad_sqrt(x * (quad)0x1p200) * (quad)0x1p-100;
    power -= 16383; /* x = 1.f 2^power */
    u.bits = (root(((u.bits & digits) | one << 112) << (power & 1)) & digits)
           | (u128)((power >> 1) + 16383) << 112;
    return u.x;
}
#endif

quad noe_quad_asin(quad x) { return atan2q(x, sqrtq((1 - x) * (1 + x))); }
quad noe_quad_acos(quad x) { return atan2q(sqrtq((1 - x) * (1 + x)), x); }
quad noe_quad_hypot(quad x, quad y) { return sqrtq(x * x + y * y); }

quad noe_quad_dot(const quad *x, const quad *y, int n)
{
    quad sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
