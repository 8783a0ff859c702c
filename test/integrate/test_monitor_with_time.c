/* monitor G where L or G depends on t: order, two solvers, symplecticity in (q, t, p, -E).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "monitored.h"

/* Moving masses, a magnetic field and forces, all with t, and a G with t. */
static noe_system *driven(char *G, size_t size)
{
    choice c = random_choice();
    char  *end = c.L + strlen(c.L);
    snprintf(end, (size_t)(c.L + sizeof c.L - end),
             " + u^2*sin(1.1*t)/4 + %.17g*cos(1.3*t)*(y*u + x*w) + %.17g*x*sin(t + y)",
             0.3 + 0.2 * random_number(), 0.4 + 0.2 * random_number());
    snprintf(G, size, "%s*(1 + %.17g*sin(0.7*t + x))", c.G, 0.3 + 0.1 * random_number());
    return as_written(&c);
}

/* ---- the step has its order, and its energy is that of the state ---- */

static void state(noe_integrator *g, quad *z)
{
    noe_integrator_state_get(g, NOE_AT_Q, z);
    noe_integrator_state_get(g, NOE_AT_P, z + g->system->dyn.n);
}

static void test_orders(void **unused)
{
    (void)unused;
    static const struct {
        const char *method;
        int         order;
        double      h;
    } row[] = { { "midpoint", 2, 0.02 },     { "simpson", 4, 0.04 },
                { "lobatto 3", 6, 0.06 },    { "gauss 2", 4, 0.04 },
                { "gauss 3", 6, 0.06 },      { "gauss 5", 10, 0.15 },
                { "P4 gauss 6", 8, 0.1 },    { "compose 6 simpson", 6, 0.1 },
                { "P3 clenshaw 5", 6, 0.06 } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char        G[400];
        double      error[3];
        noe_system *s = driven(G, sizeof G), *m = monitored(s, G);
        for (int k = 0; k < 3; k++) {
            noe_integrator *g = integrator(m, row[i].method, row[i].h / (1 << k), 33);
            quad            t, H, E, balance, z[4], w[4], size = 0;
            assert_true(g->stepped.clocked);
            steps(g, 16 << k);
            noe_integrator_state_get(g, NOE_AT_T, &t), state(g, z);
            noe_integrator_state_get(g, NOE_AT_ENERGY, &H);
            noe_integrator_state_get(g, NOE_AT_BALANCE, &balance);
            noe_integrator *f = integrator(s, "gauss 8", t / 80, 33);
            steps(f, 80), state(f, w);
            noe_integrator_state_get(f, NOE_AT_ENERGY, &E);
            for (int j = 0; j < 4; j++) size = fmaxq(size, fabsq(z[j] - w[j]));
            error[k] = (double)size;
            small(H - E, size, 30, "the energy, in errors of the state");
            small(balance, size, 30, "the balance, in errors of the state");
            noe_integrator_free(g), noe_integrator_free(f);
        }
        const double found = log2(error[1] / error[2]);
        if (!(fabs(found - row[i].order) < 0.5) || !(error[0] < 1e-2) || !(error[2] > 1e-28))
            fail_msg("%s, %s: errors %.2e %.2e %.2e, order %.2f", row[i].method, G, error[0],
                     error[1], error[2], found);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- the canonical equations and Newton's method solve the same step ---- */

static void test_two_solvers(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "gauss 4", "gauss 6" };
    for (int i = 0; i < 4; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic x'^2/2 + 0.7*y'^2 + %.17g*x'*y'\n"
                 "potential (x^2 + 2*y^2)/2 + x^4/4 + %.17g*x*y^2 - %.17g*x*cos(1.3*t)\n"
                 "start x = 0.6, y' = %.17g\n",
                 0.3 * random_number(), 0.4 * random_number(), 0.5 + 0.2 * random_number(),
                 random_number());
        noe_system     *s = parse(text), *m = monitored(s, "(1 + 0.3*sin(t))/(1 + x^2 + y^2)");
        noe_integrator *g = integrator(m, methods[i % 2], 0.04, 33),
                       *f = integrator(m, methods[i % 2], 0.04, 33);
        quad z[4], w[4], t, u;
        assert_non_null(g->stepped.canonical);
        f->engine->solver->choose(f->work, 0, 3); /* Newton */
        steps(g, 20), steps(f, 20);
        assert_true(g->engine->solver->get(g->work, NOE_SOLVER_CONTRACTED, 0) > 10);
        assert_true(f->engine->solver->get(f->work, NOE_SOLVER_CONTRACTED, 0) == 0);
        state(g, z), state(f, w);
        noe_integrator_state_get(g, NOE_AT_T, &t), noe_integrator_state_get(f, NOE_AT_T, &u);
        for (int j = 0; j < 4; j++) small(z[j] - w[j], 1, 1e-29, "the state by Newton's method");
        small(t - u, 1, 1e-29, "the time by Newton's method");
        noe_integrator_free(g), noe_integrator_free(f);
        noe_system_free(m), noe_system_free(s);
    }
}

