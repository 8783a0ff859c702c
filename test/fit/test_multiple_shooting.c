/* A double pendulum over many Lyapunov times: the truth comes back, at the minimum of one motion.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: cminpack. */
#include "simulated.h"

#include "base/status.h"

static const char *const chaos = "parameter  g = 9.81, m1 = 1, m2 = 0.8, l1 = 0.25, l2 = 0.27\n"
                                 "coordinate q1, q2\n"
                                 "x1 = l1*sin(q1)\n"
                                 "y1 = -l1*cos(q1)\n"
                                 "x2 = x1 + l2*sin(q2)\n"
                                 "y2 = y1 - l2*cos(q2)\n"
                                 "kinetic    m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)\n"
                                 "potential  m1*g*y1 + m2*g*y2\n"
                                 "start      q1 = 2, q2 = 2.5\n"
                                 "suggest    method = \"simpson\", step = 0.01, until = 10\n";
static const char *const all = "l2, m2, q1, q2, q1', q2'";
static const double      truth[] = { 0.27, 0.8, 2, 2.5, 0, 0 };
static const char *const wrong[] = { "l2=0.24", "m2=1.2" };
enum { NUMBERS = 6, DATA = 160 };
static const double until = 5, sigma = 0.01;

/* How far the ends of two motions are apart, by how far their starts are: its logarithm. */
static double lyapunov_times(void)
{
    noe_system *plain = noe_system_load(in_scratch("chaos.lag")),
               *s = noe_system_differentiated(plain, "q1, q2, q1', q2'");
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    double          S[16], most = 0;
    assert_int_equal(noe_run(g, until, NULL, NULL), NOE_OK);
    assert_int_equal(noe_sensitivity(g, S), NOE_OK);
    for (int i = 0; i < 8; i++) most = fmax(most, fabs(S[i])); /* angles by all starts */
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    noe_system_free(plain);
    return log(most);
}

static void double_pendulum(void **state)
{
    const int sets = getenv("NOE_LONG") ? 400 : 6;
    int       inside[NUMBERS] = { 0 };
    (void)state;
    put("chaos.lag", chaos);
    print_message("neighbours part by exp(%.1f)\n", lyapunov_times());
    assert_true(lyapunov_times() > 6);
    for (int k = 0; k < sets; k++) {
        noe_fit     s, one;
        noe_fit_job j = job_of("chaos.lag", "chaos.csv", all);
        simulate("chaos.csv", "chaos.lag", NULL, "simpson", 0.01, until, DATA, sigma, 0.05);
        fit(&one, &j); /* begins at the truth */
        j.let = wrong, j.lets = 2, j.segments = 16;
        fit(&s, &j);
        for (int i = 0; i < NUMBERS; i++) {
            close_to((s.x[i] - one.x[i]) / one.error[i], 0, 1e-3);
            close_to(s.error[i] / one.error[i], 1, 1e-3);
            inside[i] += fabs(s.x[i] - truth[i]) <= s.quantile * s.error[i];
        }
        noe_fit_setup_drop(&s);
        noe_fit_setup_drop(&one);
    }
    /* Of one set they hold it together or not: all numbers of a chaotic motion err together. */
    for (int i = 0; i < NUMBERS; i++) {
        print_message("number %d: %d of %d intervals hold the truth\n", i, inside[i], sets);
        assert_true(covers(inside[i], sets));
    }
}

/* Without noise, of two files with starts of their own, one coordinate measured. */
static void two_files(void **state)
{
    (void)state;
    put("chaos.lag", chaos);
    noe_fit           s;
    noe_fit_job       j = job_of("chaos.lag", "a.csv", "l2, each q1, each q2'");
    char              a[400], b[400];
    const char *const data[] = { a, b }, *const let[] = { "l2=0.25" };
    snprintf(a, sizeof a, "%s", in_scratch("a.csv"));
    snprintf(b, sizeof b, "%s", in_scratch("b.csv"));
    simulate("a.csv", "chaos.lag", NULL, "simpson", 0.01, 4, 80, 0, 0);
    simulate("b.csv", "chaos.lag", "q1=1.9", "simpson", 0.01, 4, 80, 0, 0);
    j.data = data, j.datas = 2, j.let = let, j.lets = 1, j.segments = 8;
    fit(&s, &j);
    close_to(s.x[unknown(&s, "l2")], 0.27, 1e-9);
    assert_int_equal(s.unknowns, 5);
    close_to(s.x[1], truth[2], 1e-9);
    close_to(s.x[2], 1.9, 1e-9);
    close_to(s.x[3], 0, 1e-8);
    close_to(s.x[4], 0, 1e-8);
    noe_fit_setup_drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(double_pendulum, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(two_files, make_scratch, remove_scratch),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
