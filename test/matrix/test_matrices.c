/* mass "m.mtx", stiffness "k.mtx": decks that others wrote, and files that are wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dense_frequencies.h"

#include "matrix/eigen_min.h"
#include "matrixfile/matrix_file.h"
#include "scratch.h"

static noe_system *deck(const char *name, int n, const char *const *ending, const char *more)
{
    char text[600], data[100];
    snprintf(data, sizeof data, "test/data/%s", name);
    snprintf(text, sizeof text, "coordinate u[1..%d]\nmass \"%s%s\"\nstiffness \"%s%s\"\n%s", n,
             data, ending[0], data, ending[1], more);
    return parse(text);
}

/* The Harwell-Boeing pair with 24 massless coordinates; frequencies of the SuiteSparse
 * collection. */
static void test_bcsstk01(void **unused)
{
    (void)unused;
    noe_system *s = deck("bcsst", 48, (const char *[]){ "m01.mtx", "k01.mtx" }, "");
    assert_int_equal(noe_system_dim(s), 24);
    assert_int_equal(s->dyn.structure->massless, 24);
    assert_false(s->dyn.structure->oblique_massless);
    double *w = squares(s->dyn.structure);
    digits(w[0], 27.27048548, 1e-9, "bcsstk01");
    digits(w[1], 69.6737904, 1e-8, "bcsstk01");
    digits(w[2], 77.52223583, 1e-9, "bcsstk01");
    digits(w[23], 56234.05918, 1e-9, "bcsstk01");
    free(w);
    noe_system_free(s);
}

/* MSC Nastran, SOL 103: two rigid modes, the others to all the digits it printed. */
static void test_nastran(void **unused)
{
    (void)unused;
    static const double known[] = { 1.764385e4, 1.800475e4, 6.542455e5, 6.645972e5,
                                    7.545368e6, 7.580662e6, 6.257528e7, 6.263273e7 };
    noe_system *s = deck("nastran_test_case", 10, (const char *[]){ "_M.mtx", "_K.mtx" }, "");
    assert_int_equal(noe_system_dim(s), 10);
    double *w = squares(s->dyn.structure);
    assert_true(fabs(w[0]) < 1e-3 && fabs(w[1]) < 1e-3);
    noe_mode low[9];
    assert_int_equal(noe_eigen_min_find(s->dyn.structure, w[9], 9, NOE_LOWEST_ITERATIONS_MOST, low),
                     9);
    for (int i = 0; i < 9; i++) small(low[i].omega2 - w[i], w[9], 1e-14, "ARPACK");
    for (int i = 0; i < 8; i++) digits(w[i + 2], known[i], 1e-6, "nastran");
    free(w);
    noe_system_free(s);
}

/* CalculiX: a consistent mass of rank 576 of 720, whose null vectors are no coordinate axes. */
static void test_calculix(void **unused)
{
    (void)unused;
    noe_system *s = deck("ccx_beamf", 720, (const char *[]){ "_M.mtx.gz", "_K.mtx.gz" }, "");
    assert_int_equal(noe_system_dim(s), 576);
    assert_true(s->dyn.structure->oblique_massless);
    double  *w = squares(s->dyn.structure);
    noe_mode low[10];
    assert_int_equal(
        noe_eigen_min_find(s->dyn.structure, w[575], 10, NOE_LOWEST_ITERATIONS_MOST, low), 10);
    for (int i = 0; i < 10; i++) small(low[i].omega2 - w[i], w[i], 1e-9, "ARPACK");
    digits(w[0], 0.6770787e10, 1e-6, "beamf");
    digits(w[1], 0.1473508e11, 1e-6, "beamf");
    digits(w[2], 0.2330940e12, 1e-6, "beamf");
    free(w);
    noe_system_free(s);
}

static const char spring[] =
    "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 1\n2 1 -1\n3 2 -1\n";
static const char unit[] = "%%MatrixMarket matrix coordinate integer general\n% three masses\n"
                           "3 3 3\n1 1 1\n2 2 1\n3 3 1\n";

static noe_system *chain(const char *more)
{
    char text[800];
    snprintf(text, sizeof text, "coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n%s\n",
             more);
    put("chain.lag", text);
    noe_error_clear();
    return noe_system_load(in_scratch("chain.lag"));
}

/* The same chain as a Lagrangian: fixed coordinate, force, damping, all from text. */
static void test_equals_the_lagrangian(void **unused)
{
    (void)unused;
    put("m.mtx", unit);
    put("k.mtx", spring);
    const char *const more =
        "fix u[2] = 0\nforce u[3] = sin(2*t), u[1] = 0.1*t\nstart u[1] = 0.3, u[3]' = -0.2";
    char damped[300];
    snprintf(damped, sizeof damped, "%s\ndamping alpha = 0.05, beta = 0.01", more);
    noe_system *a = chain(damped);
    if (!a) fail_msg("%s", noe_error());
    char text[600];
    snprintf(
        text, sizeof text,
        "coordinate u[1..3]\nkinetic (u[1]'^2 + u[2]'^2 + u[3]'^2)/2\n"
        "potential (u[1]^2 + (u[2] - u[1])^2 + (u[3] - u[2])^2)/2\n"
        "dissipation 0.05/2*(u[1]'^2 + u[2]'^2 + u[3]'^2) + 0.01/2*(u[1]'^2 + (u[2]' - u[1]')^2 + "
        "(u[3]' - u[2]')^2)\n%s\n",
        more);
    noe_system *b = parse(text);
    assert_int_equal(noe_system_dim(a), 2);
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(a, m, 0.01), *h = noe_integrator_new(b, m, 0.01);
    for (int k = 0; k < 500; k++) assert_true(!noe_step(g) && !noe_step(h));
    const char *const name[] = { "u[1]", "u[3]", "u[1]'", "p(u[3])" };
    for (int i = 0; i < 4; i++) small(noe_get(g, name[i]) - noe_get(h, name[i]), 1, 1e-13, name[i]);
    assert_true(fabs(noe_get(g, "u[3]")) > 0.05);
    noe_integrator_free(g);
    noe_integrator_free(h);
    noe_method_free(m);
    noe_system_free(a);
    noe_system_free(b);
}

