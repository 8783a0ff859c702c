/* p_j = const when q_j is not in L,   |H - H_0| bounded for 10^5 steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "exact.h"

/* ---- momenta ---- */

/* Is L_q(j) the number 0, and not merely small? */
static bool cyclic(const noe_system *s, int j)
{
    for (int k = 0; k < 10; k++) {
        const point x = random_point(s);
        quad        out[s->dyn.gradient->outputs];
        jet_of(s->dyn.gradient, s->dyn.n, x.t, x.q, x.v, out);
        if (out[j] != 0) return false;
    }
    return true;
}

static int found;

static void momentum_law(const noe_system *s, const char *path)
{
    static const char *const name[] = { "simpson", "gauss 3", "P3 radau-left 3" };
    if (s->model->optimal.controls) return; /* without controls it stays where it is */
    for (int j = 0; j < s->dyn.n; j++) {
        if (!cyclic(s, j)) continue;
        found++;
        for (int i = 0; i < 3; i++) {
            noe_method *m = method(name[i]);
            run         r = make_run(noe_engine_double(), s, m, suggested_step(s));
            const point x = model_start(s);
            start_run(r, &x, false);
            const point first = get_point(r, 0);
            for (int k = 0; k < 20000; k++) {
                step_run(r);
                const point y = get_point(r, 0);
                if (y.p[j] != first.p[j])
                    fail_msg("%s: p of coordinate %d moved in step %d", path, j, k);
            }
            assert_true(get_point(r, 0).q[j] != first.q[j]);
            r.engine->drop(r.work);
            noe_method_free(m);
        }
    }
}

static void test_cyclic_momenta_bit_for_bit(void **unused)
{
    (void)unused;
    found = 0;
    every_system(momentum_law);
    /* two of each top, one of the spherical pendulum, one in the field, a board; along the floors
     * of both bouncing balls, two in the stadium */
    assert_int_equal(found, 11);
}

/* From rest, with a momentum that is 0 for ever while its velocity is not: sizes of rounding
 * errors cannot be judged by it.  In double against binary128; an iteration that misses its end
 * would show in their number. */
static void test_at_rest_with_a_momentum_of_zero(void **unused)
{
    (void)unused;
    enum { STEPS = 1000 };
    noe_system *s = parse("coordinate s, q\n"
                          "kinetic s'^2/2 + q'^2/2 + s'*q'*cos(q)/2\n"
                          "potential q^2\n"
                          "start q = 1\n");
    const point x = model_start(s);
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]);
        const quad  h = (quad)1 / 64;
        run d = make_run(noe_engine_double(), s, m, h), r = make_run(noe_engine_quad(), s, m, h);
        start_run(d, &x, false);
        start_run(r, &x, false);
        for (int k = 0; k < STEPS; k++) {
            step_run(d);
            step_run(r);
            assert_true(get_point(d, 0).p[0] == 0 && get_point(r, 0).p[0] == 0);
        }
        const point y = get_point(d, 0), z = get_point(r, 0);
        for (int j = 0; j < 2; j++) {
            small(y.q[j] - z.q[j], 1, 100 * 0x1p-53, m->name); /* measured: 2 eps */
            small(y.p[j] - z.p[j], 1, 100 * 0x1p-53, m->name);
        }
        assert_true(get_solver(d, 0, NOE_SOLVER_ITERATIONS) < 5 * STEPS); /* measured: 2.2 a step */
        assert_true(get_solver(r, 0, NOE_SOLVER_ITERATIONS) < 15 * STEPS); /* 6.8 */
        assert_true(get_solver(d, 0, NOE_SOLVER_SUBDIVIDED) == 0
                    && get_solver(r, 0, NOE_SOLVER_SUBDIVIDED) == 0);
        d.engine->drop(d.work);
        r.engine->drop(r.work);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* That alone proves nothing; the same 20,000 steps have the nutation error of Simpson in exact
 * arithmetic. */
static void test_the_states_are_right(void **unused)
{
    (void)unused;
    const nutation exact = loops();
    noe_system    *s = load("systems/lagrange_top.lag");
    noe_method    *m = method("simpson");
    const double   error = nutation_error(s, m, &exact, exact.period / 20, 20000);
    small(error - 0.193118646, 1, 5e-9, "nutation"); /* measured: 2.4e-10 */
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- energy ---- */

static const double OMEGA = 6.283185307179586;

/* L = v^2/2 - omega^2 (1 - cos q) */
static double pendulum(double t, const double *z, const double *param, double *grad, double *hess,
                       void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -OMEGA * OMEGA * sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -OMEGA * OMEGA * cos(z[0]), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - OMEGA * OMEGA * (1 - cos(z[0]));
}

static void damping(double t, const double *z, const double *param, double *f, double *dfdz,
                    void *ctx)
{
    (void)t, (void)param, (void)ctx;
    f[0] = -1e-6 * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -1e-6;
}

/* How much the mean energy of the last tenth of 10^5 steps differs from that of the first, in
 * units of the largest energy error of the first. */
static double drift(const noe_system *s, double *relative)
{
    enum { STEPS = 100000 };
    const double    q = OMEGA / 4, v = 0;
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.01);
    double          H0, first = 0, last = 0, size = 0, all = 0;
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
    H0 = noe_get(g, "energy");
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(noe_step(g), NOE_OK);
        const double e = noe_get(g, "energy") - H0;
        if (k < STEPS / 10) first += e / (STEPS / 10), size = fmax(size, fabs(e));
        if (k >= STEPS - STEPS / 10) last += e / (STEPS / 10);
        all = fmax(all, fabs(e));
    }
    *relative = all / H0;
    noe_integrator_free(g);
    noe_method_free(m);
    return fmax(fabs(last - first), all - size) / size;
}

static void test_energy_does_not_drift(void **unused)
{
    (void)unused;
    noe_system *text = load("systems/pendulum.lag"),
               *functions = noe_system_new(1, 0, pendulum, NULL, NULL);
    noe_system *damped = noe_system_new(1, 0, pendulum, damping, NULL);
    double      size;
    small(drift(text, &size), 1, 3e-3, "drift of the energy"); /* measured: 7e-5 */
    small(size, 1, 1e-7, "energy error");                      /* measured: 4.3e-8 */
    small(drift(functions, &size), 1, 3e-3, "drift of the energy");
    assert_true(drift(damped, &size) > 1);
    noe_system_free(text);
    noe_system_free(functions);
    noe_system_free(damped);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cyclic_momenta_bit_for_bit),
        cmocka_unit_test(test_at_rest_with_a_momentum_of_zero),
        cmocka_unit_test(test_the_states_are_right),
        cmocka_unit_test(test_energy_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
