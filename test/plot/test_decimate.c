/* Thinning and axes: every extreme and every gap of a curve stays, ticks are where they are said.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/axis.h"
#include "plot/decimate.h"
#include "scratch.h"

#include <math.h>

enum { MOST = 400 };
static size_t keep[NOE_DECIMATE_ROOM(MOST)];

/* ---- thinning ---- */

static void check_order(size_t k, size_t n)
{
    size_t last = 0, points = 0;
    assert_true(k <= sizeof keep / sizeof *keep);
    for (size_t i = 0; i < k; i++) {
        if (keep[i] == NOE_DECIMATE_GAP) continue;
        assert_true(keep[i] < n && (points == 0 || keep[i] > last));
        last = keep[i];
        points++;
    }
    assert_true(points <= MOST);
}

static void test_few_rows_all_stay(void **state)
{
    (void)state;
    double x[MOST], y[MOST];
    for (size_t i = 0; i < MOST; i++) x[i] = (double)i, y[i] = any_double() / 1e10;
    for (size_t n = 1; n <= MOST; n += 57) {
        assert_int_equal(noe_decimate_time(x, y, n, MOST, keep), n);
        for (size_t i = 0; i < n; i++) assert_int_equal(keep[i], i);
    }
}

/* The polygon through the kept rows has the extremes of every interval of time, whether rows are at
 * equal times, as dense as 1 to 200, or in the order of falling times. */
static void check_extremes(const double *x, const double *y, size_t n)
{
    const size_t k = noe_decimate_time(x, y, n, MOST, keep);
    const double way = x[n - 1] - x[0];
    check_order(k, n);
    assert_int_equal(keep[0], 0);
    assert_int_equal(keep[k - 1], n - 1);
    for (size_t b = 0, i = 0, low, high; b < MOST / 4; b++) {
        const double share = b + 1 < MOST / 4 ? (double)(b + 1) / (MOST / 4) : INFINITY;
        bool         has_low = false, has_high = false;
        for (low = high = i; i < n && (x[i] - x[0]) / way < share; i++) {
            if (y[i] < y[low]) low = i;
            if (y[i] > y[high]) high = i;
        }
        for (size_t m = 0; m < k; m++) has_low |= keep[m] == low, has_high |= keep[m] == high;
        assert_true((has_low && has_high) || low == i);
    }
}

static void test_extremes_stay(void **state)
{
    (void)state;
    enum { N = 54321 };
    static double x[N], y[N];
    for (int direction = -1; direction <= 1; direction += 2)
        for (int uneven = 0; uneven < 2; uneven++) {
            for (size_t i = 0; i < N; i++) {
                const double at = (double)i / N;
                x[i] = direction * (uneven ? at + 100 * at * at : at);
                y[i] = (double)(bits() % 1000000);
            }
            check_extremes(x, y, N);
        }
}

/* No line across rows without a number, wherever in a bucket (of 100 rows here) they begin and
 * end. */
static void check_gap(size_t begin, size_t end, bool path)
{
    enum { N = 10000 };
    static double x[N], y[N];
    bool          dots = false, gap = false, after = false;
    for (size_t i = 0; i < N; i++) x[i] = (double)i, y[i] = i >= begin && i < end ? NAN : 1;
    y[7000] = INFINITY;
    size_t k = path ? noe_decimate_path(x, y, N, MOST, keep, &dots)
                    : noe_decimate_time(x, y, N, MOST, keep);
    check_order(k, N);
    for (size_t i = 0; i < k; i++) {
        if (keep[i] == NOE_DECIMATE_GAP) {
            gap = true;
            continue;
        }
        assert_true(noe_decimate_drawable(y[keep[i]]));
        if (keep[i] >= end && !after) assert_true(gap);
        after |= keep[i] >= end;
        gap = false;
    }
    assert_true(after && !dots);
}

static void test_gaps(void **state)
{
    (void)state;
    for (int path = 0; path < 2; path++) {
        check_gap(3000, 5000, path);
        check_gap(3000, 3050, path);
        check_gap(3050, 3100, path);
        check_gap(3050, 5150, path);
    }
    double x = 0, y = NAN;
    assert_int_equal(noe_decimate_time(&x, &y, 1, MOST, keep), 1);
    assert_true(keep[0] == NOE_DECIMATE_GAP);
}

static double to_segment(double x, double y, const double a[2], const double b[2])
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    double       at = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return hypot(x - a[0] - at * dx, y - a[1] - at * dy);
}

