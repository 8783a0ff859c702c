/* K x = omega^2 M x far below the fastest mode.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is slow, what is 0, and what was found when not all was. */
#include "laws.h"

#include "inspect/structure_modes.h"
#include "matrix/structure.h"
#include "matrix/eigen_min.h"
#include "scratch.h"

typedef struct {
    int     n, count;
    size_t *start;
    int    *row;
    double *value;
} columns;

/* Chains of `each` masses on springs of about k, every one on a spring to the ground, too:
 * ground times its mass. */
static noe_structure *chains(int many, int each, double k, double ground, double lightest)
{
    const int n = many * each;
    size_t   *start = calloc((size_t)n + 1, sizeof *start),
           *diagonal = calloc((size_t)n + 1, sizeof *diagonal);
    int    *row = calloc(3 * (size_t)n, sizeof *row), *own = calloc((size_t)n, sizeof *own);
    double *K = calloc(3 * (size_t)n, sizeof *K), *M = calloc((size_t)n, sizeof *M),
           *spring = calloc((size_t)n + 1, sizeof *spring);
    size_t at = 0;
    for (int i = 0; i < n; i++)
        M[i] = 1 + fabs(random_number()),
        spring[i] = i % each ? k * (1 + fabs(random_number()) / 2) : 0;
    if (lightest > 0) M[n / 2] = lightest;
    for (int i = 0; i < n; i++) {
        const double left = spring[i], right = (i + 1) % each ? spring[i + 1] : 0;
        if (left > 0) row[at] = i - 1, K[at++] = -left;
        row[at] = i, K[at++] = left + right + ground * M[i];
        if (right > 0) row[at] = i + 1, K[at++] = -right;
        start[i + 1] = at, diagonal[i + 1] = (size_t)i + 1, own[i] = i;
    }
    noe_structure *s = noe_structure_new(noe_sparse_from("M", n, &(noe_csc){ diagonal, own, M }),
                                         NULL,
                                         noe_sparse_from("K", n, &(noe_csc){ start, row, K }));
    assert_non_null(s);
    free(start), free(diagonal), free(row), free(own), free(K), free(M), free(spring);
    return s;
}

static double top_of(const noe_structure *s)
{
    noe_structure_modes x;
    noe_method         *f = method("simpson");
    assert_true(noe_structure_modes_find(&x, s, f, NOE_LOWEST_ITERATIONS_MOST, NULL));
    noe_method_free(f);
    return x.top;
}

/* The ground alone holds the slowest mode, the chain moving as one: omega^2 = ground, 1e-9 ..
 * 1e-13 of the fastest. */
static void test_slow_modes_are_modes(void **unused)
{
    (void)unused;
    for (int round = 0; round < 12; round++) {
        const double k = pow(10, 12 + 3 * random_number()),
                     part = pow(10, -11 + 2 * random_number());
        noe_structure *s = chains(1, 50, k, part * k, 0);
        noe_mode       low[10];
        const double   top = top_of(s);
        assert_int_equal(noe_eigen_min_find(s, top, 10, NOE_LOWEST_ITERATIONS_MOST, low), 10);
        assert_true(low[0].omega2 > low[0].rounding);
        /* K as it is stored: every diagonal entry of 2k or so is rounded */
        small(low[0].omega2 - part * k, k, 1e-16, "held by the ground alone");
        assert_true(low[0].rounding < 1e-13 * k && low[1].omega2 > 1e-4 * k);
        noe_structure_free(s);
    }
}

/* A ground that pushes: the chain moving as one grows, omega^2 = -ground, also where other modes
 * grow, too. */
static void test_modes_that_grow(void **unused)
{
    (void)unused;
    for (int round = 0; round < 20; round++) {
        const double   k = pow(10, 8 * random_number()), part = pow(10, -4 + 3.5 * random_number());
        noe_structure *s = chains(1, 50, k, -part * k, 0);
        noe_mode       low[10];
        assert_int_equal(noe_eigen_min_find(s, top_of(s), 10, NOE_LOWEST_ITERATIONS_MOST, low), 10);
        small(low[0].omega2 + part * k, k, 1e-15, "pushed by the ground alone");
        assert_true(low[1].omega2 > low[0].omega2 && low[9].omega2 < 2 * k);
        noe_structure_free(s);
    }
}

/* Without the ground there are as many modes of frequency 0 as there are chains, more than are
 * looked for, too. */
static void test_rigid_modes_are_none(void **unused)
{
    (void)unused;
    for (int many = 1; many <= 12; many += many < 3 ? 1 : 9) {
        noe_structure      *s = chains(many, 20, pow(10, 8 * random_number()), 0, 0);
        noe_structure_modes x;
        noe_method         *f = method("simpson");
        assert_true(noe_structure_modes_find(&x, s, f, NOE_LOWEST_ITERATIONS_MOST, NULL));
        assert_int_equal(x.found, 10);
        assert_int_equal(noe_structure_modes_rigid(&x), many < 10 ? many : 10);
        for (int i = 0; i < x.found && i < many; i++)
            assert_true(fabs(x.low[i].omega2) <= x.low[i].rounding);
        noe_method_free(f);
        noe_structure_free(s);
    }
}

/* The same, printed: springs of 0.003 to 1 in seven digits, or in eight places behind the point,
 * where each entry of K is wrong by up to 5e-9. */
