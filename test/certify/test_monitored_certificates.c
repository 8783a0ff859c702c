/* The certificate of runs with a monitor: what both forms promise, and what each must break.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "laws.h"

/* An anharmonic well in a magnetic field, which is not reversible under q' -> -q', with random
 * coefficients; and the same without the field. */
static noe_system *charged(const char *monitor, double B)
{
    char text[900];
    snprintf(text, sizeof text,
             "parameter B = %.17g\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
             "lagrangian B*(x*y' - y*x')/2\n"
             "potential (x^2 + 1.7*y^2)/2 + 0.3*x^2*y + 0.2*x^3 + (x^4 + y^4)/4\n"
             "start x = %.17g, y = -0.3, x' = 0.4, y' = 0.6\nmonitor %s\n",
             B, 0.7 + 0.05 * random_number(), monitor);
    return parse(text);
}

static noe_system *comet(const char *monitor)
{
    char text[600];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -1/r\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\nmonitor %s\n",
             0.6 + 0.2 * random_number(), monitor);
    return parse(text);
}

/* The verdict of a law; fails where the law is not in the list. */
static noe_law_verdict verdict(const noe_certificate *c, const char *name)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strncmp(c->laws.law[i].name, name, strlen(name))) return c->laws.law[i].verdict;
    noe_certificate_print(c, stdout);
    fail_msg("no law '%s'", name);
    return NOE_FAILS;
}

static noe_certificate certify(noe_system *s, const char *name, quad h, noe_method **m)
{
    noe_certificate c;
    *m = method(name);
    if (!noe_certificate_make(&c, s, *m, h, 0)) fail_msg("%s: %s", name, noe_error());
    return c;
}

static void drop(noe_certificate *c, noe_method *m, noe_system *s)
{
    noe_certificate_drop(c);
    noe_method_free(m);
    noe_system_free(s);
}

typedef struct {
    const char     *law;
    noe_law_verdict verdict;
} expectation;

static void expect(noe_system *s, const char *name, quad h, const expectation *list, int count)
{
    noe_method     *m;
    noe_certificate c = certify(s, name, h, &m);
    for (int i = 0; i < count; i++)
        if (verdict(&c, list[i].law) != list[i].verdict) {
            noe_certificate_print(&c, stdout);
            fail_msg("%s: %s", name, list[i].law);
        }
    if (!c.holds) noe_certificate_print(&c, stdout);
    assert_true(c.holds);
    drop(&c, m, s);
}
#define EXPECT(s, name, h, ...)                                      \
    do {                                                             \
        const expectation list[] = { __VA_ARGS__ };                  \
        expect(s, name, h, list, (int)(sizeof list / sizeof *list)); \
    } while (0)

static void test_transformed(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "gauss 3", "gauss 4" };
    for (int i = 0; i < 3; i++) {
        EXPECT(comet("r^1.5"), name[i], (quad)0.02, { "symplectic", NOE_HOLDS },
               { "reversible", NOE_HOLDS }, { "same bits", NOE_HOLDS }, { "order", NOE_HOLDS },
               { "momentum rotation_x_y", NOE_HOLDS }, { "energy bounded", NOE_HOLDS });
        EXPECT(charged("1/(1 + 4*x^2 + 2*y^2)", 0.7), name[i], (quad)0.03,
               { "symplectic", NOE_HOLDS }, { "reversible", NOE_HOLDS }, { "same bits", NOE_HOLDS },
               { "order", NOE_HOLDS }, { "energy bounded", NOE_HOLDS });
    }
    /* a momentum whose symmetry the monitor breaks has no bound */
    EXPECT(comet("r*(1 + 0.3*x/r)"), "simpson", (quad)0.02,
           { "momentum rotation_x_y", NOE_NO_VERDICT }, { "energy bounded", NOE_HOLDS });
}

static void test_density(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "verlet", "gauss 3" };
    for (int i = 0; i < 3; i++)
        EXPECT(comet("r reversible"), name[i], (quad)0.02, { "symplectic", NOE_EXPECTED_FAILURE },
               { "reversible", NOE_HOLDS }, { "same bits", NOE_HOLDS }, { "order", NOE_HOLDS },
               { "momentum rotation_x_y", NOE_HOLDS }, { "energy bounded", NOE_HOLDS });
    EXPECT(comet("r*(1 + 0.3*x/r) reversible"), "simpson", (quad)0.005,
           { "momentum rotation_x_y", NOE_HOLDS });
    EXPECT(comet("r reversible"), "rk4", (quad)0.02, { "symplectic", NOE_EXPECTED_FAILURE },
           { "reversible", NOE_EXPECTED_FAILURE }, { "energy bounded", NOE_EXPECTED_FAILURE });
}

/* An unbounded motion along which G grows faster than r: t goes to infinity in a finite fictitious
 * time, which no run outlasts and no law forbids. */
