/* The certificate with constraints: sound mechanisms hold, frequencies are those of angles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NOE_LONG=1: thirty random mechanisms. */
#include "app/certificate.h"
#include "mechanism.h"

static const noe_law *law(const noe_certificate *c, const char *name)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strcmp(c->laws.law[i].name, name)) return &c->laws.law[i];
    fail_msg("no law '%s'", name);
    return NULL;
}

static noe_certificate certificate(const noe_system *s, const char *name, double h)
{
    noe_certificate c;
    noe_method     *m = method(name);
    noe_error_clear();
    if (!noe_certificate_make(&c, s, m, h, 0)) fail_msg("%s", noe_error());
    c.method = NULL;
    noe_method_free(m);
    return c;
}

/* No law fails; a run may end at a dead point, which is no law's matter. */
static void sound(const noe_certificate *c, const char *text)
{
    for (int i = 0; i < c->laws.count; i++) {
        const noe_law *x = &c->laws.law[i];
        if (getenv("NOE_TELL"))
            printf("%-28s %d %9.2e %9.2e %s\n", x->name, x->verdict, x->value, x->bound, x->what);
        if (x->verdict == NOE_FAILS && strcmp(x->name, "run"))
            fail_msg("%s: %.3g > %.3g: %s\n%s", x->name, x->value, x->bound, x->what, text);
    }
}

static void test_mechanisms(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "gauss 2",   "lobatto 1",
                                        "gauss 3", "lobatto 3", "P2 gauss 3" };
    const int                count = getenv("NOE_LONG") ? 30 : 2;
    for (int k = 0; k < count; k++) {
        char            text[8000];
        int             rods;
        const bool      held = bits() % 2;
        noe_system     *s = random_mechanism(text, held, &rods);
        noe_certificate c = certificate(s, name[bits() % 6], 0.01);
        sound(&c, text);
        assert_int_equal(law(&c, "symplectic")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "reversible")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "constraints")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "hidden constraints")->verdict, NOE_HOLDS);
        assert_int_equal(c.properties->constraints, rods);
        if (!held) { /* momentum and angular momentum are shared by all rods */
            int shared = 0;
            for (int i = 0; i < c.laws.count; i++)
                shared += !strncmp(c.laws.law[i].name, "momentum ", 9)
                       && c.laws.law[i].verdict == NOE_HOLDS;
            assert_true(shared >= 3);
        }
        noe_certificate_drop(&c);
        noe_system_free(s);
    }
}

/* Bodies, a moving support, a force, a momentum that no constraint touches. */
static void test_kinds(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        double      step;
    } kind[] = {
        { "body wing: mass = 0.1, inertia = (1e-4, 2e-4, 2.8e-4)\n"
          "start wing.omega = (0.01, 10, 0.01), wing.r' = (0, 0, 0.5)\n",
          0.01 },
        { "parameter A = 0.1\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "potential 9.81*z\nconstraint cone: sqrt((x - A*sin(3*t))^2 + y^2) = z\n"
          "start x = 1, z = 1, y' = 2\n",
          0.01 },
        { "coordinate x, y, u\nkinetic (x'^2 + (1 + y^2)*y'^2 + u'^2)/2\npotential y\n"
          "constraint wire: y = x^2\nforce x = -0.1*x'\nstart x = 1, y = 1, u' = 0.3\n",
          0.02 },
    };
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        noe_system     *s = parse(kind[k].text);
        noe_certificate c = certificate(s, "simpson", kind[k].step);
        sound(&c, kind[k].text);
        assert_int_equal(law(&c, "constraints")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "symplectic")->verdict, k == 2 ? NOE_DOES_NOT_APPLY : NOE_HOLDS);
        if (k == 0) assert_int_equal(law(&c, "momentum translation_wing.r.x")->verdict, NOE_HOLDS);
        if (k == 2) assert_true(law(&c, "momentum translation_u")->value == 0);
        noe_certificate_drop(&c);
        noe_system_free(s);
    }
}

/* A body held at a point of its axis, whose constraints a rotation turns into combinations of each
 * other: both its momenta; and one whose centre is held at 0. */
static void test_tops(void **unused)
{
    (void)unused;
    for (int centre = 0; centre < 2; centre++) {
        char text[500];
        snprintf(text, sizeof text,
                 "body top: mass = 0.02, inertia = (3e-6, 3e-6, 6e-6)\n"
                 "point tip on top = (0, 0, -0.02)\nconstraint held: %s = (0, 0, 0)\n"
                 "potential 0.2*top.r.z\nstart top.attitude = rotation((1, 0, 0), %.17g)\n"
                 "start top.omega = (0, %.17g, 100)\nstart top.r = %s\n",
                 centre ? "top.r" : "tip", centre ? 1.0 : 0, 30 * random_number(),
                 centre ? "(0, 0, 0)" : "(0, 0, 0.02)");
        noe_system     *s = parse(text);
        noe_certificate c = certificate(s, "simpson", 0.001);
        int             momenta = 0;
        sound(&c, text);
        assert_int_equal(law(&c, "symplectic")->verdict, NOE_HOLDS);
        for (int i = 0; i < c.laws.count; i++)
            momenta += !strncmp(c.laws.law[i].name, "momentum ", 9)
                    && c.laws.law[i].verdict == NOE_HOLDS;
        assert_int_equal(momenta, centre ? 4 : 2);
        noe_certificate_drop(&c);
        noe_system_free(s);
    }
}

