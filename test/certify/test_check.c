/* The certificate: it holds where all is well, and fails where it must.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"
#include "base/stopwatch.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const noe_law *law(const noe_certificate *c, const char *name)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strcmp(c->laws.law[i].name, name)) return &c->laws.law[i];
    fail_msg("no law '%s'", name);
    return NULL;
}

static void test_holds(void **state)
{
    (void)state;
    static const char *const file[] = { "double_pendulum", "kepler",       "lagrange_top",
                                        "magnetic",        "moving_pivot", "relativistic" };
    static const char *const method[] = { "simpson", "gauss 3", "P3 radau-left 3", "P2 gauss 3" };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
            char path[80];
            snprintf(path, sizeof path, "systems/%s.lag", file[i]);
            noe_error_clear();
            noe_system     *s = noe_system_load(path);
            noe_method     *m = noe_method_parse(method[k]);
            noe_certificate c;
            const quad      h = !strcmp(file[i], "lagrange_top") ? (quad)1 / 2000 : (quad)1 / 200;
            assert_true(noe_certificate_make(&c, s, m, h, 0));
            if (!c.holds) noe_certificate_print(&c, stdout);
            assert_true(c.holds);
            const noe_law_verdict back = law(&c, "reversible")->verdict;
            assert_true(k == 2 ? back == NOE_EXPECTED_FAILURE || back == NOE_NO_VERDICT
                               : back == NOE_HOLDS);
            if (i == 4) assert_int_equal(law(&c, "balance")->verdict, NOE_NO_VERDICT);
            noe_certificate_drop(&c);
            noe_method_free(m);
            noe_system_free(s);
        }
}

/* One weight off by 1e-3 must cost the order; the other laws do not know of it. */
static void test_wrong_weight(void **state)
{
    (void)state;
    noe_system *s = noe_system_load("systems/pendulum.lag");
    noe_method *m = noe_method_parse("simpson");
    m->b[0] += (quad)1e-3;
    noe_certificate c;
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 200, 0));
    assert_false(c.holds);
    assert_int_equal(law(&c, "order")->verdict, NOE_FAILS);
    assert_int_equal(law(&c, "symplectic")->verdict, NOE_HOLDS);
    noe_certificate_drop(&c);
    noe_method_free(m), noe_system_free(s);
}

/* A table of another velocity basis (X not the integral of l) is no variational integrator. */
static void test_wrong_table(void **state)
{
    (void)state;
    noe_system *s = noe_system_load("systems/pendulum.lag");
    noe_method *m = noe_method_parse("simpson");
    m->X[1][0] *= 1 + (quad)1e-3;
    noe_certificate c;
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 200, 0));
    assert_int_equal(law(&c, "symplectic")->verdict, NOE_FAILS);
    noe_certificate_drop(&c);
    noe_method_free(m), noe_system_free(s);
}

static noe_certificate certificate(const noe_system *s, const noe_method *m, double h)
{
    noe_certificate c;
    noe_error_clear();
    if (!noe_certificate_make(&c, s, m, h, 0)) fail_msg("%s", noe_error());
    return c;
}

/* What methods promise, kind by kind; what they do not promise is seen to fail, and the
 * certificate holds. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char     *method;
        noe_law_verdict symplectic, reversible, energy;
    } kind[] = {
        { "simpson", NOE_HOLDS, NOE_HOLDS, NOE_HOLDS },
        { "gauss 2", NOE_HOLDS, NOE_HOLDS, NOE_HOLDS },
        { "verlet", NOE_HOLDS, NOE_HOLDS, NOE_HOLDS },
        { "rk4", NOE_EXPECTED_FAILURE, NOE_EXPECTED_FAILURE, NOE_EXPECTED_FAILURE },
        { "rk4-v", NOE_EXPECTED_FAILURE, NOE_EXPECTED_FAILURE, NOE_EXPECTED_FAILURE },
        { "P2 radau-right 2", NOE_HOLDS, NOE_EXPECTED_FAILURE, NOE_HOLDS },
    };
    noe_system *s = noe_system_parse(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + x^2*y - y^3/3\n"
        "start x = 0.2, y' = 0.3\n");
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        noe_method     *m = noe_method_parse(kind[i].method);
        noe_certificate c = certificate(s, m, 0.1);
        assert_true(c.holds);
        if (law(&c, "symplectic")->verdict != kind[i].symplectic
            || law(&c, "reversible")->verdict != kind[i].reversible
            || law(&c, "energy bounded")->verdict != kind[i].energy) {
            noe_certificate_print(&c, stdout);
            fail_msg("%s", kind[i].method);
        }
        assert_int_equal(law(&c, "energy floor")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "solver floor")->verdict, NOE_NO_VERDICT);
        noe_certificate_drop(&c);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* A stretched chain is let go at one end.  Those far from it are at rest for many steps, in a
 * balance of large forces; the rounding of these is no irreversibility, and a node moved to one
 * side is. */
