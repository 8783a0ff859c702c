/* Writes a number as the shortest decimal that reads back as the same number, and reads decimals.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A double x reads back from every decimal between the midpoints to its neighbours.  Scaled by
 * 10^k so that x has 17 digits, that interval [lo, hi] is known to 2^-50 in binary128; the
 * shortest decimal is a multiple of the largest power of ten in it.  (Steele & White 1990 do the
 * same in big integers.)  For 1e-5 <= x < 1e16 all of it is exact in integers of 128 bits: m 5^k
 * < 2^107 for k <= 22. */
#include "number/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the number d[0].d[1]d[2]..d[n-1] 10^e; returns the length. */
static int layout(char *out, const char *d, int n, int e)
{
    int k = 0;
    while (n > 1 && d[n - 1] == '0') n--;
    if (e < -5 || e > 15) {
        out[k++] = d[0];
        if (n > 1) out[k++] = '.';
        memcpy(out + k, d + 1, (size_t)n - 1);
        return k + n - 1 + sprintf(out + k + n - 1, "e%+d", e);
    }
    for (int i = e < 0 ? e : 0; i < n || i <= e; i++) {
        if (i == e + 1) out[k++] = '.';
        out[k++] = i < 0 || i >= n ? '0' : d[i];
    }
    out[k] = 0;
    return k;
}

/* Writes the number m 10^k; returns the length. */
static int layout_integer(char *out, uint64_t m, int k)
{
    char d[20];
    int  n = 20;
    do d[--n] = (char)('0' + m % 10);
    while (m /= 10);
    return layout(out, d + n, 20 - n, k + 19 - n);
}

/* x 10^k. Powers of ten up to 10^22 are exact doubles, so a result that is exact in decimal is
 * exact here. */
static quad times_power(quad x, int k)
{
    static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    for (; k > 22; k -= 22) x *= ten[22];
    for (; k < -22; k += 22) x /= ten[22];
    return k < 0 ? x / ten[-k] : x * ten[k];
}

/* The multiple of the largest power of ten in [lo, hi] that is nearest to a number, of which
 * `floor` is the integer part; up: the rest is a half or more. */
static uint64_t fewest_digits(uint64_t lo, uint64_t floor, bool up, uint64_t hi)
{
    uint64_t unit = 1, low = lo, high = hi;
    while ((low + 9) / 10 <= high / 10) low = (low + 9) / 10, high /= 10, unit *= 10;
    uint64_t best = unit == 1 ? floor + up : (floor + unit / 2) / unit * unit;
    return best < lo ? best + unit : best > hi ? best - unit : best;
}

__extension__ typedef unsigned __int128 wide;

/* The integers in the interval from which x = m 2^e, 1e-5 <= x < 1e16, is read, times 10^k so
 * that x has 17 digits; its ends belong to it where m is even.  Exact. */
static int shortest_usual(char *out, double x)
{
    static const uint64_t five[] = { UINT64_C(1),
                                     UINT64_C(5),
                                     UINT64_C(25),
                                     UINT64_C(125),
                                     UINT64_C(625),
                                     UINT64_C(3125),
                                     UINT64_C(15625),
                                     UINT64_C(78125),
                                     UINT64_C(390625),
                                     UINT64_C(1953125),
                                     UINT64_C(9765625),
                                     UINT64_C(48828125),
                                     UINT64_C(244140625),
                                     UINT64_C(1220703125),
                                     UINT64_C(6103515625),
                                     UINT64_C(30517578125),
                                     UINT64_C(152587890625),
                                     UINT64_C(762939453125),
                                     UINT64_C(3814697265625),
                                     UINT64_C(19073486328125),
                                     UINT64_C(95367431640625),
                                     UINT64_C(476837158203125),
                                     UINT64_C(2384185791015625) };
    uint64_t              bits;
    memcpy(&bits, &x, sizeof bits);
    const int      e = (int)(bits >> 52) - 1075;
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const bool     power = m == UINT64_C(1) << 52; /* then the lower neighbour is half as far */
    int            k = 16 - (int)(((e + 53) * 315653L) >> 20); /* log10(2) = 315653/2^20 */
    for (;; k++) {                    /* the estimate of log10(x) may be 1 too large */
        const int  shift = 2 - e - k; /* 4 x 10^k = 4 m 5^k 2^(e+k) */
        const wide by = five[k], one = (wide)1 << shift, middle = 4 * m * by,
                   left = (4 * m - (power ? 1 : 2)) * by, right = (4 * m + 2) * by;
        const uint64_t floor = (uint64_t)(middle >> shift);
        if (floor < UINT64_C(10000000000000000)) continue;
        const bool up = shift && (uint64_t)(middle >> (shift - 1)) % 2;
        uint64_t   lo = (uint64_t)((left + one - 1) >> shift), hi = (uint64_t)(right >> shift);
        if (m % 2 && lo == (uint64_t)(left >> shift)) lo++;
        if (m % 2 && (wide)hi << shift == right) hi--;
        return layout_integer(out, fewest_digits(lo, floor, up, hi), -k);
    }
}