static void test_endless(void **unused)
{
    (void)unused;
    static const char *const        name[] = { "simpson", "gauss 4", "gauss 8", "lobatto 3" },
                             *const G[] = {
                                 "r^1.5", "r^2", "r^3", "r^1.5 reversible", "1 + r^2 reversible",
                                 "r"
                             };
    int runs = 0;
    for (int i = 0; i < 24; i++) {
        char       text[600];
        const bool exponential = !strcmp(G[i % 6], "r");
        const quad h = (quad)exp(exponential ? -1.4 + 0.4 * random_number()
                                             : -3.5 + 2 * random_number());
        snprintf(text, sizeof text,
                 "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
                 "kinetic (x'^2 + y'^2)/2\npotential -1/r\n"
                 "start t = %.3g, x = 1, y' = sqrt(1 + e)\nmonitor %s\n",
                 1.5 + 0.4 * random_number(), 10 * random_number(), G[i % 6]);
        noe_system           *x = parse(text);
        noe_method           *m;
        noe_certificate       c = certify(x, name[i / 6], h, &m);
        const noe_law_verdict run = verdict(&c, "run");
        if (!c.holds || (run != NOE_NO_VERDICT && run != NOE_NOT_MEASURABLE)
            || (run == NOE_NO_VERDICT && verdict(&c, "momentum") != NOE_HOLDS)) {
            noe_certificate_print(&c, stdout);
            fail_msg("%s, %s, step %g", G[i % 6], name[i / 6], (double)h);
        }
        runs += run == NOE_NO_VERDICT;
        drop(&c, m, x);
    }
    assert_in_range(runs, 12, 24); /* others have too few steps */
}

/* Runs that end for another reason still fail: at a singularity, where a monitor grows or does not;
 * and where the monitor falls to 0. */
static void test_ended(void **unused)
{
    (void)unused;
    static const char *const G[] = { "1 + x^2", "x^-0.2", "2 - x", "1/x reversible",
                                     "1 + (x - 1)^2 reversible" };
    for (int i = 0; i < 5; i++) {
        char        text[300];
        noe_method *m;
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential -1/x\nstart x = 1, x' = %.17g\n"
                 "monitor %s\n",
                 i == 2 ? 2.5 : 0.1 * random_number(), G[i]);
        noe_system     *s = parse(text);
        noe_certificate c = certify(s, "gauss 3", (quad)(0.02 * (1 + 0.5 * random_number())), &m);
        if (verdict(&c, "run") != NOE_FAILS) {
            noe_certificate_print(&c, stdout);
            fail_msg("%s", G[i]);
        }
        drop(&c, m, s);
    }
}

/* Without the field the energy is bounded; with it the density of steps drifts, which is said. */
static void test_drift_without_reversibility(void **unused)
{
    (void)unused;
    static const char monitor[] = "1/(1 + 4*x^2 + 2*y^2) reversible";
    EXPECT(charged(monitor, 0.7), "simpson", (quad)0.06, { "energy bounded", NOE_EXPECTED_FAILURE },
           { "reversible", NOE_HOLDS });
    EXPECT(charged(monitor, 0), "simpson", (quad)0.06, { "energy bounded", NOE_HOLDS },
           { "reversible", NOE_HOLDS });
}

/* What is wrong in the tables of a method is seen through the monitor. */
static void test_wrong_method(void **unused)
{
    (void)unused;
    noe_system *s = comet("r^1.5");
    noe_method *m = method("gauss 3");
    m->X[1][0] *= 1 + (quad)1e-3;
    noe_certificate c;
    if (!noe_certificate_make(&c, s, m, (quad)0.02, 0)) fail_msg("%s", noe_error());
    assert_int_equal(verdict(&c, "symplectic"), NOE_FAILS);
    assert_false(c.holds);
    drop(&c, m, s);
}

/* A reversible monitor that lacks the rotation of L: a Kepler motion runs back as another one, with
 * the opposite angular momentum, and its energy drifts by steps that are long enough. */
static void test_reversible_without_the_symmetry(void **unused)
{
    (void)unused;
    static const struct {
        const char *method, *G;
        double      h;
    } row[] = { { "verlet", "r*(1 + 0.5*x/r) reversible", 0.02 },
                { "simpson", "r*(1 + 0.5*y/r) reversible", 0.02 },
                { "simpson", "r*(1 + 0.5*y/r) reversible", 0.05 },
                { "simpson", "r*(1.3 + x*y/r^2 + 0.5*y/r) reversible", 0.02 } };
    int drifts = 0;
    for (int i = 0; i < 4; i++) {
        noe_method     *m;
        noe_system     *s = comet(row[i].G);
        noe_certificate c = certify(s, row[i].method, row[i].h, &m);
        const int       energy = (int)verdict(&c, "energy bounded");
        assert_true(energy == NOE_EXPECTED_FAILURE || energy == NOE_NO_VERDICT);
        assert_int_equal(verdict(&c, "momentum rotation"), NOE_HOLDS);
        drifts += energy == NOE_EXPECTED_FAILURE;
        drop(&c, m, s);
    }
    assert_true(drifts > 0);
}

/* Near a saddle rounding grows on the way, forth and back: its bound is measured, too. */
static void test_at_a_saddle(void **unused)
{
    (void)unused;
    noe_system     *s = noe_system_load("systems/pendulum_over_top.lag");
    noe_method     *m = noe_method_parse("gauss 8");
    noe_certificate c;
    assert_true(noe_certificate_make(&c, s, m, (quad)1 / 10, 0));
    assert_int_equal(verdict(&c, "reversible"), NOE_HOLDS);
    noe_certificate_drop(&c);
    noe_method_free(m), noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reversible_without_the_symmetry),
        cmocka_unit_test(test_transformed),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_drift_without_reversibility),
        cmocka_unit_test(test_wrong_method),
        cmocka_unit_test(test_at_a_saddle),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
