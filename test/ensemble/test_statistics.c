/* mean, deviation, quantiles = those of sorted numbers in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/statistics.h"
#include "laws.h"

enum { CASES = 400, MOST = 3000, SHAPES = 5 };

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double drawn(int shape, long k, long n)
{
    const double r = random_number();
    switch (shape) {
    case 0: return 3 + 1e-3 * r;                            /* noise around a value */
    case 1: return (double)k / (double)n;                   /* a sweep */
    case 2: return k < n / 2 ? (double)k : (double)(n - k); /* up and down */
    case 3: return floor(4 * r);                            /* few values, each many times */
    default: return 1e3 * r * r * r;
    }
}

static double placed(const double *x, long n, double at)
{
    const double place = at * (double)(n - 1);
    const long   i = (long)place;
    return i >= n - 1 ? x[n - 1] : x[i] + (place - (double)i) * (x[i + 1] - x[i]);
}

static void test_as_sorted(void **state)
{
    (void)state;
    static double x[MOST], y[MOST];
    for (int c = 0; c < CASES; c++) {
        const long n = c < 20 ? 1 + c / 4 : 1 + (long)(0.5 * (1 + random_number()) * (MOST - 1));
        quad       mean = 0, square = 0, size = 0;
        double     to[NOE_STATISTICS];
        for (long k = 0; k < n; k++)
            x[k] = y[k] = drawn(c % SHAPES, k, n), mean += x[k], size += fabs(x[k]);
        mean /= n, size /= n;
        for (long k = 0; k < n; k++) square += (x[k] - mean) * (x[k] - mean);
        noe_statistics(x, n, to);
        qsort(y, (size_t)n, sizeof *y, order);
        qsort(x, (size_t)n, sizeof *x, order);
        assert_memory_equal(x, y, (size_t)n * sizeof *x); /* exchanged, none lost */
        small(to[0] - mean, fabsq(mean) + size * (quad)0x1p-40, 0x1p-52,
              "mean"); /* two parts: 106 bits, n^2 < 2^24 */
        if (n > 1)
            small(to[1] - sqrtq(square / (n - 1)), sqrtq(square / (n - 1)) + size, 0x1p-51,
                  "deviation");
        else assert_true(isnan(to[1]));
        assert_true(to[2] == y[0] && to[6] == y[n - 1]);
        assert_true(to[3] == placed(y, n, 0.05) && to[4] == placed(y, n, 0.5)
                    && to[5] == placed(y, n, 0.95));
    }
}

static void test_few(void **state)
{
    (void)state;
    double to[NOE_STATISTICS], x[300];
    noe_statistics(x, 0, to);
    for (int i = 0; i < NOE_STATISTICS; i++) assert_true(isnan(to[i]));
    for (int i = 0; i < 300; i++) x[i] = 0.1;
    for (long n = 2; n <= 300; n++) {
        noe_statistics(x, n, to);
        assert_true(to[0] == 0.1 && to[1] == 0 && to[4] == 0.1);
    }
}

/* Numbers times 2^k have the statistics times 2^k, to the last bit, as long as those have one. */
static void test_scaled(void **state)
{
    (void)state;
    static const int by[] = { -1000, -700, -401, 401, 700, 1020 };
    double           x[40], y[40], to[NOE_STATISTICS], scaled[NOE_STATISTICS];
    for (int c = 0; c < CASES; c++) {
        const int k = by[c % 6], n = 2 + c % 39;
        for (int i = 0; i < n; i++) x[i] = random_number(), y[i] = ldexp(x[i], k);
        noe_statistics(x, n, to);
        noe_statistics(y, n, scaled);
        for (int i = 0; i < NOE_STATISTICS; i++) assert_true(ldexp(to[i], k) == scaled[i]);
    }
    double ends[] = { -1e308, 1e308 };
    noe_statistics(ends, 2, to);
    assert_true(to[NOE_STATISTIC_MEAN] == 0 && to[NOE_STATISTIC_MEDIAN] == 0);
    small(to[NOE_STATISTIC_DEVIATION] - 1e308 * M_SQRT2, 1e308, 0x1p-51, "deviation of the ends");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_as_sorted),
                                        cmocka_unit_test(test_few), cmocka_unit_test(test_scaled) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
