/* Steps with forces and damping: orders against a second integrator, schemes of paper 004.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "forced.h"
#include "integrate/integrator.h"

/* Errors of (q, v), of the work and the dissipated energy, after so many steps, and the largest
 * balance of the last quarter. */
typedef struct {
    double state, work, dissipated, balance;
} errors;

static errors after(const forced *x, const noe_system *s, const noe_method *m, int steps,
                    const quad *y)
{
    run         r = make_run(noe_engine_quad(), s, m, x->until / steps);
    const point start = model_start(s);
    quad        v[DOFS];
    errors      e = { 0 };
    start_run(r, &start, false);
    for (int i = 0; i < steps; i++) {
        step_run(r);
        if (4 * i >= 3 * steps)
            e.balance = fmax(e.balance, (double)fabsq(get_one(r, 0, NOE_AT_BALANCE)));
    }
    const point end = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, v);
    for (int j = 0; j < r.n; j++)
        e.state = fmax(e.state, (double)fmaxq(fabsq(end.q[j] - y[j]), fabsq(v[j] - y[r.n + j])));
    e.work = (double)fabsq(get_one(r, 0, NOE_AT_WORK) - y[2 * r.n]);
    e.dissipated = (double)fabsq(get_one(r, 0, NOE_AT_DISSIPATED) - y[2 * r.n + 1]);
    r.engine->drop(r.work);
    return e;
}

static double order_of(double coarse, double fine) { return log2(coarse / fine); }

static void test_orders(void **unused)
{
    (void)unused;
    static const char *const name[] = { "gauss 1",         "gauss 2",   "gauss 3",
                                        "gauss 4",         "lobatto 1", "simpson",
                                        "lobatto 3",       "lobatto 4", "P3 radau-left 3",
                                        "P3 radau-right 4" };
    const struct {
        const forced *x;
        const char   *what;
        int           steps;
    } system[] = { { &driven_pendulum, "driven pendulum", 40 },
                   { &van_der_pol, "Van der Pol", 80 },
                   { &damped_double_pendulum, "damped double pendulum", 80 },
                   { &seven_masses, "seven masses", 40 } };
    for (size_t k = 0; k < sizeof system / sizeof *system; k++) {
        const forced *x = system[k].x;
        noe_system   *s = parse(x->text);
        quad          y[NUMBERS], z[NUMBERS];
        reference(x, 40, y);
        reference(x, 80, z);
        for (int i = 0; i < 2 * x->n + 2; i++) small(y[i] - z[i], 1, 2e-20, "the reference");
        for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
            noe_method  *m = method(name[i]);
            const errors a = after(x, s, m, system[k].steps, z),
                         b = after(x, s, m, 2 * system[k].steps, z);
            const double state = order_of(a.state, b.state),
                         lost = order_of(a.dissipated, b.dissipated);
            printf("%-24s %-18s %8.1e %8.1e %6.2f of %d  dissipated %6.2f\n", system[k].what,
                   m->name, a.state, b.state, state, m->order, lost);
            small(state - m->order, 1, 0.1, m->name);
            if (lost < m->order - 0.3) fail_msg("dissipated: order %g of %d", lost, m->order);
            assert_true(b.work <= 1000 * b.state && b.balance <= 1000 * b.state);
            noe_method_free(m);
        }
        noe_system_free(s);
    }
}

/* Seven masses are damped by matrices that depend on the positions, and driven: kicks by full
 * matrices, t in the kicks; in binary128 these are slow, so that the highest orders are measured
 * on one coordinate. */
