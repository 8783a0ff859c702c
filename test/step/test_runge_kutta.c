/* y <- y + h sum_i b_i f(y_i): the explicit baseline, in (q, p) and in (q, v).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The figures that another program has for rk4 on the double pendulum and the heavy top are in
 * test_recomputed.c. */
#include "laws.h"

#include "method/runge_kutta.h"
#include "method/stability.h"

/* ---- the numbers ---- */

static void table(noe_method *f, const char *text)
{
    memset(f, 0, sizeof *f);
    f->kind = NOE_RUNGE_KUTTA;
    noe_runge_kutta_fill(f, text);
}

static void test_order_from_the_conditions(void **unused)
{
    (void)unused;
    static const struct {
        const char *table;
        int         order;
    } known[] = {
        { "1;", 1 },
        { "1/2; 0 1;", 2 },
        { "1; 1/2 1/2;", 2 },
        { "1/3; 0 2/3; 1/4 0 3/4;", 3 },
        { "1/2; 0 1/2; 0 0 1; 1/6 1/3 1/3 1/6;", 4 },
        { "1/3; -1/3 1; 1 -1 1; 1/8 3/8 3/8 1/8;", 4 },
        /* Butcher's sixth-order method with seven stages (Butcher, Numerical Methods for ODEs,
         * 33) */
        { "1/3; 0 2/3; 1/12 1/3 -1/12; 25/48 -55/24 35/48 15/8; 3/20 -11/24 -1/8 1/2 1/10;"
          "-261/260 33/13 43/156 -118/39 32/195 80/39; 13/200 0 11/40 11/40 4/25 4/25 13/200;",
          6 },
        { "1/2; 0 1/2; 0 0 1; 1/6 1/3 1/3 0.1;", 0 },
    };
    noe_method f;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        table(&f, known[k].table);
        if (f.order != known[k].order) fail_msg("%s: order %d", known[k].table, f.order);
        assert_false(f.symmetric || f.symplectic);
    }
    table(&f, "1/2; 0 1/2; 0 0 1; 1/6 1/3 1/3 1/6;");
    for (int i = 0; i < 4; i++)
        for (int l = 0; l < i; l++) {
            noe_method g = f;
            g.A[i][l] += (quad)1e-3;
            assert_true(noe_runge_kutta_order(&g) < 4);
        }
    /* The order of an implicit table, too: the midpoint rule. */
    table(&f, "1;");
    assert_int_equal(noe_runge_kutta_order(&f), 1);
    f.A[0][0] = (quad)1 / 2;
    assert_int_equal(noe_runge_kutta_order(&f), 2);
}

static void test_stability(void **unused)
{
    (void)unused;
    static const struct {
        const char *table;
        double      edge;
    } known[] = {
        { "1;", 0 },
        { "1/2; 0 1;", 0 },
        { "1/3; 0 2/3; 1/4 0 3/4;", 1.7320508075688772 },
        { "1/2; 0 1/2; 0 0 1; 1/6 1/3 1/3 1/6;", 2.8284271247461903 },
    };
    noe_method f;
    double     edge = -1;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        table(&f, known[k].table);
        assert_int_equal(noe_stability_windows(&f, INFINITY, &edge, 1), 1);
        assert_true(fabs(edge - known[k].edge) <= 2 * 0x1p-52 * known[k].edge);
    }
    assert_int_equal(noe_stability_windows(&f, 2.8, NULL, 0), 0);
}

/* ---- the pendulum from pi/2 over one period: p, q, relative energy; N = 50, 100, 200 steps
 * ---- */

static void test_pendulum(void **unused)
{
    (void)unused;
    static const double known[3][3] = { { 6.55486e-05, 1.48907e-05, 5.81623e-06 },
                                        { 4.83179e-06, 9.68195e-07, 2.36074e-07 },
                                        { 3.24532e-07, 6.17677e-08, 1.07461e-08 } };
    noe_system         *s = load("systems/pendulum.lag");
    const quad          T = number("1.18034059901609622604533794056");
    noe_method         *rk4 = method("rk4"), *fine = method("gauss 8");
    for (int i = 0; i < 3; i++) {
        const int N = 50 << i;
        run       r = make_run(noe_engine_quad(), s, rk4, T / N),
            exact = make_run(noe_engine_quad(), s, fine, T / N);
        const point x = model_start(s);
        quad        worst[3] = { 0 };
        start_run(r, &x, false);
        start_run(exact, &x, false);
        const quad H0 = get_one(r, 0, NOE_AT_ENERGY);
        for (int k = 0; k < N; k++) {
            step_run(r);
            step_run(exact);
            const point y = get_point(r, 0), z = get_point(exact, 0);
            worst[0] = fmaxq(worst[0], fabsq(y.p[0] - z.p[0]));
            worst[1] = fmaxq(worst[1], fabsq(y.q[0] - z.q[0]));
            worst[2] = fmaxq(worst[2], fabsq(get_one(r, 0, NOE_AT_ENERGY) - H0) / H0);
        }
        for (int c = 0; c < 3; c++)
            digits((double)worst[c], known[i][c], 5.1e-6, "rk4 on the pendulum");
        r.engine->drop(r.work);
        exact.engine->drop(exact.work);
    }
    noe_method_free(rk4);
    noe_method_free(fine);
    noe_system_free(s);
}

