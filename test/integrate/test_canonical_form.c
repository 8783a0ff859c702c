/* The canonical form of monitored natural systems: the transformation by hand, lanes of nodes, nan.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"

/* L = v.M v/2 + b.v - V and G of n coordinates x1 .. xn, random, with velocities u1 .. un. */
typedef struct {
    int  n;
    char L[4000], G[600], start[600];
} natural;

static void add(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list      list;
    va_start(list, format);
    vsnprintf(text + length, size - length, format, list);
    va_end(list);
}

/* Springs of all pairs on quartic wells, so that V_qq is full; coupled: masses are, too. */
static natural random_natural(int n, bool coupled)
{
    natural c = { .n = n };
    add(c.L, sizeof c.L, "0");
    add(c.G, sizeof c.G, "1/(1");
    for (int i = 1; i <= n; i++) {
        add(c.L, sizeof c.L, " + %.17g*u%d^2/2 + %.17g*u%d - (%.17g*x%d^2 + x%d^4)/4",
            1.5 + 0.4 * random_number(), i, 0.3 * random_number(), i, 1 + 0.5 * random_number(), i,
            i);
        add(c.G, sizeof c.G, " + %.17g*(x%d - %.17g)^2", 0.8 + 0.4 * random_number(), i,
            0.2 * random_number());
        for (int k = 1; k < i; k++) {
            add(c.L, sizeof c.L, " - %.17g*sin(x%d - x%d)^2", 0.4 * random_number(), i, k);
            if (coupled) add(c.L, sizeof c.L, " + %.17g*u%d*u%d", 0.8 / n * random_number(), i, k);
        }
        add(c.start, sizeof c.start, "%s x%d = %.17g, x%d' = %.17g", i > 1 ? "," : "start", i,
            0.7 * random_number(), i, random_number());
    }
    add(c.G, sizeof c.G, ")");
    return c;
}

static noe_system *made(const natural *c, const char *velocity, const char *L, const char *more)
{
    char text[8000] = "";
    for (int i = 1; i <= c->n; i++) add(text, sizeof text, "coordinate x%d\n", i);
    add(text, sizeof text, "G = %s\n", c->G);
    for (int i = 1; i <= c->n; i++) add(text, sizeof text, velocity, i, i);
    add(text, sizeof text, "lagrangian %s\n%s\n", L, more);
    return parse(text);
}

/* G (L(q, q'/G) + E) as text, which is a system of moving masses. */
static noe_system *by_hand(const natural *c, noe_integrator *g)
{
    quad E, q[16], p[16];
    char L[5000], start[3000] = "", number[64];
    noe_integrator_state_get(g, NOE_AT_ENERGY, &E);
    noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, p);
    quadmath_snprintf(number, sizeof number, "%.36Qe", E);
    snprintf(L, sizeof L, "G*(%s + (%s))", c->L, number);
    for (int i = 0; i < c->n; i++) {
        quadmath_snprintf(number, sizeof number, "%.36Qe", q[i]);
        add(start, sizeof start, "%s x%d = %s", i ? "," : "start", i + 1, number);
        quadmath_snprintf(number, sizeof number, "%.36Qe", p[i]);
        add(start, sizeof start, ", p(x%d) = %s", i + 1, number);
    }
    return made(c, "u%d = x%d'/G\n", L, start);
}

/* G of the start, as its value in text. */
static quad monitor_at_start(noe_system *s)
{
    noe_column  column;
    noe_system *with = noe_system_extended(s, "observe now = G");
    if (!with) fail_msg("%s", noe_error());
    noe_integrator *g = integrator(with, "simpson", 0.1, 33);
    assert_true(noe_column_name_find(with, "now", &column));
    const quad G = noe_column_value(g, &column);
    noe_integrator_free(g), noe_system_free(with);
    return G;
}

/* 20 steps in 33 digits equal those of the transformation by hand, in 15 digits but for rounding;
 * each is solved by few evaluations, without a Newton matrix; up to NOE_CANONICAL_SECOND
 * coordinates by fewer, with second derivatives. */
