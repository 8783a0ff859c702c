/* Estimates against the truth and normal equations of their own; how often errors cover the truth.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: cminpack. */
#include "simulated.h"

/* Without errors of measurement the truth comes back, to the condition of the fit. */
static void exact_data(void **state)
{
    (void)state;
    put("swing.lag", swing);
    put("orbit.lag", orbit);
    for (int k = 0; k < 10; k++) {
        const char *const let[] = { "l=0.75", "c=0.2" }, *const other[] = { "mu=0.95" };
        noe_fit     s;
        noe_fit_job j = job_of("swing.lag", "exact.csv",
                               "l in 0.5..2, c in 0..inf, theta(0), theta'");
        simulate("exact.csv", "swing.lag", NULL, "simpson", 0.05, 10, 60, 0, 0.2);
        j.let = let, j.lets = 2;
        fit(&s, &j);
        close_to(s.x[unknown(&s, "l")], 0.8, 1e-10);
        close_to(s.x[unknown(&s, "c")], 0.15, 1e-10);
        close_to(s.x[unknown(&s, "theta(0)")], 1.2, 1e-10);
        close_to(s.x[unknown(&s, "theta'")], 0, 1e-9);
        noe_fit_setup_drop(&s);
        simulate("exact.csv", "orbit.lag", NULL, "gauss 3", 0.1, 12, 30, 0, 0.2);
        j = job_of("orbit.lag", "exact.csv", "mu, x(0), y', x', y(0)");
        j.let = other, j.lets = 1;
        fit(&s, &j);
        close_to(s.x[unknown(&s, "mu")], 1, 1e-9);
        close_to(s.x[unknown(&s, "y'")], 1.2, 1e-9);
        noe_fit_setup_drop(&s);
    }
}

/* The gradient of the sum of squares is 0 at the estimates, and their errors are those of the
 * normal equations by differences of the model. */
static void normal_equations(void **state)
{
    (void)state;
    put("swing.lag", swing);
    for (int k = 0; k < 5; k++) {
        noe_fit s;
        simulate("noisy.csv", "swing.lag", NULL, "simpson", 0.05, 10, 100, 0.02, 0);
        noe_fit_job j = job_of("swing.lag", "noisy.csv", "l in 0.1..2, c");
        j.weights = "0.02";
        fit(&s, &j);
        const double e = 1e-6;
        double       up[100], down[100], D[2][100], g[2] = { 0 }, A[2][2] = { { 0 } };
        for (int a = 0; a < 2; a++) {
            double x[2] = { s.x[0], s.x[1] };
            x[a] += e;
            assert_true(noe_fitted_run_make(&s, x, up, NULL));
            x[a] -= 2 * e;
            assert_true(noe_fitted_run_make(&s, x, down, NULL));
            for (int i = 0; i < 100; i++) D[a][i] = (up[i] - down[i]) / (2 * e) / 0.02;
        }
        for (int i = 0; i < 100; i++)
            for (int a = 0; a < 2; a++) {
                g[a] += D[a][i] * (s.f[i] - s.datum[i].y) / 0.02;
                for (int b = 0; b < 2; b++) A[a][b] += D[a][i] * D[b][i];
            }
        const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        close_to(s.error[0] / sqrt(A[1][1] / det), 1, 1e-6);
        close_to(s.error[1] / sqrt(A[0][0] / det), 1, 1e-6);
        close_to(s.correlation[1], -A[0][1] / sqrt(A[0][0] * A[1][1]), 1e-6);
        close_to(g[0] * s.error[0], 0, 1e-4);
        close_to(g[1] * s.error[1], 0, 1e-4);
        noe_fit_setup_drop(&s);
    }
}

enum { NUMBERS = 5 };
typedef struct {
    const char *model, *scheme, *vary, *weights, *name[NUMBERS];
    double      step, until, sigma, truth[NUMBERS];
    int         count;
} experiment;

static const experiment experiments[] = {
    { "swing.lag",
      "simpson",
      "l in 0.5..1.2, c in 0..1, theta(0)",
      NULL,
      { "l", "c", "theta(0)" },
      0.05,
      10,
      0.01,
      { 0.8, 0.15, 1.2 },
      100 },
    { "swing.lag",
      "simpson",
      "l, c, theta(0)",
      "theta = 0.05",
      { "l", "c", "theta(0)" },
      0.05,
      10,
      0.05,
      { 0.8, 0.15, 1.2 },
      12 },
    { "orbit.lag",
      "gauss 3",
      "mu, x(0), y(0), x', y'",
      NULL,
      { "mu", "x(0)", "y(0)", "x'", "y'" },
      0.1,
      12,
      0.01,
      { 1, 1, 0, 0, 1.2 },
      25 },
};

/* The quoted intervals of 95 % hold the truth in 95 % of all sets. */
static void coverage(void **state)
{
    const int sets = getenv("NOE_LONG") ? 400 : 60;
    (void)state;
    put("swing.lag", swing);
    put("orbit.lag", orbit);
    for (size_t e = 0; e < sizeof experiments / sizeof *experiments; e++) {
        const experiment *x = &experiments[e];
        int               inside[NUMBERS] = { 0 };
        for (int k = 0; k < sets; k++) {
            noe_fit s;
            simulate("set.csv", x->model, NULL, x->scheme, x->step, x->until, x->count, x->sigma,
                     0.1);
            noe_fit_job j = job_of(x->model, "set.csv", x->vary);
            j.weights = x->weights;
            fit(&s, &j);
            for (int i = 0; i < NUMBERS && x->name[i]; i++) {
                const int at = unknown(&s, x->name[i]);
                inside[i] += fabs(s.x[at] - x->truth[i]) <= s.quantile * s.error[at];
            }
            noe_fit_setup_drop(&s);
        }
        for (int i = 0; i < NUMBERS && x->name[i]; i++) {
            print_message("%s, %s: %d of %d intervals hold the truth\n", x->model, x->name[i],
                          inside[i], sets);
            assert_true(covers(inside[i], sets));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exact_data, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(normal_equations, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(coverage, make_scratch, remove_scratch),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
