/* Differentiated systems: the same bits, S symplectic, states between steps, refusals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random_model.h"

#include "between/fractional_step.h"

/* q, p and energy of 200 steps are bit for bit those without derivatives. */
static void the_motion_is_the_same(void **state)
{
    static const char *const of[] = { "simpson", "gauss 6", "lobatto 3", "rk4",
                                      "compose 6 simpson" };
    (void)state;
    for (int k = 0; k < 10; k++) {
        noe_system *s = random_system(false, k < 5 && k % 5 < 4),
                   *with = noe_system_differentiated(s, "a, x, p(y)");
        noe_integrator *plain = integrator(s, of[k % 5], (quad)1 / 50, 15),
                       *g = integrator(with, of[k % 5], (quad)1 / 50, 15);
        for (int i = 0; i < 200; i++) {
            steps(plain, 1), steps(g, 1);
            assert_memory_equal(noe_q(plain), noe_q(g), 2 * sizeof(double));
            assert_memory_equal(noe_p(plain), noe_p(g), 2 * sizeof(double));
            assert_true(noe_get(plain, "energy") == noe_get(g, "energy"));
        }
        noe_integrator_free(plain);
        noe_integrator_free(g);
        noe_system_free(s);
        noe_system_free(with);
    }
}

/* S^T J S = J by all starts, to rounding times the size of the terms, for symplectic methods; a
 * method that is none violates it. */
static void symplectic(void **state)
{
    static const char *const of[] = { "simpson", "gauss 3", "verlet", "P3 radau-left 3", "rk4" };
    (void)state;
    tightest = 0;
    for (int k = 0; k < 40; k++) {
        noe_system *s = random_system(k % 5 == 2, false),
                   *with = noe_system_differentiated(s, "x, y, p(x), p(y)");
        for (int digits = 15; digits <= 33; digits += 18) {
            noe_integrator *g = integrator(with, of[k % 5], (quad)1 / 20, digits);
            quad            S[16], most = 0, size = 1;
            const quad      q[2] = { -0.3, 0.4 }, p[2] = { 0.5, 0.25 }, zero = 0;
            const bool      momentum[2] = { true, true };
            assert_int_equal(noe_integrator_start_from(g, &zero, q, p, p, momentum), NOE_OK);
            steps(g, 20);
            g->engine->get(g->work, NOE_AT_SENSITIVITY, 0, S);
            for (int i = 0; i < 16; i++) size = fmaxq(size, fabsq(S[i]));
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < 4; b++) {
                    quad form = 0;
                    for (int i = 0; i < 2; i++)
                        form += S[i * 4 + a] * S[(i + 2) * 4 + b]
                              - S[(i + 2) * 4 + a] * S[i * 4 + b];
                    most = fmaxq(most, fabsq(form - (b == a + 2) + (a == b + 2)));
                }
            if (k % 5 == 4) assert_true(most > 1e-14);
            else
                small(most, size * size, digits == 15 ? 0x1p-52 * 60 : (double)QUAD_EPS * 120,
                      of[k % 5]);
            noe_integrator_free(g);
        }
        noe_system_free(s);
        noe_system_free(with);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* A state between steps has the derivatives of the step that makes it; the run keeps its own. */
static void between_steps(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        noe_system *s = random_system(k % 2, k % 3 == 0),
                   *with = noe_system_differentiated(s, "b, x'");
        const quad      tau = (quad)1 / 30;
        noe_integrator *g = integrator(with, "gauss 2", (quad)1 / 20, 33),
                       *other = integrator(with, "gauss 2", tau, 33);
        assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
        noe_integrator *y = noe_fractional_step_at(g, tau);
        steps(other, 1);
        assert_non_null(y);
        small(slope(y, "x", "b") - slope(other, "x", "b"), 1, 1e-30, "between steps");
        small(slope(y, "y'", "x'") - slope(other, "y'", "x'"), 1, 1e-30, "between steps");
        assert_true(slope(g, "x", "x'") == 0 && slope(y, "x", "x'") > 0);
        noe_integrator_free(other);
        noe_integrator_free(g);
        noe_system_free(s);
        noe_system_free(with);
    }
}

