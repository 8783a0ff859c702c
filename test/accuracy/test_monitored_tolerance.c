/* --tolerance of models with a monitor, and `monitor auto`: errors against exact and other runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../integrate/monitored.h"
#include "accuracy/monitored_tolerance.h"

/* The largest error of a position of Kepler's problem, at ends of steps, against Kepler's
 * equation; the size of the orbit is 1. */
static double kepler_error(const noe_system *m, const noe_tolerance_choice *p, double e,
                           double until)
{
    noe_integrator *g = integrator(m, p->method, p->step, 15);
    double          worst = 0;
    const quad      x = noe_q(g)[0], v = noe_p(g)[1], a = 1 / (2 / x - v * v), ecc = 1 - x / a;
    for (bool arrived = false; !arrived;) {
        quad t, q[2];
        if (noe_advance_monitored(g, until, &arrived)) fail_msg("%s", noe_error());
        noe_integrator_state_get(g, NOE_AT_T, &t), noe_integrator_state_get(g, NOE_AT_Q, q);
        quad   u, M = remainderq(t / (a * sqrtq(a)), 2 * acosq(-1));
        double first = (double)M;
        for (int k = 0; k < 60; k++) /* from outside, where Newton's method is monotone */
            first = k ? first - (first - e * sin(first) - (double)M) / (1 - e * cos(first))
                      : copysign(M_PI, first);
        u = first;
        for (int k = 0; k < 6; k++) u -= (u - ecc * sinq(u) - M) / (1 - ecc * cosq(u));
        worst = fmax(worst, (double)fabsq(q[0] - a * (cosq(u) - ecc)));
        worst = fmax(worst, (double)fabsq(q[1] - a * sqrtq(1 - ecc * ecc) * sinq(u)));
    }
    noe_integrator_free(g);
    return worst;
}

static void test_kepler(void **unused)
{
    (void)unused;
    static const double tolerance[] = { 1e-3, 1e-6, 1e-9, 1e-11 };
    for (int i = 0; i < 8; i++) {
        const double         e = i % 2 ? 0.9 + 0.05 * random_number() : 0.6 + 0.2 * random_number();
        const double         until = 20 + 3 * random_number(), wanted = tolerance[i / 2];
        noe_system          *s = kepler(e), *m = monitored(s, i % 4 < 2 ? "r^1.5" : "auto");
        noe_tolerance_choice p;
        if (noe_monitored_tolerance_pick(m, until, wanted, 15, 1, INFINITY, NULL, NULL, &p))
            fail_msg("e = %g, %g: %s", e, wanted, noe_error());
        /* Of each coordinate's size; y is sqrt(1 - e^2) at most. */
        const double error = kepler_error(m, &p, e, until);
        /* So few steps of order 16 cannot be chosen to a digit of the error. */
        if (!(error <= 2 * wanted) || !(error >= wanted / (p.steps < 40 ? 1e8 : 1e4)))
            fail_msg("e = %g: asked for %g, %s with %g steps has %.2g", e, wanted, p.method,
                     p.steps, error);
        noe_system_free(m), noe_system_free(s);
    }
}

static void test_what_cannot_be_reached_is_refused(void **unused)
{
    (void)unused;
    noe_system          *s = kepler(0.9), *m = monitored(s, "r^1.5");
    noe_tolerance_choice p;
    noe_error_clear();
    assert_int_equal(noe_monitored_tolerance_pick(m, 30, 1e-16, 15, 1, INFINITY, NULL, NULL, &p),
                     NOE_NOT_CONVERGED);
    assert_non_null(strstr(noe_error(), "shorter ones do not agree better"));
    noe_error_clear();
    assert_int_equal(noe_monitored_tolerance_pick(m, 30, 1e-9, 15, 1, 3, NULL, NULL, &p),
                     NOE_NOT_CONVERGED);
    noe_error_clear();
    noe_system_free(m), noe_system_free(s);
}

/* Two runs that step over the same narrow wall agree, and are wrong.  A wall of random width and
 * place on an oscillation: refused by what the steps passed; and by where another run ended. */
