/* The certificate: it holds where all is well, and fails where it must.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/check.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    static const char *const file[] = { "double_pendulum", "kepler", "lagrange_top", "magnetic", "moving_pivot", "relativistic" };
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
            assert_true(noe_certify(&c, s, m, h));
            if (!c.holds) noe_certificate_print(&c, stdout);
            assert_true(c.holds);
            assert_int_equal(law(&c, "reversible")->verdict, k == 2 ? NOE_DOES_NOT_APPLY : NOE_HOLDS);
            if (i == 4) assert_int_equal(law(&c, "ledger")->verdict, NOE_TOLD);
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
    assert_true(noe_certify(&c, s, m, (quad)1 / 200));
    assert_false(c.holds);
    assert_int_equal(law(&c, "order")->verdict, NOE_FAILS);
    assert_int_equal(law(&c, "symplectic")->verdict, NOE_HOLDS);
    noe_certificate_drop(&c);
    noe_method_free(m);
    noe_system_free(s);
}

/* A table of another velocity basis (X not the integral of l) is no variational integrator. */
static void test_wrong_table(void **state)
{
    (void)state;
    noe_system *s = noe_system_load("systems/pendulum.lag");
    noe_method *m = noe_method_parse("simpson");
    m->X[1][0] *= 1 + (quad)1e-3;
    noe_certificate c;
    assert_true(noe_certify(&c, s, m, (quad)1 / 200));
    assert_int_equal(law(&c, "symplectic")->verdict, NOE_FAILS);
    noe_certificate_drop(&c);
    noe_method_free(m);
    noe_system_free(s);
}

/* From rest with H0 = 0 there is no scale of energy yet: the first step must not be taken for a jump. */
static void test_from_rest(void **state)
{
    (void)state;
    static const double step[] = { 0.001, 0.003, 0.01, 0.03 };
    static const char *const method[] = { "simpson", "midpoint", "gauss 3", "lobatto 3" };
    noe_system *s = noe_system_parse("parameter g = 9.81\ncoordinate a, b\nx = sin(a)\ny = -cos(a)\nu = x + sin(b)\nv = y - cos(b)\n"
                                     "kinetic (x'^2 + y'^2 + u'^2 + v'^2)/2\npotential g*(y + v)\nstart a = pi/2, b = pi/2\n");
    for (int i = 0; i < 16; i++) {
        noe_method     *m = noe_method_parse(method[i / 4]);
        noe_integrator *g = noe_integrator_new(s, m, step[i % 4]);
        assert_int_equal(noe_run(g, 0.6, NULL, NULL), NOE_OK);
        noe_integrator_free(g);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* Linear equations have one root: the guards against far ones must not stop a step just inside the limit. */
static void test_near_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double      limit; /* of w h: sqrt 8, 2 */
    } known[] = { { "simpson", 2.8284271247461903 }, { "lobatto 1", 2 } };
    noe_system *s = noe_system_parse("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2 + (x - y)^2/2\nstart x = 1\n");
    for (int i = 0; i < 2; i++)
        for (int beyond = 0; beyond < 2; beyond++) {
            noe_method     *m = noe_method_parse(known[i].method);
            noe_integrator *g = noe_integrator_new(s, m, known[i].limit / sqrt(3) * (beyond ? 1.004 : 0.996));
            assert_int_equal(noe_run(g, 1000, NULL, NULL), NOE_OK);
            if (beyond) assert_true(fabs(noe_q(g)[0]) > 1e6);
            else assert_true(fabs(noe_q(g)[0]) < 30);
            noe_integrator_free(g);
            noe_method_free(m);
        }
    noe_system_free(s);
}

static double spring(double t, const double *z, const double *param, double *grad, double *hess, void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -z[0] * z[0] * z[0], grad[1] = z[1];
    if (hess) hess[0] = -3 * z[0] * z[0], hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - z[0] * z[0] * z[0] * z[0] / 4;
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
    noe_method_free(m);
    noe_system_free(s);
}

static void test_public(void **state)
{
    (void)state;
    noe_system *s = noe_system_load("systems/kepler.lag");
    noe_method *m = noe_method_parse("gauss 4");
    noe_table  *t = noe_check(s, m, 0.05);
    assert_non_null(t);
    const double *value = noe_table_column(t, "value"), *bound = noe_table_column(t, "bound"), *holds = noe_table_column(t, "holds");
    bool          momentum = false;
    for (size_t i = 0; i < noe_table_rows(t); i++) {
        momentum |= !strcmp(noe_table_label(t, i), "momentum rotation_x_y");
        assert_true(isnan(holds[i]) || (holds[i] == 1) == (value[i] <= bound[i]));
    }
    assert_true(momentum);
    noe_table_free(t);
    assert_null(noe_check(NULL, m, 0.05));
    assert_null(noe_check(s, m, NAN));
    noe_error_clear();
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_wrong_weight),
        cmocka_unit_test(test_wrong_table),
        cmocka_unit_test(test_from_rest),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_near_the_limit),
        cmocka_unit_test(test_public),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
