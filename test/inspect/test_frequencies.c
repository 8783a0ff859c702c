/* L -> frequencies and the limits of steps: spectra made by hand, hidden, gyroscopic, on the way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "found.h"
#include "inspect/properties.h"

/* ---- frequencies ---- */

static noe_quadratic_spectrum spectrum_in(const char *text, bool equilibrium)
{
    noe_properties *x = find_in(text);
    if (x->equilibrium != equilibrium) fail_msg("%s\nequilibrium: %d", text, x->equilibrium);
    assert_true(x->spectral);
    const noe_quadratic_spectrum s = x->start;
    noe_properties_free(x);
    return s;
}

#define CIRCLE "coordinate r, f\nkinetic (r'^2 + r^2*f'^2)/2\npotential -1/r\n"

static void test_frequencies(void **unused)
{
    (void)unused;
    noe_quadratic_spectrum s = spectrum_in(
        PLANE "kinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2 + (x - y)^2)/2", true);
    near(s.slowest, 1, 2e-14);
    near(s.fastest, sqrt(3), 2e-14);
    assert_true(s.growth == 0 && s.zeros == 0 && s.infinite == 0);
    /* Other units of mass, length and time. */
    s = spectrum_in(PLANE "kinetic 1e-9*(x'^2 + 1e12*y'^2)\n"
                          "potential 1e-15*(x^2 + 1e12*y^2 + (x - 1e6*y)^2)",
                    true);
    near(s.slowest, 1e-3, 2e-14);
    near(s.fastest, 1e-3 * sqrt(3), 2e-14);
    s = spectrum_in(PLANE "kinetic 1e-30*x'^2/2 + 1e30*y'^2/2\n"
                          "potential 1e-30*x^2/2 + 1e30*y^2/2 + x*y/2",
                    true);
    near(s.slowest, sqrt(0.5), 2e-14);
    near(s.fastest, sqrt(1.5), 2e-14);
    /* Hilltop; a moving one; a valley that is not the start. */
    s = spectrum_in("parameter g = 9.81, l = 0.3\ncoordinate q\nkinetic l^2*q'^2/2\n"
                    "potential g*l*(1 - cos(q))\nstart q = pi",
                    true);
    near(s.growth, sqrt(9.81 / 0.3), 2e-14);
    assert_true(s.fastest == 0 && s.slowest == 0 && s.zeros == 0);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 3.141592653589793",
                true);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 1e-6", false);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q' = 1e-6", false);
    s = spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 1.5707963267948966",
                    false);
    assert_true(s.fastest == 0 && s.growth == 0 && s.zeros == 2); /* not sqrt(6e-17) */
    /* A circle in polar coordinates is steady motion; orbits near it close, too: its own
     * frequency. */
    s = spectrum_in(CIRCLE "start r = 4, p(f) = 2", true);
    near(s.fastest, 0.125, 2e-14);
    assert_int_equal(s.zeros, 2);
    spectrum_in(CIRCLE "start r = 4, p(f) = 2.001", false);
    spectrum_in("coordinate x\nkinetic x'^2/2\npotential x*cos(t)", false);
    /* A charge drifts across the fields; one that is pushed by a changing potential A(t). */
    spectrum_in(PLANE "lagrangian (x'^2 + y'^2)/2 - 2*y*x' + 3*x\nstart y' = -1.5", true);
    spectrum_in(PLANE "lagrangian (x'^2 + y'^2)/2 - 2*y*x' + 3*x\nstart y' = 1.5", false);
    spectrum_in("coordinate x\nlagrangian x'^2/2 + t*x' + x\nstart x' = 1", true);
    spectrum_in("coordinate x\nlagrangian x'^2/2 + t*x' - x\nstart x' = 1", false);
    /* x - y has no mass: two l at infinity. */
    s = spectrum_in(PLANE "kinetic (x' + y')^2/2\npotential x^2 + y^2", true);
    near(s.fastest, 1, 2e-14);
    assert_true(s.infinite == 2 && s.zeros == 0 && s.growth == 0);
}

/* A charge on a spring in a magnetic field: l^2 +- i B l + k = 0. */
static void test_gyroscopic_frequencies(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        char         text[256];
        const double B = 4 * random_number(), k = 2 * random_number();
        snprintf(text, sizeof text,
                 PLANE "kinetic (x'^2 + y'^2)/2\npotential %.17g*(x^2 + y^2)/2\n"
                       "lagrangian %.17g*(x*y' - y*x')/2",
                 k, B);
        const double inside = k + B * B / 4, root = sqrt(fabs(inside));
        /* two roots meet there */
        if (fabs(inside) < 0.01 || fabs(k) < 0.01 || fabs(B) < 0.01) continue;
        const noe_quadratic_spectrum s = spectrum_in(text, true);
        if (inside > 0) {
            near(s.fastest, root + fabs(B) / 2, 1e-13);
            near(s.slowest, fabs(root - fabs(B) / 2), 1e-12);
            assert_true(s.growth == 0);
        } else {
            near(s.growth, root, 1e-13);
            near(s.fastest, fabs(B) / 2, 1e-13);
        }
    }
}

