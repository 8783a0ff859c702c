/* Velocities keep to constraints in any unit, however they are written, whatever else moves.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

/* 10^x, x uniform in -most .. most. */
static double any_size(double most) { return pow(10, most * random_number()); }

/* Largest |x x' + y y'| of 300 steps of a pendulum of length L, over L times its largest speed. */
static double slip(const char *text, const char *method_name, double h, double L)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(method_name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    double          worst = 0, fastest = 0;
    if (!g) fail_msg("%s\n%s", noe_error(), text);
    for (int k = 0; k < 300; k++) {
        if (noe_step(g)) fail_msg("%s\n%s", noe_error(), text);
        const double *q = noe_q(g), *v = noe_v(g);
        worst = fmax(worst, fabs(q[0] * v[0] + q[1] * v[1]) / L);
        fastest = fmax(fastest, hypot(v[0], v[1]));
    }
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return worst / fastest;
}

/* A turning rod, in units of length, time and mass, with a constraint of another scale, beside a
 * coordinate that is faster, heavier and further away than it. */
static void test_units(void **unused)
{
    (void)unused;
    static const char *const forms[] = { "%.17g*(x^2 + y^2) = %.17g*L^2",
                                         "%.17g*sqrt(x^2 + y^2) = %.17g*L",
                                         "%.17g*log((x^2 + y^2)/L^2) = 0*%.17g" };
    static const char *const methods[] = { "simpson", "gauss 3", "lobatto 1", "gauss 2" };
    double                   seen = 0;
    for (int i = 0; i < 120; i++) {
        char         text[800], rod[200];
        const double L = any_size(9), T = any_size(6), M = any_size(25), c = any_size(12);
        const double angle = 3 * random_number(), spin = 2 + random_number();
        snprintf(rod, sizeof rod, forms[i % 3], c, c);
        snprintf(text, sizeof text,
                 "parameter L = %.17g, T = %.17g, M = %.17g\ncoordinate x, y, u\n"
                 "kinetic M*((x'^2 + y'^2)/2 + %.17g*x'*y' + %.17g*u'^2)\npotential M*L/T^2*y\n"
                 "constraint rod: %s\nstart x = L*cos(%.17g), y = L*sin(%.17g), u = %.17g*L\n"
                 "start x' = %.17g*L/T*sin(%.17g), y' = -%.17g*L/T*cos(%.17g), u' = %.17g*L/T\n",
                 L, T, M, i % 2 ? random_number() / 2 : 0, any_size(20), rod, angle, angle,
                 any_size(3), spin, angle, spin, angle, any_size(6));
        const double worst = slip(text, methods[i % 4], 0.02 * T, L);
        seen = fmax(seen, worst);
        small(worst, 1, 20 * 0x1p-53, text);
    }
    printf("velocities keep to their constraints to %.2g\n", seen);
}

/* A body that turns in any unit of mass: |Q| = 1, and Q.Q' = 0. */
static void test_bodies(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        char         text[400];
        const double M = any_size(35);
        snprintf(text, sizeof text,
                 "body b: mass = %.17g, inertia = (%.17g, %.17g, %.17g)\n"
                 "start b.omega = (1, 2, 3)\n",
                 M * any_size(6), M, 2 * M, 2.5 * M);
        noe_system     *s = parse(text);
        noe_method     *m = method(i % 2 ? "gauss 3" : "simpson");
        noe_integrator *g = noe_integrator_new(s, m, 0.01);
        for (int k = 0; k < 300; k++) {
            double rate = 0;
            if (noe_step(g)) fail_msg("%s\n%s", noe_error(), text);
            for (int j = 0; j < 4; j++)
                rate += noe_q(g)[noe_system_dim(s) - 4 + j] * noe_v(g)[noe_system_dim(s) - 4 + j];
            small(fabs(rate), 2, 20 * 0x1p-53, text);
        }
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_bodies),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