static void test_equals_the_transformation_by_hand(void **unused)
{
    (void)unused;
    static const struct {
        const char *method;
        int         n;
        bool        coupled;
    } row[] = { { "gauss 4", 1, false }, { "gauss 8", 2, false }, { "gauss 8", 3, true },
                { "gauss 5", 5, true },  { "gauss 8", 2, true },  { "gauss 4", 6, false } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        enum { STEPS = 20 };
        const natural   c = random_natural(row[i].n, row[i].coupled);
        noe_system     *s = made(&c, "u%d = x%d'\n", c.L, c.start);
        noe_system     *m = monitored(s, c.G);
        const quad      h = (quad)1 / 16, G = monitor_at_start(s);
        noe_integrator *g = integrator(m, row[i].method, h, 33),
                       *few = integrator(m, row[i].method, h, 15);
        noe_system     *hand = by_hand(&c, g);
        noe_integrator *f = integrator(hand, row[i].method, h / G, 33);
        quad            z[2][32], w[32];
        assert_non_null(g->stepped.canonical);
        assert_null(f->stepped.canonical);
        double left = 1e-31; /* Newton's method for a moving mass may stall above rounding, and
                                tells where; errors of the steps add up */
        for (int k = 0; k < STEPS; k++) steps(f, 1), left += noe_get(f, "residual");
        steps(g, STEPS), steps(few, STEPS);
        noe_integrator_state_get(g, NOE_AT_Q, z[0]), noe_integrator_state_get(f, NOE_AT_Q, z[1]);
        noe_integrator_state_get(few, NOE_AT_Q, w);
        noe_integrator_state_get(g, NOE_AT_P, z[0] + c.n);
        noe_integrator_state_get(f, NOE_AT_P, z[1] + c.n);
        noe_integrator_state_get(few, NOE_AT_P, w + c.n);
        for (int j = 0; j < 2 * c.n; j++) {
            small(z[0][j] - z[1][j], 1, left, "the transformation by hand");
            small(z[0][j] - w[j], 1, 1e-15, "in 15 digits");
        }
        noe_integrator *const both[] = { g, few };
        for (int k = 0; k < 2; k++) {
            assert_true(both[k]->engine->solver->get(both[k]->work, NOE_SOLVER_CONTRACTED, 0)
                        == STEPS);
            assert_true(both[k]->engine->solver->get(both[k]->work, NOE_SOLVER_REFRESHES, 0) == 0);
            const double each =
                (double)both[k]->engine->solver->get(both[k]->work, NOE_SOLVER_ROUNDS, 0) / STEPS;
            const bool few_coordinates = c.n <= NOE_CANONICAL_SECOND; /* Newton's method */
            if (!(each < (few_coordinates ? k ? 3 : 5 : k ? 8 : 15)))
                fail_msg("%s: %g iterations", row[i].method, each);
        }
        noe_integrator_free(g), noe_integrator_free(f), noe_integrator_free(few);
        noe_system_free(hand), noe_system_free(m), noe_system_free(s);
    }
}

/* The time is the integral of G by the quadrature of the method: in 33 digits and at the order of
 * gauss 8 that of an accurate run at the same state. */
static void test_the_time_is_that_of_the_motion(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const natural   c = random_natural(1 + i, i == 2);
        noe_system     *s = made(&c, "u%d = x%d'\n", c.L, c.start), *m = monitored(s, c.G);
        noe_integrator *g = integrator(m, "gauss 8", (quad)1 / 32, 33);
        quad            t, z[6], w[6];
        steps(g, 30);
        noe_integrator_state_get(g, NOE_AT_T, &t);
        noe_integrator_state_get(g, NOE_AT_Q, z), noe_integrator_state_get(g, NOE_AT_P, z + c.n);
        noe_integrator *f = integrator(s, "gauss 8", t / 100, 33);
        steps(f, 100);
        noe_integrator_state_get(f, NOE_AT_Q, w), noe_integrator_state_get(f, NOE_AT_P, w + c.n);
        for (int j = 0; j < 2 * c.n; j++) small(z[j] - w[j], 1, 1e-24, "the state at its time");
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(m), noe_system_free(s);
    }
}

/* L and G that depend on t: G (L + E) with t and E at the nodes has the order of the method, and
 * its energy is that of the state. */