/* u = S x hides the frequencies w in full matrices. */
static void test_hidden_frequencies(void **unused)
{
    (void)unused;
    enum { N = 7 };
    char   text[4096];
    double w[N], fastest = 0, slowest = INFINITY;
    size_t at = (size_t)snprintf(text, sizeof text, "coordinate x1, x2, x3, x4, x5, x6, x7\n");
    for (int i = 0; i < N; i++) {
        w[i] = i ? exp(2 * random_number()) : 0; /* one drifts: a double root, the worst case */
        fastest = fmax(fastest, w[i]), slowest = i ? fmin(slowest, w[i]) : slowest;
        at += (size_t)snprintf(text + at, sizeof text - at, "u%d = 3*x%d", i + 1, i + 1);
        for (int j = 0; j < N; j++)
            at += (size_t)snprintf(text + at, sizeof text - at, " + (%.15f)*x%d", random_number(),
                                   j + 1);
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "\nkinetic u%d'^2/2\npotential (%.17g*u%d)^2/2\n", i + 1, w[i],
                               i + 1);
    }
    noe_properties *x = find_in(text);
    near(x->start.fastest, fastest, 1e-13);
    near(x->start.slowest, slowest, 2e-12);
    assert_true(x->equilibrium && x->quadratic.holds && x->blocks == 1 && x->nonzeros == 2 * N * N);
    assert_true(x->start.zeros == 2 && x->start.growth == 0);
    noe_properties_free(x);
}

/* w^2 = (2 +- sqrt 2) w0^2, and for any ratio of masses (Axioms 13 (2024) 255, section 5). */
static void test_linear_double_pendulum(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/linear_double_pendulum.lag");
    for (int i = 0; i < 5; i++) {
        const double    mu = i ? exp(2 * random_number()) : 1, r = sqrt(1 + 1 / mu), w0 = 2 * M_PI;
        noe_system     *other = noe_system_with(s, "mu", mu);
        noe_properties *x = find(other, "simpson", 0.01);
        near(x->start.fastest, w0 * sqrt(r / (r - 1)), 2e-14);
        near(x->start.slowest, w0 * sqrt(r / (r + 1)), 2e-14);
        if (!i) near(x->start.fastest, w0 * sqrt(2 + sqrt(2)), 2e-14);
        assert_true(!x->equilibrium && x->visited == 0); /* linear: no trial run is needed */
        noe_properties_free(x);
        noe_system_free(other);
    }
    noe_system_free(s);
    s = load("systems/magnetic.lag"); /* charge B/m */
    noe_properties *x = find(s, "simpson", 0.01);
    near(x->start.fastest, 2, 2e-14);
    near(x->start.slowest, 2, 2e-14);
    assert_int_equal(x->start.zeros, 4);
    noe_properties_free(x);
    noe_system_free(s);
}

/* From pi/2 a pendulum shows its frequency only on the way. */
static void test_trial_run(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/pendulum.lag");
    noe_properties *x = find(s, "simpson", 0.01);
    assert_true(!x->equilibrium && x->start.fastest == 0 && x->visited == 100);
    near(x->fastest_visited, 2 * M_PI, 1e-3); /* it passes the bottom between two steps */
    assert_true(x->fastest == x->fastest_visited);
    noe_properties_free(x);
    noe_system_free(s);
    /* A run that fails ends there: 1/x is reached. */
    s = parse("coordinate x\nkinetic x'^2/2\npotential log(x)\nstart x = 0.1, x' = -1");
    x = find(s, "simpson", 0.03);
    assert_true(x->visited < 100);
    noe_properties_free(x);
    noe_system_free(s);
}

/* ---- the step ---- */

static void test_limits(void **unused)
{
    static const struct {
        const char *method;
        double      edge;
    } known[] = { { "simpson", 2.8284271247461903 },
                  { "lobatto 1", 2 },
                  { "gauss 2", INFINITY },
                  { "midpoint", INFINITY } };
    (void)unused;
    noe_system *s = parse(
        PLANE "kinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2 + (x - y)^2)/2\nstart x = 1");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int k = 0; k < 4; k++) {
            static const double part[] = { 0.5, -0.5, 1.01, -1.01 };
            const double        limit = fmin(known[i].edge, 100) / sqrt(3), h = limit * part[k];
            noe_properties     *x = find(s, known[i].method, h);
            if (x->edge != known[i].edge) near(x->edge, known[i].edge, 4e-16);
            if (x->edge < INFINITY) near(x->stable_step, limit, 2e-14);
            near(x->fine_step, M_PI / (20 * sqrt(3)), 2e-14);
            assert_int_equal(x->inside, k < 2 || known[i].edge == INFINITY);
            /* The integrator says the same. */
            noe_method     *m = method(known[i].method);
            noe_integrator *g = noe_integrator_new(s, m, h);
            double          most = 0;
            for (int steps = 0; steps < 300 && most < 1e6;
                 steps++) /* a step that gains energy is refused */
                most = noe_step(g) ? INFINITY : fmax(most, fabs(noe_get(g, "x")));
            noe_error_clear();
            if ((most > 100) == x->inside)
                fail_msg("%s at %.3g: up to %.3g, said to be %s", x->method, h, most,
                         x->inside ? "inside" : "beyond");
            noe_integrator_free(g);
            noe_method_free(m);
            noe_properties_free(x);
        }
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies),        cmocka_unit_test(test_gyroscopic_frequencies),
        cmocka_unit_test(test_hidden_frequencies), cmocka_unit_test(test_linear_double_pendulum),
        cmocka_unit_test(test_trial_run),          cmocka_unit_test(test_limits),
    };
    print_seed();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
