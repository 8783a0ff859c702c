/* Bounds that do not change errors, estimates at bounds, many starts, quantiles of few data.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: cminpack. */
#include "simulated.h"

/* Estimates, errors and correlations are the same with bounds and without. */
static void bounds_change_nothing(void **state)
{
    static const char *const of[] = { "l, c, theta(0)", "l in 0.2..3, c in 0..1, theta(0) in 0..3",
                                      "l in 0..inf, c in 0..inf, theta(0) in -inf..2" };
    (void)state;
    put("swing.lag", swing);
    for (int k = 0; k < 5; k++) {
        noe_fit     s[3];
        noe_fit_job j[3]; /* a job must outlive its fit */
        simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 10, 50, 0.02, 0.1);
        for (int i = 0; i < 3; i++) {
            j[i] = job_of("swing.lag", "d.csv", of[i]);
            fit(&s[i], &j[i]);
        }
        for (int i = 1; i < 3; i++)
            for (int a = 0; a < 3; a++) {
                close_to((s[i].x[a] - s[0].x[a]) / s[0].error[a], 0, 1e-4);
                close_to(s[i].error[a] / s[0].error[a], 1, 1e-4);
                assert_false(s[i].at_bound[a]);
                for (int b = 0; b < a; b++)
                    close_to(s[i].correlation[3 * a + b], s[0].correlation[3 * a + b], 1e-4);
            }
        for (int i = 0; i < 3; i++) noe_fit_setup_drop(&s[i]);
    }
}

/* What ends at a bound has no error, and the others have those of a fit with that value given. */
static void at_a_bound(void **state)
{
    const char *const given[] = { "c=0.2" };
    noe_fit           s, other;
    (void)state;
    put("swing.lag", swing);
    simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 10, 50, 0.02, 0.1);
    noe_fit_job j = job_of("swing.lag", "d.csv", "l, c in 0.2..1, theta(0)");
    j.weights = "0.02";
    j.let = given, j.lets = 1;
    fit(&s, &j);
    j = job_of("swing.lag", "d.csv", "l, theta(0)");
    j.weights = "0.02", j.let = given, j.lets = 1;
    fit(&other, &j);
    assert_true(s.at_bound[1] && isnan(s.error[1]) && !*s.undetermined);
    close_to(s.x[1], 0.2, 1e-5);
    close_to(s.error[0] / other.error[0], 1, 1e-3);
    close_to(s.error[2] / other.error[1], 1, 1e-3);
    noe_fit_setup_drop(&s);
    noe_fit_setup_drop(&other);
}

/* From a length whose oscillation is ahead by swings, one start ends elsewhere; many do not. */
static void many_starts(void **state)
{
    const char *const far[] = { "l=0.3" };
    noe_fit           s;
    (void)state;
    put("swing.lag", swing);
    for (int k = 0; k < 4; k++) {
        simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 10, 60, 0.01, 0);
        noe_fit_job j = job_of("swing.lag", "d.csv", "l in 0.2..2, theta(0) in 0.5..2");
        j.let = far, j.lets = 1;
        fit(&s, &j);
        assert_true(fabs(s.x[0] - 0.8) > 0.1);
        noe_fit_setup_drop(&s);
        j.starts = 40, j.seed = (long)(bits() % 1000000);
        fit(&s, &j);
        close_to((s.x[0] - 0.8) / s.error[0], 0, 6);
        assert_true(s.agreeing >= 1 && s.agreeing < 40);
        print_message("%d of 40 starts came to the deepest minimum\n", s.agreeing);
        noe_fit_setup_drop(&s);
    }
}

/* The t of Student, 97.5 %: Abramowitz, Stegun, table 26.10. */
static void quantiles(void **state)
{
    static const struct {
        int    freedom;
        double t;
    } table[] = { { 1, 12.706 }, { 2, 4.303 },  { 3, 3.182 },  { 4, 2.776 },  { 5, 2.571 },
                  { 6, 2.447 },  { 10, 2.228 }, { 20, 2.086 }, { 60, 2.000 }, { 120, 1.980 } };
    (void)state;
    put("swing.lag", swing);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        noe_fit     s;
        noe_fit_job j = job_of("swing.lag", "d.csv", "l");
        simulate("d.csv", "swing.lag", NULL, "simpson", 0.05, 4, table[k].freedom + 1, 0.01, 0);
        fit(&s, &j);
        close_to(s.quantile / table[k].t, 1, 2e-3);
        noe_fit_setup_drop(&s);
        j.weights = "0.01";
        fit(&s, &j);
        close_to(s.quantile, 1.959964, 1e-6);
        noe_fit_setup_drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bounds_change_nothing, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(at_a_bound, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(many_starts, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(quantiles, make_scratch, remove_scratch),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
