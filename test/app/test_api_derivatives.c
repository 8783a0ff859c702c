/* noether.h, derivatives by parameters and starts: against differences, NULL in, NULL out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>

/* x after 20 steps with one value changed. */
static double x_with(const noe_system *s, const char *name, double value)
{
    noe_system     *with = noe_system_with(s, name, value);
    noe_method     *f = noe_method_parse("gauss 3");
    noe_integrator *g = noe_integrator_new(with, f, 0.05);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    const double x = noe_get(g, "x");
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(with);
    return x;
}

static void test_derivatives(void **state)
{
    static const char *const by[] = { "mu", "x", "y'" };
    enum { BY = sizeof by / sizeof *by };
    (void)state;
    orbit           o = begin(kepler, "simpson", 0.1);
    noe_system     *s = noe_system_differentiated(o.s, "mu, x, y'");
    noe_method     *f = noe_method_parse("gauss 3");
    noe_integrator *g = noe_integrator_new(s, f, 0.05);
    double          S[4 * BY];
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    assert_int_equal(noe_sensitivity(g, S), NOE_OK);
    for (int i = 0; i < BY; i++) {
        noe_integrator *start = noe_integrator_new(s, f, 0.05);
        const double    at = noe_get(start, by[i]), d = 0x1p-16;
        const double    by_difference = (x_with(s, by[i], at + d) - x_with(s, by[i], at - d))
                                   / (2 * d);
        assert_true(fabs(S[i] - by_difference) <= 1e-8 * (1 + fabs(S[i]))); /* O(d^2), 2^16 u */
        noe_integrator_free(start);
    }
    assert_true(S[0] == noe_get(g, "d(x)/d(mu)"));
    assert_int_equal(noe_sensitivity(NULL, S), NOE_INVALID);
    assert_int_equal(noe_sensitivity(g, NULL), NOE_INVALID);
    assert_null(noe_system_differentiated(NULL, "mu"));
    assert_null(noe_system_differentiated(s, NULL));
    assert_null(noe_system_differentiated(s, "nu"));
    says("'nu' is neither a parameter nor the start of a coordinate");
    assert_int_equal(noe_sensitivity(o.g, S), NOE_INVALID);
    says("the system is not differentiated by anything");
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    end(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_derivatives) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
