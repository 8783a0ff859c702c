/* Symmetries: expected counts of named systems, of random Lagrangians with known groups.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generators.h"
#include "symmetry/symmetry.h"

static double uniform(double a, double b) { return a + (b - a) * (1 + random_number()) / 2; }

static void test_named(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int         strict, gauge, energy;
    } known[] = {
        { "top",
          "parameter I1=1,I3=2,a=3\ncoordinate phi, theta, psi\n"
          "kinetic I1/2*(theta'^2+phi'^2*sin(theta)^2)+I3/2*(psi'+phi'*cos(theta))^2\n"
          "potential a*cos(theta)\nstart theta=1, psi'=3",
          2, 2, 1 },
        { "kepler in the plane",
          "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential -1/sqrt(x^2+y^2)\nstart x=1,y'=1.1", 1,
          1, 1 },
        { "kepler in space",
          "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\npotential -1/sqrt(x^2+y^2+z^2)\n"
          "start x=1,y'=1.1",
          3, 3, 1 },
        { "kepler in SI units",
          "parameter G=6.67430e-11,M=1.98847e30,m=5.9722e24\ncoordinate x,y,z\n"
          "kinetic m/2*(x'^2+y'^2+z'^2)\n"
          "potential -G*M*m/sqrt(x^2+y^2+z^2)\nstart x=1.496e11,y'=29780\nsuggest step=86400",
          3, 3, 1 },
        { "helix potential",
          "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\n"
          "potential x*cos(0.7*z)+y*sin(0.7*z)+(x^2+y^2)\nstart x=1",
          1, 1, 1 },
        { "polar coordinates",
          "coordinate r,phi\nkinetic (r'^2+r^2*phi'^2)/2\npotential -1/r\nstart r=1,phi'=1", 1, 1,
          1 },
        { "spherical pendulum",
          "coordinate a,b\nkinetic (a'^2+sin(a)^2*b'^2)/2\npotential cos(a)\nstart a=1,b'=1", 1, 1,
          1 },
        { "henon-heiles",
          "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential (x^2+y^2)/2+x^2*y-y^3/3\n"
          "start x=.1,y'=.5",
          0, 0, 1 },
        { "arenstorf",
          "parameter mu=0.012277471\ncoordinate x,y\n"
          "lagrangian "
          "(x'^2+y'^2)/2+x*y'-y*x'+(x^2+y^2)/2+(1-mu)/sqrt((x+mu)^2+y^2)+mu/sqrt((x-1+mu)^2+y^2)\n"
          "start x=0.994,y'=-2",
          0, 0, 1 },
        { "rotation about (2, -1)",
          "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential 1/(1+(x-2)^2+(y+1)^2)\nstart x=1,y'=1",
          1, 1, 1 },
        { "free in 1", "coordinate x\nkinetic x'^2/2\nstart x'=1", 1, 2, 1 },
        { "free in 2", "coordinate x,y\nkinetic (x'^2+y'^2)/2\nstart x'=1", 3, 5, 1 },
        { "free in 3", "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\nstart x'=1", 6, 9, 1 },
        { "magnetic field in space",
          "coordinate x,y,z\nlagrangian (x'^2+y'^2+z'^2)/2+(x*y'-y*x')/2\nstart x'=1", 2, 5, 1 },
        { "gravity in space",
          "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\npotential 9.81*z\nstart x'=1", 3, 7, 1 },
        { "ring of 8",
          "coordinate a,b,c,d,e,f,g,h\nkinetic (a'^2+b'^2+c'^2+d'^2+e'^2+f'^2+g'^2+h'^2)/2\n"
          "u1=b-a\nu2=c-b\nu3=d-c\nu4=e-d\nu5=f-e\nu6=g-f\nu7=h-g\nu8=a-h\n"
          "potential "
          "(u1^2+u2^2+u3^2+u4^2+u5^2+u6^2+u7^2+u8^2)/2+"
          "(u1^3+u2^3+u3^3+u4^3+u5^3+u6^3+u7^3+u8^3)/12\nstart a=1",
          1, 2, 1 },
        { "isotropic oscillator",
          "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential (x^2+y^2)/2\nstart x=1", 1, 1, 1 },
        { "isotropic oscillator in space",
          "coordinate x,y,z\nkinetic (x'^2+y'^2+z'^2)/2\npotential (x^2+y^2+z^2)/2\nstart x=1", 3,
          3, 1 },
        { "elliptic",
          "coordinate x,y\nkinetic (x'^2+4*y'^2)/2\npotential (x^2+4*y^2)^2/2\nstart x=1", 1, 1,
          1 },
        { "driven", "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential x^4*cos(t)\nstart x=1", 1, 2,
          0 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const counts c = count(known[i].text);
        if (c.strict != known[i].strict || c.gauge != known[i].gauge || c.energy != known[i].energy
            || c.near)
            print_message("%s: strict %d, gauge %d, energy %d, near %d\n", known[i].what, c.strict,
                          c.gauge, c.energy, c.near);
        assert_int_equal(c.strict, known[i].strict);
        assert_int_equal(c.gauge, known[i].gauge);
        assert_int_equal(c.energy, known[i].energy);
        assert_int_equal(c.near + c.rounding, 0);
    }
}

/* Three bodies in the plane: two translations, the rotation, and that of the mass centre, which
 * follows. */
