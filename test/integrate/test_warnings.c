/* A run that goes wrong says so, and the step that it names has no warning.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "integrate/energy_watch.h"
#include "integrate/singularity_guard.h"
#include "method/time_quadrature.h"

/* ---- what was silent ---- */

/* A run goes wrong by this part of what its energy exchanges only with an error or a warning. */
#define NARROW "coordinate x\nkinetic x'^2/2\npotential "
#define NARROW_START "observe E = x'^2/2\nstart x = -3.14159, x' = 1\n"
static void test_not_silent(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *method;
        double      h;
        int         steps;
    } hard[] = {
        { "coordinate x, y\nV = -1/sqrt(x^2 + y^2)\nkinetic (x'^2 + y'^2)/2\npotential V\n"
          "observe E = (x'^2 + y'^2)/2 + V\nstart x = 0.01, y' = sqrt(199)\n",
          "gauss 6", 0.01, 2000 },
        { "coordinate x, y\nV = -1/sqrt(x^2 + y^2)\nkinetic (x'^2 + y'^2)/2\npotential V\n"
          "observe E = (x'^2 + y'^2)/2 + V\nstart x = -1.9, y' = 0 - sqrt(0.1/1.9)\n",
          "simpson", 0.05, 400 },
        { "coordinate x\nkinetic x'^2/2\npotential 0.001/abs(x)\n"
          "observe E = x'^2/2 + 0.001/abs(x)\nstart x = -3.14159, x' = 1\n",
          "gauss 6", 0.1, 100 },
        { "coordinate x\nkinetic x'^2/2\npotential 0.001/abs(x)\n"
          "observe E = x'^2/2 + 0.001/abs(x)\nstart x = -3.14159, x' = 1\n",
          "gauss 2", 0.3, 34 },
        { "coordinate x\nkinetic x'^2/2\npotential 0.001/abs(x)\n"
          "observe E = x'^2/2 + 0.001/abs(x)\nstart x = -3.14159, x' = 1\n",
          "verlet", 0.1, 100 },
        { "coordinate x\nkinetic x'^2/2\npotential 1e-12*(1/x^12 - 1/x^6)\nobserve E = x'^2/2\n"
          "start x = -3.14159, x' = 1\n",
          "verlet", 0.1, 100 },
        { "coordinate x\nkinetic x'^2/2\npotential 1e-9*log(x)\nobserve E = x'^2/2\n"
          "start x = 3.14159, x' = -1\n",
          "simpson", 0.1, 100 },
        { NARROW "0.6*exp(-(x/1e-4)^2)\n" NARROW_START, "gauss 8", 0.3, 30 },
        { NARROW "0.6*exp(-(x/1e-4)^2)\n" NARROW_START, "verlet", 0.003, 3000 },
        { NARROW "0.6*exp(-abs(x)/1e-3)\n" NARROW_START, "gauss 4", 0.3, 30 },
        { NARROW "0.3*(tanh((x + 1e-5)/1e-6) - tanh((x - 1e-5)/1e-6))\n" NARROW_START, "simpson",
          0.1, 80 },
        { NARROW "x^2/2\nforce x = if(t < 3.123, 0, if(t < 3.1231, 1e4, 0))\n" NARROW_START,
          "gauss 12", 0.1, 100 },
        { NARROW "x^2/2\nforce x = 1e4*exp(-((t - 2.00001)/1e-4)^2)\n" NARROW_START, "midpoint",
          0.01, 600 },
        { NARROW "x^2/2\nforce x = if(t - floor(t) < 0.05, 20, 0)\n" NARROW_START, "gauss 3", 0.1,
          200 },
        { NARROW "x^2/2\nforce x = if(t mod 2 < 1e-6, 1e6, 0)\n" NARROW_START, "verlet", 0.1, 200 },
        { "coordinate x, y\nkinetic 1e4*x'^2/2 + y'^2/2\n"
          "potential 9431.8*x^2/2 + 1e-2/abs(y + 3) + (y - x)^2/2\n"
          "observe E = 0\nstart x = 1, y = -1.4341\n",
          "gauss 8", 0.0483, 220 },
        { "coordinate x\nkinetic x'^2/2\npotential x^2/2 + 1e-3/abs(x + 0.5)\nobserve E = 0\n"
          "start x = 1\n",
          "gauss 6", 0.11, 200 },
        { NARROW "1e-3*exp(-abs(x))/abs(x)\nobserve E = 0\nstart x = -3.1493, x' = 1\n", "gauss 4",
          0.02, 300 },
        { NARROW "1 - cos(x)\n"
                 "observe E = 0\nstart x = 2\n",
          "verlet", 1.5, 700 },
        { NARROW "1 - cos(x)\n"
                 "observe E = 0\nstart x = 2\n",
          "rk4", 1, 1000 },
    };
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        noe_system     *s = parse(hard[i].text);
        noe_method     *m = method(hard[i].method);
        noe_integrator *g = noe_integrator_new(s, m, hard[i].h);
        int             k = 0;
        while (k < hard[i].steps && !noe_step(g)) k++;
        if (k == hard[i].steps && !noe_local_error_of(g).coarse && !noe_energy_error_look(g).large
            && !noe_coarse_run_singular(g))
            fail_msg("case %zu ran to its end without a word", i);
        if (k < hard[i].steps)
            assert_non_null(strstr(noe_error(), "the state before the step is kept"));
        noe_error_clear();
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
    /* And what is not singular where its text divides by 0 is passed. */
    noe_system *s = parse(
        "coordinate x\nkinetic x'^2/2\npotential sin(x)/x\nstart x = -3.14159, x' = 2\n");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    assert_int_equal(noe_run(g, 3, NULL, NULL), NOE_OK);
    assert_true(noe_q(g)[0] > 1);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* A pulse within one step of a free body: the loss of velocity that the guard tells is that of
 * the run.  Nodes of compositions lie in other steps, too. */
