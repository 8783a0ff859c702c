/* A mass matrix that is not positive semidefinite is refused, not taken for a singular one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "print_matrix.h"

#include "matrixfile/matrix_file.h"
#include "matrix/static_condensation.h"

static void refused_as_negative(int n)
{
    char text[200];
    snprintf(text, sizeof text, "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n", n);
    put("s.lag", text);
    noe_error_clear();
    noe_system *s = noe_system_load(in_scratch("s.lag"));
    if (s) fail_msg("%d coordinates: x.M x < 0 for some x, and it is taken", n);
    if (!strstr(noe_error(), "positive")) fail_msg("%s", noe_error());
    noe_error_clear();
}

/* x.M x = -0.003 .. -0.3 of its diagonal terms: no direction without mass, but a wrong matrix. */
static void test_masses_below_zero(void **unused)
{
    (void)unused;
    for (int round = 0; round < 60; round++) {
        const int    n = 2 + (int)(bits() % 12), rank = 1 + (int)(bits() % (unsigned)n);
        const double t = 0.003 * pow(10, 2 * fabs(random_number()));
        noe_sparse  *M = noe_sparse_new(n, n * n), *K = noe_sparse_new(n, n * n);
        double       B[14][14], x[14], xMx = 0, diagonal = 0, square = 0, fourth = 0;
        for (int r = 0; r < rank; r++)
            for (int i = 0; i < n; i++) B[r][i] = random_number() + (r == i);
        for (int i = 0; i < n; i++) x[i] = random_number();
        for (int i = 0; i < n; i++, M->start[i] = K->start[i] = (int64_t)i * n)
            for (int j = 0; j < n; j++) {
                const size_t at = (size_t)i * (size_t)n + (size_t)j;
                M->col[at] = K->col[at] = j;
                M->value[at] = 0, K->value[at] = i == j;
                for (int r = 0; r < rank; r++) M->value[at] += B[r][i] * B[r][j];
                xMx += x[i] * M->value[at] * x[j];
                if (i == j) diagonal += x[i] * M->value[at] * x[i];
            }
        for (int i = 0; i < n; i++) square += x[i] * x[i], fourth += pow(x[i], 4);
        /* M - s x x^T / x^2 with x.M x - s x^2 = -t (sum M_ii x_i^2 - s sum x_i^4 / x^2) */
        const double s = (xMx + t * diagonal) / (square - t * fourth / square);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) M->value[i * n + j] -= s * x[i] * x[j] / square;
        print("m.mtx", M, 17), print("k.mtx", K, 17);
        refused_as_negative(n);
        noe_sparse_free(M), noe_sparse_free(K);
    }
    enum { MANY = NOE_CONDENSE_MOST + 100 };
    char *text = malloc(MANY * 60), *at = text;
    at += sprintf(at, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", MANY, MANY,
                  MANY + 1);
    at += sprintf(at, "%d 7 1.1\n", 1000 + (int)(bits() % 1000));
    for (int i = 1; i <= MANY; i++) at += sprintf(at, "%d %d 1\n", i, i);
    put("k.mtx", text);
    put("m.mtx", text);
    refused_as_negative(MANY);
    free(text);
}

/* Three digits or five do not tell 144 null directions from small masses. */
static void test_too_few_digits(void **unused)
{
    (void)unused;
    noe_sparse *M = noe_matrix_file_read("test/data/ccx_beamf_M.mtx.gz", 720),
               *K = noe_matrix_file_read("test/data/ccx_beamf_K.mtx.gz", 720);
    assert_true(M && K);
    print("k.mtx", K, 17);
    for (int places = 12; places <= 14; places += 2) { /* the largest entry: 5.8e-10 */
        print("m.mtx", M, -places);
        refused_as_negative(720);
    }
    noe_sparse_free(M), noe_sparse_free(K);
}

static int clean(void **state)
{
    remove(in_scratch("m.mtx")), remove(in_scratch("k.mtx")), remove(in_scratch("s.lag"));
    return remove_scratch(state);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_masses_below_zero),
                                        cmocka_unit_test(test_too_few_digits) };
    return cmocka_run_group_tests(tests, make_scratch, clean);
}