/* A pendulum whose support shakes fast or moves far: |G v + g_t| has the rounding of t and of q. */
static void test_moving_supports(void **unused)
{
    (void)unused;
    for (int i = 0; i < 6; i++) {
        char         text[500];
        const double w = 15 + 14 * random_number(), U = pow(10, 1.5 + random_number());
        snprintf(text, sizeof text,
                 "parameter A = 0.1, w = %.17g, U = %.17g\ncoordinate x, y\n"
                 "kinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                 "constraint rod: sqrt((x - %s)^2 + y^2) = 0.5\nstart y = -0.5, x' = %s\n",
                 w, U, i % 2 ? "U*t" : "A*sin(w*t)", i % 2 ? "U" : "A*w");
        noe_system     *s = parse(text);
        noe_certificate c = certificate(s, i % 3 ? "gauss 2" : "simpson", 0.01);
        sound(&c, text);
        assert_int_equal(law(&c, "constraints")->verdict, NOE_HOLDS);
        assert_int_equal(law(&c, "hidden constraints")->verdict, NOE_HOLDS);
        noe_certificate_drop(&c);
        noe_system_free(s);
    }
}

/* Bennett's linkage, three of whose constraints follow from the others, and some of whose
 * coordinates are held at 0 or at rest. */
static void test_redundant(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_load("systems/bennett_linkage.lag");
    if (!s) fail_msg("%s", noe_error());
    noe_certificate          c = certificate(s, "simpson", 0.01);
    static const char *const all[] = { "symplectic",  "reversible",         "order",
                                       "constraints", "hidden constraints", "same bits" };
    sound(&c, "bennett_linkage.lag");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(law(&c, all[i])->verdict, NOE_HOLDS);
    assert_non_null(strstr(law(&c, "symplectic")->what, "of 2 tangent vectors"));
    assert_int_equal(c.properties->freedom, 1);
    noe_certificate_drop(&c);
    noe_system_free(s);
}

/* A random double pendulum at rest below its support, tied and in angles: the same frequencies, and
 * the same number of degrees of freedom. */
static void test_frequencies(void **unused)
{
    (void)unused;
    const double l = 1 + 0.5 * random_number(), k = 1 + 0.5 * random_number(),
                 m = 1 + 0.5 * random_number(), M = 1 + 0.5 * random_number();
    char text[2][1000];
    snprintf(
        text[0], sizeof text[0],
        "coordinate x, y, u, w\nkinetic %.17g/2*(x'^2 + y'^2) + %.17g/2*(u'^2 + w'^2)\n"
        "potential 9.81*(%.17g*y + %.17g*w)\nconstraint a: sqrt(x^2 + y^2) = %.17g\n"
        "constraint b: (u - x)^2 + (w - y)^2 = %.17g^2\nstart y = -%.17g, w = -(%.17g + %.17g)\n",
        m, M, m, M, l, k, l, l, k);
    snprintf(text[1], sizeof text[1],
             "coordinate a, b\nx = %.17g*sin(a)\ny = -%.17g*cos(a)\nu = x + %.17g*sin(b)\n"
             "w = y - %.17g*cos(b)\nkinetic %.17g/2*(x'^2 + y'^2) + %.17g/2*(u'^2 + w'^2)\n"
             "potential 9.81*(%.17g*y + %.17g*w)\n",
             l, l, k, k, m, M, m, M);
    noe_properties *p[2];
    noe_method     *f = method("simpson");
    for (int i = 0; i < 2; i++) {
        noe_system *s = parse(text[i]);
        p[i] = noe_properties_find(s, f, 0.01);
        if (!p[i]) fail_msg("%s", noe_error());
        noe_system_free(s);
    }
    assert_true(p[0]->equilibrium && p[1]->equilibrium);
    small(p[0]->start.fastest - p[1]->start.fastest, p[1]->start.fastest, 5e-14, "fastest");
    small(p[0]->start.slowest - p[1]->start.slowest, p[1]->start.fastest, 5e-14, "slowest");
    assert_int_equal(p[0]->n - p[0]->constraints, p[1]->n);
    assert_int_equal(p[0]->blocks, 1);
    noe_properties_free(p[0]), noe_properties_free(p[1]);
    noe_method_free(f);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_tops),       cmocka_unit_test(test_moving_supports),
        cmocka_unit_test(test_redundant),  cmocka_unit_test(test_frequencies)
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.3g of it\n", tightest);
    return failed;
}
