/* Derivatives of motions with constraints, against differences in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Central differences of runs whose parameters and starts are changed by 2^-21 and less, by which a
 * start may miss the constraints, extrapolated twice: their error is 2^21 units of rounding. */
#include "differences.h"
#include "random_chain.h"

enum { STEPS = 6, FOLLOWED = 9, BY = 7 };

static const char        list[] = "l, m, w, a, d, y', v', u";
static const char *const by[BY] = { "l", "m", "w", "a", "d", "y'", "v'" };
static const char *const columns[FOLLOWED] = { "x",    "y",  "u",      "v", "p(x)",
                                               "p(v)", "u'", "energy", "o" };

static differenced runs(const char *scheme, quad h)
{
    return (differenced){ scheme, h, STEPS, FOLLOWED, columns, (quad)0x1p-21 };
}

/* The value that the model gives of a start or a parameter, a number of few bits. */
static quad given(const noe_system *s, noe_integrator *start, const char *name)
{
    const noe_model *m = s->model;
    for (int i = 0; i < m->n; i++) {
        char rate[80];
        snprintf(rate, sizeof rate, "%s'", m->coordinate[i]->name);
        if (!strcmp(rate, name)) return m->begin[i].v;
    }
    return value(start, name);
}

static void agree(const noe_system *plain, const char *scheme)
{
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    const quad        h = (quad)1 / 32;
    const differenced x = runs(scheme, h);
    noe_integrator   *start = integrator(plain, scheme, h, 33), *g = after(s, &x, 33),
                   *fast = after(s, &x, 15);
    for (int c = 0; c < BY; c++) {
        quad       by_difference[FOLLOWED];
        const quad from = (quad)(double)given(plain, start, by[c]);
        differences(plain, &x, by[c], from, by_difference);
        for (int i = 0; i < FOLLOWED; i++) {
            const quad exact = slope(g, columns[i], by[c]), size = 1 + fabsq(exact);
            char       what[99];
            snprintf(what, sizeof what, "%s %s by %s", scheme, columns[i], by[c]);
            small(exact - by_difference[i], size, 1e-22, what);
            small(slope(fast, columns[i], by[c]) - exact, size, 1e-13, what);
        }
    }
    for (int i = 0; i < FOLLOWED; i++) /* a start as the parameter that moves it */
        small(slope(g, columns[i], "u") - slope(g, columns[i], "d"), 1, 1e-29, columns[i]);
    noe_integrator_free(start);
    noe_integrator_free(g);
    noe_integrator_free(fast);
    noe_system_free(s);
}

static void rods(void **state)
{
    static const char *const of[] = { "simpson", "gauss 2", "lobatto 3", "lobatto 1", "gauss 4" };
    (void)state;
    tightest = 0;
    for (int k = 0; k < 20; k++) {
        noe_system *s = random_chain(k % CHAINS);
        agree(s, of[k % 5]);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* S stays tangent to the constraints: G dq + g_c = 0, G dv + dG v + .. = 0 are those of the
 * observables of the model, which are constant. */
static void tangent(void **state)
{
    (void)state;
    tightest = 0;
    noe_system *plain = parse("parameter l = 1.25, w = 0.5\ncoordinate x, y\n"
                              "kinetic (x'^2 + y'^2)/2\npotential 9*y\n"
                              "constraint rod: (x - w*t)^2 + y^2 = l^2\n"
                              "start x = l*sin(1), y = -l*cos(1), x' = 0.3\n"
                              "observe g = (x - w*t)^2 + y^2 - l^2\n"
                              "observe rate = (x - w*t)*(x' - w) + y*y'\n"),
               *s = noe_system_differentiated(plain, "l, w, x'");
    const differenced x = runs("simpson", (quad)1 / 32);
    noe_integrator   *g = after(s, &x, 33);
    for (int k = 0; k < 3; k++) {
        static const char *const of[] = { "l", "w", "x'" };
        small(slope(g, "g", of[k]), 1, 1e-30, "g");
        small(slope(g, "rate", of[k]), 1, 1e-30, "rate");
    }
    noe_integrator_free(g);
    noe_system_free(s);
    noe_system_free(plain);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(rods), cmocka_unit_test(tangent) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
