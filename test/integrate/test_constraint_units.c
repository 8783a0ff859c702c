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

/* Runs 50 steps of a text; 0, or the status and the message. */
static noe_status run_of(const char *text, double h)
{
    noe_system     *s = noe_system_parse(text);
    noe_method     *m = method("simpson");
    noe_integrator *g = s ? noe_integrator_new(s, m, h) : NULL;
    noe_status      status = g ? NOE_OK : NOE_INVALID;
    for (int k = 0; k < 50 && !status; k++) status = noe_step(g);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return status;
}

/* A coordinate far away that nothing couples changes no verdict on a start, on constraints that
 * contradict each other, and on redundant ones. */
static void test_other_parts(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says; /* NULL: it runs */
    } row[] = {
        { "constraint rod: sqrt(x^2 + y^2) = 1\nstart x = 0.6, y = -0.7\n",
          "does not hold at the start" },
        { "constraint a: x^2 + y^2 = 1\nconstraint b: x^2 + y^2 = 1 + 0.01*t\n"
          "start x = 0.6, y = 0.8\n",
          "they contradict each other" },
        { "constraint a: x^2 + y^2 = 1\nconstraint b: x^2 + y^2 + x = 1 + x\n"
          "start x = 0.6, y = 0.8\n",
          NULL },
    };
    for (int i = 0; i < 30; i++) {
        char         text[600];
        const double far = i % 2 ? any_size(12) : 0;
        snprintf(text, sizeof text,
                 "coordinate x, y, u\nkinetic (x'^2 + y'^2 + u'^2)/2\npotential 9.81*y\n%s"
                 "start u = %.17g\n",
                 row[i % 3].text, far);
        const noe_status status = run_of(text, 0.01);
        if (!row[i % 3].says && status) fail_msg("%s\n%s", noe_error(), text);
        if (row[i % 3].says && (!status || !strstr(noe_error(), row[i % 3].says)))
            fail_msg("u = %g: %s\n%s", far, status ? noe_error() : "no error", text);
        noe_error_clear();
    }
}

/* An open chain of rods has no dead point, whatever the masses: a step that is too long is. */
static void test_no_dead_point(void **unused)
{
    (void)unused;
    int failed = 0;
    for (int i = 0; i < 20; i++) {
        char         text[600];
        const double light = pow(10, -3 + random_number()), a = 3 * random_number(),
                     b = 3 * random_number();
        snprintf(text, sizeof text,
                 "parameter m = %.17g, a = %.17g, b = %.17g\ncoordinate x, y, u, w\n"
                 "kinetic (m*(x'^2 + y'^2) + u'^2 + w'^2)/2\npotential 9.81*(m*y + w)\n"
                 "constraint upper: sqrt(x^2 + y^2) = 1\n"
                 "constraint lower: sqrt((u - x)^2 + (w - y)^2) = 1\n"
                 "start x = sin(a), y = -cos(a), u = sin(a) + sin(b), w = -cos(a) - cos(b)\n",
                 light, a, b);
        if (run_of(text, 0.03)) {
            if (strstr(noe_error(), "dead point")) fail_msg("%s\n%s", noe_error(), text);
            failed++;
        }
        noe_error_clear();
    }
    assert_true(failed > 2); /* else nothing was diagnosed */
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_other_parts),
        cmocka_unit_test(test_no_dead_point),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
