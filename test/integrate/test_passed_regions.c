/* A step that jumps over a region between kinks of L or F is told; across other kinks it is not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "integrate/energy_watch.h"
#include "integrate/singularity_guard.h"

static const char *const of_all[] = { "simpson", "gauss 2", "gauss 4",  "lobatto 3",
                                      "rk4",     "verlet",  "midpoint", "gauss 8" };
enum { NAMES = 8, SHAPES = 9, JUMPS = 6 };

/* Hills and wells of height 1 between -1 and 1, in s. */
static const char *const shape[SHAPES] = {
    "max(0, 1 - s^2)",
    "max(0, 1 - abs(s))",
    "if(abs(s) < 1, (1 - s^2)^2, 0)",
    "if(s > -1 and s < 1, (1 - s^2)^2, 0)",
    "min(1, max(0, s + 1))*min(1, max(0, 1 - s))",
    "max(0, 1 - abs(s))^2",
    "1 - min(1, s^2)",
    "(abs(s + 1) + abs(s - 1) - 2*abs(s))/2",
    "if((s + 2) mod 1e6 < 1 or s >= 1, 0, if(s < -1, 0, 1 - s^2))",
};

/* The same, of potentials that jump: no force shows them. */
static const char *const jump[JUMPS] = {
    "if(abs(s) < 1, 1, 0)",
    "if(s > -1 and s < 1, 1, 0)",
    "(1 + sign(1 - s^2))/2",
    "if(s < -1, 0, if(s < 0, 1, if(s < 1, 0.5, 0)))",
    "if(s < 0, 0, 1)", /* up alone */
    "floor(max(-0.5, min(1.5, s + 1)))",
};

static double      between(double a, double b) { return (a + b + (b - a) * random_number()) / 2; }
static const char *any_method(void) { return of_all[(int)between(0, NAMES) % NAMES]; }
static double      power(double a, double b) { return pow(10, between(a, b)); }

/* A run of some steps; *ended: before; *wrong: by its energy at some step of the later half. */
static noe_integrator *ran(const char *text, const char *name, double step, int steps, bool *ended,
                           bool *wrong)
{
    noe_system     *s = parse(text);
    noe_method     *f = method(name);
    noe_integrator *g = noe_integrator_new(s, f, step);
    assert_non_null(g);
    *ended = *wrong = false;
    for (int k = 0; k < steps && !*ended; k++) {
        *ended = noe_step(g) != NOE_OK;
        if (!*ended && k > steps / 2 - 2) *wrong |= noe_energy_watch_look(g).large;
    }
    noe_error_clear();
    noe_method_free(f);
    return g;
}

static void drop(noe_integrator *g)
{
    noe_system *s = (noe_system *)g->system;
    noe_integrator_free(g), noe_system_free(s);
}

static bool passes(const noe_integrator *g)
{
    return g->guard && (!isnan(g->guard->narrow_t) || !isnan(noe_lost_impulse_of(g).passed));
}

/* A body of random units at speed 1 comes to a region of a width far below the way of a step, as a
 * potential or as a force, beside another system and a constant. */
static void test_told(void **unused)
{
    (void)unused;
    enum { RUNS = 12 * SHAPES, STEPS = 40 };
    int told = 0, others = 0;
    for (int k = 0; k < RUNS; k++) {
        const double X = power(-6, 6), T = power(-6, 6), m = power(-10, 10),
                     E = m * X * X / (T * T), h = power(-2, -1), w = h * power(-4, -1.5),
                     at = h * (STEPS / 2 + between(0.05, 0.95)),
                     depth = (k / SHAPES % 2 ? 1 : -1) * power(-0.7, 1);
        const char *name = any_method(), *of = shape[k % SHAPES];
        char        text[900];
        bool        ended, wrong;
        snprintf(text, sizeof text,
                 "parameter X = %.17g, E = %.17g, w = %.17g, m = %.17g, T = %.17g, D = %.17g\n"
                 "coordinate x, y\ns = (x/X - %.17g)/w\n"
                 "kinetic m*x'^2/2 + 1e-3*m*y'^2/2\n"
                 "potential E*(x/X + 1)^2/20 + 0.1*E + E*y^2/(2*X^2) + %s*(%s)\n"
                 "force x = %s*(%s)\nstart x = 0, x' = X/T, y = 3*X\n",
                 X, E, w, m, T, depth, at, k % 3 ? "D*E" : "0", of,
                 k % 3 ? "0" : "D*E/(w*X)*sign(s)", of);
        noe_integrator *g = ran(text, name, h * T * 0.998, STEPS, &ended, &wrong);
        const bool      back = noe_q(g)[0] < at * X; /* a node was hit */
        if (passes(g)) told++;
        else if (!ended && !wrong && !back && !noe_local_error_of(g).coarse)
            fail_msg("%s, step %.17g: not told\n%s", name, h * T * 0.998, text);
        others += ended || wrong || back;
        drop(g);
    }
    printf("%d of %d were told, %d were seen in another way, too\n", told, RUNS, others);
    assert_true(told > RUNS * 4 / 5);
}

/* A potential that is another one in such a region, by a tenth of the kinetic energy or more, is
 * told, too. */
