/* The systems of systems/ that have a monitor, against what is known of them in another way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"

static noe_integrator *at_time(noe_integrator *g, quad t)
{
    for (bool arrived = false; !arrived;)
        if (noe_advance_monitored(g, t, &arrived)) fail_msg("%s", noe_error());
    assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
    return noe_fractional_step_at(g, t);
}

/* Sitnikov's problem in coordinates that pulsate with the stars, z = r u, over the true anomaly f:
 * u'' = -(e cos f u + u/(u^2 + 1/4)^1.5)/(1 + e cos f).  Where the stars are far apart, f = pi,
 * 3 pi, .., both are compared. */
static void test_sitnikov(void **unused)
{
    (void)unused;
    const double e = 0.6 + 0.1 * random_number(), z0 = 0.8 + 0.1 * random_number();
    char         text[400], let[2][60];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate u\n"
             "lagrangian u'^2/2 - (e*cos(t)*u^2/2 - 1/sqrt(u^2 + 1/4))/(1 + e*cos(t))\n"
             "start t = pi, u = %.17g/(1 + e)\n",
             e, z0);
    snprintf(let[0], sizeof let[0], "e = %.17g", e);
    snprintf(let[1], sizeof let[1], "z = %.17g", z0);
    const char *lets[] = { let[0], let[1], "m = 1e-20" };
    noe_system *all = load("systems/sitnikov.lag"), *s = noe_system_lets(all, lets, 3),
               *twin = parse(text);
    noe_integrator *g = integrator(s, "gauss 8", 0.2, 33),
                   *x = integrator(twin, "gauss 8", 2 * acosq(-1) / 400, 33);
    for (int k = 1; k <= 5; k++) {
        quad q[3], p[3], u, w;
        for (int i = 0; i < 400; i++) assert_int_equal(noe_step(x), NOE_OK);
        noe_integrator *y = at_time(g, 2 * acosq(-1) * k);
        noe_integrator_state_get(y, NOE_AT_Q, q), noe_integrator_state_get(y, NOE_AT_V, p);
        noe_integrator_state_get(x, NOE_AT_Q, &u), noe_integrator_state_get(x, NOE_AT_V, &w);
        noe_fractional_step_leave(g);
        small(q[0] - (1 + (quad)e), 1, 1e-16, "the stars");
        small(q[2] - (1 + (quad)e) * u, 1, 1e-14, "z");
        /* z' = h u'/r, h^2 = 1 - e^2 */
        small(p[2] - sqrtq(1 - (quad)e * e) * w / (1 + (quad)e), 1, 1e-14, "its velocity");
    }
    noe_integrator_free(g), noe_integrator_free(x);
    noe_system_free(s), noe_system_free(all), noe_system_free(twin);
}

/* The time from top to top, 2 int dy/v, by the trapezoidal rule over y = y0 + (h - y0) sin^2. */
static double bounce_time(double a)
{
    enum { POINTS = 200000 };
    const double g = 9.81, h = 1, E = g * h * (1 + exp(-h / a));
    double       low = 0, sum = 0;
    for (int i = 0; i < 50; i++) {
        const double wall = g * h * exp(-low / a);
        low -= (g * low + wall - E) / (g - wall / a);
    }
    for (int k = 0; k < POINTS; k++) {
        const double s = sin(M_PI / 2 * (k + 0.5) / POINTS), c = cos(M_PI / 2 * (k + 0.5) / POINTS);
        const double d = (h - low) * s * s, y = low + d; /* d: above the lowest point */
        /* without what cancels at the bottom, and at the top */
        const double kinetic = s < c ? -g * d - g * h * exp(-low / a) * expm1(-d / a)
                                     : g * (h - low) * c * c - g * h * (exp(-y / a) - exp(-h / a));
        sum += 2 * (h - low) * s * c / sqrt(2 * kinetic);
    }
    return 2 * sum * M_PI / 2 / POINTS;
}

static void test_soft_bounce(void **unused)
{
    (void)unused;
    char let[40];
    for (int i = 0; i < 3; i++) {
        const double a = 0.001 * pow(4, random_number()), T = bounce_time(a);
        quad         q[2], p[2];
        snprintf(let, sizeof let, "a = %.17g", a);
        noe_system     *all = load("systems/soft_bounce.lag"), *s = noe_system_let(all, let);
        noe_integrator *g = integrator(s, "gauss 8", (quad)0.05, 15), *y = at_time(g, 10 * T);
        noe_integrator_state_get(y, NOE_AT_Q, q), noe_integrator_state_get(y, NOE_AT_V, p);
        noe_fractional_step_leave(g);
        small(T - 2 * sqrt(2 / 9.81), 1, 10 * a, "nearly that of a hard floor");
        small(q[1] - 1, 1, 1e-11, "height after ten bounces");
        small(p[1], 9.81, 4e-12, "velocity there");
        printf("a = %.3g: T = %.9g, after ten velocity %.2g\n", a, T, (double)p[1]);
        noe_integrator_free(g);
        noe_system_free(s), noe_system_free(all);
    }
}

/* The columns of the exact solutions: at most this far from them, by the step suggested. */
static void exact(const char *path, const char *change, const char *column, quad until,
                  double bound)
{
    char        name[40];
    noe_system *all = load(path), *s = noe_system_let(all, change);
    quad        h;
    assert_true(noe_parse_model_value(s->model, "step", noe_system_suggest(s, "step"), &h));
    noe_integrator *g = integrator(s, "gauss 8", h, 15);
    snprintf(name, sizeof name, "%s.exact", column);
    for (int k = 1; k <= 16; k++) {
        noe_integrator *y = at_time(g, until / 16 * k);
        const double    x = noe_get(y, column), of = noe_get(y, name);
        if (isnan(of)) fail_msg("%s", noe_error());
        noe_fractional_step_leave(g);
        small(x - of, 1, bound, path);
    }
    noe_integrator_free(g);
    noe_system_free(s), noe_system_free(all);
}

static void test_exact(void **unused)
{
    (void)unused;
#ifdef NOE_ARB
    exact("systems/comet.lag", "e = 0.99", "x", 60, 4e-11);
    exact("systems/comet.lag", "e = 0.999", "x", 60, 4e-10);
    exact("systems/pendulum_over_top.lag", "excess = 1e-6", "q", 19, 1e-8);
    exact("systems/pendulum_over_top.lag", "excess = -1e-6", "q", 19, 1e-8);
#else
    (void)exact;
#endif
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sitnikov),
                                        cmocka_unit_test(test_soft_bounce),
                                        cmocka_unit_test(test_exact) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
