/* Collisions of many bodies and sticking bodies stop a run, which says which and where.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing_run.h"

static void seeded(void)
{
    const char    *given = getenv("NOE_SEED");
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 1;
    printf("NOE_SEED=%u\n", seed);
    srand(seed);
}

static double uniform(double lo, double hi) { return lo + (hi - lo) * rand() / RAND_MAX; }

/* Of a hundred bodies in the plane, each of radius 1/20 and far from the others, two meet head
 * on: the law ends at the distance 1/10, and ten steps long nodes lie within it, the ends of
 * steps among them.  Or one meets a fixed centre. */
static void test_many_collide(void **state)
{
    (void)state;
    seeded();
    for (int k = 0; k < 6; k++) {
        const int a = 1 + rand() % 100, other = 1 + rand() % 99, b = other < a ? other : other + 1,
                  lo = a < b ? a : b, hi = a + b - lo;
        const int    centre = k % 3 == 2;
        const double r = uniform(0.3, 0.5), turn = uniform(0, 6.28);
        char         text[12000], names[100], law[100];
        double       at[101][2], v[101][2] = { { 0 } }, t;
        for (int i = 1; i <= 100; i++)
            at[i][0] = 4 * (i % 10) + uniform(-1, 1), at[i][1] = 4 * (i / 10) + uniform(-1, 1);
        snprintf(law, sizeof law, "(x[i] - %.9f)^2 + (y[i] - %.9f)^2", at[a][0], at[a][1]);
        at[b][0] = at[a][0] + r * cos(turn), at[b][1] = at[a][1] + r * sin(turn);
        v[b][0] = -2 * cos(turn), v[b][1] = -2 * sin(turn);
        if (centre) at[a][0] += 2;
        int n = snprintf(
            text, sizeof text,
            "coordinate x[1..100], y[1..100]\nkinetic sum(i in 1..100) ((x[i]'^2 + y[i]'^2)/2)\n"
            "potential sum(i in 1..100%s) 1e-4*sqrt(sqrt(%s) - 0.1)\n",
            centre ? "" : ", j in i+1..100", centre ? law : "(x[i] - x[j])^2 + (y[i] - y[j])^2");
        for (int i = 1; i <= 100; i++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "start x[%d] = %.9f, y[%d] = %.9f, x[%d]' = %.9f, y[%d]' = %.9f\n", i,
                          at[i][0], i, at[i][1], i, v[i][0], i, v[i][1]);
        if (centre)
            snprintf(names, sizeof names,
                     "the force on x[%d], y[%d] grows without bound (at x[%d] = ", b, b, b);
        else
            snprintf(
                names, sizeof names,
                "a collision: x[%d], y[%d] and x[%d], y[%d] come together (at a distance of 0.1",
                lo, lo, hi, hi);
        const noe_status why = fails(text, k < 3 ? "simpson" : "lobatto 4", 0.01, 1, &t);
        assert_true(why == NOE_NOT_CONVERGED || why == NOE_NOT_FINITE);
        says(names);
        says("not finite");
        /* they meet after (r - 1/10)/2 but for what forces below 100 1e-4/2/(1/10) do; a step
         * before it ends */
        const double meet = (r - 0.1) / 2;
        if (!(t <= meet + 1e-3 && t >= meet - 0.01 - 1e-3))
            fail_msg("%d: they meet at %g, stopped at %g", k, meet, t);
        noe_error_clear();
    }
}

/* Gravity, without a sharp end: 100 bodies at rest on a grid, two of them near each other. */
static void test_many_fall(void **state)
{
    (void)state;
    char   text[6000];
    double t;
    int    n = snprintf(
           text, sizeof text,
           "coordinate x[1..100], y[1..100]\nkinetic sum(i in 1..100) ((x[i]'^2 + y[i]'^2)/2)\n"
              "potential sum(i in 1..100, j in i+1..100) -1/sqrt((x[i] - x[j])^2 + (y[i] - "
              "y[j])^2)\n");
    for (int i = 1; i <= 100; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "start x[%d] = %g, y[%d] = %g\n", i,
                      i == 42 ? 12.01 : 4.0 * (i % 10), i, i == 42 ? 4.02 : 4.0 * (i / 10));
    assert_int_equal(fails(text, "simpson", 0.01, 1, &t), NOE_NOT_CONVERGED);
    says("x[13], y[13] and x[42], y[42]");
    noe_error_clear();
}