static void test_jumping_potentials(void **unused)
{
    (void)unused;
    enum { RUNS = 48, STEPS = 40 };
    for (int k = 0; k < RUNS; k++) {
        const double X = power(-6, 6), T = power(-6, 6), m = power(-10, 10), h = power(-2, -1),
                     at = h * (STEPS / 2 + between(0.1, 0.9)), w = h * power(-4, -1.5),
                     depth = (k % 2 ? 1 : -1) * power(-1, 1);
        const char *name = any_method(), *of = jump[k / 2 % JUMPS];
        char        text[900];
        bool        ended, wrong;
        snprintf(text, sizeof text,
                 "parameter X = %.17g, m = %.17g, T = %.17g, E = m*X^2/T^2\ncoordinate x, y\n"
                 "s = (x/X - %.17g)/%.17g\nkinetic m*(x'^2 + 1e-3*y'^2)/2\n"
                 "potential E*(x/X + 1)^2/20 + 10*E + E*y^2/(2*X^2) + %.17g*E*(%s)\n"
                 "start x = 0, x' = X/T, y = 3*X\n",
                 X, m, T, at, w, depth, of);
        noe_integrator *g = ran(text, name, h * T * 0.998, STEPS, &ended, &wrong);
        const bool      hit = noe_q(g)[0] < at * X; /* a node was in it */
        if (!passes(g) && !ended && !wrong && !hit && !noe_local_error_of(g).coarse)
            fail_msg("%s, step %.17g: not told\n%s", name, h * T * 0.998, text);
        drop(g);
    }
}

/* What steps across kinks without a region between them, or with one that has little effect or that
 * they resolve: no word. */
static void test_not_told(void **unused)
{
    (void)unused;
    static const char *const calm[] = {
        "abs(s)",                                     /* a wedge */
        "abs(s) + abs(r)",                            /* two of them, of two coordinates */
        "s^2/2 + 50*max(0, s)^2",                     /* a contact */
        "abs(s)/2 + abs(s - 1e-3)/2",                 /* a force of two stairs */
        "s*min(1, max(-1, s/1e-3))",                  /* nearly a wedge */
        "s^2/2 + 1e-3*max(0, 1 - abs(s)/1e-3)",       /* a hill that the motion hardly notices */
        "s^2/2 + 0.1*max(0, 1 - (s/0.7)^2)^3",        /* a hill that steps resolve */
        "abs(s)^3 + max(0, s - 1e-3)^3",              /* nearly smooth */
        "s^2/2 + if(s > 0.01 and s < 0.02, 1e-6, 0)", /* a step of 1e-6 up and down */
        "max(s^2, s^4)/2 + min(4*r^2, 2*abs(r))",     /* not grazed at a turning point */
    };
    int done = 0;
    for (int k = 0; k < 60; k++) {
        const double X = power(-6, 6), T = power(-6, 6), m = power(-10, 10);
        const char  *name = any_method();
        char         text[900];
        bool         ended, wrong;
        snprintf(text, sizeof text,
                 "parameter X = %.17g, m = %.17g, T = %.17g, E = m*X^2/T^2\ncoordinate x, y\n"
                 "s = x/X - 0.3\nr = y/X + %.17g\nkinetic m*(x'^2 + y'^2)/2\n"
                 "potential E*(%s) + E*(1e4 + (y/X)^2/2)\nstart x = %.17g*X, y = X\n",
                 X, m, T, between(-0.5, 0.5), calm[k % 10], between(1, 2));
        noe_integrator *g = ran(text, name, T * between(0.02, 0.08), 200, &ended, &wrong);
        if (!ended && passes(g))
            fail_msg("%s: told without cause, narrow %g, passed %g\n%s", name, g->guard->narrow_t,
                     noe_lost_impulse_of(g).passed, text);
        done += !ended;
        drop(g);
    }
    printf("%d of 60 runs came to their end\n", done);
    assert_true(done > 40);
}

/* 1/(A + exp(s)) grows by many orders where s falls and is still no collision: an oscillator that
 * stays beside the step of such a potential has no word, one that jumps over it is told. */
static void test_logistic(void **unused)
{
    (void)unused;
    int jumped = 0;
    for (int k = 0; k < 60; k++) {
        const double X = power(-6, 6), T = power(-6, 6), m = power(-10, 10), A = power(-3, 3),
                     w = between(0.009, 0.01), sign = k % 2 ? 1 : -1;
        const bool  over = k % 3 == 0;
        const char *name = any_method();
        char        text[900];
        bool        ended, wrong;
        snprintf(text, sizeof text,
                 "parameter X = %.17g, m = %.17g, T = %.17g, E = m*X^2/T^2\ncoordinate x\n"
                 "A = %.17g\ns = (x/X - %.17g)/%.17g\nkinetic m*x'^2/2\n"
                 "potential E*(x/X)^2/2 + 0.1*A*E/%s\nstart x = 0, x' = X/T\n",
                 X, m, T, A, sign * (over ? between(0.1, 0.5) : between(1.15, 1.25)), sign * w,
                 k / 3 % 2 ? "(A + exp(s))" : "(exp(-s) + A)");
        noe_integrator *g = ran(text, name, T * (over ? 0.4 : between(0.05, 0.1)), 100, &ended,
                                &wrong);
        if (!over && (ended || noe_coarse_run_singular(g)))
            fail_msg("%s: told without cause\n%s", name, text);
        jumped += over && passes(g);
        drop(g);
    }
    printf("%d of 20 that jump were told\n", jumped);
    assert_true(jumped > 3);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_jumping_potentials),
        cmocka_unit_test(test_not_told),
        cmocka_unit_test(test_logistic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
