/* NAME_step with a monitor: the step as a C99 file moves, and tells the time, as the core does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "emitted.h"
#include "integrate/integrator.h"
#include "job/verbs.h"
#include "laws.h"

enum { STEPS = 60 };

static int         written;
static const char *to_spoil; /* a part of the text, whose last character becomes '+'; NULL: none */

static go *emitted(const noe_system *s, const char *method, void **library)
{
    char        name[16];
    noe_method *f = noe_method_parse(method);
    snprintf(name, sizeof name, "m%d", written++);
    char *text = noe_emit_step(s, f, name);
    if (!text) fail_msg("%s", noe_error());
    if (to_spoil) strstr(text, to_spoil)[strlen(to_spoil) - 1] = '+';
    go *C = compile(name, text, library);
    free(text);
    noe_method_free(f);
    return C;
}

/* The largest difference of q, p, v and t after the steps, relative to the largest of each. */
static double apart(const noe_system *s, const char *method, double h)
{
    const int       n = noe_system_dim(s);
    void           *library;
    go             *C = emitted(s, method, &library);
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_make(s, f, h, 15);
    double          to[3 * DOFS + 1], length[STEPS], worst = 0;
    for (int i = 0; i < STEPS; i++) length[i] = h;
    const double *q = noe_q(g), *v = noe_v(g), t = noe_time(g);
    if (!q || !v) fail_msg("%s", noe_error());
    assert_int_equal(C(t, q, v, NULL, length, STEPS, to), 0);
    for (int i = 0; i < STEPS; i++)
        if (noe_step(g)) fail_msg("%s", noe_error());
    const double  end = noe_time(g);
    const double *now[] = { noe_q(g), noe_p(g), noe_v(g), &end };
    for (int k = 0; k < 4; k++) {
        double size = 1e-300, error = 0;
        for (int i = 0; i < (k < 3 ? n : 1); i++) {
            size = fmax(size, fabs(now[k][i]));
            error = fmax(error, fabs(now[k][i] - to[k * n + i]));
        }
        worst = fmax(worst, error / size);
    }
    printf("%-28.28s %-10s %.2g\n", s->source, method, worst);
    noe_integrator_free(g);
    noe_method_free(f);
    dlclose(library);
    return worst;
}

static const char moving[] = "parameter a = 0.3, b = 0.2\ncoordinate x, y\n"
                             "lagrangian (1 + a*x^2)*x'^2/2 + y'^2*(1.2 + b*sin(y))/2 + "
                             "b*(x*y' - y*x') - x^2/2 - 0.7*y^2 - x^4/4\n"
                             "monitor 1/(1 + 2*x^2 + (y - b*x)^2)\n"
                             "start x = 0.6, y = 0.2, x' = 0.3, y' = 0.8\n";

static void test_methods(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "midpoint",   "gauss 3", "lobatto 4",
                                           "gauss 6", "P4 gauss 6", "gauss 8" };
    noe_system              *s = parse(moving), *comet = load("systems/comet.lag"),
               *found = noe_system_let(comet, "monitor = auto");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        small(apart(s, methods[i], 0.05), 1, 2e-14, methods[i]);
    small(apart(comet, "gauss 8", 3e-4), 1, 1e-13, "a comet");
    small(apart(found, "gauss 6", 2e-4), 1, 1e-13, "monitor auto");
    noe_system_free(s), noe_system_free(comet), noe_system_free(found);
}

/* An energy that is wrong, a time that runs otherwise. */
static void test_saboteurs(void **unused)
{
    (void)unused;
    static const char *const part[] = { "(double)(H -", "rest * sum + upper *" };
    noe_system              *s = parse(moving);
    for (int i = 0; i < 2; i++) {
        to_spoil = part[i];
        assert_true(apart(s, "gauss 3", 0.05) > 1e-4);
    }
    to_spoil = NULL;
    noe_system_free(s);
}

/* Another parameter from step 30 on: the energy is that of the state there, as the core has it that
 * begins there, whose step is as long in the fictitious time. */
static void test_another_parameter(void **unused)
{
    (void)unused;
    void           *library;
    noe_system     *s = parse(moving), *other = noe_system_let(s, "b = 0.5");
    noe_method     *f = noe_method_parse("gauss 4");
    char           *text = noe_emit_step(s, f, "changed"), calls[2000];
    noe_integrator *a = noe_integrator_make(s, f, 0.05, 15);
    double          to[2], q[2], p[2];
    int (*both)(const double *, const double *, double *);
    save("changed", "", text);
    snprintf(calls, sizeof calls,
             "#include \"changed.c\"\nint changed_both(const double *, const double *, double *);\n"
             "int changed_both(const double *q, const double *v, double *to)\n{\n"
             "    static changed_state x;\n    double param[] = { 0.3, 0.2 };\n"
             "    changed_start(&x, 0, q, v, param);\n"
             "    for (int i = 0; i < 60; i++) {\n        if (i == 30) param[1] = 0.5;\n"
             "        if (changed_step(&x, 0.05, param)) return 1;\n    }\n"
             "    to[0] = x.q[0], to[1] = x.q[1];\n    return 0;\n}\n");
    save("changed", "_both", calls);
    shell("${CC:-cc} -std=c99 -O1 -fPIC -shared changed_both.c -lm -o changed_both.so");
    *(void **)&both = function("changed_both", "changed", "_both", &library);
    if (both(noe_q(a), noe_v(a), to)) fail_msg("the emitted step failed");
    const double G0 = 1 / (1 + 2 * 0.36 + 0.0064);
    for (int i = 0; i < 30; i++) assert_int_equal(noe_step(a), NOE_OK);
    memcpy(q, noe_q(a), sizeof q), memcpy(p, noe_p(a), sizeof p);
    const double    y = q[1] - 0.5 * q[0], G = 1 / (1 + 2 * q[0] * q[0] + y * y);
    noe_integrator *b = noe_integrator_make(other, f, (quad)(0.05 * G / G0), 15);
    assert_int_equal(noe_start_momentum(b, noe_time(a), q, p), NOE_OK);
    for (int i = 0; i < 30; i++) assert_int_equal(noe_step(b), NOE_OK);
    for (int j = 0; j < 2; j++) small(noe_q(b)[j] - to[j], 1, 1e-13, "q");
    dlclose(library);
    free(text);
    noe_integrator_free(a), noe_integrator_free(b);
    noe_method_free(f);
    noe_system_free(s), noe_system_free(other);
}

static void refused(const noe_system *s, const char *method, const char *why)
{
    noe_method *f = noe_method_parse(method);
    assert_null(noe_emit_step(s, f, "x"));
    if (!strstr(noe_error(), why)) fail_msg("%s", noe_error());
    noe_error_clear();
    noe_method_free(f);
}

static void test_refused(void **unused)
{
    (void)unused;
    noe_system *comet = load("systems/comet.lag"),
               *density = noe_system_let(comet, "monitor = r reversible"),
               *timed = noe_system_let(comet, "monitor = r*(2 + sin(t))");
    refused(density, "simpson", "'monitor .. reversible' changes the length of ordinary steps");
    refused(timed, "simpson", "L or the monitor depends on t");
    refused(comet, "verlet", "does not step the transformed Lagrangian");
    noe_system_free(comet), noe_system_free(density), noe_system_free(timed);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_methods),
                                        cmocka_unit_test(test_saboteurs),
                                        cmocka_unit_test(test_another_parameter),
                                        cmocka_unit_test(test_refused) };
    const int               failed = cmocka_run_group_tests(tests, make_scratch, remove_scratch);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
