/* exp, log, pow, sinh, cosh and tanh in binary128 to a few units in the last place.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * musl's long double functions have 113 bits except these, which are those of double there (its
 * expl.c: "broken implementation to make things compile"); they stand here under their own names
 * and so take the place of musl's. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

_Static_assert(LDBL_MANT_DIG == 113, "long double is binary128");

/* ln 2 = ln2_high + ln2_low; ln2_high has 93 bits, so that an exponent times it is exact. */
static const long double ln2_high = 0x1.62e42fefa39ef35793c7673p-1L,
                         ln2_low = 0x1.f97b57a079a193394c5b16c5068bap-103L;

/* e^x - 1 for |x| < 0.4: the first 28 terms of its series, the next is below 2^-132. */
static long double series(long double x)
{
    long double sum = 0;
    for (int k = 28; k > 1; k--) sum = (sum + 1) * x / k;
    return x + x * sum;
}

/* e^x = 2^k e^r, |r| <= ln 2 / 2 */
long double expl(long double x)
{
    if (isnan(x)) return x;
    if (x > 11357) return HUGE_VALL;
    if (x < -11520) return 0;
    const long double k = rintl(x / (ln2_high + ln2_low));
    return scalbnl(1 + series(x - k * ln2_high - k * ln2_low), (int)k);
}

/* log x = k log 2 + 2 artanh s, s = (m - 1)/(m + 1), x = 2^k m, sqrt 1/2 <= m < sqrt 2 */
long double logl(long double x)
{
    if (isnan(x) || x == HUGE_VALL) return x;
    if (x == 0) return -HUGE_VALL;
    if (x < 0) return (x - x) / 0.0L;
    int         k;
    long double m = frexpl(x, &k);
    if (m < sqrtl(0.5L)) m *= 2, k--;
    const long double s = (m - 1) / (m + 1), s2 = s * s;
    long double       sum = 0;
    for (int n = 49; n > 1; n -= 2) sum = (sum + 1.0L / n) * s2;
    return k * ln2_high + (2 * s + (2 * s * sum + k * ln2_low));
}

static long double power(long double x, int n)
{
    long double y = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1) y *= x;
    return y;
}

/* |x|^y = |x|^n |x|^(y - n): the error grows with n, not with log |x|^y. */
static long double positive(long double x, long double y)
{
    const long double n = fabsl(y) <= 64 ? rintl(y) : 0;
    if (x == 0 || isinf(x) || isinf(y)) {
        if (x == 1) return 1;
        return isinf(y) ? (x > 1) == (y > 0) ? HUGE_VALL : 0 : (x > 1) == (y > 0) ? HUGE_VALL : 0;
    }
    const long double whole = n < 0 ? 1 / power(x, (int)-n) : power(x, (int)n);
    return n == y ? whole : whole * expl((y - n) * logl(x));
}

long double powl(long double x, long double y)
{
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return x + y;
    const bool whole = isinf(y) || y == rintl(y), odd = !isinf(y) && fmodl(y, 2) != 0 && whole;
    if (x < 0 && !whole && !isinf(x)) return (x - x) / 0.0L;
    if (x == -1 && isinf(y)) return 1;
    return (signbit(x) && odd ? -1 : 1) * positive(fabsl(x), y);
}

/* sinh x = (u + u/(1 + u))/2, u = e^x - 1, where e^x - 1 would cancel */
long double sinhl(long double x)
{
    const long double a = fabsl(x);
    if (a < 0.34L) {
        const long double u = series(a);
        return copysignl((u + u / (1 + u)) / 2, x);
    }
    const long double y = expl(a > 11356 ? a / 2 : a);
    return copysignl(a > 11356 ? y / 2 * y : (y - 1 / y) / 2, x);
}

long double coshl(long double x)
{
    const long double a = fabsl(x), y = expl(a > 11356 ? a / 2 : a);
    return a > 11356 ? y / 2 * y : (y + 1 / y) / 2;
}

long double tanhl(long double x)
{
    const long double a = fabsl(x);
    if (isnan(x)) return x;
    if (a > 40) return copysignl(1, x);
    return sinhl(x) / coshl(x);
}