static void test_balance(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate u[1..12]\nkinetic sum(i in 1..12) u[i]'^2/2\n"
        "potential u[1]^4/4 + sum(i in 1..11) (u[i+1] - u[i])^4/4\nstart u[i] = i\n");
    noe_method *m = noe_method_parse("P2 gauss 3");
    for (int wrong = 0; wrong < 2; wrong++) {
        if (wrong) m->c[1] += (quad)1e-12, m->I[1][0] += (quad)1e-12, m->X[1][0] -= (quad)1e-12;
        noe_certificate c = certificate(s, m, 1e-3);
        assert_int_equal(law(&c, "reversible")->verdict, wrong ? NOE_FAILS : NOE_HOLDS);
        if (!wrong) assert_true(law(&c, "reversible")->value < 40 * 0x1p-113); /* of 20 steps */
        noe_certificate_drop(&c);
    }
    noe_method_free(m), noe_system_free(s);
}

/* Every block has an energy of its own, be it small beside the others'. */
static void test_blocks(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate x, y, z\nkinetic (x'^2 + 1e-6*y'^2 + 1e-6*z'^2)/2\n"
        "potential x^4/4 + 1e-6*((y - z)^4/4 + y^2)\n"
        "start x = 1, y = 0.5, z' = 0.3\n");
    for (int wrong = 0; wrong < 2; wrong++) {
        noe_method     *m = noe_method_parse(wrong ? "rk4" : "simpson");
        noe_certificate c = certificate(s, m, 0.05);
        assert_int_equal(law(&c, "energy of {x}")->verdict,
                         wrong ? NOE_EXPECTED_FAILURE : NOE_HOLDS);
        assert_int_equal(law(&c, "energy of {y, z}")->verdict,
                         wrong ? NOE_EXPECTED_FAILURE : NOE_HOLDS);
        assert_true(law(&c, "energy of {y, z}")->value < 1e-3);
        noe_certificate_drop(&c);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* Saboteurs: each law fails where the step is not what it must be. */
static void test_saboteurs(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
        "start x = 1, y' = 0.9\n");
    /* R weighs the node forces as p does not: no map of an action */
    noe_method *m = noe_method_parse("simpson");
    for (int i = 0; i < m->r; i++) m->X[i][0] *= 1 + (quad)1e-6;
    noe_certificate c = certificate(s, m, 0.05);
    assert_int_equal(law(&c, "symplectic")->verdict, NOE_FAILS);
    assert_int_equal(law(&c, "momentum rotation_x_y")->verdict, NOE_FAILS);
    assert_false(c.holds);
    noe_certificate_drop(&c);
    noe_method_free(m);
    /* a node moved to one side: the method says that it is symmetric, and is not */
    m = noe_method_parse("P2 gauss 3");
    m->c[1] += (quad)1e-6, m->I[1][0] += (quad)1e-6, m->X[1][0] -= (quad)1e-6;
    c = certificate(s, m, 0.05);
    assert_int_equal(law(&c, "reversible")->verdict, NOE_FAILS);
    assert_false(c.holds);
    noe_certificate_drop(&c);
    noe_method_free(m), noe_system_free(s);
    /* damping of 1e-6 that the system does not own up to: energy drifts, areas shrink; of 1e-13,
     * areas alone show it */
    for (int k = 0; k < 2; k++) {
        s = noe_system_parse(
            k ? "coordinate x\nkinetic x'^2/2\npotential x^4/4\nforce x = -1e-13*x'\nstart x = 1\n"
              : "coordinate x\nkinetic x'^2/2\npotential x^4/4\nforce x = -1e-6*x'\nstart x = 1\n");
        s->dyn.forced = false, s->dyn.autonomous = true;
        m = noe_method_parse("gauss 6");
        c = certificate(s, m, 0.05);
        assert_int_equal(law(&c, "symplectic")->verdict, NOE_FAILS);
        if (!k) assert_int_equal(law(&c, "energy bounded")->verdict, NOE_FAILS);
        assert_false(c.holds);
        noe_certificate_drop(&c);
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* From rest with H0 = 0 there is no scale of energy yet: the first step must not be taken for a
 * jump. */
static void test_from_rest(void **state)
{
    (void)state;
    static const double      step[] = { 0.001, 0.003, 0.01, 0.03 };
    static const char *const method[] = { "simpson", "midpoint", "gauss 3", "lobatto 3" };
    noe_system              *s = noe_system_parse(
                     "parameter g = 9.81\ncoordinate a, b\nx = sin(a)\ny = -cos(a)\n"
                                  "u = x + sin(b)\nv = y - cos(b)\n"
                                  "kinetic (x'^2 + y'^2 + u'^2 + v'^2)/2\npotential g*(y + v)\n"
                                  "start a = pi/2, b = pi/2\n");
    for (int i = 0; i < 16; i++) {
        noe_method     *m = noe_method_parse(method[i / 4]);
        noe_integrator *g = noe_integrator_new(s, m, step[i % 4]);
        assert_int_equal(noe_run(g, 0.6, NULL, NULL), NOE_OK);
        noe_integrator_free(g);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* Coordinates that symmetry leaves at rest have no size of their own to be measured by: neither
 * the iteration nor a law may ask for digits of what is rounding. */
static void test_at_rest(void **state)
{
    (void)state;
    enum { N = 16 };
    char text[6000], *at = text;
    for (int i = 0; i < N; i++) at += sprintf(at, "%s x%d", i ? "," : "coordinate", i);
    at += sprintf(at, "\nlagrangian 0");
    for (int i = 0; i < N; i++)
        at += sprintf(at, " + x%d'^2/2 - (x%d - x%d)^2/2 - (x%d - x%d)^4/4", i, (i + 1) % N, i,
                      (i + 1) % N, i);
    at += sprintf(at, "\nstart");
    for (int i = 0; i < N; i++)
        at += sprintf(at, "%s x%d = %g", i ? "," : "", i, 0.1 * (7 * i % 5 - 2));
    noe_error_clear();
    noe_system     *s = noe_system_parse(text);
    noe_method     *m = noe_method_parse("simpson");
    noe_certificate c;
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 20, 0));
    if (!c.holds) noe_certificate_print(&c, stdout);
    assert_true(c.holds);
    noe_certificate_drop(&c);
    noe_integrator *g = noe_integrator_new(s, m, 0.05);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    assert_true(noe_get(g, "residual") < 1e-14
                && noe_get(g, "iterations") <= 4 * 20); /* measured: 5e-19, 66 */
    noe_integrator_free(g);
    noe_method_free(m), noe_system_free(s);
}

/* Linear equations have one root: the guards against far ones must not stop a step just inside
 * the limit. */
static void test_near_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double      limit; /* of w h: sqrt 8, 2 */
    } known[] = { { "simpson", 2.8284271247461903 }, { "lobatto 1", 2 } };
    noe_system *s = noe_system_parse(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + (x - y)^2/2\n"
        "start x = 1\n");
    for (int i = 0; i < 2; i++)
        for (int beyond = 0; beyond < 2; beyond++) {
            noe_method     *m = noe_method_parse(known[i].method);
            noe_integrator *g = noe_integrator_new(
                s, m, known[i].limit / sqrt(3) * (beyond ? 1.004 : 0.996));
            assert_int_equal(noe_run(g, 1000, NULL, NULL), NOE_OK);
            if (beyond) assert_true(fabs(noe_q(g)[0]) > 1e6);
            else assert_true(fabs(noe_q(g)[0]) < 30);
            noe_integrator_free(g);
            noe_method_free(m);
        }
    noe_system_free(s);
}

static double spring(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -z[0] * z[0] * z[0], grad[1] = z[1];
    if (hess) hess[0] = -3 * z[0] * z[0], hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - z[0] * z[0] * z[0] * z[0] / 4;
}

/* A free particle in a rotating frame flies away, and terms of its energy cancel that grow like
 * t^2: an error that grows with them breaks no law; an oscillator beside it has its own. */
static void test_unbounded(void **state)
{
    (void)state;
    static const char *const method[] = { "simpson", "lobatto 3", "lobatto 2" };
    noe_system *s = noe_system_parse("coordinate x, y, z\nkinetic ((x' - 0.3*y)^2 + (y' + 0.3*x)^2 "
                                     "+ z'^2)/2\npotential z^4/4\nstart x' = 1, z = 1\n");
    for (int k = 0; k < 3; k++) {
        noe_method     *m = noe_method_parse(method[k]);
        noe_certificate c;
        assert_true(noe_certificate_make(&c, s, m, (quad)1 / 10, 0));
        assert_int_equal(law(&c, "energy of {x, y}")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "energy bounded")->verdict, NOE_HOLDS);
        noe_certificate_drop(&c), noe_method_free(m);
    }
    noe_system_free(s);
}

