/* Errors of constrained steps: those that another program had, beside the motion in angles.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Computed by a generic Newton method in high precision, to three or four digits. */
#include "integrator.h"
#include "pendulums.h"

#define PENDULUM_ANGLE                                                         \
    "coordinate a\nkinetic a'^2/2\npotential -4*pi^2*cos(a)\nstart a = pi/2\n" \
    "observe X = sin(a), Y = -cos(a)\n"
#define TWO_ANGLES                                                        \
    "parameter g = 9.81, l = g/(2*pi)^2\ncoordinate a, b\nx = l*sin(a)\n" \
    "y = -l*cos(a)\nu = x + l*sin(b)\nw = y - l*cos(b)\n"                 \
    "kinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\npotential g*(y + w)\n"        \
    "start a = pi/2, b = pi/2\nobserve X = x, Y = y, U = u, W = w\n"

static const struct {
    const char *method, *tied, *free, *until;
    int         n, count; /* coordinates; steps of the first run, twice as many of each next */
    double      error[4]; /* 0: no more runs */
} known[] = {
    /* 1.18034... is the period from pi/2 */
    { "simpson",
      PENDULUM,
      PENDULUM_ANGLE,
      "0.39344686633869873",
      2,
      10,
      { 4.40e-5, 2.76e-6, 1.73e-7 } },
    { "lobatto 3",
      PENDULUM,
      PENDULUM_ANGLE,
      "0.39344686633869873",
      2,
      5,
      { 8.86e-6, 1.39e-7, 2.18e-9 } },
    { "lobatto 1",
      DOUBLE_PENDULUM,
      TWO_ANGLES,
      "1",
      4,
      40,
      { 8.701e-3, 2.086e-3, 5.162e-4, 1.287e-4 } },
    { "simpson",
      DOUBLE_PENDULUM,
      TWO_ANGLES,
      "1",
      4,
      40,
      { 2.420e-5, 1.504e-6, 9.404e-8, 5.878e-9 } },
    { "lobatto 3",
      DOUBLE_PENDULUM,
      TWO_ANGLES,
      "1",
      4,
      20,
      { 6.891e-6, 8.646e-8, 1.572e-9, 2.466e-11 } },
};

static void at_end(const char *text, const char *name, const char *until, int count, int n,
                   const char *const *column, quad *to)
{
    noe_system     *s = parse(text);
    noe_integrator *g = integrator(s, name, number(until) / count, 33);
    steps(g, count);
    for (int i = 0; i < n; i++) {
        noe_column c;
        assert_true(noe_column_name_find(s, column[i], &c));
        to[i] = noe_column_value(g, &c);
    }
    noe_integrator_free(g), noe_system_free(s);
}

static void test_errors(void **unused)
{
    (void)unused;
    static const char *const tied[] = { "x", "y", "u", "w" }, *const free_of[] = { "X", "Y", "U",
                                                                                   "W" };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const int n = known[k].n;
        quad      exact[4], x[4];
        at_end(known[k].free, "gauss 8", known[k].until, 100, n, free_of, exact);
        for (int i = 0; i < 4 && known[k].error[i] > 0; i++) {
            quad most = 0;
            at_end(known[k].tied, known[k].method, known[k].until, known[k].count << i, n, tied, x);
            for (int j = 0; j < n; j++) most = fmaxq(most, fabsq(x[j] - exact[j]));
            if (!(fabs((double)most / known[k].error[i] - 1) < 3e-3))
                fail_msg("%s, %d steps: error %.4g, not %.4g", known[k].method, known[k].count << i,
                         (double)most, known[k].error[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_errors) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