static int shortest_double(char *out, double x)
{
    int  e, k = 16 - (int)floor(log10(x));         /* x 10^k has 17 digits, or is 10^16 (1 - u) */
    bool power = frexp(x, &e) == 0.5 && e > -1021; /* then the lower neighbour is half as far */
    quad half = ldexpq(1, (e > -1021 ? e - 53 : -1074) - 1);
    quad left = times_power(power ? x - half / 2 : x - half, k), right = times_power(x + half, k);
    const quad     middle = times_power(x, k);
    const uint64_t whole = (uint64_t)middle;
    uint64_t       lo = (uint64_t)left + ((quad)(uint64_t)left < left), hi = (uint64_t)right;
    for (;;) {
        uint64_t best = fewest_digits(lo, whole, middle - whole >= (quad)1 / 2, hi);
        int      n = layout_integer(out, best, -k);
        bool     low = best == lo && best - left < 1e-9, high = best == hi && right - best < 1e-9;
        quad     y; /* a midpoint itself reads back only when x is the even neighbour */
        if ((!low && !high) || (noe_decimal_read(out, &y) && (double)y == x)) return n;
        if (low) lo++;
        else hi--;
    }
}

/* There is no wider type to compute in: tries 33, 34, .. digits until the number reads back; 36
 * suffice always. */
static int shortest_quad(char *out, quad x)
{
    int n = 0;
    for (int digits = NOE_DIGITS_QUAD; digits <= 36; digits++) {
        char s[NOE_NUMBER_SIZE], d[NOE_NUMBER_SIZE];
        int  k = 0, i = 0;
        quad y;
        quadmath_snprintf(s, sizeof s, "%.*Qe", digits - 1, x);
        for (; s[i] && s[i] != 'e'; i++)
            if (s[i] >= '0' && s[i] <= '9') d[k++] = s[i];
        n = layout(out, d, k, atoi(s + i + 1));
        if (noe_decimal_read(out, &y) && y == x) break;
    }
    return n;
}

static int positive_double(char *out, double d)
{
    if (d < 1e15 && d == (double)(uint64_t)d) return layout_integer(out, (uint64_t)d, 0);
    return d >= 1e-5 && d < 1e16 ? shortest_usual(out, d) : shortest_double(out, d);
}

static int positive_quad(char *out, quad x)
{
    const double d = (double)x;
    if (d < 1e15 && x == (uint64_t)d) return layout_integer(out, (uint64_t)d, 0);
    return shortest_quad(out, x);
}

int noe_decimal_write_double(char *out, double x)
{
    if (isnan(x)) return sprintf(out, "nan");
    if (x - x != 0) return sprintf(out, x < 0 ? "-inf" : "inf");
    if (!signbit(x)) return positive_double(out, x);
    *out = '-';
    return 1 + positive_double(out + 1, -x);
}

int noe_decimal_write(char *out, quad x, int digits)
{
    const double d = (double)x;
    if (digits <= NOE_DIGITS_DOUBLE || x - x != 0) return noe_decimal_write_double(out, d);
    if (!signbit(d)) return positive_quad(out, x);
    *out = '-';
    return 1 + positive_quad(out + 1, -x);
}

/* strtoflt128 uses the decimal point of the thread's locale, so the locale "C" is set meanwhile. */
bool noe_decimal_read(const char *text, quad *x)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    char    *end;
    *x = strtoflt128(text, &end);
    uselocale(before);
    freelocale(plain);
    return end != text && !*end;
}
