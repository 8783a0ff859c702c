/* What a step passes is looked for along its polynomial, not along the line between its ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "integrate/singularity_guard.h"

static double between(double a, double b) { return (a + b + (b - a) * random_number()) / 2; }

static const char *any_method(void)
{
    static const char *const name[] = { "gauss 3", "gauss 4", "gauss 5", "gauss 6", "lobatto 4" };
    return name[(int)between(0, 5) % 5];
}

/* A circle in a frame that is turned, with a hill or a well on it in the middle of some step, an
 * eighth to a half as wide as the circle is away from the chord, and far from its nodes: that a
 * step passes it is told, and not where it stands on the chord. */
static void test_hills(void **unused)
{
    (void)unused;
    int told = 0, tries = 0;
    for (int k = 0; k < 40; k++) {
        const char  *name = any_method();
        const double h = between(0.3, 0.6), width = (1 - cos(h / 2)) * between(0.05, 0.1),
                     begin = between(0, 6), share = between(0.46, 0.54);
        const int    step = 3 + (int)between(0, 5);
        const bool   chord = k % 4 == 3;
        const double angle = begin + (step + share) * h,
                     radius = chord ? cos(h / 2) / cos((share - 0.5) * h) : 1;
        char text[600];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)/2\n"
                 "potential %.17g*exp(-((x - %.17g)^2 + (y - %.17g)^2)/(%.17g)^2)\n"
                 "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n",
                 k % 2 ? 0.4 : -0.4, radius * cos(angle), radius * sin(angle), width, cos(begin),
                 sin(begin), -sin(begin), cos(begin));
        noe_system     *s = parse(text);
        noe_method     *f = method(name);
        noe_integrator *g = noe_integrator_new(s, f, h);
        bool            ended = false;
        for (int i = 0; i < step + 3 && !ended; i++) ended = noe_step(g) != NOE_OK;
        const bool found = ended || noe_coarse_run_singular(g);
        noe_error_clear();
        if (chord && found)
            fail_msg("%s, step %g: a hill of width %g beside the motion was told\n%s", name, h,
                     width, text);
        told += found && !chord, tries += !chord;
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
    printf("%d of %d hills told\n", told, tries);
    assert_int_equal(told, tries);
}

/* Two to three steps in a revolution, by gauss 8 right to 1e-5: the line between the ends of a step
 * leads close by the centre, the motion does not. */
static void test_few_steps_around(void **unused)
{
    (void)unused;
    for (int k = 0; k < 30; k++) {
        const double e = between(0, 0.15), turn = 2 * acos(-1), h = turn / between(2, 3),
                     begin = between(0, 6), M = between(0.1, 10);
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic %.17g*(x'^2 + y'^2)/2\n"
                 "potential -%.17g/sqrt(x^2 + y^2)\n"
                 "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n",
                 M, M, (1 - e) * cos(begin), (1 - e) * sin(begin),
                 -sqrt((1 + e) / (1 - e)) * sin(begin), sqrt((1 + e) / (1 - e)) * cos(begin));
        noe_system     *s = parse(text);
        noe_method     *f = method("gauss 8");
        noe_integrator *g = noe_integrator_new(s, f, h);
        const double    H = noe_get(g, "energy");
        for (int i = 0; i < 20; i++)
            if (noe_step(g)) fail_msg("e = %g, step %g: %s", e, h, noe_error());
        small(noe_get(g, "energy") - H, M, 1e-4, "energy");
        if (noe_coarse_run_singular(g))
            fail_msg("e = %g, %g steps in a revolution: a near collision, %g, was told", e,
                     turn / h, g->guard->least_u_ratio);
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
}

/* The same in the narrow range where the polynomial of the last step leads through the centre: the
 * forces there are 1e5 to 1e11 times those of the motion, and what the next iterations leave of
 * that residual looks like convergence.  A step ends on the motion, or not at all. */
static void test_predicted_through_the_centre(void **unused)
{
    (void)unused;
    int made = 0, whole = 0;
    for (int k = 0; k < 300; k++) {
        const double e = between(0.1275, 0.1282), h = 2 * acos(-1) / between(2.144, 2.1452),
                     begin = between(0, 6);
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
                 "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n",
                 (1 - e) * cos(begin), (1 - e) * sin(begin), -sqrt((1 + e) / (1 - e)) * sin(begin),
                 sqrt((1 + e) / (1 - e)) * cos(begin));
        noe_system     *s = parse(text);
        noe_method     *f = method("gauss 8");
        noe_integrator *g = noe_integrator_new(s, f, h);
        const double    H = noe_get(g, "energy"), l = sqrt(1 - e * e);
        int             i = 0;
        while (i < 20 && !noe_step(g)) {
            const double *q = noe_q(g), *p = noe_p(g);
            i++, made++;
            small(noe_get(g, "energy") - H, 1, 5e-5, "energy");
            small(q[0] * p[1] - q[1] * p[0] - l, 1, 2e-13, "angular momentum");
        }
        whole += i == 20;
        noe_error_clear();
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
    printf("%d steps, %d of 300 runs without an end before\n", made, whole);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hills),
                                        cmocka_unit_test(test_few_steps_around),
                                        cmocka_unit_test(test_predicted_through_the_centre) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