static void test_pulses(void **unused)
{
    (void)unused;
    static const char *const of_all[] = { "simpson", "gauss 2", "gauss 3",  "gauss 6", "lobatto 3",
                                          "rk4",     "verlet",  "midpoint", "gauss 12" };
    static const char *const shape[] = {
        "if(abs(t - %.17g) < %.17g, %.17g, 0)",
        "if(abs((t - %.17g + 1) mod 50 - 1) < %.17g, %.17g, 0)",
        "%3$.17g*max(sign(%2$.17g - abs(t - %1$.17g)), 0)",
    };
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        for (int k = 0; k < 9; k++) {
            const double m = pow(10, 3 * random_number()), A = m * pow(10, 2 * random_number()),
                         half = pow(10, -3 + 1.9 * random_number()), step = 0.25,
                         at = step * (20 + 0.5 + 0.1 * random_number());
            char force[200], text[400];
            snprintf(force, sizeof force, shape[k % 3], at, half, A);
            snprintf(
                text, sizeof text,
                "coordinate x, y\nkinetic %.17g*x'^2/2 + y'^2/2\npotential y^2/2\nforce x = %s\n"
                "start y = 1\n",
                m, force);
            noe_system     *s = parse(text);
            noe_method     *f = method(of_all[i]);
            noe_integrator *g = noe_integrator_new(s, f, step);
            quad            sd[2];
            assert_int_equal(noe_run(g, 40 * step, NULL, NULL), NOE_OK);
            g->engine->guard->spread(g->work, 0, sd, NULL);
            const noe_lost_impulse y = noe_lost_impulse_of(g);
            const double lost = fabs(noe_v(g)[0] - 2 * half * A / m), told = y.size * (double)sd[0];
            /* Bisection ends within 2^-40 of a step; sd: of this run, 0 where no node saw the
             * pulse. */
            const double bound = 4 * step * 0x1p-40 * A / m + 1e-13 * lost;
            if (sd[0] > 0 ? !(fabs(told - lost) <= bound) : !(isinf(y.size) || lost <= bound))
                fail_msg("%s, %s: lost %.17g, told %.17g, bound %.3g", of_all[i], force, lost, told,
                         bound);
            if (isinf(y.size) && !y.large) fail_msg("%s, %s: not told", of_all[i], force);
            noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
        }
}

/* ---- functions of time that the nodes do not resolve ---- */

enum { SHAPES = 7 };

