/* monitor G in long runs: momenta, energy, times within a step, restarts, what goes wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"
#include "integrate/energy_watch.h"
#include "between/fractional_step.h"

#define UNIT 0x1p-53

/* ---- what is preserved, and what is not ---- */

/* Largest relative change of the angular momentum x p(y) - y p(x). */
static double turned(const noe_system *s, const char *G, const char *name, double h, int count)
{
    noe_system     *m = monitored(s, G);
    noe_integrator *g = integrator(m, name, h, 15);
    double          first = 0, worst = 0;
    for (int k = 0; k <= count; k++) {
        const double *q = noe_q(g), *p = noe_p(g), J = q[0] * p[1] - q[1] * p[0];
        if (k == 0) first = J;
        worst = fmax(worst, fabs(J / first - 1));
        if (k < count) steps(g, 1);
    }
    noe_integrator_free(g);
    noe_system_free(m);
    return worst;
}

static void test_momenta(void **unused)
{
    (void)unused;
    const double e = 0.5 + 0.3 * random_number(), h = 0.002;
    noe_system  *s = kepler(e);
    enum { STEPS = 2000 };
    const double floor = 20 * sqrt(STEPS) * UNIT;
    small(turned(s, "r", "simpson", h, STEPS), 1, floor, "J, monitor r");
    small(turned(s, "r^1.5", "gauss 4", h, STEPS), 1, floor, "J, monitor r^1.5");
    small(turned(s, "r*(1 + 0.3*x/r) reversible", "simpson", h, STEPS), 1, floor, "J, reversible");
    small(turned(s, "r*(1 + 0.3*x/r) reversible", "verlet", h, STEPS), 1, floor, "J, verlet");
    const double broken = turned(s, "r*(1 + 0.3*x/r)", "simpson", 10 * h, STEPS);
    if (!(broken > 1e5 * UNIT && broken < 0.1))
        fail_msg("J, a monitor without symmetry: %g", broken);
    noe_system_free(s);
}

/* Mean energy error of each half of a run, relative to the energy. */
static void halves(const noe_system *s, const char *G, double h, int count, double *mean)
{
    noe_system     *m = monitored(s, G);
    noe_integrator *g = integrator(m, "simpson", h, 15);
    const double    H0 = noe_get(g, "energy");
    mean[0] = mean[1] = 0;
    for (int k = 0; k < count; k++) {
        steps(g, 1);
        mean[2 * k / count] += (noe_get(g, "energy") - H0) / H0 / (count / 2);
    }
    noe_integrator_free(g);
    noe_system_free(m);
}

/* In a system that is not reversible the transformed Lagrangian has no drift of the energy and the
 * density of steps has one; in a reversible one neither has. */
static void test_energy_over_long_runs(void **unused)
{
    (void)unused;
    enum { STEPS = 40000 };
    static const char text[] = "parameter B = 0.7\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                               "lagrangian B*(x*y' - y*x')/2\n"
                               "potential (x^2 + 1.7*y^2)/2 + 0.3*x^2*y + 0.2*x^3 + (x^4 + y^4)/4\n"
                               "start x = 0.7, y = -0.3, x' = 0.4, y' = 0.6\n";
    static const char G[] = "1/(1 + 4*x^2 + 2*y^2)";
    noe_system *const s = parse(text), *still = noe_system_let(s, "B = 0");
    double            D1[2], D2[2], free[2];
    halves(s, G, 0.03, STEPS, D1);
    halves(s, "1/(1 + 4*x^2 + 2*y^2) reversible", 0.06, STEPS, D2);
    halves(still, "1/(1 + 4*x^2 + 2*y^2) reversible", 0.06, STEPS, free);
    small(D1[0] - D1[1], fabs(D1[0]), 0.05, "change of the mean energy error, transformed");
    small(free[0] - free[1], fabs(free[0]), 1, "the same, reversible");
    digits(D2[1] / D2[0], 3, 0.1, "growth of the drift, of the second half against the first");
    assert_true(fabs(D2[1]) > 100 * fabs(D1[1]));
    noe_system_free(still), noe_system_free(s);
}