/* ---- a step is symplectic in (q, t, p, -E) ---- */

enum { EXTENDED = 6 };

/* One step from (x, y, t, p(x), p(y), -E), of the same length in fictitious time. */
static void extended_step(noe_integrator *g, quad eps, const quad *from, quad *to)
{
    static const bool momenta[2] = { true, true };
    quad              E = -from[5], step = 0.1;
    g->engine->set(g->work, NOE_AT_T0, 0, &from[2]);
    g->engine->set(g->work, NOE_AT_STEP, 0, &step);
    g->engine->set(g->work, NOE_AT_Q, 0, from), g->engine->set(g->work, NOE_AT_P, 0, from + 3);
    assert_int_equal(g->engine->start(g->work, momenta), 0);
    g->engine->set(g->work, NOE_AT_FICTITIOUS, 0, &eps),
        g->engine->set(g->work, NOE_AT_LEVEL, 0, &E);
    if (g->engine->step(g->work)) fail_msg("%s: %d", g->method, (int)g->engine->why(g->work, 0));
    g->engine->get(g->work, NOE_AT_Q, 0, to), g->engine->get(g->work, NOE_AT_P, 0, to + 3);
    g->engine->get(g->work, NOE_AT_T, 0, to + 2), g->engine->get(g->work, NOE_AT_LEVEL, 0, &E);
    to[5] = -E;
}

static void test_symplectic_with_its_time(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "midpoint", "simpson",    "gauss 3",
                                           "gauss 4",  "P4 gauss 6", "compose 4 midpoint" };
    const quad               d = 1e-9;
    for (int i = 0; i < 6; i++) {
        char            G[400];
        noe_system     *s = driven(G, sizeof G), *m = monitored(s, G);
        noe_integrator *g = integrator(m, methods[i], 0.1, 33);
        quad            z[EXTENDED], D[EXTENDED][EXTENDED], up[EXTENDED], down[EXTENDED];
        noe_integrator_state_get(g, NOE_AT_Q, z), noe_integrator_state_get(g, NOE_AT_P, z + 3);
        noe_integrator_state_get(g, NOE_AT_LEVEL, &z[5]);
        z[2] = 0.4, z[5] = -z[5] + 0.01 * random_number(); /* off the energy of the motion, too */
        for (int k = 0; k < EXTENDED; k++) {
            const quad kept = z[k];
            z[k] = kept + d, extended_step(g, 0.2, z, up);
            z[k] = kept - d, extended_step(g, 0.2, z, down);
            z[k] = kept;
            for (int j = 0; j < EXTENDED; j++) D[j][k] = (up[j] - down[j]) / (2 * d);
        }
        quad by_time = 0;
        for (int j = 0; j < EXTENDED; j++) by_time = fmaxq(by_time, j == 2 ? 0 : fabsq(D[j][2]));
        assert_true(by_time > 1e-3);
        for (int a = 0; a < EXTENDED; a++)
            for (int b = 0; b < EXTENDED; b++) {
                quad sum = b == a + 3 ? -1 : a == b + 3 ? 1 : 0;
                for (int k = 0; k < 3; k++) sum += D[k][a] * D[3 + k][b] - D[3 + k][a] * D[k][b];
                small(sum, 1, 1e-15, methods[i]); /* differences of third order in d */
            }
        noe_integrator_free(g);
        noe_system_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_two_solvers),
        cmocka_unit_test(test_symplectic_with_its_time),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g of it\n", tightest);
    return failed;
}