/* The force on x at time t, in words (all in t, at, w, A) and as a number. */
static double shape_value(int shape, double t, double at, double w, double A)
{
    const double s = (t - at) / w;
    switch (shape) {
    case 0: return A * exp(-s * s);
    case 1: return A / (cosh(s) * cosh(s));
    case 2: return A / (1 + s * s);
    case 3: return A * cos(s);
    case 4: return cos((t - at) / 8) > cos(w / 8) ? A : 0;
    case 5: return fabs(t - at) < w ? A : 0;
    default: return A * (1 + tanh(s)) / 2;
    }
}
static const char *const shape_text[SHAPES] = {
    "A*exp(-((t - at)/w)^2)",
    "A/cosh((t - at)/w)^2",
    "A/(1 + ((t - at)/w)^2)",
    "A*cos((t - at)/w)",
    "if(cos((t - at)/8) > cos(w/8), A, 0)",
    "if(abs(z - at) < w, A, 0)", /* z = t */
    "A*(1 + tanh((t - at)/w))/2",
};

/* What a free body loses to the nodes of a step: int F dt by 40000 rectangles, less the method's
 * sum; the largest of all steps. */
static double lost_by_nodes(const noe_method *f, int shape, double step, int steps, double at,
                            double w, double A)
{
    enum { PARTS = 40000 };
    const int r = noe_time_quadrature_count(f);
    double    c[r], b[r], most = 0;
    noe_time_quadrature_fill(f, c, b);
    for (int k = 0; k < steps; k++) {
        double sum = 0;
        for (int i = 0; i < PARTS; i++)
            sum += shape_value(shape, step * (k + (i + 0.5) / PARTS), at, w, A) / PARTS;
        for (int i = 0; i < r; i++) sum -= b[i] * shape_value(shape, step * (k + c[i]), at, w, A);
        most = fmax(most, fabs(sum * step));
    }
    return most;
}

static void test_unresolved_in_time(void **unused)
{
    (void)unused;
    enum { ALL = 40 };
    static const char *const of_all[] = { "simpson", "gauss 2", "gauss 3",  "gauss 6",
                                          "rk4",     "verlet",  "midpoint", "gauss 12" };
    double                   tightest = 0;
    int                      stopped = 0;
    for (int k = 0; k < 6 * SHAPES; k++) {
        const int    shape = k % SHAPES;
        const double m = pow(10, 3 * random_number()), A = m * pow(10, random_number()),
                     step = 0.25, w = step * pow(10, -1.5 + 0.9 * random_number()),
                     at = step * (20.5 + 0.5 * random_number());
        const char *name = of_all[(int)(4 + 4 * random_number()) % 8];
        char        text[600];
        snprintf(text, sizeof text,
                 "parameter A = %.17g, w = %.17g, at = %.17g\ncoordinate x, y, z\n"
                 "kinetic %.17g*x'^2/2 + y'^2/2 + z'^2/2\npotential y^2/2\nforce x = %s\n"
                 "start y = 1, z' = 1\n",
                 A, w, at, m, shape_text[shape]);
        noe_system     *s = parse(text);
        noe_method     *f = method(name);
        noe_integrator *g = noe_integrator_new(s, f, step);
        quad            sd[3];
        /* A node that the pulse hits hands over more energy than its force has worked, and the run
         * may stop there. */
        if (noe_run(g, ALL * step, NULL, NULL)) {
            if (!strstr(noe_error(), "step 20 ") && !strstr(noe_error(), "step 21 "))
                fail_msg("%s, %s%s", name, text, noe_error());
            noe_error_clear(), stopped++;
            noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
            continue;
        }
        g->engine->guard->spread(g->work, 0, sd, NULL);
        const noe_lost_impulse y = noe_lost_impulse_of(g);
        const double           lost = lost_by_nodes(f, shape, step, ALL, at, w, A) / m,
                     told = sd[0] > 0 ? y.size * (double)sd[0] : lost,
                     /* Three nodes on a part of 1.4 w, across which (t - at)^2/w^2 changes by 0.5
                      * twice, lose (1.4^7 w/2016000) max|F^(6)| = 6.3e-4 w A of a Gaussian, whose
                      * sixth derivative is 120 A/w^6; rectangles at two edges. */
            bound = (shape < 4 || shape == 6 ? 6.3e-4 * w : 2 * step / 40000) * A / m;
        tightest = fmax(tightest, fabs(told - lost) / bound);
        if (!(fabs(told - lost) <= bound) || (sd[0] == 0 && lost > bound && !y.large))
            fail_msg("%s, shape %d, A %g, w %g, at %.17g: lost %.17g, told %.17g, bound %.3g", name,
                     shape, A, w, at, lost, told, bound);
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
    printf("tightest: %.2g of a bound; %d runs stopped at the pulse\n", tightest, stopped);
    assert_true(stopped <= SHAPES);
}

/* A warning that names a step: with that step there is none. */
static void test_advice(void **unused)
{
    (void)unused;
    static const char named[] = "with a step of ";
    int               followed = 0;
    for (int k = 0; k < 12; k++) {
        char         text[400];
        const double at = 3 + 2 * random_number(), wide = pow(10, -2.5 + random_number());
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential %s\n"
                 "force x = if(abs(t - %.17g) < %.17g, %.17g, 0)\nstart x = 1\n",
                 k % 2 ? "x^2/2" : "x^2/2 + 1e-3*exp(-(x/2e-2)^2)", at, wide,
                 k % 2 ? 0.3 / wide : 0.0);
        noe_system    *s = parse(text);
        noe_method    *f = method(k % 3 ? "gauss 3" : "verlet");
        noe_coarse_run c;
        double         step = 0.3;
        for (int once = 0; once < 2; once++) {
            noe_integrator *g = noe_integrator_new(s, f, step);
            assert_int_equal(noe_run(g, 6, NULL, NULL), NOE_OK);
            noe_coarse_run_find(&c, g, f), noe_coarse_run_note(&c, g, f);
            noe_integrator_free(g);
            const char *to = strstr(c.warning, named);
            if (once && to) fail_msg("%s\nstep %g, which was named: %s", text, step, c.warning);
            if (!to) break;
            step = atof(to + sizeof named - 1), followed++;
        }
        noe_method_free(f), noe_system_free(s);
    }
    printf("%d steps were named and taken\n", followed);
    assert_true(followed >= 4);
}

