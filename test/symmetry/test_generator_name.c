/* Symmetries in words: rotations, translations, boosts and scalings by their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generators.h"
#include "symmetry/symmetry.h"

static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *what, *momentum;
    } known[] = {
        { "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential -1/sqrt(x^2+y^2)\nstart x=1,y'=1.1",
          "rotation_x_y", "rotation in the x-y plane", "x*p(y) - y*p(x)" },
        { "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential 1/(1+(x-2)^2+(y+1)^2)\nstart x=1,y'=1",
          "rotation_x_y", "rotation in the x-y plane about x = 2, y = -1",
          "x*p(y) - y*p(x) - p(x) - 2*p(y)" },
        { "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\n"
          "potential x*cos(0.7*z)+y*sin(0.7*z)+(x^2+y^2)\nstart x=1",
          "rotation_x_y",
          "screw: rotation in the x-y plane with z advancing 10/7 per radian, 8.97598 per turn",
          "x*p(y) + (10/7)*p(z) - y*p(x)" },
        { "coordinate r,phi\nkinetic (r'^2+r^2*phi'^2)/2\npotential -1/r\nstart r=1,phi'=1",
          "translation_phi", "translation along phi", "p(phi)" },
        { "coordinate z\nkinetic z'^2/2\npotential 9.81*z\nstart z'=1", "translation_z",
          "translation along z, up to a total derivative", NULL },
        { "parameter m = 0.02, k = 5, pitch = 3\n"
          "coordinate x, y, z\n"
          "X = x - 2\n"
          "Y = y + 1\n"
          "kinetic m/2*(x'^2+y'^2+z'^2)\n"
          "potential k/2*(X^2+Y^2) + 0.1*cos(atan2(Y, X) - 2*pi*z/pitch)*(X^2+Y^2)\n"
          "start x = 2.5, y = -0.6, z = 0.1, x' = 1, z' = 2\n",
          "rotation_x_y",
          "screw: rotation in the x-y plane about x = 2, y = -1 with z advancing 0.477464829 per "
          "radian, 3 per turn",
          NULL },
        { "parameter GM = 1.32712440018e20, X0 = 3e10, Y0 = -1.2e10\n"
          "coordinate x, y, z\n"
          "kinetic 5.97e24/2*(x'^2+y'^2+z'^2)\n"
          "potential -GM*5.97e24/sqrt((x-X0)^2+(y-Y0)^2+z^2)\n"
          "start x = 1.796e11, y = -1.2e10, y' = 29780\n",
          "rotation_x_y", "rotation in the x-y plane about x = 3e+10, y = -1.2e+10",
          "x*p(y) - y*p(x) - 12000000000*p(x) - 30000000000*p(y)" },
        { "coordinate x, y, z\n"
          "Z = z - 5\n"
          "s = (x + y + Z)/sqrt(3)\n"
          "r2 = x^2 + y^2 + Z^2 - s^2\n"
          "kinetic (x'^2+y'^2+z'^2)/2\n"
          "potential r2^2 + s^4 + s\n"
          "start x = 1, z = 5.5, y' = 0.4\n",
          "rotation_1",
          "rotation about the axis (1, 1, 1) through x = -1.66667, y = -1.66667, z = 3.33333",
          NULL },
        { "coordinate x, y, z\n"
          "X = x - 1\n"
          "Z = z + 1\n"
          "s = (X + 2*y + 2*Z)/3\n"
          "a = (2*X + y - 2*Z)/3\n"
          "b = (2*X - 2*y + Z)/3\n"
          "kinetic (x'^2+y'^2+z'^2)/2\n"
          "potential (a^2 + b^2) + 0.3*(a*cos(2*pi*s/1.5) - b*sin(2*pi*s/1.5))\n"
          "start x = 1.5, z = 0.5, y' = 0.4\n",
          "rotation_1",
          "rotation about the axis (0.5, 1, 1) through x = 1.11111, y = 0.222222, z = -0.777778, a "
          "screw: 0.238732 along it per radian, 1.5 per turn",
          NULL },
        { "coordinate x, y\n"
          "kinetic x'^2/2 + 4*y'^2/2\n"
          "potential (x^2 + 4*y^2)^2\n"
          "start x = 1, y' = 0.3\n",
          "rotation_x_y", "elliptic rotation in the x-y plane", NULL },
        { "parameter W = 0.7\n"
          "coordinate x, y\n"
          "X = x*cos(W*t) + y*sin(W*t)\n"
          "Y = -x*sin(W*t) + y*cos(W*t)\n"
          "kinetic (x'^2+y'^2)/2\n"
          "potential log(1 + X^2 + 2*Y^2)\n"
          "start x = 1, y' = 0.5\n",
          "generator_1",
          "translation in time with a rotation in the x-y plane, 7/10 radian per unit time",
          "(7/10)*x*p(y) - energy - (7/10)*y*p(x)" },
        { "parameter m1 = 1e-6, m2 = 4e3, k = 1e-3, L0 = 1e-3\n"
          "coordinate x1, y1, x2, y2\n"
          "d = sqrt((x1-x2)^2+(y1-y2)^2)\n"
          "kinetic m1/2*(x1'^2+y1'^2) + m2/2*(x2'^2+y2'^2)\n"
          "potential k/2*(d-L0)^2\n"
          "start x1 = 1.2e-3, y1' = 1e-3, x2 = 0\n",
          "rotation_x_y", "rotation in the x-y planes of 2 bodies",
          "x1*p(y1) + x2*p(y2) - y1*p(x1) - y2*p(x2)" },
        { "parameter m1 = 1e-6, m2 = 4e3, k = 1e-3, L0 = 1e-3\n"
          "coordinate x1, y1, x2, y2\n"
          "d = sqrt((x1-x2)^2+(y1-y2)^2)\n"
          "kinetic m1/2*(x1'^2+y1'^2) + m2/2*(x2'^2+y2'^2)\n"
          "potential k/2*(d-L0)^2\n"
          "start x1 = 1.2e-3, y1' = 1e-3, x2 = 0\n",
          "translation_x", "translation along every x", "p(x1) + p(x2)" },
        { "parameter m1 = 9.1e-31, m2 = 1e-25\n"
          "coordinate x, y, u, v\n"
          "kinetic m1/2*(x'^2+y'^2) + m2/2*(u'^2+v'^2)\n"
          "potential 1e-19*((x/1e-9)^2+(y/1e-9)^2) + 1e-19*((u/1e-3)^2+(v/1e-3)^2) + "
          "1e-20*(x*u+y*v)^2/1e-24\n"
          "start x = 1e-9, v = 1e-3, y' = 1e5\n",
          "rotation_1", "rotation in the x-y, u-v planes", "x*p(y) + u*p(v) - y*p(x) - v*p(u)" },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        noe_system     *s = noe_system_parse(known[i].text);
        noe_symmetries *y = noe_symmetry_find(s);
        bool            seen = false;
        assert_non_null(y);
        for (int k = 0; k < y->count; k++) {
            seen |= !strcmp(y->found[k].name, known[i].name)
                 && !strcmp(y->found[k].what, known[i].what)
                 && (!known[i].momentum || !strcmp(y->found[k].momentum, known[i].momentum));
        }
        for (int k = 0; k < y->count && !seen; k++)
            print_message("%s | %s | %s\n", y->found[k].name, y->found[k].what,
                          y->found[k].momentum);
        assert_true(seen);
        noe_symmetry_free(y);
        noe_system_free(s);
    }
}

/* Where the search leaves rounding of positions of 30 in b: no centre is told. */
static void test_rounded_centre(void **state)
{
    (void)state;
    noe_system     *s = noe_system_load("systems/outer_solar_system.lag");
    noe_symmetries *y = noe_symmetry_find(s);
    int             turns = 0;
    assert_non_null(y);
    for (int k = 0; k < y->count; k++) {
        turns += y->found[k].kind == NOE_ROTATION;
        if (strstr(y->found[k].what, " about ")) fail_msg("%s", y->found[k].what);
    }
    assert_int_equal(turns, 6);
    noe_symmetry_free(y);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_rounded_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