static void test_rigid_modes_of_printed_matrices(void **unused)
{
    (void)unused;
    for (int round = 0; round < 40; round++) {
        const int      many = 1 + round % 3;
        noe_structure *s = chains(many, 20, 1, 0, 0);
        noe_sparse    *K = s->K;
        double         soft[60];
        for (int i = 0; i < K->n; i++) soft[i] = pow(10, 1.25 * random_number() - 1.25);
        for (int i = 0; i < K->n; i++) /* spring i lies between i - 1 and i */
            for (int64_t k = K->start[i]; k < K->start[i + 1]; k++) {
                const int    j = K->col[k];
                const double left = i % 20 ? soft[i] : 0, right = (i + 1) % 20 ? soft[i + 1] : 0,
                             x = i == j ? left + right
                               : j < i  ? -left
                                        : -right;
                char text[40];
                if (round % 2) snprintf(text, sizeof text, "%.8f", x);
                else snprintf(text, sizeof text, "%.6e", x);
                K->value[k] = strtod(text, NULL);
            }
        noe_mode low[10];
        assert_int_equal(noe_eigen_min_find(s, 8, 10, NOE_LOWEST_ITERATIONS_MOST, low), 10);
        for (int i = 0; i < 10; i++)
            if ((fabs(low[i].omega2) <= low[i].rounding) != (i < many))
                fail_msg("mode %d of %d chains, %s: %g, rounding %g", i, many,
                         round % 2 ? "eight places" : "seven digits", low[i].omega2,
                         low[i].rounding);
        noe_structure_free(s);
    }
}

/* One mass of 1e-16 makes a mode so fast that all others lie below any usual shift. */
static void test_below_a_wild_mode(void **unused)
{
    (void)unused;
    for (int round = 0; round < 5; round++) {
        const uint64_t was = seed;
        noe_structure *plain = chains(2, 400, 1, 0.01, 1), *stiff;
        noe_mode       a[10], b[10];
        seed = was;
        stiff = chains(2, 400, 1, 0.01, 1e-16);
        assert_int_equal(
            noe_eigen_min_find(plain, top_of(plain), 10, NOE_LOWEST_ITERATIONS_MOST, a), 10);
        assert_int_equal(
            noe_eigen_min_find(stiff, top_of(stiff), 10, NOE_LOWEST_ITERATIONS_MOST, b), 10);
        assert_true(top_of(stiff) > 1e14 * top_of(plain));
        for (int i = 0; i < 10; i++) { /* the light one lowers no frequency */
            assert_true(b[i].omega2 > a[i].omega2 * (1 - 1e-9) && b[i].omega2 < a[i].omega2 * 1.5);
            small(b[0].omega2 - 0.01, 0.01, 1e-9, "the slowest");
        }
        noe_structure_free(plain), noe_structure_free(stiff);
    }
}

/* Nobody waits: what is there is told, and that there may be more. */
static void test_what_was_found(void **unused)
{
    (void)unused;
    noe_structure      *s = chains(1, 3000, 1e-3, 1, 0);
    noe_method         *f = method("simpson");
    noe_structure_modes x;
    noe_system         *about = noe_structure_system_new(s);
    char                text[4000] = "";
    assert_true(noe_structure_modes_find(&x, s, f, 1, NULL));
    assert_true(x.found < 10 && x.asked == 10);
    for (int json = 0; json < 2; json++) {
        FILE *to = tmpfile();
        if (json) noe_structure_modes_json(&x, about, f, 0.1, &(noe_json){ .file = to }, NULL);
        else noe_structure_modes_text(&x, about, f, 0.1, to);
        rewind(to);
        text[fread(text, 1, sizeof text - 1, to)] = 0;
        fclose(to);
        char said[200];
        snprintf(
            said, sizeof said,
            json
                ? "\"asked\": 10,\n"
                : "the slowest modes were not found: of 10 that were looked for %d; others may lie "
                  "between",
            x.found);
        if (!strstr(text, said) || !strstr(text, "fastest")) fail_msg("no '%s' in %s", said, text);
    }
    noe_method_free(f);
    noe_system_free(about);
}

/* 40 points in the longest period, unless the method stands only shorter steps: then half of
 * what it stands. */
static void test_a_step_by_the_frequencies(void **unused)
{
    (void)unused;
    noe_structure      *s = chains(1, 50, 100, 1, 0);
    noe_structure_modes x;
    noe_method         *implicit = method("gauss 2"), *simpson = method("simpson");
    assert_true(noe_structure_modes_find(&x, s, implicit, NOE_LOWEST_ITERATIONS_MOST, NULL));
    digits(noe_structure_modes_step(&x), 2 * M_PI / 40, 1e-9, "40 points");
    assert_true(noe_structure_modes_find(&x, s, simpson, NOE_LOWEST_ITERATIONS_MOST, NULL));
    digits(noe_structure_modes_step(&x), sqrt(8) / sqrt(x.top) / 2, 1e-9, "half of what is stable");
    noe_structure_free(s);
    s = chains(1, 4, 1e-3, 1, 0);
    assert_true(noe_structure_modes_find(&x, s, simpson, NOE_LOWEST_ITERATIONS_MOST, NULL));
    digits(noe_structure_modes_step(&x), 2 * M_PI / 40, 1e-9, "40 points, and stable");
    noe_structure_free(s);
    noe_method_free(implicit), noe_method_free(simpson);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_modes_are_modes),
        cmocka_unit_test(test_modes_that_grow),
        cmocka_unit_test(test_rigid_modes_are_none),
        cmocka_unit_test(test_rigid_modes_of_printed_matrices),
        cmocka_unit_test(test_below_a_wild_mode),
        cmocka_unit_test(test_what_was_found),
        cmocka_unit_test(test_a_step_by_the_frequencies),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