/* A start from given values: parameters leave it alone, initial values are still varied. */
static void given_starts(void **state)
{
    (void)state;
    noe_system *s = random_system(false, false),
               *with = noe_system_differentiated(s, "a, x, y', p(x)");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(with, m, 0.05);
    const double    q[2] = { 0.3, -0.2 }, v[2] = { 1, 0.5 };
    double          S[16];
    assert_int_equal(noe_start(g, 0, q, v), NOE_OK);
    assert_int_equal(noe_sensitivity(g, S), NOE_OK);
    assert_true(S[0] == 0 && S[4] == 0 && S[1] == 1 && S[2] == 0 && S[3] == 0 && S[11] == 1);
    assert_true(noe_get(g, "d(x)/d(x)") == 1 && fabs(noe_get(g, "d(y')/d(y')") - 1) < 1e-15);
    assert_true(fabs(noe_get(g, "d(x')/d(a)")) < 1e-15);
    assert_int_equal(noe_start_momentum(g, 0, q, v), NOE_OK);
    assert_int_equal(noe_sensitivity(g, S), NOE_OK);
    assert_true(S[8] == 0 && S[12] == 0);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    noe_system_free(with);
}

static const char head[] = "parameter m = 1, N = 2\ncoordinate x\nkinetic m/2*x'^2\npotential x^2\n"
                           "start x = 1\n";

static void refused_by(const char *more, const char *by, const char *scheme, int digits,
                       const char *why)
{
    char text[500];
    snprintf(text, sizeof text, "%s%s", head, more);
    noe_system *s = parse(text), *with = noe_system_differentiated(s, by);
    if (with && scheme) {
        noe_method     *m = method(scheme);
        noe_integrator *g = noe_integrator_make(with, m, (quad)1 / 10, digits);
        if (g) fail_msg("%s is not refused", scheme);
        noe_method_free(m);
    } else assert_null(with);
    assert_non_null(noe_error());
    if (!strstr(noe_error(), why)) fail_msg("'%s' in '%s'", why, noe_error());
    noe_error_clear();
    noe_system_free(with);
    noe_system_free(s);
}

static void refusals(void **state)
{
    (void)state;
    refused_by("", "k", NULL, 0, "neither a parameter nor the start");
    refused_by("", "m,m", NULL, 0, "twice");
    refused_by("", "m,", NULL, 0, "expected the name");
    refused_by("", "m'", NULL, 0, "neither a parameter nor the start");
    refused_by("coordinate y[1..N]\nkinetic sum(i in 1..N) y[i]'^2\n", "N", NULL, 0, "is an index");
    refused_by("coordinate y[1..N]\nkinetic sum(i in 1..N) y[i]'^2\n", "y", NULL, 0, "is a family");
    refused_by("coordinate y\nkinetic y'^2\nconstraint c: x = y\nstart y = 1\n", "m",
               "compose 6 simpson", 15, "not known for compositions");
    refused_by("monitor 1 + x^2\nevent e: x = -2 falling then bounce 1\n", "m", NULL, 0,
               "a monitor and events that change the motion");
    refused_by("monitor 1 + x^2\n", "m", "verlet", 15, "does not step the transformed Lagrangian");
    refused_by("monitor 1 + x^2 reversible\ndissipation m*x'^2\n", "m", "verlet", 15,
               "splittings of damped motions");
    refused_by("dissipation m*x'^2\n", "m", "verlet", 15, "splittings of damped motions");
    refused_by("", "m", "rk4-v", 15, "Runge-Kutta methods in (q, v)");
    refused_by("", "m", "newmark 0.3 0.6", 15, "this method");
    refused_by("", "m", "gauss 8", 50, "more than 33 digits");
    noe_system     *s = parse(head), *with = noe_system_differentiated(s, "m");
    noe_integrator *g = integrator(with, "simpson", (quad)1 / 10, 15),
                   *plain = integrator(s, "simpson", 1, 15);
    double                   M[9];
    static const char *const unknown[] = { "d(x)/d(x)", "d(t)/d(m)", "d(work)/d(m)",
                                           "d(z)/d(m)", "d(x)/d(k)", "d(d(x)/d(m))/d(m)",
                                           "d()/d(m)" };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_true(isnan(noe_get(g, unknown[i])));
        assert_non_null(noe_error());
        noe_error_clear();
    }
    assert_int_equal(noe_step_jacobian(g, M), NOE_INVALID);
    noe_error_clear();
    assert_int_equal(noe_sensitivity(plain, M), NOE_INVALID);
    noe_error_clear();
    assert_null(noe_system_differentiated(NULL, "m"));
    noe_system *other = noe_system_with(with, "m", 2); /* is differentiated, too */
    assert_int_equal(other->dyn.columns, 1);
    noe_integrator_free(plain);
    noe_integrator_free(g);
    noe_system_free(other);
    noe_system_free(with);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motion_is_the_same), cmocka_unit_test(symplectic),
        cmocka_unit_test(between_steps), cmocka_unit_test(given_starts), cmocka_unit_test(refusals)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