/* Largest distance of a row from the line that stands for it, in units of the extents. */
static double distance(const double *x, const double *y, size_t k, double dx, double dy)
{
    double most = 0;
    for (size_t j = 1; j < k; j++) {
        const size_t a = keep[j - 1], b = keep[j];
        for (size_t i = a; i <= b; i++)
            most = fmax(most, to_segment(x[i] / dx, y[i] / dy, (double[]){ x[a] / dx, y[a] / dy },
                                         (double[]){ x[b] / dx, y[b] / dy }));
    }
    return most;
}

static double extent(const double *x, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
    return high - low;
}

/* Smooth random paths of many rows, which also turn back on themselves, stay lines, and these pass
 * every row within what a picture shows: twice the tolerance of 1/2000, or of 1/250. */
static void test_long_smooth_paths(void **state)
{
    (void)state;
    enum { N = 100000 };
    static double x[N], y[N];
    for (int trial = 0; trial < 20; trial++) {
        double a[4], b[4];
        bool   dots = true;
        for (int m = 0; m < 4; m++)
            a[m] = random_number(), b[m] = trial % 2 ? a[m] : random_number();
        for (size_t i = 0; i < N; i++) {
            x[i] = y[i] = 0;
            for (int m = 0; m < 4; m++) {
                x[i] += 3 * a[m] * cos(1e-4 * (m + 1) * (double)i + m);
                y[i] += b[m] * cos(1e-4 * (m + 1) * (double)i + m);
            }
        }
        const size_t k = noe_decimate_path(x, y, N, MOST, keep, &dots);
        const double dx = extent(x, N), dy = extent(y, N);
        assert_false(dots);
        check_order(k, N);
        assert_int_equal(keep[0], 0);
        assert_int_equal(keep[k - 1], N - 1);
        const double d = distance(x, y, k, dx, dy);
        if (!(d <= 2.0 / 2000)) fail_msg("trial %d: %g of the extent with %zu rows", trial, d, k);
    }
}

static void test_paths(void **state)
{
    (void)state;
    enum { N = 100000 };
    static double x[N], y[N];
    for (double turns = 1; turns < 1000; turns *= 500) {
        bool dots;
        for (size_t i = 0; i < N; i++) {
            double a = 6.283185307179586 * turns * (double)i / (N - 1);
            x[i] = 3 * cos(a) * (1 + a / 1e4), y[i] = sin(a);
        }
        size_t k = noe_decimate_path(x, y, N, MOST, keep, &dots);
        check_order(k, N);
        assert_int_equal(dots, turns > 1);
        if (dots) assert_true(k > MOST * 9 / 10);
        if (!dots) assert_true(k > 30 && k < MOST / 2);
    }
}

static noe_axis axis_of(double a, double b, double c)
{
    double   x[] = { a, b, c };
    noe_axis axis = noe_axis_empty();
    noe_axis_include(&axis, x, 3);
    noe_axis_finish(&axis, 0.05, 0);
    return axis;
}

static void test_axes(void **state)
{
    (void)state;
    noe_axis a = axis_of(1, 2, 3);
    assert_true(a.lo == 0.9 && a.hi == 3.1 && a.exponent == 0 && a.unit == 1);
    a = axis_of(NAN, INFINITY, -INFINITY);
    assert_true(a.lo == -1 && a.hi == 1);
    a = axis_of(0, 0, NAN);
    assert_true(a.lo == -1 && a.hi == 1);
    a = axis_of(-5, -5, -5);
    assert_true(a.lo == -5.5 && a.hi == -4.5);
    a = axis_of(1, 1 + 1e-7, 1);
    assert_true(a.digits >= 9 && a.digits <= 12);
    for (int i = 0; i < 20000; i++) {
        double x = any_double(), y = i % 3 ? any_double() : x * (1 + 1e-9), z = i % 2 ? 0 : x;
        a = axis_of(x, y, z);
        assert_true(a.lo < a.hi && isfinite(a.lo / a.unit) && isfinite(a.hi / a.unit)
                    && a.unit > 0);
        assert_true(a.digits >= 5 && a.digits <= 15 && noe_axis_width(&a) > 0
                    && noe_axis_width(&a) < 20);
        assert_true(fmax(fabs(a.lo), fabs(a.hi)) / a.unit < 100001);
        if (noe_decimate_drawable(x)) assert_true(a.lo <= x && x <= a.hi);
    }
    char text[64];
    noe_axis_unit(&(noe_axis){ .exponent = -120 }, text, sizeof text);
    assert_string_equal(text, " / 10\u207B\u00B9\u00B2\u2070");
    noe_axis_unit(&(noe_axis){ .exponent = 0 }, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_rows_all_stay),
        cmocka_unit_test(test_extremes_stay),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_long_smooth_paths),
        cmocka_unit_test(test_axes),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