static void test_dependent(void **state)
{
    (void)state;
    const counts c = count(
        "coordinate a,b,c,u,v,w\nkinetic (a'^2+u'^2)/2+(b'^2+v'^2)+3*(c'^2+w'^2)/2\n"
        "potential -2/sqrt((a-b)^2+(u-v)^2)-3/sqrt((a-c)^2+(u-w)^2)-6/sqrt((b-c)^2+(v-w)^2)\n"
        "start a=1,b=-1,u=0.3,w=0.5,c'=0.4");
    assert_int_equal(c.strict, 4);
    assert_int_equal(c.gauge, 6);
    assert_int_equal(c.depends, 1);
}

static void test_nearly(void **state)
{
    (void)state;
    for (int e = 6; e <= 22; e += 2) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x,y\nkinetic (x'^2+y'^2)/2\npotential -1/sqrt(x^2+y^2)+1e-%d*x^2*y^2\n"
                 "start x=1,y'=1.1",
                 e);
        const counts c = count(text);
        if (c.strict) print_message("asymmetry 1e-%d reported as symmetry\n", e);
        assert_int_equal(c.strict, 0);
        /* above, it is no suspect at all; 1e-8 is by the sampled region */
        if (e != 8) assert_int_equal(c.near + c.rounding, e > 8);
        assert_true(e >= 20 || c.rounding == 0);
    }
}

/* Coordinates z = C q + d at random; a Lagrangian in z with a known group. */
static void random_text(char *text, size_t size, int kind)
{
    char *at = text, *end = text + size;
#define SAY(...) at += snprintf(at, (size_t)(end - at), __VA_ARGS__)
    SAY("coordinate x,y,w\n");
    for (int i = 1; i <= 3; i++)
        SAY("z%d = %.3f*x + %.3f*y + %.3f*w + %.3f\n", i, uniform(-1, 1) + (i == 1) * 2,
            uniform(-1, 1) + (i == 2) * 2, uniform(-1, 1) + (i == 3) * 2, uniform(-1, 1));
    const double a = uniform(0.2, 1), b = uniform(0.2, 1), k = uniform(0.3, 1);
    switch (kind) {
    case 0: /* generic */
        SAY("kinetic (z1'^2 + %.3f*z2'^2 + z3'^2)/2*(1 + %.3f*cos(z1))\n", 1 + a, b / 2);
        SAY("potential sin(z1 + %.3f*z2) + cos(%.3f*z2 - z3) + %.3f*z3^4 + %.3f*z1^4\n", a, k, b,
            a);
        break;
    case 1: /* translation along z3 */
        SAY("kinetic (z1'^2 + z2'^2 + %.3f*z3'^2)/2*(1 + %.3f*cos(z1))\n"
            "potential sin(z1 + %.3f*z2) + z2^4 + z1^4\n",
            1 + a, b / 2, k);
        break;
    case 2: /* rotation of z1, z2 */
        SAY("kinetic (z1'^2 + z2'^2 + %.3f*z3'^2)/2*(1 + %.3f*cos(z3))\n"
            "potential (z1^2 + z2^2)^2*%.3f + z3^4\n",
            1 + a, b / 2, k);
        break;
    case 3: /* both */
        SAY("kinetic (z1'^2 + z2'^2 + %.3f*z3'^2)/2*(1 + %.3f*(z1^2 + z2^2))\n"
            "potential (z1^2 + z2^2)^2*%.3f\n",
            1 + a, b, k);
        break;
    default: /* screw */
        SAY("kinetic (z1'^2 + z2'^2 + %.3f*z3'^2)/2\n"
            "potential (z1^2 + z2^2)*(1 + %.3f*(z1^2 + z2^2)) "
            "+ z1*cos(%.3f*z3) + z2*sin(%.3f*z3)\n",
            1 + a, b, k, k);
    }
    SAY("start x = 0.3, y' = 0.7, w' = -0.4\n");
#undef SAY
}