/* ---- the heavy top over 1000 nutations: p(phi) ---- */

static void test_momenta(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/lagrange_top.lag");
    const quad  T = number("0.10874600547956244621582628987883");
    const char *name[] = { "rk4", "rk4-v" };
    for (int which = 0; which < 2; which++) {
        noe_method *m = method(name[which]);
        for (int N = 10; N <= 40; N += 30) {
            run   r = make_run(noe_engine_double(), s, m, T / N);
            point x = model_start(s), y;
            start_run(r, &x, false);
            x = get_point(r, 0);
            quad worst = 0;
            for (int k = 0; k < 1000 * N; k++) {
                step_run(r);
                y = get_point(r, 0);
                worst = fmaxq(worst, fabsq(y.p[0] - x.p[0]) / x.p[0]);
            }
            if (which == 0) assert_true(worst == 0 && y.p[2] == x.p[2]);
            else digits((double)worst, N == 10 ? 3e-2 : 5e-4, 0.17, "drift of p(phi), one digit");
            r.engine->drop(r.work);
        }
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- orders on systems with everything in them, in binary128 ---- */

static const char everything[] = "coordinate x, y\n"
                                 "kinetic (1 + t^2 + x^2)*x'^2/2 + y'^2 + sin(t)*cos(x)*x'*y'/2\n"
                                 "lagrangian t*x*y' - y*x' - x^2/2 - y^4/4 + cos(t)*x*y\n"
                                 "start x = 1, y = 0.3, x' = 0.2, y' = -0.5\n";

static void test_orders(void **unused)
{
    (void)unused;
    noe_system *s = parse(everything);
    for (int which = 0; which < 2; which++) {
        noe_method  *m = method(which ? "rk4-v" : "rk4");
        const double order = measured_order(s, m, (quad)1 / 64, 32);
        noe_method_free(m);
        if (!(fabs(order - 4) < 0.05)) fail_msg("order %.3f", order);
    }
    noe_system_free(s);
}

/* ---- functions in C: L_vt by differences, forces ---- */

static double swinging(double t, const double *z, const double *param, double *grad, double *hess,
                       void *ctx)
{
    (void)param, (void)ctx;
    const double m = 1 + 0.5 * sin(t), q = z[0], v = z[1];
    if (grad) grad[0] = -sin(q), grad[1] = m * v;
    if (hess) hess[0] = -cos(q), hess[1] = hess[2] = 0, hess[3] = m;
    return m * v * v / 2 + cos(q);
}

static void rubbing(double t, const double *z, const double *param, double *f, double *dfdz,
                    void *ctx)
{
    (void)param, (void)ctx;
    *f = -0.3 * z[1] * z[1] * z[1] + 0.2 * cos(3 * t);
    if (dfdz) dfdz[0] = 0, dfdz[1] = -0.9 * z[1] * z[1];
}

static double end_of(const noe_system *s, const char *name, double h)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    const double    q = 1, v = 0.5;
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
    assert_int_equal(noe_run(g, 2, NULL, NULL), NOE_OK);
    const double x = noe_q(g)[0];
    noe_integrator_free(g);
    noe_method_free(m);
    return x;
}

static void test_functions_in_c(void **unused)
{
    (void)unused;
    noe_system  *s = noe_system_new(1, 0, swinging, rubbing, NULL);
    const double exact = end_of(s, "gauss 6", 0.05);
    for (int which = 0; which < 2; which++) {
        const char  *name = which ? "rk4-v" : "rk4";
        const double coarse = fabs(end_of(s, name, 0.1) - exact),
                     fine = fabs(end_of(s, name, 0.05) - exact);
        if (!(fabs(log2(coarse / fine) - 4) < 0.25))
            fail_msg("%s: order %.3f", name, log2(coarse / fine));
    }
    noe_system_free(s);
}

/* ---- the derivative of a step ---- */

static void test_derivative(void **unused)
{
    (void)unused;
    noe_system *s = parse(everything);
    noe_method *m = method("rk4");
    const quad  h = (quad)1 / 16, d = (quad)1e-9;
    run         r = make_run(noe_engine_quad(), s, m, h);
    point       x = model_start(s), y;
    quad        M[16], worst = 0, size = 0;
    start_run(r, &x, true);
    step_run(r);
    y = get_point(r, 0);
    assert_true(r.engine->derivative(r.work, 0, M));
    const point same = get_point(r, 0);
    assert_memory_equal(&y, &same, sizeof y);
    worst = derivative_error(r, &x, d, M, &size);
    small(worst, size, 1e-23, "derivative of an rk4 step"); /* measured: the differences' error */
    r.engine->drop(r.work);
    noe_method_free(m);

    m = method("rk4-v");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    double          J[16];
    assert_int_equal(noe_step_jacobian(g, J), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "take \"rk4\""));
    assert_true(noe_time(g) == 0);
    noe_error_clear();
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_from_the_conditions),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_functions_in_c),
        cmocka_unit_test(test_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
