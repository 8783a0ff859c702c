/* An accumulator as wide as all doubles, in digits of 32 bits (Kulisch; Neal, arXiv:1505.05571).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     x = m 2^e,  m of 53 bits:  three digits of the sum change */
#include "exact_sum.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide_digits;

enum { LOW = -1120, SETTLE = 1 << 28 };

void exact_sum_clear(exact_sum *s) { memset(s, 0, sizeof *s); }

/* Carries: all digits but the highest become 0 .. 2^32 - 1. */
void exact_sum_settle(exact_sum *s)
{
    for (int k = 0; k < EXACT_DIGITS - 1; k++) {
        const int64_t carry = s->digit[k] >> 32;
        s->digit[k] -= carry * ((int64_t)1 << 32);
        s->digit[k + 1] += carry;
    }
    s->pending = 0;
}

void exact_sum_add(exact_sum *s, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
        s->digit[EXACT_DIGITS]++;
        return;
    }
    const uint64_t    m = (bits & 0xfffffffffffffu) | (exponent ? (uint64_t)1 << 52 : 0);
    const int         e = (exponent ? exponent : 1) - 1075 - LOW, k = e / 32, shift = e % 32;
    const wide_digits wide = (wide_digits)m << shift;
    const int64_t     sign = bits >> 63 ? -1 : 1, low = (int64_t)(uint32_t)wide,
                  middle = (int64_t)(uint32_t)(wide >> 32), high = (int64_t)(wide >> 64);
    s->digit[k] += sign * low, s->digit[k + 1] += sign * middle, s->digit[k + 2] += sign * high;
    if (++s->pending >= SETTLE) exact_sum_settle(s);
}

void exact_sum_add_product(exact_sum *s, double x, double y)
{
    const double high = x * y, low = __builtin_fma(x, y, -high);
    exact_sum_add(s, high);
    if (low != 0 && low - low == 0) exact_sum_add(s, low);
}

double exact_sum_value(exact_sum *s)
{
    if (s->digit[EXACT_DIGITS]) return NAN;
    exact_sum_settle(s);
    exact_sum x = *s;
    const int sign = x.digit[EXACT_DIGITS - 1] < 0 ? -1 : 1;
    for (int k = 0; k < EXACT_DIGITS && sign < 0; k++) x.digit[k] = -x.digit[k];
    exact_sum_settle(&x);
    int top = EXACT_DIGITS - 1;
    while (top > 0 && !x.digit[top]) top--;
    /* the highest 96 bits and more decide the rounding, but for ties beyond them */
    long double sum = 0;
    for (int k = top < 3 ? 0 : top - 3; k <= top; k++)
        sum += ldexpl((long double)x.digit[k], 32 * k + LOW);
    return sign * (double)sum;
}