/* A body that has flown freely meets a spring: nothing has been exchanged before, and the step into
 * it is made, in any units and beside other systems.  It comes back with its energy. */
static void test_springs_after_free_flight(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "midpoint", "gauss 3", "verlet", "lobatto 3" },
                             *const wall[] = { "max(s, 0)^2", "max(s, 0)^2.5", "if(s > 0, s^2, 0)",
                                               "max(s, 0)^2*(1 + s)" },
                             *const beside[] = {
                                 "", "potential 1e6\n",
                                 "coordinate z\nkinetic 1e6*z'^2/2\nstart z' = 1\n"
                             };
    for (int k = 0; k < 60; k++) {
        const double U = pow(10, 3 * random_number()), m = pow(10, 3 * random_number()),
                     omega = pow(10, 1.5 + 0.5 * random_number()),
                     h = pow(10, -1.2 + 0.5 * random_number()) / omega,
                     w = 1 + 0.5 * random_number();
        char text[600];
        snprintf(text, sizeof text,
                 "coordinate x\ns = x/%.17g - %.17g\nkinetic %.17g*x'^2/2\n"
                 "potential %.17g*%s\nstart x' = %.17g\n%s",
                 U, w, m, m * U * U * omega * omega / 2, wall[k % 4], U, beside[k % 3]);
        noe_system     *s = parse(text);
        noe_method     *f = method(name[k % 5]);
        noe_integrator *g = noe_integrator_new(s, f, h);
        const long      steps = (long)((w + 1) / h);
        for (long i = 0; i < steps; i++)
            if (noe_step(g))
                fail_msg("%s, step %g, h omega %g: %s of\n%s", name[k % 5], h, h * omega,
                         noe_error(), text);
        small(noe_v(g)[0] / U + 1, 1, 0.05, text);
        noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_after_free_flight),
        cmocka_unit_test(test_not_silent),
        cmocka_unit_test(test_pulses),
        cmocka_unit_test(test_unresolved_in_time),
        cmocka_unit_test(test_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
