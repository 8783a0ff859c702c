/* mean = sum x/n, sd^2 = sum (x - mean)^2/(n - 1), quantiles linear between the ordered values.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums are compensated, high + low, so that they hardly depend on the order of the numbers.
 * Quantiles by selection in linear time (Hoare, Algorithm 65: Find, 1961) instead of sorting. */
#include "ensemble/statistics.h"

#include "number/compensated.h"
#include "number/random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static double mean_from(const double *x, long n, double from)
{
    double high = 0, low = 0;
    for (long k = 0; k < n; k++) {
        noe_compensated_collect(&high, &low, x[k]);
        noe_compensated_collect(&high, &low, -from);
    }
    return from + (high + low) / (double)n;
}

static double square_of(const double *x, long n, double mean)
{
    double high = 0, low = 0;
    for (long k = 0; k < n; k++) {
        const double d = x[k] - mean;
        noe_compensated_collect(&high, &low, d * d);
    }
    return high + low;
}

static void exchange(double *a, double *b)
{
    const double x = *a;
    *a = *b;
    *b = x;
}

/* Reorders x_from .. x_to so that x_k is the number that sorting would place there: no number
 * before x_k is larger, none after is smaller. */
static void find(double *x, long from, long to, long k)
{
    uint64_t seed = 1; /* random pivots: linear time on average for every order of the numbers */
    while (from < to) {
        const uint64_t bits = noe_random_irregular(&seed) >> 33;
        const double   pivot = x[from + (long)(bits % (uint64_t)(to - from + 1))];
        long           i = from, j = to;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (pivot < x[j]) j--;
            if (i <= j) exchange(&x[i++], &x[j--]);
        }
        if (k <= j) to = j;
        else if (k >= i) from = i;
        else return;
    }
}

/* *to: the quantile at 0 <= `at` <= 1.  No number before `from` is larger than one after; returns
 * the `from` for the next, larger `at`. */
static long quantile(double *x, long n, double at, long from, double *to)
{
    const double place = at * (double)(n - 1);
    const long   i = (long)place < n - 1 ? (long)place : n - 1;
    find(x, from, n - 1, i);
    *to = x[i];
    if (i == n - 1) return i;
    find(x, i + 1, n - 1, i + 1);
    *to += (place - (double)i) * (x[i + 1] - x[i]);
    return i;
}

/* Numbers outside of 2^-400 .. 2^400, whose squares and differences may overflow or vanish, are
 * scaled by a power of two, which rounds nothing. */
static double scale_of(double least, double most)
{
    int exponent;
    frexp(fmax(fabs(least), fabs(most)), &exponent);
    return abs(exponent) <= 400 ? 1 : ldexp(1, exponent < 0 ? 900 : -900);
}

void noe_statistics(double *x, long n, double to[NOE_STATISTICS])
{
    for (int i = 0; i < NOE_STATISTICS; i++) to[i] = NAN;
    if (!n) return;
    double least = x[0], most = x[0];
    for (long k = 1; k < n; k++) least = fmin(least, x[k]), most = fmax(most, x[k]);
    const double scale = scale_of(least, most);
    for (long k = 0; k < n && scale != 1; k++) x[k] *= scale;
    /* the second pass makes the mean of equal numbers exact */
    const double mean = to[NOE_STATISTIC_MEAN] = mean_from(x, n, mean_from(x, n, 0));
    if (n > 1) to[NOE_STATISTIC_DEVIATION] = sqrt(square_of(x, n, mean) / (double)(n - 1));
    long from = quantile(x, n, 0.05, 0, &to[NOE_STATISTIC_Q05]);
    from = quantile(x, n, 0.5, from, &to[NOE_STATISTIC_MEDIAN]);
    quantile(x, n, 0.95, from, &to[NOE_STATISTIC_Q95]);
    for (int i = 0; i < NOE_STATISTICS && scale != 1; i++) to[i] /= scale;
    to[NOE_STATISTIC_LEAST] = least, to[NOE_STATISTIC_MOST] = most;
}
