/* Warnings and notes of mechanisms: whatever the axes none of a sound run, and one of a coarse.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A governor in steady rotation: the height of the balls, the speed of the shaft and, along the
 * axis, a component of every position are constants of the motion, and vary by errors alone.  A
 * chain of rods that hangs at rest: all that moves is rounding. */
#include "accuracy/coarse_run.h"
#include "laws.h"

static noe_system *governor(double tilt, double turn, double speed)
{
    char text[1600];
    snprintf(text, sizeof text,
             "parameter m = %.17g, M = %.17g, a0 = %.17g, l = 0.3, g = 9.81\n"
             "parameter w = %.17g*sqrt(g*(m + M)/(m*l*cos(a0))), a = %.17g, b = %.17g\n"
             "e1 = (cos(a)*cos(b), cos(a)*sin(b), -sin(a))\ne2 = (-sin(b), cos(b), 0)\n"
             "e3 = (sin(a)*cos(b), sin(a)*sin(b), cos(a))\n"
             "coordinate phi, z\ncoordinate vector A, B\nn = -sin(phi)*e1 + cos(phi)*e2\n"
             "kinetic 0.05*phi'^2/2 + m*(dot(A', A') + dot(B', B'))/2 + M*z'^2/2\n"
             "potential g*(m*dot(A + B, e3) + M*z)\n"
             "constraint arm1: norm(A) = l\nconstraint arm2: norm(B) = l\n"
             "constraint link1: norm(A - z*e3) = l\nconstraint link2: norm(B - z*e3) = l\n"
             "constraint side1: dot(A, n) = 0\nconstraint side2: dot(B, n) = 0\n"
             "start phi' = w, z = -2*l*cos(a0), A = l*(sin(a0)*e1 - cos(a0)*e3)\n"
             "start B = l*(-sin(a0)*e1 - cos(a0)*e3), A' = w*l*sin(a0)*e2\n"
             "start B' = -w*l*sin(a0)*e2\n",
             1.2 + 0.2 * random_number(), 3.5 + 0.5 * random_number(), 0.9 + 0.1 * random_number(),
             speed, tilt, turn);
    return parse(text);
}

/* Rods that hang from the origin along a random axis, turned by `swing` about another. */
static noe_system *hanging(int rods, double swing)
{
    char         text[1600];
    const double a = 3 * random_number(), b = 3 * random_number();
    int          at = snprintf(text, sizeof text,
                               "parameter a = %.17g, b = %.17g, u = %.17g, g = 9.81\n"
                                        "e3 = (sin(a)*cos(b), sin(a)*sin(b), cos(a))\n"
                                        "e2 = (-sin(b), cos(b), 0)\nd = cos(u)*e3 + sin(u)*e2\n",
                               a, b, swing);
    double       length = 0;
    for (int k = 1; k <= rods; k++) {
        const double m = 1 + 0.5 * random_number(), l = 1 + 0.5 * random_number();
        length += l;
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "coordinate vector A%d\nkinetic %.17g*dot(A%d', A%d')/2\n"
                       "potential %.17g*g*dot(A%d, -1*e3)\nstart A%d = %.17g*d\n",
                       k, m, k, k, m, k, k, length);
        at += k == 1 ? snprintf(text + at, sizeof text - (size_t)at,
                                "constraint rod1: norm(A1) = %.17g\n", l)
                     : snprintf(text + at, sizeof text - (size_t)at,
                                "constraint rod%d: norm(A%d - A%d) = %.17g\n", k, k, k - 1, l);
    }
    return parse(text);
}

static noe_coarse_run judged(const noe_system *s, const char *name, double step, double until)
{
    noe_coarse_run  c = { .local_error = NAN };
    noe_method     *f = method(name);
    noe_integrator *g = noe_integrator_new(s, f, step);
    const bool      ended = g && !noe_run(g, until, NULL, NULL);
    if (ended) noe_coarse_run_find(&c, g, f), noe_coarse_run_note(&c, g, f);
    else snprintf(c.warning, sizeof c.warning, "%s", noe_error());
    noe_integrator_free(g), noe_method_free(f);
    return c;
}

static void test_steady(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "gauss 2", "lobatto 3", "gauss 3", "gauss 4" };
    for (int k = 0; k < 10; k++) {
        noe_system *s = governor(k % 2 ? 3 * random_number() : 0, k % 2 ? 3 * random_number() : 0,
                                 1);
        const double         step = 0.01;
        const noe_coarse_run c = judged(s, name[k / 2], step, 4);
        if (*c.warning || *c.note) fail_msg("%s: %s%s", name[k / 2], c.warning, c.note);
        noe_system_free(s);
    }
}

static void test_coarse(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        noe_system *s = governor(k % 2 ? 3 * random_number() : 0, k % 2 ? 3 * random_number() : 0,
                                 0.6);
        const noe_coarse_run c = judged(s, k < 2 ? "simpson" : "gauss 3", k < 2 ? 0.1 : 0.2, 4);
        if (!*c.warning && !*c.note) fail_msg("case %d: no word", k);
        noe_system_free(s);
    }
}

/* At rest nothing is said; of a swing of any size whose phase is lost there is a word. */
static void test_hanging(void **unused)
{
    (void)unused;
    static const char *const name[] = { "midpoint", "simpson", "lobatto 3", "gauss 4" };
    for (int k = 0; k < 12; k++) {
        noe_system          *s = hanging(1 + k % 3, 0);
        const noe_coarse_run c = judged(s, name[k % 4], k < 6 ? 0.1 : 0.02, 20);
        if (*c.warning || *c.note) fail_msg("%s, at rest: %s%s", name[k % 4], c.warning, c.note);
        noe_system_free(s);
    }
    for (int k = 0; k < 6; k++) {
        noe_system          *s = hanging(1, pow(10, -1 - k / 2));
        const noe_coarse_run c = judged(s, "midpoint", 0.2, 40);
        if (!*c.warning && !*c.note) fail_msg("a swing of 10^%d: no word", -1 - k / 2);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_steady),
                                        cmocka_unit_test(test_coarse),
                                        cmocka_unit_test(test_hanging) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