static void test_orders_of_explicit_methods(void **unused)
{
    (void)unused;
    static const struct {
        const char   *name;
        const forced *x;
        int           order, steps;
    } explicit[] = { { "luo-guo4-printed", &seven_masses, 0, 80 },
                     { "luo-guo1", &seven_masses, 1, 320 },
                     { "luo-guo4", &seven_masses, 1, 320 },
                     { "luo-guo4-drift", &seven_masses, 1, 320 },
                     { "rk4", &seven_masses, 4, 320 },
                     { "rk4-v", &seven_masses, 4, 320 },
                     { "verlet", &seven_masses, 2, 40 },
                     { "ruth3", &seven_masses, 3, 40 },
                     { "blanes-moan6", &van_der_pol, 6, 80 },
                     { "verlet-drift", &van_der_pol, 2, 80 },
                     { "yoshida4", &van_der_pol, 4, 160 },
                     { "srkn11-6", &van_der_pol, 4, 80 },
                     { "kahan-li8", &van_der_pol, 8, 160 },
                     { "sofroniou-spaletta8", &van_der_pol, 8, 80 },
                     { "sofroniou-spaletta10", &van_der_pol, 10, 80 },
                     { "kahan-li6", &driven_pendulum, 6, 80 },
                     { "sofroniou-spaletta10", &driven_pendulum, 10, 40 } };
    for (size_t i = 0; i < sizeof explicit / sizeof *explicit; i++) {
        const forced *x = explicit[i].x;
        noe_system   *s = parse(x->text);
        noe_method   *m = method(explicit[i].name);
        const int     N = explicit[i].steps;
        static quad   y[NUMBERS];
        if (!i || x != explicit[i - 1].x) reference(x, 40, y);
        const errors a = after(x, s, m, N, y), b = after(x, s, m, 2 * N, y);
        const double state = order_of(a.state, b.state), left = order_of(a.balance, b.balance);
        printf("%d coordinates %-20s %8.1e %8.1e %6.2f of %d  balance %6.2f\n", x->n, m->name,
               a.state, b.state, state, explicit[i].order, left);
        small(state - explicit[i].order, 1, 0.15, m->name);
        if (left < explicit[i].order - 0.5) fail_msg("%s: balance of order %g", m->name, left);
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* Without damping the schemes of paper 004 are those of Forest and Ruth; at q = 0 the frozen one
 * divides by 0. */
static void test_schemes_of_paper_004(void **unused)
{
    (void)unused;
    noe_system       *s = load("systems/duffing.lag"), *damped = load("systems/duffing_planar.lag");
    const char *const pair[][2] = { { "luo-guo4", "yoshida4" },
                                    { "luo-guo4-frozen", "yoshida4" },
                                    { "luo-guo1", "euler" } };
    for (int i = 0; i < 3; i++) {
        noe_method *a = method(pair[i][0]), *b = method(pair[i][1]);
        run         r = make_run(noe_engine_quad(), s, a, (quad)1 / 20),
            u = make_run(noe_engine_quad(), s, b, (quad)1 / 20);
        const point x = model_start(s);
        start_run(r, &x, false), start_run(u, &x, false);
        for (int k = 0; k < 100; k++) step_run(r), step_run(u);
        small(get_point(r, 0).q[0] - get_point(u, 0).q[0], 1, 1000 * QUAD_EPS, pair[i][0]);
        r.engine->drop(r.work), u.engine->drop(u.work);
        noe_method_free(a), noe_method_free(b);
    }
    noe_method     *frozen = method("luo-guo4-frozen");
    noe_integrator *g = noe_integrator_new(damped, frozen, 0.01);
    noe_error_clear();
    assert_int_equal(noe_step(g), NOE_NOT_FINITE);
    assert_non_null(strstr(noe_error(), "by q1 and q2, which is 0 there"));
    assert_true(noe_get(g, "q1.v") == 0 && noe_get(g, "q2.v") == 1 && noe_time(g) == 0);
    noe_error_clear();
    double M[16];
    assert_int_equal(noe_step_jacobian(g, M), NOE_INVALID);
    noe_error_clear();
    noe_integrator_free(g);
    noe_method_free(frozen);
    noe_system_free(s), noe_system_free(damped);
}

/* The frozen scheme has the order 1 where a force depends on another coordinate, without any
 * damping; the same kicks and drifts in the other schemes have theirs. */
static void test_frozen_order_where_coordinates_are_coupled(void **unused)
{
    (void)unused;
    static const char text[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y^2%s\n"
                               "start x = 1, y = 2, x' = 0.1\n";
    static const struct {
        const char *name, *term;
        int         order;
    } row[] = {
        { "luo-guo4-frozen", " + 0.3*x*y", 1 },
        { "luo-guo4-frozen", "", 4 },
        { "luo-guo4", " + 0.3*x*y", 4 },
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char model[300];
        snprintf(model, sizeof model, text, row[k].term);
        noe_system     *s = parse(model);
        noe_method     *m = method(row[k].name);
        noe_integrator *g = noe_integrator_new(s, m, 0.1);
        assert_int_equal(noe_splitting_check_order(&g->splitting, m), row[k].order);
        quad x[3];
        for (int i = 0; i < 3; i++) {
            run         r = make_run(noe_engine_quad(), s, m, ldexpq(1, -6 - i));
            const point start = model_start(s);
            start_run(r, &start, false);
            for (int j = 0; j < 16 << i; j++) step_run(r);
            x[i] = get_point(r, 0).q[0];
            r.engine->drop(r.work);
        }
        const double order = (double)log2q(fabsq((x[0] - x[1]) / (x[1] - x[2])));
        if (!(fabs(order - row[k].order) < 0.1))
            fail_msg("%s%s: order %.3f", row[k].name, row[k].term, order);
        noe_integrator_free(g);
        noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_orders_of_explicit_methods),
        cmocka_unit_test(test_schemes_of_paper_004),
        cmocka_unit_test(test_frozen_order_where_coordinates_are_coupled),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
