/* x -> the shortest decimal d 10^e that lies nearest to x among all floating-point numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A double x reads back from every decimal between the midpoints to its neighbours.  Scaled by
 * 10^k so that x has 17 digits, that interval [lo, hi] is known to 2^-50 in binary128; the
 * shortest decimal is a multiple of the largest power of ten in it.  (Steele & White 1990 ask
 * the same in big integers.) */
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

/* The multiple of the largest power of ten in [lo, hi] that is nearest to mid. */
static uint64_t roundest(uint64_t lo, uint64_t mid, uint64_t hi)
{
    uint64_t unit = 1;
    while (hi / (10 * unit) * (10 * unit) >= lo) unit *= 10;
    uint64_t best = (mid + unit / 2) / unit * unit;
    return best < lo ? best + unit : best > hi ? best - unit : best;
}

static int shortest_double(char *out, double x)
{
    int  e, k = 16 - (int)floor(log10(x));         /* x 10^k has 17 digits, or is 10^16 (1 - u) */
    bool power = frexp(x, &e) == 0.5 && e > -1021; /* then the lower neighbour is half as far */
    quad half = ldexpq(1, (e > -1021 ? e - 53 : -1074) - 1);
    quad left = times_power(power ? x - half / 2 : x - half, k), right = times_power(x + half, k);
    uint64_t mid = (uint64_t)(times_power(x, k) + (quad)1 / 2);
    uint64_t lo = (uint64_t)left + ((quad)(uint64_t)left < left), hi = (uint64_t)right;
    for (;;) {
        uint64_t best = roundest(lo, mid, hi);
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
    for (int digits = 33; digits <= 36; digits++) {
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

static int positive(char *out, quad x, double d, int digits)
{
    if (d < 1e15 && x == (uint64_t)d) return layout_integer(out, (uint64_t)d, 0);
    return digits <= 15 ? shortest_double(out, d) : shortest_quad(out, x);
}

int noe_decimal_write(char *out, quad x, int digits)
{
    if (digits <= 15) x = (double)x;
    double d = (double)x;
    if (isnan(d)) return sprintf(out, "nan");
    if (x - x != 0) return sprintf(out, d < 0 ? "-inf" : "inf");
    if (!signbit(d)) return positive(out, x, d, digits);
    *out = '-';
    return 1 + positive(out + 1, -x, -d, digits);
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