static void test_random(void **state)
{
    (void)state;
    static const int strict[] = { 0, 1, 1, 2, 1 };
    for (int i = 0; i < 400; i++) {
        char      text[1200];
        const int kind = i % 2 ? 1 + (i / 2) % 4 : 0; /* 200 with a group, 200 without */
        random_text(text, sizeof text, kind);
        const counts c = count(text);
        if (c.strict != strict[kind] || c.energy != 1)
            print_message("kind %d: strict %d, energy %d\n%s", kind, c.strict, c.energy, text);
        assert_int_equal(c.strict, strict[kind]);
        assert_int_equal(c.gauge, strict[kind]);
        assert_int_equal(c.energy, 1);
    }
}

#define RING(n)                                                                                 \
    "parameter N = " #n ", off = 0\ncoordinate x[0..N-1]\nkinetic sum(i in 0..N-1) x[i]'^2/2\n" \
    "u[i in 0..N-1] = x[(i+1) mod N] - x[i]\n"                                                  \
    "potential sum(i in 0..N-1) (u[i]^2/2 + u[i]^3/3)\nstart x[0] = 0.1\n"                      \
    "potential off*x[1]^2\n"

#define LOOP(n)                                                                               \
    "parameter N = " #n                                                                       \
    "\ncoordinate x[1..N], y[1..N]\nkinetic sum(i in 1..N) (1 + i/3)*(x[i]'^2 + y[i]'^2)/2\n" \
    "potential sum(i in 1..N-1) sqrt(1 + (x[i+1]-x[i])^2 + (y[i+1]-y[i])^2)\n"                \
    "start x[i] = cos(i), y[i] = sin(2*i), x[i]' = sin(i)\n"

/* Many coordinates: what is searched is said, and what is found there is the group. */
static void test_many(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        int         strict, gauge;
    } known[] = {
        { RING(16), "16 coordinates, constant mass", 1, 2 },
        { RING(36), "36 coordinates, constant mass", 1, 2 },
        { RING(70), "70 coordinates: of linear maps only those common to all bodies", 1, 2 },
        { RING(210), "210 coordinates: only translations, boosts and linear maps", 1, 2 },
        { LOOP(10), "20 coordinates, constant mass", 4,
          6 }, /* and the rotation of the mass centre */
        { LOOP(32), "64 coordinates: of linear maps", 3, 5 },
        { LOOP(105), "210 coordinates: only translations", 3, 5 },
        { LOOP(7) "kinetic (x[1] - x[2])^2*(x[1]' - x[2]')^2\n",
          "14 coordinates: of changes of time", 3,
          5 }, /* no M^-1: every A; the mass centre is free */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        noe_error_clear();
        noe_system     *s = noe_system_parse(known[i].text);
        noe_symmetries *y = noe_symmetry_find(s);
        if (!y) fail_msg("%s: %s", known[i].text, noe_error());
        int strict = 0, gauge = 0, energy = 0;
        for (int k = 0; k < y->count; k++)
            strict += y->found[k].strict, energy += y->found[k].kind == NOE_ENERGY;
        gauge = y->count - energy;
        if (!strstr(y->note, known[i].says)) fail_msg("'%s' is not '%s'", y->note, known[i].says);
        if (strict != known[i].strict || gauge != known[i].gauge || energy != (known[i].gauge > 0))
            fail_msg("%s: %d strict, %d, %d energy", y->note, strict, gauge, energy);
        noe_symmetry_free(y);
        for (double off = 1e-6; off > 1e-13 && i % 2 == 0 && i < 3; off *= 1e-3) {
            noe_system *t = noe_system_with(s, "off", off);
            y = noe_symmetry_find(t);
            assert_int_equal(y->count, 1); /* the energy */
            noe_symmetry_free(y);
            noe_system_free(t);
        }
        noe_system_free(s);
    }
}

/* What a monitor shares does not depend on the unit of length: it is judged near the start, where
 * it is finite. */
static void test_monitor_in_other_units(void **state)
{
    (void)state;
    for (int tiny = 0; tiny < 2; tiny++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nmonitor sqrt(4*%s - x^2) reversible\n"
                 "start x = sqrt(%s), x' = sqrt(%s)\nsuggest step = 1/100\n",
                 tiny ? "1e-24" : "1", tiny ? "1e-24" : "1", tiny ? "1e-24" : "1");
        noe_system     *s = noe_system_parse(text);
        noe_symmetries *y = noe_symmetry_find(s);
        int             seen = 0;
        assert_non_null(y);
        for (int i = 0; i < y->count; i++) {
            const bool x = !strcmp(y->found[i].name, "translation_x");
            if (!x && strcmp(y->found[i].name, "translation_y")) continue;
            seen++;
            assert_int_equal(y->found[i].monitor_lacks, x);
        }
        assert_int_equal(seen, 2);
        noe_symmetry_free(y);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named),  cmocka_unit_test(test_dependent),
        cmocka_unit_test(test_nearly), cmocka_unit_test(test_random),
        cmocka_unit_test(test_many),   cmocka_unit_test(test_monitor_in_other_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
