/* --tolerance where forces and potentials jump, in one coordinate, in sums and in loads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "hidden_forces.h"
#include "accuracy/tolerance.h"

/* Two jumps at a twelfth and an eighth of the run: nodes of 24 steps, and then no matter of
 * order. */
static void jumps_become_nodes(void **state)
{
    (void)state;
    problem p = { .is = &kinds[0], .a = 1, .b = 5, .w = 2.5L, .T = 60, .tolerance = 1e-9 };
    noe_tolerance_choice k;
    write_pulse(&p);
    noe_system *s = noe_system_parse(p.text);
    assert_int_equal(noe_tolerance_pick(s, 60, p.tolerance, 15, 1, NULL, &k), NOE_OK);
    print_message("%s, %.0f steps\n", k.method, k.steps);
    assert_true(k.steps <= 240 && fmod(k.steps, 24) == 0);
    assert_true(wrong(&p, s, &k, 60) <= 10);
    noe_system_free(s);
}

/* A square wave that jumps at each 24th of the run: no run with other steps agrees with its
 * halves. */
static void a_square_wave_becomes_nodes(void **state)
{
    (void)state;
    quad                 x;
    noe_tolerance_choice k;
    noe_system          *s = noe_system_parse(
                 "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = sign(sin(2*pi*t/5))/10\n"
                          "start x = 1\n");
    assert_int_equal(noe_tolerance_pick(s, 60, 1e-8, 15, 1, NULL, &k), NOE_OK);
    double exact = cos(60);
    for (int j = 0; j < 24; j++)
        exact += (j % 2 ? -0.1 : 0.1) * (cos(60 - 2.5 * (j + 1)) - cos(60 - 2.5 * j));
    noe_method     *f = noe_method_parse(k.method);
    noe_integrator *g = noe_integrator_make(s, f, 60 / (quad)k.steps, 15);
    for (double i = 0; i < k.steps; i++) assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_state_get(g, NOE_AT_Q, &x);
    print_message("%s, %.0f steps, %.2g\n", k.method, k.steps, fabs((double)x - exact));
    assert_true(fabs((double)x - exact) <= 1e-7);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* Behind x = 1 the motion is slower, or there is none; F does not show it but by the last one. */
static void a_jump_of_the_potential_is_refused(void **state)
{
    (void)state;
    static const char *const step[] = { "if(x < 1, 0, 0.5)", "if(x < 1, 0, 5)", "if(x < 1, 0, -1)",
                                        "sign(x - 1)",       "floor(x)/10",     "(x mod 1)^2" };
    enum { SILENT = 5 }; /* whose F is 0 on both sides */
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        char                 text[200];
        noe_tolerance_choice k;
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential %s\nstart x = 1e-3, x' = 2\n", step[i]);
        noe_system *s = noe_system_parse(text);
        assert_int_equal(noe_tolerance_pick(s, 20, 1e-9, 15, 1, NULL, &k), NOE_NOT_CONVERGED);
        if (i < SILENT) {
            assert_non_null(strstr(noe_error(), "L jumps by "));
            assert_non_null(strstr(noe_error(), " of the state at t = "));
        }
        assert_true(k.reached > 0.16 && k.reached < 0.7);
        noe_error_clear();
        noe_system_free(s);
    }
}

/* A run from x = 0 beside one from a rounding error: that is nothing, though it is all of x
 * there. */
static void a_start_at_0_is_no_matter_of_digits(void **state)
{
    (void)state;
    problem p = { .is = &kinds[7], .a = 1, .b = 3.6L, .w = 0.001756L, .T = 10, .tolerance = 1e-6 };
    noe_tolerance_choice k;
    write_gap(&p);
    noe_system *s = noe_system_parse(p.text);
    assert_int_equal(noe_tolerance_pick(s, 10, p.tolerance, 15, 1, NULL, &k), NOE_OK);
    assert_true(wrong(&p, s, &k, 10) <= 10);
    noe_system_free(s);
}

/* The same in many coordinates, whose sums are not written out: the 50th of a hundred is pushed
 * for a thousandth. */