static void test_what_two_runs_step_over_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const double width = pow(10, -5.5 + 0.5 * random_number()), place = 0.5 * random_number();
        char         text[300];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential x^2/2 + %g*exp(-((x-%.17g)/%.17g)^2)\n"
                 "start x = 1\nmonitor 1/(1 + x^2)\n",
                 i % 2 ? 0.3 : 0., place, width);
        noe_system          *s = parse(text);
        noe_tolerance_choice p;
        const quad           end[] = { cosq(20), cosq(20) + 1e-6 };
        const bool           wall = i % 2, elsewhere = i % 4 == 2;
        const noe_status     status = noe_monitored_tolerance_pick(
                s, 20, 1e-7, 15, 1, 1e5, wall ? NULL : &end[elsewhere], NULL, &p);
        if (status != (wall || elsewhere ? NOE_NOT_CONVERGED : NOE_OK))
            fail_msg("%s: status %d, %g steps", text, (int)status, p.steps);
        noe_error_clear();
        noe_system_free(s);
    }
}

/* ---- monitor auto ---- */

/* Values of the monitors of two systems at the same random states, whose ratio is the same. */
static void same_but_for_a_factor(const noe_system *a, const noe_system *b, double bound)
{
    const int       n = a->dyn.n;
    const noe_tape *tape[2] = { a->stepped.clock, b->stepped.clock };
    quad            in[64] = { 0 }, out[2], slot[4096], ratio = 0;
    for (int k = 0; k < 8; k++) {
        quad G[2];
        for (int j = 0; j < n; j++) in[noe_tape_input(NOE_Q, j, n)] = 1.5 * random_number();
        for (int i = 0; i < 2; i++) {
            assert_true(tape[i]->slots <= 4096);
            noe_tape_quad_run(tape[i], in, slot, out);
            G[i] = out[0];
        }
        if (k == 0) ratio = G[0] / G[1];
        small(G[0] / G[1] - ratio, ratio, bound, "ratio of two monitors");
    }
}

static void test_auto_is_the_natural_monitor(void **unused)
{
    (void)unused;
    noe_system *s = kepler(0.5), *a = monitored(s, "auto"), *b = monitored(s, "r^1.5");
    same_but_for_a_factor(a, b, 1e-15);
    noe_system *again = monitored(s, a->model->monitor.text); /* the text reads back */
    same_but_for_a_factor(a, again, 1e-15);
    noe_system_free(a), noe_system_free(b), noe_system_free(again), noe_system_free(s);

    /* Three bodies of unequal masses in a plane: w^2 = (m_i + m_j)/r^3 of each pair. */
    const double m1 = 1.5 + random_number() / 2, m2 = 1.2 + random_number() / 2,
                 m3 = 1 + random_number() / 2;
    char text[1500], G[500];
    snprintf(text, sizeof text,
             "parameter a = %.17g, b = %.17g, c = %.17g\ncoordinate x1, y1, x2, y2, x3, y3\n"
             "r12 = sqrt((x1-x2)^2 + (y1-y2)^2)\nr13 = sqrt((x1-x3)^2 + (y1-y3)^2)\n"
             "r23 = sqrt((x2-x3)^2 + (y2-y3)^2)\n"
             "kinetic (a*(x1'^2 + y1'^2) + b*(x2'^2 + y2'^2) + c*(x3'^2 + y3'^2))/2\n"
             "potential -a*b/r12 - a*c/r13 - b*c/r23\n"
             "start x1 = 1, x2 = -1, y3 = 0.5, y1' = 0.3\n",
             m1, m2, m3);
    s = parse(text), a = monitored(s, "auto");
    snprintf(G, sizeof G, "((a + b)^2/r12^6 + (a + c)^2/r13^6 + (b + c)^2/r23^6)^(-0.25)");
    b = monitored(s, G), again = monitored(s, a->model->monitor.text);
    same_but_for_a_factor(a, b, 1e-11);
    same_but_for_a_factor(a, again, 1e-11);
    noe_system_free(a), noe_system_free(b), noe_system_free(again), noe_system_free(s);
}