static void refused(const char *matrix, const char *more, const char *words)
{
    put("m.mtx", unit);
    put("k.mtx", matrix);
    noe_system *s = chain(more);
    if (s) fail_msg("not refused: %s", words);
    if (!strstr(noe_error(), words)) fail_msg("'%s' instead of '%s'", noe_error(), words);
}

#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
static void test_refused(void **unused)
{
    (void)unused;
    refused("", "", "k.mtx:1: an empty file");
    refused("hello\n", "", "k.mtx:1: expected '%%MatrixMarket");
    refused("%%MatrixMarket matrix coordinate complex symmetric\n", "", "real or integer");
    refused(SYMMETRIC "3 4 1\n", "", "k.mtx:2: the matrix is not square");
    refused(SYMMETRIC "3 3\n", "", "expected the numbers of rows, columns and entries");
    refused(SYMMETRIC "3 3 2\n1 1 1\n", "", "k.mtx:4: the file ends here: expected another entry");
    refused(SYMMETRIC "3 3 1\n1 4 1\n", "", "k.mtx:3: the entry lies outside");
    refused(SYMMETRIC "3 3 2\n1 2 1\n2 1 1\n", "", "entries on both sides of the diagonal");
    refused(SYMMETRIC "3 3 1\n1 1 nan\n", "", "k.mtx:3: the entry is not a finite number");
    refused(SYMMETRIC "3 3 1\n1 1 1x\n", "", "expected a number at the end");
    refused(SYMMETRIC "3 3 1\n1 1 1\n2 2 1\n", "", "more lines than the file promises");
    refused(SYMMETRIC "3 3 9999999999999\n", "", "more entries than places");
    refused(SYMMETRIC "4 4 1\n1 1 1\n", "", "4 rows, but 3 coordinates are declared");
    refused("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n1 1 1\n", "",
            "not symmetric");
    refused("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n2 1 4\n", "",
            "not symmetric: 5 in row 1, column 2");
    refused(spring, "fix u[1] = 0.1", "fixed to another value than 0");
    refused(spring, "potential u[1]^4", "by matrices or by a Lagrangian, not by both");
    refused(spring, "force u[1] = -u[1]'", "depends on the motion");
    refused(spring, "damping \"none.mtx\"", "none.mtx: cannot read the matrix: No such file");
    refused(spring, "stiffness \"k.mtx\"", "a second stiffness matrix");
    refused(spring, "damping gamma = 1", "alpha = .., beta = ..");
    put("bad.mtx", "1 2 1\n3 3 1\n");
    put("bad.lag", "coordinate u[1..3]\nmass \"bad.mtx\"\nstiffness \"k.mtx\"\n");
    put("k.mtx", spring);
    noe_error_clear();
    assert_null(noe_system_load(in_scratch("bad.lag")));
    if (!strstr(noe_error(),
                "0 on its diagonal and 1 beside it in the row of coordinate 1: a mass is positive"))
        fail_msg("%s", noe_error());
    put("alone.lag", "coordinate u[1..3]\nmass \"m.mtx\"\n");
    noe_error_clear();
    assert_null(noe_system_load(in_scratch("alone.lag")));
    assert_non_null(strstr(noe_error(), "the stiffness matrix is missing"));
    noe_error_clear();
}

/* Larger than eigenvectors are worked out for: pairs with one mass between them, M = (1 1; 1 1),
 * omega^2 = k1 k2/(k1 + k2). */
static void test_pairs(void **unused)
{
    (void)unused;
    enum { PAIRS = 1260 };
    FILE *m = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w"),
         *f = fopen(in_scratch("chain.lag"), "w");
    for (int i = 0; i < PAIRS; i++) {
        fprintf(m, "%d %d 1\n%d %d 1\n%d %d 1\n", 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 1,
                2 * i + 2, 2 * i + 2);
        fprintf(k, "%d %d %.17g\n%d %d 2\n", 2 * i + 1, 2 * i + 1, 1 + i / 500., 2 * i + 2,
                2 * i + 2);
    }
    fprintf(f, "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n", 2 * PAIRS);
    fclose(m), fclose(k), fclose(f);
    noe_error_clear();
    noe_system *s = noe_system_load(in_scratch("chain.lag"));
    if (!s) fail_msg("%s", noe_error());
    const noe_structure *x = s->dyn.structure;
    assert_int_equal(x->n, PAIRS);
    assert_true(x->oblique_massless && x->massless == PAIRS && !x->nearly_singular);
    for (int i = 0; i < PAIRS; i++)
        digits(noe_sparse_at(x->K, i, i) / noe_sparse_at(x->M, i, i),
               (1 + i / 500.) * 2 / (3 + i / 500.), 1e-12, "pairs");
    noe_system_free(s);
}

/* Mass and stiffness both 0 in one direction: nothing says how it moves. */
static void test_a_mechanism(void **unused)
{
    (void)unused;
    put("m.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 2 1\n");
    put("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 2\n2 2 2\n");
    noe_error_clear();
    assert_null(chain(""));
    assert_non_null(strstr(noe_error(), "neither mass nor stiffness (about coordinate 3)"));
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bcsstk01), cmocka_unit_test(test_nastran),
        cmocka_unit_test(test_calculix), cmocka_unit_test(test_equals_the_lagrangian),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_a_mechanism),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
