/* M N = 0, to as many digits as a file has: which directions go, and what a start in them becomes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dense_frequencies.h"

#include "matrix/eigen_min.h"
#include "matrixfile/matrix_file.h"
#include "matrix/printed_digits.h"
#include "print_matrix.h"

#include <limits.h>

static noe_system *structure_of(int n, const char *more)
{
    char text[1200];
    snprintf(text, sizeof text, "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n%s\n", n,
             more);
    put("s.lag", text);
    return load(in_scratch("s.lag"));
}

/* The beam of CalculiX with its consistent mass of rank 576 printed again and again, as other
 * programs print. */
static void test_a_deck_in_fewer_digits(void **unused)
{
    (void)unused;
    noe_sparse *M = noe_matrix_file_read("test/data/ccx_beamf_M.mtx.gz", 720),
               *K = noe_matrix_file_read("test/data/ccx_beamf_K.mtx.gz", 720);
    assert_true(M && K);
    print("k.mtx", K, 17);
    double *exact = NULL;
    for (int round = 0; round < 4; round++) {
        const int decimals = (const int[]){ 14, 10, 6, 0 }[round]; /* 0: of single precision */
        print("m.mtx", M, decimals);
        noe_system *s = structure_of(720, "");
        if (s->dyn.structure->massless != 144)
            fail_msg("%d digits: %d directions without mass", decimals, s->dyn.structure->massless);
        assert_true(s->dyn.structure->oblique_massless);
        double *w = squares(s->dyn.structure);
        if (!exact) exact = calloc(576, 8), memcpy(exact, w, 576 * sizeof *w);
        for (int i = 0; i < 10; i++)
            small(w[i] - exact[i], exact[i], decimals ? fmax(pow(10, 1 - decimals), 1e-9) : 3e-7,
                  "slow modes");
        assert_true(w[575] < 1.1 * exact[575]); /* no mode of what is left of 0 */
        free(w);
        noe_system_free(s);
    }
    free(exact);
    noe_sparse_free(M), noe_sparse_free(K);
}

/* M = B^T B of any rank, in any number of digits. */
static void test_ranks(void **unused)
{
    (void)unused;
    for (int round = 0; round < 60; round++) {
        const int rank = 3 + (int)(bits() % 8), n = 2 * rank, kind = (int)(bits() % 3),
                  some = 6 + (int)(bits() % 12),
                  decimals = kind == 0 ? some
                           : kind == 1 ? 0
                                       : -some;
        noe_sparse *M = noe_sparse_new(n, n * n), *K = noe_sparse_new(n, n * n);
        double      B[10][20], C[20][20];
        for (int r = 0; r < rank; r++) /* a unit matrix and more: well conditioned */
            for (int i = 0; i < n; i++) B[r][i] = random_number() / 4 + (i % rank == r);
        for (int r = 0; r < n; r++)
            for (int i = 0; i < n; i++) C[r][i] = random_number() / 4 + (r == i);
        for (int i = 0; i < n; i++, M->start[i] = K->start[i] = (int64_t)i * n)
            for (int j = 0; j < n; j++) {
                const size_t at = (size_t)i * (size_t)n + (size_t)j;
                M->col[at] = K->col[at] = j;
                M->value[at] = K->value[at] = 0;
                for (int r = 0; r < rank; r++) M->value[at] += B[r][i] * B[r][j];
                for (int r = 0; r < n; r++) K->value[at] += C[r][i] * C[r][j];
            }
        print("m.mtx", M, decimals), print("k.mtx", K, 17);
        noe_system *s = structure_of(n, "");
        if (s->dyn.structure->massless != n - rank)
            fail_msg("rank %d of %d in %d digits: %d directions without mass", rank, n, decimals,
                     s->dyn.structure->massless);
        noe_system_free(s);
        noe_sparse_free(M), noe_sparse_free(K);
    }
}