/* Where V has no distances: tr (M^-1 V_qq)^2, here by hand, with coupled masses. */
static void test_auto_by_frequencies(void **unused)
{
    (void)unused;
    noe_system *s = parse("coordinate x, y\nkinetic x'^2/2 + y'^2 + x'*y'/2\n"
                          "potential x^4 + y^4/2 + x^2*y^2\nstart x = 1, y = 0.5, x' = 0.3\n"),
               *a = monitored(s, "auto");
    /* M = (1, 1/2; 1/2, 2), M^-1 = (8, -2; -2, 4)/7; V_qq = (p, k; k, s). */
    const char *const text = a->model->monitor.text, *const plus = strchr(text, '(');
    assert_non_null(text), assert_non_null(plus);
    noe_tape *const clock = a->stepped.clock;
    quad            in[16] = { 0 }, out[2], slot[1024], first = 0;
    for (int k = 0; k < 6; k++) {
        const quad x = random_number(), y = random_number(), p = 12 * x * x + 2 * y * y,
                   m = 4 * x * y, r = 6 * y * y + 2 * x * x;
        const quad A = (8 * p - 2 * m) / 7, B = (8 * m - 2 * r) / 7, C = (-2 * p + 4 * m) / 7,
                   D = (-2 * m + 4 * r) / 7, trace = A * A + 2 * B * C + D * D;
        in[noe_tape_input(NOE_Q, 0, 2)] = x, in[noe_tape_input(NOE_Q, 1, 2)] = y;
        noe_tape_quad_run(clock, in, slot, out);
        const quad w0 = powq(out[0], -4) - trace; /* the same everywhere */
        if (k == 0) first = w0;
        assert_true(w0 > 0);
        small(w0 - first, first + trace, 1e-28, "w0^4");
    }
    noe_system_free(a), noe_system_free(s);
}

static void refused(const char *text, const char *why)
{
    noe_system *s = parse(text);
    noe_error_clear();
    assert_null(noe_system_let(s, "monitor = auto"));
    if (!strstr(noe_error(), why)) fail_msg("%s", noe_error());
    noe_error_clear();
    noe_system_free(s);
}

static void test_auto_says_why_not(void **unused)
{
    (void)unused;
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n", "the same everywhere");
    refused("coordinate x\nkinetic (1 + x^2)*x'^2/2\npotential x^4\nstart x = 1\n", "not constant");
    refused("coordinate x\nkinetic x'^2/2\npotential x^4\nstart x' = 1\n", "nothing acts");
    refused("coordinate x\nkinetic x'^2/2\nstart x' = 1\n", "there is no potential");
    refused("coordinate x\nkinetic x'^2/2\npotential x^4\nforce x = -x'\nstart x = 1\n",
            "forces act");
}

/* Motions that begin at rest where no force changes: a pendulum at a right angle, of random length
 * and gravity, whose frequency bounds the steps all the same. */
static void test_automatic_monitor_from_rest(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const double w = exp(3 * random_number());
        char         text[300];
        snprintf(text, sizeof text,
                 "coordinate q\nkinetic 3*q'^2/2\npotential -3*%.17g*cos(q)\nstart q = pi/2\n"
                 "monitor auto\n",
                 w * w);
        noe_system *s = parse(text);
        double      constant;
        const char *G = s->model->monitor.text;
        assert_true(sscanf(G, "1/sqrt(sqrt(%lf", &constant) == 1);
        small(constant - pow(w, 4), pow(w, 4), 0.01, G); /* three digits are printed */
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_automatic_monitor_from_rest),
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_what_cannot_be_reached_is_refused),
        cmocka_unit_test(test_what_two_runs_step_over_is_refused),
        cmocka_unit_test(test_auto_is_the_natural_monitor),
        cmocka_unit_test(test_auto_by_frequencies),
        cmocka_unit_test(test_auto_says_why_not),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
