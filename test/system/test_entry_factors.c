/* K_ij <- c_ij K_ij: noise in the entries of matrices.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

#include "scratch.h"

#include "matrix/structure.h"

enum { N = 60 };

static void write_deck(void)
{
    FILE *m = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w");
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= i; j++)
            fprintf(k, "%d %d %.17g\n", i, j, i == j ? 100. : 0.5 + random_number() / 4);
    for (int i = 1; i <= N; i++) fprintf(m, "%d %d 2\n", i, i);
    fclose(m), fclose(k);
    put("model.lag", "coordinate u[1..60]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n");
}

static noe_system *with(const noe_system *s, const char *assignment)
{
    noe_error_clear();
    noe_system *x = noe_system_let(s, assignment);
    if (!x) fail_msg("%s: %s", assignment, noe_error());
    return x;
}

static double at(const noe_system *s, int i, int j)
{
    return noe_sparse_at(s->dyn.structure->K, i, j);
}

/* One entry, and all of them. */
static void test_factor(void **unused)
{
    (void)unused;
    write_deck();
    noe_system *s = load(in_scratch("model.lag"));
    noe_system *a = with(s, "stiffness[7, 3] = 1.5"), *b = with(a, "stiffness = 2"),
               *c = with(b, "stiffness[3,7] = 3"), *d = with(s, "mass = 0.25");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const bool it = (i == 6 && j == 2) || (i == 2 && j == 6);
            assert_true(at(a, i, j) == at(s, i, j) * (it ? 1.5 : 1));
            assert_true(at(b, i, j) == at(s, i, j) * (it ? 1.5 : 1) * 2);
            small(at(c, i, j) - at(s, i, j) * (it ? 1.5 * 3 : 1) * 2, 1, 1e-14,
                  "both sides"); /* [7,3] and [3,7] are two factors */
        }
    for (int i = 0; i < N; i++) assert_true(noe_sparse_at(d->dyn.structure->M, i, i) == 0.5);
    noe_system_free(s), noe_system_free(a), noe_system_free(b), noe_system_free(c),
        noe_system_free(d);
}

/* Numbers of their own, mean and deviation as they should be, the same for the same seed,
 * symmetric. */
static void test_noise(void **unused)
{
    (void)unused;
    enum { PAIRS = N * (N + 1) / 2 };
    write_deck();
    noe_system              *s = load(in_scratch("model.lag"));
    static const char *const as[] = { "normal(1, 0.01)", "uniform(0.98, 1.02)" };
    for (int kind = 0; kind < 2; kind++) {
        char text[100];
        snprintf(text, sizeof text, "stiffness[i,j] %s = %llu", as[kind],
                 (unsigned long long)(seed % 1000000));
        noe_system *a = with(s, text), *again = with(s, text);
        snprintf(text, sizeof text, "stiffness[i,j] %s = %llu", as[kind],
                 (unsigned long long)(seed % 1000000 + 1));
        noe_system *other = with(s, text);
        double      sum = 0, squares = 0, ratio[PAIRS], deviation = kind ? 0.02 / sqrt(3) : 0.01;
        int         count = 0, equal = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                const double x = at(a, i, j) / at(s, i, j);
                assert_true(at(a, i, j) == at(a, j, i) && at(a, i, j) == at(again, i, j));
                equal += at(a, i, j) == at(other, i, j);
                if (kind) assert_true(x > 0.98 - 1e-15 && x < 1.02 + 1e-15);
                sum += ratio[count++] = x;
            }
        for (int i = 0; i < count; i++) squares += pow(ratio[i] - sum / count, 2);
        assert_true(equal < 2);
        /* within seven deviations of the estimates */
        small(sum / count - 1, deviation / sqrt(count), 7, "mean");
        small(sqrt(squares / (count - 1)) - deviation, deviation / sqrt(2. * count), 7,
              "deviation");
        double with_next = 0;
        for (int i = 1; i < count; i++) with_next += (ratio[i] - 1) * (ratio[i - 1] - 1);
        small(with_next / (deviation * deviation), sqrt(count), 7, "one and the next");
        noe_system_free(a), noe_system_free(again), noe_system_free(other);
    }
    noe_system_free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        { "stiffness[1,61] = 1", "row 1, column 61: the matrix has 60 of each" },
        { "mass[2,1] = 1", "there is no entry in row 2, column 1" },
        { "damping = 2", "the model names no damping matrix" },
        { "stiffness[i,j] = 2", "normal(MEAN, DEVIATION) or uniform(LEAST, MOST), found '='" },
        { "stiffness[i,j] normal(1, 2) = -1", "a whole number from 0 to 2^53" },
        { "stiffness[i,2] normal(1, 2) = 1", "two indices that run" },
        { "stiffness[1] = 1", "between the row and the column" },
    };
    write_deck();
    noe_system *s = load(in_scratch("model.lag"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        noe_error_clear();
        assert_null(noe_system_let(s, wrong[i][0]));
        if (!strstr(noe_error(), wrong[i][1])) fail_msg("%s: %s", wrong[i][0], noe_error());
    }
    noe_error_clear();
    noe_system_free(s);
}

static int gone(void **state)
{
    remove(in_scratch("m.mtx")), remove(in_scratch("k.mtx")), remove(in_scratch("model.lag"));
    return remove_scratch(state);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_factor), cmocka_unit_test(test_noise),
                                        cmocka_unit_test(test_refused) };
    return cmocka_run_group_tests(tests, make_scratch, gone);
}
