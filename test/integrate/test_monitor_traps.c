/* monitor G: states of a second computation to 23 digits; E and the density of a new start.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"

static noe_system *planet(const char *monitor)
{
    char text[400];
    snprintf(text, sizeof text,
             "coordinate x, y\nr = sqrt(x^2 + y^2)\nkinetic (x'^2 + y'^2)/2\npotential -1/r\n"
             "start x = 0.1, p(y) = sqrt(19)\nmonitor %s\n",
             monitor);
    return parse(text);
}

/* ---- numbers of a second computation: e = 0.9 from the perihelion, E = -1/2, eps = 0.1 ---- */

static const struct {
    const char *method, *G, *step;
    int         steps;
    const char *q[2], *p[2], *t, *rho;
} row[] = {
    { "simpson",
      "r",
      "0.01",
      1,
      { "0.095004039173298195257841804", "0.043516867141131348951209865" },
      { "-0.95538236799951709543076371", "4.1505040228613654497926292" },
      "0.01015075989509888573311734",
      NULL },
    { "simpson",
      "r",
      "0.01",
      3,
      { "0.055335606817233379373848408", "0.12881536696219397638484851" },
      { "-2.1078951111955084716041214", "2.9702504687527127992234727" },
      "0.034033651878306516026998135",
      NULL },
    { "lobatto 3",
      "r",
      "0.01",
      3,
      { "0.055336487475752356031639028", "0.12881427287648578192195607" },
      { "-2.1078901283002046454139234", "2.970256474005074690389458" },
      "0.034031815249456772887553268",
      NULL },
    { "gauss 2",
      "r",
      "0.01",
      3,
      { "0.055337006825231598141125188", "0.12881377337411230030369058" },
      { "-2.1078850891735072545900916", "2.9702593546070927750317382" },
      "0.034030333359337309263574509",
      NULL },
    { "simpson",
      "r^1.5 reversible",
      NULL,
      3,
      { "0.095462768280546526914939283", "0.041475835216067125824246923" },
      { "-0.91419059805147753653175058", "4.1688826222139386913398876" },
      "0.0096593906610488246123719546",
      "29.190719752159588906282226" },
};

static void test_states_of_a_second_computation(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        noe_system     *s = planet(row[i].G);
        const quad      h = row[i].step ? number(row[i].step) : powq((quad)1 / 10, (quad)2.5);
        noe_integrator *g = integrator(s, row[i].method, h, 33);
        quad            q[2], p[2], t;
        steps(g, row[i].steps);
        noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, p);
        noe_integrator_state_get(g, NOE_AT_T, &t);
        for (int j = 0; j < 2; j++) {
            small(q[j] - number(row[i].q[j]), fabsq(q[j]), 1e-23, row[i].method);
            small(p[j] - number(row[i].p[j]), fabsq(p[j]), 1e-23, row[i].method);
        }
        small(t - number(row[i].t), t, 1e-23, "time");
        if (row[i].rho) { /* that of the next step, rho - eps (dG/dt)/G here */
            quad       rho;
            const quad r2 = q[0] * q[0] + q[1] * q[1],
                       rate = (quad)1.5 * (q[0] * p[0] + q[1] * p[1]) / r2;
            noe_integrator_state_get(g, NOE_AT_DENSITY, &rho);
            rho -= rate / 10;
            small(rho - number(row[i].rho), rho, 1e-23, "rho");
            /* It follows 1/G and is not 1/G. */
            assert_true(fabsq(rho * powq(r2, (quad)0.75) - 1) > 1e-4);
        }
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* ---- E, eps and rho belong to the start ---- */

/* An integrator that is started anew elsewhere goes on as one that began there. */
static void test_a_new_start_has_its_own_energy(void **unused)
{
    (void)unused;
    static const char *const G[] = { "r^1.5", "r", "r*(1 + 0.2*sin(t))", "r^1.5 reversible" };
    static const char *const name[] = { "gauss 8", "simpson", "gauss 3", "verlet" };
    for (int i = 0; i < 8; i++) {
        noe_system     *s = planet(G[i % 4]);
        noe_integrator *g = integrator(s, name[i % 4], 0.002, 15),
                       *f = integrator(s, name[i % 4], 0.002, 15);
        const double q[2] = { 0.5 + 0.1 * random_number(), 0.2 * random_number() },
                     v[2] = { 0.1 * random_number(), 1.2 + 0.1 * random_number() };
        steps(g, 13);
        if (noe_start(g, 0.3, q, v) || noe_start(f, 0.3, q, v)) fail_msg("%s", noe_error());
        const double H = (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / hypot(q[0], q[1]);
        small(noe_get(g, "energy") - H, 1, 1e-14, "energy of the new start");
        steps(g, 40), steps(f, 40);
        assert_memory_equal(noe_q(g), noe_q(f), sizeof q);
        assert_memory_equal(noe_p(g), noe_p(f), sizeof q);
        assert_true(noe_time(g) == noe_time(f));
        if (i % 4 != 2) small(noe_get(g, "energy") - H, 1, i % 4 ? 2e-2 : 1e-12, "energy");
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(s);
    }
}

/* A changed parameter changes E: the time is that of the changed system. */
static void test_a_changed_parameter_changes_the_energy(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double k = 1 + 0.2 * random_number();
        char         text[400], change[60];
        snprintf(text, sizeof text,
                 "parameter k = 1\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
                 "kinetic (x'^2 + y'^2)/2\npotential -k/r\nstart x = 0.4, y' = 1.9\n"
                 "monitor r^1.5%s\n",
                 i % 2 ? " reversible" : "");
        snprintf(change, sizeof change, "k = %.17g", k);
        noe_system *s = parse(text), *m = noe_system_let(s, change);
        assert_non_null(m);
        noe_integrator *g = integrator(m, "gauss 8", 0.01, 15);
        const double    H = 1.9 * 1.9 / 2 - k / 0.4, a = -k / (2 * H),
                     period = 2 * M_PI * sqrt(a * a * a / k);
        double q[2], p[2];
        for (bool arrived = false; !arrived;)
            if (noe_advance_monitored(g, 5 * period, &arrived)) fail_msg("%s", noe_error());
        if (noe_at(g, 5 * period, q, p)) fail_msg("%s", noe_error());
        small(q[0] - 0.4, 1, 1e-11, "x after five periods");
        small(q[1], 1, 2e-11, "y after five periods");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

/* A monitor that is no number where the motion goes ends the run there, at a time that is told. */
static void test_where_the_monitor_is_no_number(void **unused)
{
    (void)unused;
    static const char *const kind[] = { "", " reversible" };
    for (int i = 0; i < 4; i++) {
        char text[200], message[400];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential x\nstart x = %.17g\nmonitor sqrt(x)%s\n",
                 1 + 0.3 * random_number(), kind[i % 2]);
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, i < 2 ? "simpson" : "gauss 4", 0.3, 15);
        int             steps = 0;
        while (!noe_step(g) && steps < 1000) steps++;
        snprintf(message, sizeof message, "%.399s", noe_error());
        if (steps == 1000 || !(noe_time(g) > 1 && noe_time(g) < 2) || strstr(message, "t = nan"))
            fail_msg("%d steps, t = %g: %s", steps, noe_time(g), message);
        noe_integrator_free(g), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_of_a_second_computation),
        cmocka_unit_test(test_a_new_start_has_its_own_energy),
        cmocka_unit_test(test_a_changed_parameter_changes_the_energy),
        cmocka_unit_test(test_where_the_monitor_is_no_number),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
