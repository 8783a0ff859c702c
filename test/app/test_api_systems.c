/* noether.h, systems and methods: texts, values, warnings, matrices by columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>

/* ---- systems ---- */

static void test_system(void **state)
{
    (void)state;
    orbit o = begin(kepler, "simpson", 0.1);
    assert_int_equal(noe_system_dim(o.s), 2);
    assert_string_equal(noe_system_name(o.s, 0), "x");
    assert_string_equal(noe_system_name(o.s, 1), "y");
    assert_null(noe_system_name(o.s, 2));
    assert_null(noe_system_name(o.s, -1));
    assert_string_equal(noe_system_suggest(o.s, "method"), "gauss 4");
    assert_string_equal(noe_system_suggest(o.s, "step"), "2*pi/100");
    assert_null(noe_system_suggest(o.s, "until"));
    assert_null(noe_system_suggest(o.s, "else"));
    assert_true(equal_bits(noe_system_get(o.s, "b"), 0.8660254037844386468));
    assert_true(isnan(noe_system_get(o.s, "x")));
    says("unknown parameter 'x'");
    char *c = noe_system_emit(o.s, "planet"), *unnamed = noe_system_emit(o.s, NULL);
    assert_non_null(strstr(c, "double planet_lagrangian("));
    assert_non_null(strstr(unnamed, "double model_lagrangian("));
    assert_null(noe_system_emit(o.s, "a planet"));
    says("'a planet' is no name in C");
    free(c);
    free(unnamed);
    end(o);
}

static double at_start(const noe_system *s, const char *name)
{
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, f, 0.1);
    const double    x = noe_get(g, name);
    noe_integrator_free(g);
    noe_method_free(f);
    return x;
}

static void test_with(void **state)
{
    (void)state;
    orbit       o = begin(kepler, "simpson", 0.1);
    noe_system *e = noe_system_with(o.s, "e", 0.6), *mu = noe_system_with(e, "mu", 4),
               *b = noe_system_let(mu, "b = e/mu");
    no_error();
    assert_true(equal_bits(noe_system_get(o.s, "e"), 0.5)); /* the old one stays */
    assert_true(equal_bits(noe_system_get(mu, "e"), 0.6));
    assert_true(equal_bits(noe_system_get(e, "b"),
                           0.8)); /* what depends on a parameter follows it, the start too */
    assert_true(equal_bits(at_start(mu, "x"), 0.4));
    assert_true(equal_bits(at_start(mu, "y'"), 4));
    assert_true(equal_bits(noe_system_get(b, "b"), 0.15));
    assert_true(equal_bits(noe_system_get(b, "e"), 0.6));
    for (int i = 0; i < 1000; i++) { /* to the bit, but for the sign of 0 */
        const double x = any_double() + 0;
        noe_system  *s = noe_system_with(o.s, "b", x);
        assert_true(equal_bits(noe_system_get(s, "b"), x));
        noe_system_free(s);
    }
    noe_system *fine = noe_system_parse(
        "parameter a = 1, b = (a - 1/10)*1e20\ncoordinate x\nkinetic x'^2/2\n");
    noe_system *tenth = noe_system_with(fine, "a",
                                        0.1); /* the double itself, not its first 17 digits */
    assert_true(fabs(noe_system_get(tenth, "b") - 555.11151231257827) < 1e-9);
    noe_system_free(fine);
    noe_system_free(tenth);
    static const char *const start[][2] = {
        { "x", "x" }, { "x'", "x.v" }, { "y.v", "y'" }, { "p(x)", "x.p" }, { "t", "t" }
    };
    for (int i = 0; i < 5; i++) {
        noe_system *s = noe_system_with(o.s, start[i][0], 0.7),
                   *last = noe_system_with(s, start[i][0], 0.8);
        assert_true(equal_bits(at_start(s, start[i][1]), 0.7));
        assert_true(equal_bits(at_start(last, start[i][1]), 0.8));
        noe_system_free(s);
        noe_system_free(last);
    }
    no_error();
    assert_null(noe_system_with(o.s, "nu", 1));
    says("unknown name 'nu'; did you mean 'mu'?");
    assert_null(noe_system_with(o.s, "mu", NAN));
    says("mu = nan: expected a finite number");
    assert_null(noe_system_let(o.s, "mu"));
    says("expected an assignment NAME=VALUE");
    assert_null(noe_system_let(o.s, "mu = (1\n)"));
    says("in one line");
    assert_null(noe_system_let(o.s, "x = y"));
    says("numbers and parameters only");
    noe_system_free(e);
    noe_system_free(mu);
    noe_system_free(b);
    end(o);
}

/* ---- methods ---- */

static void test_method(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *name;
        int         order;
    } known[] = { { "simpson", "simpson", 4 },
                  { " GAUSS3 ", "gauss 3", 6 },
                  { "lobatto 2", "simpson", 4 },
                  { "P4 gauss 6", "P4 gauss 6", 8 },
                  { "P3 radau-left 3", "P3 radau-left 3", 5 } };
    for (int i = 0; i < 5; i++) {
        noe_method *f = noe_method_parse(known[i].asked);
        assert_string_equal(noe_method_name(f), known[i].name);
        assert_int_equal(noe_method_order(f), known[i].order);
        noe_method_free(f);
    }
    no_error();
    assert_null(noe_method_parse("simson"));
    says("did you mean 'simpson'?");
}