static void test_explicit_time(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        natural     c = random_natural(1 + i, i == 2);
        const char *method = i % 2 ? "gauss 5" : "gauss 4";
        const int   order = i % 2 ? 10 : 8;
        char        G[700];
        double      error[2];
        add(c.L, sizeof c.L, " + %.17g*x1*cos(1.3*t) - 0.2*x1^2*sin(t)",
            0.4 + 0.2 * random_number());
        snprintf(G, sizeof G, "%s*(1 + %.17g*sin(0.7*t))", c.G, 0.3 + 0.1 * random_number());
        noe_system *s = made(&c, "u%d = x%d'\n", c.L, c.start), *m = monitored(s, G);
        for (int k = 0; k < 2; k++) {
            noe_integrator *g = integrator(m, method, (quad)1 / (k ? 32 : 16), 33);
            quad            t, H, E, z[6], w[6], size = 0;
            assert_true(g->stepped.clocked);
            steps(g, k ? 40 : 20);
            noe_integrator_state_get(g, NOE_AT_T, &t),
                noe_integrator_state_get(g, NOE_AT_ENERGY, &H);
            noe_integrator_state_get(g, NOE_AT_Q, z),
                noe_integrator_state_get(g, NOE_AT_P, z + c.n);
            noe_integrator *f = integrator(s, "gauss 8", t / 100, 33);
            steps(f, 100);
            noe_integrator_state_get(f, NOE_AT_ENERGY, &E);
            noe_integrator_state_get(f, NOE_AT_Q, w),
                noe_integrator_state_get(f, NOE_AT_P, w + c.n);
            for (int j = 0; j < 2 * c.n; j++) size = fmaxq(size, fabsq(z[j] - w[j]));
            error[k] = (double)size;
            if (!(fabsq(H - E) < 20 * size)) fail_msg("energy %g", (double)(H - E));
            noe_integrator_free(g), noe_integrator_free(f);
        }
        const double found = log2(error[0] / error[1]);
        if (!(fabs(found - order) < 0.8) || !(error[1] < 1e-6))
            fail_msg("%s: errors %.2e %.2e, order %.2f", method, error[0], error[1], found);
        noe_system_free(m), noe_system_free(s);
    }
}

/* The work that moves a driven system is counted: the balance closes as the energy of a system
 * without t does. */
static void test_balance_with_explicit_time(void **unused)
{
    (void)unused;
    noe_system *s = parse("coordinate x\nkinetic x'^2/2\npotential x^4/4 - 0.3*x*cos(2*t)\n"
                          "start x = 1\n"),
               *m = monitored(s, "1/(1 + x^2)");
    noe_integrator *g = integrator(m, "gauss 8", 0.05, 33);
    quad            first, H, work, balance;
    noe_integrator_state_get(g, NOE_AT_ENERGY, &first);
    steps(g, 200);
    noe_integrator_state_get(g, NOE_AT_ENERGY, &H), noe_integrator_state_get(g, NOE_AT_WORK, &work);
    noe_integrator_state_get(g, NOE_AT_BALANCE, &balance);
    assert_true(fabsq(H - first) > 0.01);
    small(H - first - work, 1, 1e-17, "work");
    small(balance, 1, 1e-17, "balance");
    noe_integrator_free(g);
    noe_system_free(m), noe_system_free(s);
}

/* A late t has a coarse unit of rounding, which is no reason to fail: 3000 steps from t = T. */
static void test_explicit_time_that_is_late(void **unused)
{
    (void)unused;
    static const double T[] = { 0, 1e3, -1e6 };
    for (int i = 0; i < 3; i++) {
        noe_system *s = kepler(0.6 + 0.1 * random_number());
        char        text[64];
        snprintf(text, sizeof text, "t = %.17g", T[i]);
        noe_system     *late = noe_system_let(s, text);
        noe_system     *m = monitored(late, "r*(1 + 0.3*sin(t))");
        noe_integrator *g = integrator(m, "gauss 4", 0.02, 15);
        for (int k = 0; k < 3000; k++)
            if (noe_step(g)) fail_msg("t = %g + .., step %d: %s", T[i], k, noe_error());
        /* Kepler's energy is -1/2; the bound is that of the roundings of t in G. */
        small(noe_get(g, "energy") + 0.5, 1, 1e-12 + 1e-14 * fabs(T[i]), "the energy");
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(late), noe_system_free(s);
    }
}

/* A step that is far too long for the iteration is left to Newton's method, and one without a
 * solution ends the run; neither is silent. */
static void test_long_steps(void **unused)
{
    (void)unused;
    noe_system     *s = kepler(0.9), *m = monitored(s, "r^1.5");
    const double    turn = fictitious_period(0.9, 1.5) * pow(0.1, 1.5);
    noe_integrator *g = integrator(m, "gauss 8", turn / 1.2, 15);
    noe_status      why = NOE_OK;
    int             count = 0;
    for (; count < 30 && !why; count++) why = noe_step(g);
    const bool all = g->engine->solver->get(g->work, NOE_SOLVER_CONTRACTED, 0) == count;
    assert_false(all);
    if (!why) {
        const noe_local_error e = noe_local_error_of(g);
        assert_true(e.coarse);
    }
    noe_error_clear();
    noe_integrator_free(g);
    noe_system_free(m), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_transformation_by_hand),
        cmocka_unit_test(test_the_time_is_that_of_the_motion),
        cmocka_unit_test(test_explicit_time),
        cmocka_unit_test(test_balance_with_explicit_time),
        cmocka_unit_test(test_explicit_time_that_is_late),
        cmocka_unit_test(test_long_steps),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