static void what_hides_in_a_sum_is_met(void **state)
{
    (void)state;
    quad                 q[128];
    noe_tolerance_choice k;
    noe_system          *s = noe_system_parse(
                 "parameter N = 100\ncoordinate x[1..N]\nkinetic sum(i in 1..N) x[i]'^2/2\n"
                          "potential sum(i in 1..N) x[i]^2/2\n"
                          "force x[50] = 5000*exp(-((t - 6.3)/0.001)^2)\nstart x[1] = 1\n");
    assert_non_null(s);
    assert_int_equal(noe_tolerance_pick(s, 10, 1e-6, 15, 1, NULL, &k), NOE_OK);
    noe_method     *f = noe_method_parse(k.method);
    noe_integrator *g = noe_integrator_make(s, f, 10 / (quad)k.steps, 15);
    for (double i = 0; i < k.steps; i++) assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    const double push = 5 * sqrt(acos(-1))
                      * exp(-0.001 * 0.001 / 4); /* x = push sin(t - 6.3), |x| <= push */
    assert_true(fabs((double)q[49] - push * sin(10 - 6.3)) <= 1e-5 * push);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* A mass of 1 on a spring of 1 as a structure: its load is a pulse, or a jump that no step
 * meets, or one that a node meets. */
static void what_hides_in_a_load_is_met(void **state)
{
    (void)state;
    static const struct {
        const char *load;
        double      tolerance;
        bool        refused;
        double      a, from, to;
    } load[] = {
        { "5*exp(-((t - 6.3)/1e-3)^2)", 1e-9, false, 0, 0, 0 },
        { "if(t < 6.3173, 0, if(t < 6.3174, 1e4, 0))", 1e-9, true, 0, 0, 0 },
        { "if(t < 6.3173, 0, 1)", 1e-4, false, 1, 6.3173, 10 },
        { "if(t < 2.5, 0, if(t < 6, 1, 0))", 1e-10, false, 1, 2.5, 6 },
    };
    const char *dir = getenv("NOE_BUILD_DIR") ? getenv("NOE_BUILD_DIR") : "build";
    char        one[300], text[900];
    snprintf(one, sizeof one, "%s/test_tolerance_events.mtx", dir);
    FILE *f = fopen(one, "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        noe_tolerance_choice k;
        quad                 q[2];
        snprintf(
            text, sizeof text,
            "coordinate u[1..2]\nmass \"%s\"\nstiffness \"%s\"\nforce u[1] = %s\nstart u[1] = 1\n",
            one, one, load[i].load);
        noe_system *s = noe_system_parse(text);
        if (!s) fail_msg("%s", noe_error());
        const noe_status status = noe_tolerance_pick(s, 10, load[i].tolerance, 15, 1, NULL, &k);
        assert_int_equal(status, load[i].refused ? NOE_NOT_CONVERGED : NOE_OK);
        if (load[i].refused)
            assert_true(fabs(k.reached - 6.3173) < 1e-3 && strstr(noe_error(), "at t = 6.317"));
        noe_error_clear();
        if (!load[i].refused) {
            const double w = 1e-3,
                         exact = cos(10)
                               + (load[i].a
                                      ? cos(10 - load[i].to) - cos(10 - load[i].from)
                                      : 5 * w * sqrt(acos(-1)) * exp(-w * w / 4) * sin(10 - 6.3));
            noe_method     *m = noe_method_parse(k.method);
            noe_integrator *g = noe_integrator_make(s, m, 10 / (quad)k.steps, 15);
            for (double j = 0; j < k.steps; j++) assert_int_equal(noe_step(g), NOE_OK);
            noe_integrator_state_get(g, NOE_AT_Q, q);
            print_message("%s: %.0f steps, %.2g\n", load[i].load, k.steps,
                          fabs((double)q[0] - exact));
            assert_true(fabs((double)q[0] - exact) <= 10 * load[i].tolerance);
            noe_integrator_free(g);
            noe_method_free(m);
        }
        noe_system_free(s);
    }
}

/* A bump of the state, so narrow that the run would take up to 1e12 steps: an answer, or a refusal
 * that names the bump, after a bounded number of trial steps. */
static void a_narrow_bump_has_an_answer(void **state)
{
    (void)state;
    static const char *const bump[] = { "potential x^2/2 + 0.3*exp(-((x - 0.5)/%g)^2)",
                                        "potential x^2/2\nforce x = 0.3*exp(-((x - 0.5)/%g)^2)" };
    static const double      width[] = { 1e-2, 1e-5, 1e-7, 1e-7 }, until[] = { 200, 200, 20, 2000 };
    for (int i = 0; i < 8; i++) {
        noe_tolerance_choice k;
        char                 text[300], term[200];
        snprintf(term, sizeof term, bump[i % 2], width[i / 2]);
        snprintf(text, sizeof text, "coordinate x\nkinetic x'^2/2\n%s\nstart x = 1\n", term);
        noe_system *s = noe_system_parse(text);
        assert_non_null(s);
        const noe_status status = noe_tolerance_pick(s, until[i / 2], 1e-9, 15, 1, NULL, &k);
        print_message("%s to %g: %s, %.2g trial steps\n", term, until[i / 2],
                      status ? "refused" : "found", k.trial_steps);
        assert_true(status == NOE_OK
                    || (status == NOE_NOT_CONVERGED && strstr(noe_error(), "exp of the state")));
        assert_true(k.trial_steps <= 2e7);
        noe_error_clear();
        noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_become_nodes),
        cmocka_unit_test(a_square_wave_becomes_nodes),
        cmocka_unit_test(a_jump_of_the_potential_is_refused),
        cmocka_unit_test(a_start_at_0_is_no_matter_of_digits),
        cmocka_unit_test(what_hides_in_a_sum_is_met),
        cmocka_unit_test(what_hides_in_a_load_is_met),
        cmocka_unit_test(a_narrow_bump_has_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