/* Functions in C: the laws that can be shown in double, none that cannot. */
static void test_functions(void **state)
{
    (void)state;
    noe_system *s = noe_system_new(1, 0, spring, NULL, NULL);
    noe_method *m = noe_method_parse("simpson");
    noe_table  *t = noe_check(s, m, 0.05);
    bool        bits = false;
    assert_non_null(t);
    for (size_t i = 0; i < noe_table_rows(t); i++) {
        bits |= !strcmp(noe_table_label(t, i), "same bits");
        assert_string_not_equal(noe_table_label(t, i), "symplectic");
    }
    assert_true(bits);
    noe_table_free(t);
    noe_error_clear();
    noe_method_free(m), noe_system_free(s);
}

static void test_public(void **state)
{
    (void)state;
    noe_system *s = noe_system_load("systems/kepler.lag");
    noe_method *m = noe_method_parse("gauss 4");
    noe_table  *t = noe_check(s, m, 0.05);
    assert_non_null(t);
    const double *value = noe_table_column(t, "value"), *bound = noe_table_column(t, "bound"),
                 *holds = noe_table_column(t, "holds");
    bool momentum = false;
    for (size_t i = 0; i < noe_table_rows(t); i++) {
        momentum |= !strcmp(noe_table_label(t, i), "momentum rotation_x_y");
        assert_true(isnan(holds[i]) || (holds[i] == 1) == (value[i] <= bound[i]));
    }
    assert_true(momentum);
    noe_table_free(t);
    assert_null(noe_check(NULL, m, 0.05));
    assert_null(noe_check(s, m, NAN));
    noe_error_clear();
    noe_method_free(m), noe_system_free(s);
}

