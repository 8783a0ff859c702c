/* Studies of a model with a monitor: errors at one and the same times, against a run by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "between/fractional_step.h"
#include "study_words.h"
#include "laws.h"

static const char comet[] = "systems/comet.lag";

/* The largest error of x at 64 equal times, from Kepler's equation. */
static double by_hand(const char *method, quad h, quad until)
{
    const quad      e = (quad)9 / 10;
    noe_system     *all = load(comet), *s = noe_system_let(all, "e = 0.9");
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_make(s, f, h, 15);
    double          worst = 0;
    for (int k = 1; k <= 64; k++) {
        const quad t = until / 64 * k;
        quad       E = t, q[2];
        bool       arrived = false;
        while (!arrived)
            if (noe_advance_monitored(g, t, &arrived)) fail_msg("%s", noe_error());
        assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
        noe_integrator *at = noe_fractional_step_at(g, t);
        noe_integrator_state_get(at, NOE_AT_Q, q);
        noe_fractional_step_leave(g);
        for (int i = 0; i < 200; i++) E -= (E - e * sinq(E) - t) / (1 - e * cosq(E));
        worst = fmax(worst, fabs((double)(q[0] - (cosq(E) - e))));
    }
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s), noe_system_free(all);
    return worst;
}

static void test_errors_are_those_of_a_run_by_hand(void **unused)
{
    (void)unused;
    static const char *const method[] = { "simpson", "gauss 4" };
    noe_study_option         word[] = { { "methods", "", "simpson, gauss 4", 0 },
                                        { "until", "", "13", 0 },
                                        { "steps", "", "0.016, 0.008", 0 },
                                        { "error", "", "x, energy", 0 } };
    const char              *let[] = { "e = 0.9" };
    noe_study_job            job = words(comet, let, 1, word, 4);
    noe_study                s = { .job = &job };
    if (!noe_study_setup_make(&s) || !noe_convergence_find(&s)) fail_msg("%s", noe_error());
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const double own = by_hand(method[i], (quad)(j ? 8 : 16) / 1000, 13),
                         e = noe_study_setup_cell(&s, 0, 0, i, j)->value;
            printf("%s: %.6g by hand %.6g, %g steps\n", method[i], e, own,
                   noe_study_run_at(&s, i, j)->steps);
            assert_true(fabs(e / own - 1) < 1e-4);
            assert_true(noe_study_run_at(&s, i, j)->steps > 30);
        }
    noe_study_setup_drop(&s);
}

/* Orders, by a reference in 33 digits that follows the monitor, too; both forms. */
static void orders(const char *monitor, const char *methods, const double *order, int count)
{
    noe_study_option word[] = { { "methods", "", methods, 0 },
                                { "until", "", "7, 14", 0 },
                                { "steps", "", "0.02, 0.01", 0 },
                                { "reference", "", "33", 0 },
                                { "error", "", "q", 0 } };
    const char      *let[] = { "e = 0.6", monitor };
    noe_study_job    job = words(comet, let, 2, word, 5);
    noe_study        s = { .job = &job };
    if (!noe_study_setup_make(&s) || !noe_convergence_find(&s)) fail_msg("%s", noe_error());
    for (int i = 0; i < count; i++) {
        const double a = noe_study_setup_cell(&s, 1, 0, i, 0)->value,
                     b = noe_study_setup_cell(&s, 1, 0, i, 1)->value;
        printf("%s, %s: order %.3g\n", monitor, s.method[i].label, log2(a / b));
        if (*noe_study_run_at(&s, i, 0)->why) fail_msg("%s", noe_study_run_at(&s, i, 0)->why);
        assert_true(fabs(log2(a / b) - order[i]) < 0.2);
        assert_true(noe_study_setup_cell(&s, 1, 0, i, 0)->doubt < 1e-15);
    }
    noe_study_setup_drop(&s);
}

static void test_orders(void **unused)
{
    (void)unused;
    orders("monitor = r^1.5", "midpoint, simpson, gauss 3", (double[]){ 2, 4, 6 }, 3);
    orders("monitor = r reversible", "verlet, simpson", (double[]){ 2, 4 }, 2);
}

static void test_drift_and_work(void **unused)
{
    (void)unused;
    static const char *const kind[] = { "drift", "work" };
    for (int i = 0; i < 2; i++) {
        noe_study_option word[] = { { "methods", "", "gauss 4", 0 },
                                    { "until", "", "62", 0 },
                                    { "step", "", "0.02", 0 },
                                    { "error", "", "energy relative", 0 },
                                    { i ? "repeats" : "windows", "", i ? "1" : "log 4", 0 } };
        const char      *let[] = { "e = 0.6" };
        noe_study_job    job = words(comet, let, 1, word, 5);
        int              status;
        job.kind = kind[i];
        char *text = printed(&job, &status);
        if (status) fail_msg("%s: %d: %s\n%s", kind[i], status, noe_error(), text);
        assert_non_null(strstr(text, i ? "us/step" : "grows like"));
        printf("%s\n", text);
        free(text);
    }
}

/* A method that cannot step the transformed Lagrangian is told; the others have their errors. */
static void test_a_method_that_cannot(void **unused)
{
    (void)unused;
    noe_study_option word[] = { { "methods", "", "verlet, simpson", 0 },
                                { "until", "", "7", 0 },
                                { "step", "", "0.02", 0 } };
    const char      *let[] = { "e = 0.6" };
    noe_study_job    job = words(comet, let, 1, word, 3);
    int              status;
    char            *text = printed(&job, &status);
    assert_int_equal(status, NOE_EXIT_STOPPED);
    assert_non_null(strstr(text, "'verlet' does not step the transformed Lagrangian"));
    free(text);
    word[1].value = "7, 10";
    assert_int_equal(noe_study_run(&job, stdout), NOE_EXIT_BAD_USE);
    assert_non_null(strstr(noe_error(), "the steps follow a monitor, and errors are measured at "
                                        "64 equal times of the first window"));
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_errors_are_those_of_a_run_by_hand),
                                        cmocka_unit_test(test_orders),
                                        cmocka_unit_test(test_drift_and_work),
                                        cmocka_unit_test(test_a_method_that_cannot) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