/* A fractional step to the end of a step is that step, and one to its beginning is nothing. */
static void test_times_within_a_step(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "gauss 8", "compose 6 simpson", "lobatto 3" };
    for (int i = 0; i < 8; i++) {
        const choice c = random_choice();
        noe_system  *s = as_written(&c);
        char         G[200];
        snprintf(G, sizeof G, "%s%s", c.G, i % 2 ? " reversible" : "");
        noe_system     *m = monitored(s, G);
        noe_integrator *g = integrator(m, methods[i / 2], 0.05, 33);
        quad            t[2], z[2][4];
        steps(g, 7);
        assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
        noe_integrator_state_get(g, NOE_AT_T, &t[0]);
        steps(g, 1);
        noe_integrator_state_get(g, NOE_AT_T, &t[1]);
        noe_integrator_state_get(g, NOE_AT_Q, z[0]),
            noe_integrator_state_get(g, NOE_AT_P, z[0] + 2);
        noe_fractional_step_return(g);
        quad back;
        noe_integrator_state_get(g, NOE_AT_T, &back);
        assert_true(back == t[0]);
        noe_integrator *y = noe_fractional_step_at(g, t[1]);
        if (!y) fail_msg("%s", noe_error());
        noe_integrator_state_get(y, NOE_AT_Q, z[1]),
            noe_integrator_state_get(y, NOE_AT_P, z[1] + 2);
        noe_integrator_state_get(y, NOE_AT_T, &back);
        assert_true(back == t[1]);
        for (int j = 0; j < 4; j++) small(z[0][j] - z[1][j], 1, 1e-29, "the end of a step");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

/* The memory of a run is all that another one needs to go on with the same bits. */
static void test_goes_on_bit_for_bit(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "gauss 8", "verlet" };
    for (int i = 0; i < 5; i++) { /* verlet is the last, reversible */
        noe_system *s = kepler(0.5 + 0.3 * random_number()),
                   *m = monitored(s, i % 2 || i == 4 ? "r^1.5 reversible" : "r^1.5");
        noe_integrator *g = integrator(m, methods[i / 2], 0.01, 15),
                       *f = integrator(m, methods[i / 2], 0.01, 15);
        size_t bytes;
        steps(g, 37);
        const void *memory = g->engine->memory(g->work, &bytes);
        assert_true(noe_integrator_start_restore(f, memory, bytes));
        steps(g, 50), steps(f, 50);
        assert_memory_equal(noe_q(g), noe_q(f), 2 * sizeof(double));
        assert_memory_equal(noe_p(g), noe_p(f), 2 * sizeof(double));
        assert_true(noe_time(g) == noe_time(f));
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- what goes wrong ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    noe_system *s = kepler(0.5), *m = monitored(s, "r - 0.7");
    noe_method *f = method("simpson"), *v = method("verlet");
    noe_error_clear();
    noe_integrator *g = noe_integrator_make(m, f, 0.01, 15);
    assert_int_equal(noe_integrator_start_ready(g), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "the monitor is -0.2 at the start"));
    noe_integrator_free(g), noe_system_free(m);
    noe_error_clear();
    /* Where G falls to 0 the time stands still, or a long step passes to where it is negative. */
    for (int i = 1; i < 4; i++) {
        m = monitored(s, i % 2 ? "1 - r/1.2 reversible" : "1 - r/1.2");
        g = noe_integrator_make(m, f, i < 2 ? 0.05 : 0.5, 15);
        noe_status why = noe_integrator_start_ready(g);
        for (int k = 0; k < 100000 && !why; k++) why = noe_step(g);
        assert_int_equal(why, NOE_NOT_FINITE);
        if (!strstr(noe_error(), "must be positive wherever the motion goes"))
            fail_msg("%s", noe_error());
        noe_integrator_free(g), noe_system_free(m);
        noe_error_clear();
    }
    m = monitored(s, "r");
    assert_null(noe_integrator_make(m, v, 0.01, 15));
    assert_non_null(strstr(noe_error(), "whose mass is M/G(q)"));
    noe_error_clear();
    assert_null(noe_integrator_make(m, f, 0.01, 40));
    assert_non_null(strstr(noe_error(), "in 15 or 33 digits"));
    noe_method_free(f), noe_method_free(v);
    noe_system_free(m);
    m = monitored(s, "abs(x) + r");
    assert_non_null(strstr(noe_system_warning(m), "the monitor has a kink"));
    noe_system_free(m), noe_system_free(s);
}