/* A small mass that is there: M = g (1 1-e; 1-e 1), K = 1, omega^2 = 1/g(2-e) and 1/ge. */
static void test_small_masses_stay(void **unused)
{
    (void)unused;
    for (int round = 0; round < 40; round++) {
        const double g = 1 + fabs(random_number()), e = pow(10, -6 - 2 * fabs(random_number()));
        const double off = g * (1 - e), left = g - off;
        char         text[400];
        snprintf(text, sizeof text,
                 "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 %.17g\n2 1 %.17g\n"
                 "2 2 %.17g\n",
                 g, off, g);
        put("m.mtx", text);
        put("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
        noe_system *s = structure_of(2, "");
        assert_int_equal(s->dyn.structure->massless, 0);
        double *w = squares(s->dyn.structure);
        digits(w[0], 1 / (g + off), 1e-14, "the slow one");
        digits(w[1], 1 / left, 1e-6, "the fast one"); /* M is as ill as that: 1e-16/e */
        free(w);
        noe_system_free(s);
    }
}

/* In ten digits, and then in other units: the digits say nothing any more, the gap does. */
static void test_scaled(void **unused)
{
    (void)unused;
    for (int round = 0; round < 20; round++) {
        const double a = 1 + fabs(random_number()), b = 1 + fabs(random_number()),
                     scale = exp(random_number());
        char         text[400], entry[3][40];
        const double M[3] = { a * a, a * b, b * b };
        for (int i = 0; i < 3; i++) snprintf(entry[i], sizeof entry[i], "%.9e", M[i]);
        snprintf(text, sizeof text,
                 "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 %.17g\n2 1 %.17g\n"
                 "2 2 %.17g\n",
                 scale * atof(entry[0]), scale * atof(entry[1]), scale * atof(entry[2]));
        put("m.mtx", text);
        put("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
        noe_system *s = structure_of(2, "");
        assert_int_equal(s->dyn.structure->massless, 1);
        noe_system_free(s);
    }
}

/* Too many for eigenvectors: pairs that share a mass, (a^2 ab; ab b^2), in ten digits; pivots
 * say the rank. */
static void test_many(void **unused)
{
    (void)unused;
    enum { PAIRS = 1260 };
    FILE *m = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w");
    for (int i = 0; i < PAIRS; i++) {
        const double a = 1 + fabs(random_number()), b = 1 + fabs(random_number());
        fprintf(m, "%d %d %.9e\n%d %d %.9e\n%d %d %.9e\n", 2 * i + 1, 2 * i + 1, a * a, 2 * i + 2,
                2 * i + 1, a * b, 2 * i + 2, 2 * i + 2, b * b);
        fprintf(k, "%d %d %.17g\n%d %d 2.5\n", 2 * i + 1, 2 * i + 1, 1 + i / 500., 2 * i + 2,
                2 * i + 2);
    }
    fclose(m), fclose(k);
    noe_system *s = structure_of(2 * PAIRS, "");
    assert_int_equal(s->dyn.structure->massless, PAIRS);
    noe_system_free(s);
}

static void test_how_it_is_written(void **unused)
{
    (void)unused;
    for (int decimals = 5; decimals <= 17; decimals++) {
        noe_sparse *A = noe_sparse_new(200, 200);
        char        text[40];
        for (int i = 0; i < 200; i++) {
            snprintf(text, sizeof text, "%.*e", decimals - 1,
                     random_number() * pow(10, 5 * random_number()));
            A->col[i] = i, A->value[i] = strtod(text, NULL), A->start[i + 1] = i + 1;
        }
        noe_entry_error found = noe_printed_digits_find(A);
        assert_true(found.absolute == 0);
        if (decimals > 15) assert_true(found.relative == 0x1p-53);
        else digits(found.relative, 0.5 * pow(10, 1 - decimals), 1e-12, "digits");
        for (int i = 0; i < 200; i++) { /* from 0.001 to 1 */
            snprintf(text, sizeof text, "%.*f", decimals, pow(10, 1.5 * random_number() - 1.5));
            A->value[i] = strtod(text, NULL);
        }
        found = noe_printed_digits_find(A);
        assert_true(found.relative == 0x1p-53);
        if (decimals <= 15) digits(found.absolute, 0.5 * pow(10, -decimals), 1e-12, "places");
        for (int i = 0; i < 200; i++) A->value[i] = (float)random_number();
        assert_true(noe_printed_digits_find(A).relative == 0x1p-24);
        for (int i = 0; i < 200; i++) A->value[i] = i % 7; /* whole numbers: nothing is open */
        found = noe_printed_digits_find(A);
        assert_true(found.relative == 0x1p-53 && found.absolute == 0);
        noe_sparse_free(A);
    }
}

/* ---- starts ---- */

static double begins(const noe_system *s, const char *name, bool velocity)
{
    const noe_symbol *x = noe_model_find(s->model, name, strlen(name));
    assert_true(x && x->what == NOE_IS_COORDINATE);
    return (double)(velocity ? s->model->begin[x->index].v : s->model->begin[x->index].q);
}

/* Three in a row, no mass in the middle: it is at (a u1 + b u3)/(a + b), whatever is said. */
static void test_starts_of_coordinates(void **unused)
{
    (void)unused;
    for (int round = 0; round < 20; round++) {
        const double a = 1 + fabs(random_number()), b = 1 + fabs(random_number()),
                     u1 = random_number(), u3 = random_number(), u2 = random_number(),
                     there = (a * u1 + b * u3) / (a + b);
        char text[600];
        put("m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n3 3 2\n");
        snprintf(text, sizeof text,
                 "%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 %.17g\n2 1 %.17g\n"
                 "2 2 %.17g\n3 2 %.17g\n3 3 %.17g\n",
                 a, -a, a + b, -b, b);
        put("k.mtx", text);
        snprintf(text, sizeof text,
                 "start u[1] = %.17g, u[2] = %.17g, u[3] = %.17g, u[1]' = 1, u[2]' = 7", u1, u2,
                 u3);
        noe_system *s = structure_of(3, text);
        assert_int_equal(noe_system_dim(s), 2);
        assert_true(begins(s, "u[1]", false) == u1 && begins(s, "u[3]", false) == u3
                    && begins(s, "u[1]", true) == 1);
        snprintf(text, sizeof text, "u[2] begins at %.10g, not at %.10g; 1 more differ", there, u2);
        if (!s->model->projected || strcmp(s->model->projected, text))
            fail_msg("'%s' instead of '%s'", s->model->projected, text);
        noe_system_free(s);
        snprintf(text, sizeof text, "start u[1] = %.17g, u[2] = %.12g, u[3] = %.17g", u1, there,
                 u3);
        s = structure_of(3, text);
        assert_null(s->model->projected); /* it is where it has to be */
        noe_system_free(s);
        snprintf(text, sizeof text, "start u[1] = %.17g, p(u[2]) = 3, p(u[3]) = 1", u1);
        s = structure_of(3, text);
        assert_non_null(strstr(s->model->projected, "the momentum of u[2], 3, goes over"));
        const noe_begin *begin = s->model->begin;
        digits((double)begin[0].p, 3 * a / (a + b), 1e-14, "momentum of u[1]");
        digits((double)begin[1].p, 1 + 3 * b / (a + b), 1e-14, "momentum of u[3]");
        noe_system_free(s);
        /* Where a load acts on it nobody knows without asking the load. */
        snprintf(text, sizeof text, "start u[1] = %.17g, u[2] = 5\nforce u[2] = 1 + t", u1);
        s = structure_of(3, text);
        assert_string_equal(
            s->model->projected,
            "u[2] is determined by the others and the load, and does not begin at 5");
        noe_system_free(s);
    }
}

/* M = (aa ab; ab bb): what the mass feels, a u1 + b u2, stays; and N^T K u = 0, N = (b, -a). */
static void test_starts_of_directions(void **unused)
{
    (void)unused;
    for (int round = 0; round < 20; round++) {
        const double a = 1 + fabs(random_number()), b = 1 + fabs(random_number()),
                     k1 = 1 + fabs(random_number()), k2 = 1 + fabs(random_number()),
                     u1 = random_number(), u2 = random_number(), sum = a * u1 + b * u2;
        const double t1 = sum * a * k2 / (a * a * k2 + b * b * k1),
                     t2 = sum * b * k1 / (a * a * k2 + b * b * k1);
        char text[600];
        snprintf(text, sizeof text,
                 "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 %.17g\n2 1 %.17g\n"
                 "2 2 %.17g\n",
                 a * a, a * b, b * b);
        put("m.mtx", text);
        snprintf(text, sizeof text,
                 "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 %.17g\n2 2 %.17g\n",
                 k1, k2);
        put("k.mtx", text);
        snprintf(text, sizeof text,
                 "observe one = u[1], two = u[2]\nstart u[1] = %.17g, u[2] = %.17g, u[1]' = %.17g",
                 u1, u2, u1);
        noe_system     *s = structure_of(2, text);
        noe_method     *m = method("gauss 2");
        noe_integrator *g = noe_integrator_new(s, m, 0.01);
        assert_int_equal(noe_system_dim(s), 1);
        assert_non_null(s->model->projected);
        /* a u1 + b u2 may cancel: its condition. */
        const double bound = 2e-14 * (fabs(a * u1) + fabs(b * u2)) / fabs(sum);
        digits(noe_get(g, "one"), t1, bound, "u1");
        digits(noe_get(g, "two"), t2, bound, "u2");
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
        snprintf(text, sizeof text, "start u[1] = %.17g, u[2] = %.17g", t1, t2);
        s = structure_of(2, text);
        assert_null(s->model->projected);
        noe_system_free(s);
    }
}

/* ---- masses that double does not hold ---- */

static double one_mass(double t, const double *z, const double *param, double *grad, double *hess,
                       void *ctx)
{
    const double m = *(double *)ctx;
    (void)t, (void)param;
    if (grad) grad[0] = -z[0], grad[1] = m * z[1];
    if (hess) hess[0] = -1, hess[1] = hess[2] = 0, hess[3] = m;
    return m * z[1] * z[1] / 2 - z[0] * z[0] / 2;
}

static void test_too_light(void **unused)
{
    (void)unused;
    double          m = 1e-310;
    const double    q = 1, v = 0;
    noe_system     *s = noe_system_new(1, 0, one_mass, NULL, &m);
    noe_method     *f = method("gauss 2");
    noe_integrator *g = noe_integrator_new(s, f, 1e-156);
    noe_error_clear();
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_INVALID);
    if (!strstr(noe_error(), "1e-310, is below 2.2e-308")) fail_msg("%s", noe_error());
    noe_error_clear();
    m = 1e-300;
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
    noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
}

static int clean(void **state)
{
    remove(in_scratch("m.mtx")), remove(in_scratch("k.mtx")), remove(in_scratch("s.lag"));
    return remove_scratch(state);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_deck_in_fewer_digits),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_small_masses_stay),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_how_it_is_written),
        cmocka_unit_test(test_starts_of_coordinates),
        cmocka_unit_test(test_starts_of_directions),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_too_light),
    };
    return cmocka_run_group_tests(tests, make_scratch, clean);
}