/* ---- functions in C ---- */

/* What a sum takes in by mistake is told, with its place, and nothing else is. */
static void test_warning(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         line, column; /* 0: there is no warning */
    } table[] = {
        { "sum(i in 1..3) x[i]^2 + a", 3, 33 },
        { "(sum(i in 1..3) x[i]^2) + a", 0, 0 },
        { "sum(i in 1..3) (x[i]^2 + a)", 0, 0 },
        { "sum(i in 1..3) x[i]^2 - 2*x[1]", 3, 33 },
        { "sum(i in 1..3) x[i]^2 + a*i", 0, 0 },
        { "sum(i in 1..3) -x[i] + x[i]^2", 0, 0 },
        { "sum(i in 1..3, j in i..3) x[i] + x[j]^2", 0, 0 },
        { "sum(i in 1..N) x[i] + N", 3, 31 },
        { "a + sum(i in 1..3) x[i]*-a", 0, 0 },
        { "sum(i in 1..3) x[i]^2 + sum(j in 1..3) x[j]", 3, 33 },
        { "max(sum(i in 1..3) x[i], a + 1)", 0, 0 },
        { "if(sum(i in 1..3) x[i] < a + 1, 0, 1)", 0, 0 },
        { "sum(i in 1..3) x[(i + 1 - 1)]^2*(a + 1)", 0, 0 },
        { "sum(i in 1..3) sin(x[i] + a)", 0, 0 },
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int many = 0; many < 2; many++) {
            char text[300], place[40];
            snprintf(text, sizeof text,
                     "parameter a = 1, N = 3\ncoordinate x[1..%d]\npotential %s\n"
                     "kinetic sum(i in 1..%d) x[i]'^2/2\n",
                     many ? 100 : 3, table[k].text, many ? 100 : 3);
            noe_system *s = noe_system_parse(text);
            const char *warning = noe_system_warning(s);
            if (!s) fail_msg("%s\n%s", noe_error(), text);
            snprintf(place, sizeof place, ":%d:%d: the sum before", table[k].line, table[k].column);
            if (table[k].line ? !warning || !strstr(warning, place) || strchr(warning, '\n')
                              : warning != NULL)
                fail_msg("%s\nwarning %s", text, warning ? warning : "none");
            noe_system_free(s);
        }
    assert_null(noe_system_warning(NULL));
    no_error();
}

/* ---- threads ---- */

/* M q'' + C q' + K q = f(t) by columns, with its mistakes. */
static void constant_load(double t, double *f, void *ctx)
{
    (void)t;
    f[1] = *(double *)ctx;
}

static void a_structure(void **state)
{
    (void)state;
    const size_t start[] = { 0, 1, 3 }, diagonal[] = { 0, 1, 2 }, late[] = { 1, 1, 2 };
    const int row[] = { 0, 0, 1 }, off[] = { 0, 1 }, far[] = { 0, 2 }, utmost[] = { 0, INT32_MAX };
    const double  k[] = { 2, -1, 1 }, m[] = { 1, 1 }, bad[] = { 1, NAN };
    const noe_csc K = { start, row, k },
                  M = { diagonal, off, m }; /* the upper triangle of K stands for both */
    double          load = 3;
    noe_system     *s = noe_system_structure(2, &M, NULL, &K, constant_load, &load);
    noe_method     *f = noe_method_parse("gauss 2");
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    const double    rest[] = { 3, 6 }, still[] = { 0, 0 }; /* K rest = (0, 3) */
    no_error();
    assert_int_equal(noe_system_dim(s), 2);
    assert_string_equal(noe_system_name(s, 1), "x.2");
    assert_int_equal(noe_start(g, 0, rest, still), NOE_OK);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_get(g, "x.1") - 3) < 1e-14 && fabs(noe_get(g, "x.2") - 6) < 1e-14);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    assert_null(noe_system_structure(2, NULL, NULL, &K, NULL, NULL));
    assert_null(noe_system_structure(0, &M, NULL, &K, NULL, NULL));
    says("at least 1");
    const noe_csc     wrong[] = { { late, off, m },
                                  { diagonal, far, m },
                                  { diagonal, off, bad },
                                  { NULL, off, m },
                                  { diagonal, utmost, m } };
    const char *const why[] = { "begins at entry 1", "row 3 of 2", "not a finite number", "missing",
                                "row 2147483648 of 2" };
    for (int i = 0; i < 5; i++) {
        assert_null(noe_system_structure(2, &M, NULL, &wrong[i], NULL, NULL));
        says(why[i]);
    }
    const size_t  full[] = { 0, 2, 4 };
    const int     all[] = { 0, 1, 0, 1 };
    const double  skew[] = { 2, -1, 1, 2 };
    const noe_csc unsymmetric = { full, all, skew };
    assert_null(noe_system_structure(2, &M, NULL, &unsymmetric, NULL, NULL));
    says("not symmetric: 1 in row 1, column 2, but -1 in row 2, column 1");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_structure), cmocka_unit_test(test_warning),
        cmocka_unit_test(test_system), cmocka_unit_test(test_with),
        cmocka_unit_test(test_method),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