/* A step that is too long for G is coarse. */
static void test_a_step_too_long_for_the_monitor_is_coarse(void **unused)
{
    (void)unused;
    noe_system     *s = kepler(0.9), *m = monitored(s, "r^1.5");
    const double    turn = fictitious_period(0.9, 1.5) * pow(0.1, 1.5);
    noe_integrator *fine = integrator(m, "simpson", turn / 100, 15),
                   *coarse = integrator(m, "simpson", turn / 8, 15);
    steps(fine, 200), steps(coarse, 16);
    const noe_local_error a = noe_local_error_of(fine), b = noe_local_error_of(coarse);
    assert_false(a.coarse);
    assert_true(b.coarse);
    assert_true(b.t >= 0 && b.t <= noe_time(coarse));
    noe_integrator_free(fine), noe_integrator_free(coarse);
    noe_system_free(m), noe_system_free(s);
}

/* The error of the energy is that of the fictitious motion divided by G: where G falls to 0 the
 * motion is computed to turn around, smoothly, in a moment of time between two rows.  The run
 * stops, or the energy error tells; a good monitor has neither. */
static void test_a_turn_at_a_zero_of_the_monitor_is_told(void **unused)
{
    (void)unused;
    static const char text[] = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x' = 1\n";
    static const char *const methods[] = { "lobatto 1", "simpson", "gauss 2", "gauss 8" };
    /* The energy is wrong for some of the steps beside the turn alone. */
    static const double soon_right[] = { 0.31702889358296671, 0.51951067764225578,
                                         0.69146913657851405 };
    noe_system *const   s = parse(text);
    for (int i = -3; i < 8; i++) {
        char         G[80];
        const bool   falls = i < 4;
        const double c = i < 0 ? soon_right[i + 3] : 0.5 + 0.2 * random_number();
        const char  *name = i < 0 ? "gauss 8" : methods[i % 4];
        snprintf(G, sizeof G, "1 - x/%.17g", falls ? c : 2 + c);
        noe_system     *m = monitored(s, G);
        noe_integrator *g = integrator(m, name, 0.02, 15);
        bool            arrived = false;
        noe_status      why = NOE_OK;
        while (!arrived && !why) why = noe_advance_monitored(g, 12, &arrived);
        if (why && !strstr(noe_error(), "must be positive wherever the motion goes"))
            fail_msg("%s", noe_error());
        const noe_energy_error e = noe_energy_watch_look(g);
        if (falls != (why || e.large))
            fail_msg("%s, %s: %d, energy error %.2g", name, G, why, e.size);
        /* The mean kinetic energy is 1/4, that of the lost motion (1 - c^2)/2. */
        if (falls && !why && !(e.size > 0.3 * 2 * (1 - c * c)))
            fail_msg("%s, %s: energy error %.2g", name, G, e.size);
        noe_error_clear();
        noe_integrator_free(g), noe_system_free(m);
    }
    noe_system_free(s);
}

/* The measure of the energy error is the mean kinetic energy over time, whatever steps follow. */
static void test_energy_errors_are_relative_to_the_motion_in_time(void **unused)
{
    (void)unused;
    static const char *const        G[] = { "r^1.5", "r^1.5 reversible", "r reversible" },
                             *const name[] = { "gauss 4", "gauss 4", "verlet" };
    for (int k = 0; k < 6; k++) {
        const double e = 0.6 + 0.3 * random_number(), turn = 2 * (double)M_PI;
        noe_system  *s = kepler(e), *m = monitored(s, G[k % 3]);
        /* By parts of 2 pi, many steps each: <v^2> = 1 (virial), <v> = 0 over whole periods. */
        noe_integrator *g = integrator(m, name[k % 3], turn / 1000 * pow(1 - e, 1.5), 15);
        quad            sd[2], none[2];
        for (bool arrived = false; !arrived;)
            if (noe_advance_monitored(g, 20 * (quad)M_PI, &arrived)) fail_msg("%s", noe_error());
        g->engine->guard->spread(g->work, 0, sd, none);
        /* The rectangle rule at the ends of steps, with the mean of G over each. */
        digits((double)(sd[0] * sd[0] + sd[1] * sd[1]), 1, 0.03, "mean square of the velocity");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_energy_over_long_runs),
        cmocka_unit_test(test_times_within_a_step),
        cmocka_unit_test(test_goes_on_bit_for_bit),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_step_too_long_for_the_monitor_is_coarse),
        cmocka_unit_test(test_a_turn_at_a_zero_of_the_monitor_is_told),
        cmocka_unit_test(test_energy_errors_are_relative_to_the_motion_in_time),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
