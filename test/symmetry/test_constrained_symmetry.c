/* Symmetries of systems with constraints: L has them everywhere, the constraints where they hold.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generators.h"

/* How many strict generators, and that the energy and nothing else is there; no near ones. */
static void expect(int strict, int depends, const char *text)
{
    const counts c = count(text);
    if (c.strict != strict || c.energy != 1 || c.near || c.rounding || c.depends != depends)
        fail_msg("strict %d (%d), energy %d, near %d, to rounding %d, depends %d (%d)\n%s",
                 c.strict, strict, c.energy, c.near, c.rounding, c.depends, depends, text);
}

static double positive(void) { return 1.5 + random_number(); }

/* A body held at a point on its axis, anywhere: the angular momentum about the vertical through the
 * point, and that about the axis where two of its inertias are the same.  The constraints become
 * combinations of each other in a rotation, and so they do written as other functions. */
static void test_tops(void **unused)
{
    (void)unused;
    static const char *const held[] = {
        "constraint held: tip = (%.6g, %.6g, %.6g)\n",
        "constraint x: tip.x + tip.y = %.6g + %.6g\nconstraint z: tip.z = %.6g\n"
        "constraint y: (3 + tip.x^2)*(tip.x - tip.y - a + b) = 0\n"
    };
    for (int i = 0; i < 8; i++) {
        const double a = random_number(), b = random_number(), c = random_number(), l = positive(),
                     A = positive(), third = i % 4 < 2 ? A : 1.1 * A;
        char where[400], text[1200];
        snprintf(where, sizeof where, held[i % 2], a, b, c);
        snprintf(text, sizeof text,
                 "parameter a = %.6g, b = %.6g\nbody top: mass = %.6g, inertia = (%.6g, %.6g, "
                 "%.6g)\npoint tip on top = (0, 0, -%.6g)\n%spotential %.6g*top.r.z\n"
                 "start top.r = (%.6g, %.6g, %.6g + %.6g), top.r' = (0, 0, 0)\n"
                 "start top.omega = (0, 0, %.6g)\n",
                 a, b, positive(), A, third, fmin(positive() / 2 + 0.3 * A, 1.9 * A), l, where,
                 positive(), a, b, c, l, 5 * random_number());
        expect(i % 4 < 2 ? 2 : 1, 0, text);
    }
}

/* Momenta of what a constraint holds at a point are 0 and no momenta: of a body whose centre is
 * fixed only those of its attitude are told, three of space and, of two equal inertias, one of the
 * body, of which all the energy is a function. */
static void test_fixed_centre(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double a = random_number(), b = random_number(), A = positive();
        char         text[600];
        snprintf(text, sizeof text,
                 "body b: mass = %.6g, inertia = (%.6g, %.6g, %.6g)\nconstraint c: b.r = (%.6g, "
                 "%.6g, 0)\nstart b.r = (%.6g, %.6g, 0), b.omega = (0.3, %.6g, 0.2)\n",
                 positive(), A, i % 2 ? A : 1.1 * A, 1.2 * A, i < 2 ? 0 : a, i < 2 ? 0 : b,
                 i < 2 ? 0 : a, i < 2 ? 0 : b, positive());
        expect(i % 2 ? 4 : 3, i % 2, text);
    }
}

/* A circle is one however it is written; an ellipse is none. */
static void test_circles(void **unused)
{
    (void)unused;
    static const char *const circle[] = { "x^2 + y^2 = 1", "(x^2 + y^2 - 1)*(2 + x^2) = 0",
                                          "log(x^2 + y^2)*exp(x*y) = 0", "x^2 + 1.1*y^2 = 1" };
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y, u\nkinetic (x'^2 + y'^2 + u'^2)/2\npotential %.6g*u^4\n"
                 "constraint ring: %s\nstart x = 1, y' = %.6g, u = 1\n",
                 positive(), circle[i], random_number());
        expect(i < 3, 0, text);
    }
}

/* A closed ring of rods in the plane: both translations, by their names, and the rotation. */
static void test_ring(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_parse(
        "parameter n = 6\ncoordinate x[1..n], y[1..n]\n"
        "kinetic sum(i in 1..n) (x[i]'^2 + y[i]'^2)/2\n"
        "constraint rod[i in 1..n-1]: sqrt((x[i+1] - x[i])^2 + (y[i+1] - y[i])^2) = 1\n"
        "constraint last: sqrt((x[1] - x[n])^2 + (y[1] - y[n])^2) = 1\nR = 1/(2*sin(pi/n))\n"
        "start x[i] = R*cos(2*pi*i/n), y[i] = R*sin(2*pi*i/n)\nstart x[1]' = 0.5, y[2]' = 0.3\n");
    noe_symmetries *y = noe_symmetry_find(s);
    assert_non_null(y);
    static const char *const wanted[] = { "translation_x", "translation_y", "rotation_x_y" };
    for (int k = 0; k < 3; k++) {
        bool seen = false;
        for (int i = 0; i < y->count; i++) seen |= !strcmp(y->found[i].name, wanted[k]);
        if (!seen) fail_msg("no %s", wanted[k]);
    }
    assert_int_equal(y->near, 0);
    noe_symmetry_free(y), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tops),
                                        cmocka_unit_test(test_fixed_centre),
                                        cmocka_unit_test(test_circles),
                                        cmocka_unit_test(test_ring) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