/* What only runs away does not collide: one of many, or a bond between two. */
static void test_many_escape(void **state)
{
    (void)state;
    seeded();
    for (int k = 0; k < 8; k++) {
        const int a = 1 + rand() % 199;
        const int bond = k % 2;
        char      text[600], names[100];
        double    t;
        snprintf(text, sizeof text,
                 "coordinate x[1..200]\nkinetic sum(i in 1..200) x[i]'^2/2\n"
                 "potential sum(i in 1..199) (%s)\n"
                 "start x[%d] = %.9f%s\n",
                 bond ? "(x[i+1] - x[i])^2/20 - (x[i+1] - x[i])^4"
                      : "(x[i+1] - x[i])^2/20 - x[i]^4",
                 a, uniform(1, 2), bond ? "" : ", x[200] = 0.1");
        if (bond) { /* which of its two bonds goes first is for the start to say */
            char more[60];
            snprintf(more, sizeof more, "start x[%d] = %.9f\n", a + 1, -uniform(1, 2));
            strcat(text, more);
        }
        if (bond)
            snprintf(names, sizeof names,
                     "the motion runs away: the force between x[%d] and x[%d] grows on and on", a,
                     a + 1);
        else
            snprintf(names, sizeof names,
                     "the motion runs away: the force on x[%d] grows on and on", a);
        const noe_status why = fails(text, k < 4 ? "simpson" : "gauss 3", 0.01, 20, &t);
        assert_true(why == NOE_NOT_CONVERGED || why == NOE_NOT_FINITE);
        says(names);
        if (strstr(noe_error(), "collision:")) fail_msg("%s", noe_error());
        noe_error_clear();
    }
}

/* Friction that does not depend on the speed stops a body: the run says so, and what is smooth
 * over the width it names runs on. */
static void test_sticking(void **state)
{
    (void)state;
    static const char *const methods[] = { "simpson", "midpoint", "gauss 2", "gauss 3",
                                           "lobatto 3" };
    static const char *const model =
        "coordinate x, y\nkinetic %g/2*x'^2 + y'^2/2 + %g*x'*y'\npotential %g*x^2 + (x - y)^2/2\n"
        "start x = %g, y = %g, x' = %g\n";
    int stuck = 0;
    for (int k = 0; k < 40; k++) {
        char         base[300], text[600], smooth[600], u[40];
        const double mu = 0.2 + uniform(0, 1), m = 0.6 + uniform(0, 1),
                     h = 0.01 + 0.03 * uniform(0, 1);
        const int force = k % 2, together = k % 3 == 0;
        snprintf(base, sizeof base, model, m, 0.3 * uniform(0, 1), uniform(0, 1), uniform(0, 1),
                 uniform(0, 1), k % 4 ? 2 * uniform(0, 1) : 0);
        snprintf(u, sizeof u, together ? "(x' - y')" : "x'");
        const char *m_ = methods[k % 5];
        snprintf(text, sizeof text,
                 force && !together ? "%sforce x = -%g*sign%s\n" : "%sdissipation %g*abs%s\n", base,
                 mu, together ? u : "(x')");
        double t;
        if (fails(text, m_, h, 40, &t) == NOE_OK) continue; /* it rattles on */
        stuck++;
        says("a force has a kink or a jump where ");
        says(together ? "of the velocities of x and y" : "x' = 0");
        const char *told = strstr(noe_error(), "with w = ");
        assert_non_null(told);
        const double w = strtod(told + 9, NULL);
        if (force && !together)
            snprintf(smooth, sizeof smooth, "%sforce x = -%g*x'/sqrt(x'^2 + %g^2)\n", base, mu, w);
        else
            snprintf(smooth, sizeof smooth, "%sdissipation %g*sqrt(%s^2 + %g^2)\n", base, mu, u, w);
        if (fails(smooth, m_, h, 40, &t))
            fail_msg("%s, step %g: %s\n%s", m_, h, noe_error(), smooth);
    }
    assert_true(stuck >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_collide),
        cmocka_unit_test(test_many_fall),
        cmocka_unit_test(test_many_escape),
        cmocka_unit_test(test_sticking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
