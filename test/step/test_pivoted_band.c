/* A x = b for random bands, every member with its own pivots; places of a chain's unknowns.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_LANES
#pragma GCC diagnostic ignored "-Wunused-function" /* of matrix/batch_lu.h */
#include "step/pivoted_band.h"

#include "random.h"

#include <math.h>

enum { MOST = 40, HALF_MOST = 7 };

/* Backward error |b - A x| / (|A| |x|) in units of EPS, by largest rows and numbers. */
static double backward_error(const double *A, int N, const double *x, const double *b)
{
    quad left_most = 0, row_most = 0, x_most = 0;
    for (int i = 0; i < N; i++) {
        quad left = b[i], row = 0;
        for (int k = 0; k < N; k++) left -= (quad)A[i * N + k] * x[k], row += fabs(A[i * N + k]);
        left_most = fmaxq(left_most, fabsq(left)), row_most = fmaxq(row_most, row);
        x_most = fmaxq(x_most, fabs(x[i]));
    }
    return (double)(left_most / (row_most * x_most)) / 0x1p-52;
}

/* Zeros on the diagonal: each member wants other exchanges.  The largest error of 40 seeds was
 * 0.97; without exchanges it is 1e6 and more. */
static void test_random_bands(void **unused)
{
    (void)unused;
    static real   A[MOST * (3 * HALF_MOST + 1)], pivot[MOST], x[MOST];
    static double full[LANES][MOST * MOST], b[LANES][MOST];
    double        worst = 0;
    for (int k = 0; k < 100; k++) {
        const int half = (int)(bits() % (HALF_MOST + 1)), N = 3 * half + 2 + (int)(bits() % 18);
        assert_true(band_saves(half, N));
        memset(A, 0, part_numbers(half, N) * sizeof *A);
        for (int m = 0; m < LANES; m++)
            for (int i = 0; i < N; i++) {
                for (int c = 0; c < N; c++) {
                    const bool inside = abs(i - c) <= half && (i != c || half == 0 || bits() % 3);
                    full[m][i * N + c] = inside ? (double)random_number() : 0;
                    if (abs(i - c) <= half)
                        r_put(&A[part_row_at(half, N, i) + (size_t)c], m, full[m][i * N + c]);
                }
                b[m][i] = (double)random_number();
                r_put(&x[i], m, b[m][i]);
            }
        factor_part(A, pivot, N, half);
        pivoted_band_solve(A, pivot, N, half, x);
        for (int m = 0; m < LANES; m++) {
            double y[MOST];
            bool   finite = true; /* a random band with zeros may be singular */
            for (int i = 0; i < N; i++) y[i] = r_member(x[i], m), finite &= isfinite(y[i]);
            if (finite) worst = fmax(worst, backward_error(full[m], N, y, b[m]));
        }
    }
    printf("backward error: %.3g roundings\n", worst);
    assert_true(worst < 10);
}

/* A zero column leaves infinities or no numbers, which callers test for. */
static void test_singular(void **unused)
{
    (void)unused;
    enum { N = 12, HALF = 2 };
    real A[N * (3 * HALF + 1)], pivot[N], x[N];
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) {
        for (int c = i - HALF < 0 ? 0 : i - HALF; c < N && c <= i + HALF; c++)
            for (int m = 0; m < LANES; m++)
                r_put(&A[part_row_at(HALF, N, i) + (size_t)c], m,
                      c == 5 && m == 3 ? 0 : 1 + (double)random_number() / 4 + 4 * (i == c));
        x[i] = r_set(1);
    }
    factor_part(A, pivot, N, HALF);
    pivoted_band_solve(A, pivot, N, HALF, x);
    for (int m = 0; m < LANES; m++) {
        bool finite = true;
        for (int i = 0; i < N; i++) finite &= isfinite(r_member(x[i], m));
        assert_int_equal(finite, m != 3);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bands),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