/* The limit counts from where the certificate begins, not what the process computed before it. */
static void test_limit_of_a_long_process(void **state)
{
    (void)state;
    noe_system     *s = noe_system_load("systems/pendulum.lag");
    noe_method     *m = noe_method_parse("simpson");
    noe_certificate c;
    const double    begin = noe_stopwatch_computing();
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 200, 0));
    const double cost = noe_stopwatch_computing() - begin;
    const int    laws = c.laws.count;
    noe_certificate_drop(&c);
    while ((double)clock() / CLOCKS_PER_SEC <= 5 * cost) assert_true(isfinite(cost));
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 200, 4 * cost));
    assert_string_equal(c.laws.left, "");
    assert_int_equal(c.laws.count, laws);
    noe_certificate_drop(&c);
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 200, cost / 1000));
    assert_true(*c.laws.left && c.laws.count < laws);
    noe_certificate_drop(&c);
    noe_method_free(m), noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds),       cmocka_unit_test(test_wrong_weight),
        cmocka_unit_test(test_wrong_table), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_balance),     cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_saboteurs),   cmocka_unit_test(test_from_rest),
        cmocka_unit_test(test_at_rest),     cmocka_unit_test(test_unbounded),
        cmocka_unit_test(test_functions),   cmocka_unit_test(test_near_the_limit),
        cmocka_unit_test(test_public),      cmocka_unit_test(test_limit_of_a_long_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
