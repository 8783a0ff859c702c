/* noe_step_jacobian: the state is that of noe_step, forces count, what is not finite is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step_derivative.h"

static void test_the_state_is_that_of_noe_step(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/lagrange_top.lag");
    noe_method     *m = method("simpson");
    const quad      h = suggested_step(s);
    noe_integrator *plain = noe_integrator_new(s, m, (double)h),
                   *with = noe_integrator_new(s, m, (double)h);
    point  x = model_start(s);
    double q[3], p[3], M[36] = { 0 };
    for (int j = 0; j < 3; j++) q[j] = (double)x.q[j], p[j] = (double)x.p[j];
    noe_start_momentum(plain, 0, q, p);
    noe_start_momentum(with, 0, q, p);
    const matrix third = third_step(noe_engine_double(), s, m, &x);
    for (int k = 0; k < 200; k++) {
        assert_int_equal(noe_step(plain), NOE_OK);
        assert_int_equal(noe_step_jacobian(with, M), NOE_OK);
        assert_memory_equal(noe_q(plain), noe_q(with), sizeof q);
        assert_memory_equal(noe_p(plain), noe_p(with), sizeof p);
        for (int i = 0; i < 36 && k == 2; i++) assert_true(M[i] == (double)third.at[i / 6][i % 6]);
    }
    assert_true(noe_get(plain, "iterations") == noe_get(with, "iterations"));
    assert_int_equal(noe_step_jacobian(NULL, M), NOE_INVALID);
    assert_int_equal(noe_step_jacobian(with, NULL), NOE_INVALID);
    assert_null(noe_error());
    noe_integrator_free(plain);
    noe_integrator_free(with);
    noe_method_free(m);
    noe_system_free(s);
}

/* A pendulum in C whose Hessian, where *ctx asks for it, is not a number. */
static double pendulum(double t, const double *z, const double *param, double *grad, double *hess,
                       void *ctx)
{
    (void)t, (void)param;
    if (grad) grad[0] = -sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -cos(z[0]), hess[1] = hess[2] = 0, hess[3] = *(bool *)ctx ? NAN : 1;
    return z[1] * z[1] / 2 + cos(z[0]);
}

static void test_no_finite_derivative(void **unused)
{
    (void)unused;
    bool            poison = false;
    const double    q = 1, v = 0;
    noe_system     *s = noe_system_new(1, 0, pendulum, NULL, &poison);
    noe_method     *m = method("gauss 3");
    noe_integrator *g = noe_integrator_new(s, m, 0.01), *other = noe_integrator_new(s, m, 0.01);
    double          M[4];
    noe_start(g, 0, &q, &v);
    noe_start(other, 0, &q, &v);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(noe_step_jacobian(g, M), NOE_OK);
        noe_step(other);
    }
    const double before[] = { noe_time(g), *noe_q(g), *noe_p(g), M[0] };
    poison = true;
    assert_int_equal(noe_step_jacobian(g, M), NOE_NOT_FINITE);
    assert_non_null(strstr(noe_error(), "the step from t = 0.1 has no finite derivative"));
    const double after[] = { noe_time(g), *noe_q(g), *noe_p(g), M[0] };
    assert_memory_equal(before, after, sizeof before);
    poison = false;
    assert_int_equal(noe_step_jacobian(g, M), NOE_OK);
    noe_step(other);
    small(*noe_q(g) - *noe_q(other), 1, 4e-16, "q after a step taken back");
    small(*noe_p(g) - *noe_p(other), 1, 4e-16, "p after a step taken back");
    noe_error_clear();
    noe_integrator_free(g);
    noe_integrator_free(other);
    noe_method_free(m);
    noe_system_free(s);
}

/* L = v^2/2 - q^2/2 and the force -c v: D is not symmetric, and the midpoint rule is
 * M = (1 - h A/2)^-1 (1 + h A/2), A = (0, 1; -1, -c). */
static double spring(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -z[0], grad[1] = z[1];
    if (hess) hess[0] = -1, hess[1] = hess[2] = 0, hess[3] = 1;
    return (z[1] * z[1] - z[0] * z[0]) / 2;
}

static void damping(double t, const double *z, const double *param, double *f, double *dfdz,
                    void *ctx)
{
    (void)t, (void)param, (void)ctx;
    f[0] = -0.25 * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -0.25;
}

static void test_forces_are_differentiated(void **unused)
{
    (void)unused;
    const double    h = 0.5, c = 0.25, k = h / 2, d = 1 + k * c + k * k, q = 1, v = 0;
    const double    exact[] = { (1 + k * c - k * k) / d, 2 * k / d, -2 * k / d,
                                (1 - k * c - k * k) / d };
    noe_system     *s = noe_system_new(1, 0, spring, damping, NULL);
    noe_method     *m = method("midpoint");
    noe_integrator *g = noe_integrator_new(s, m, h);
    double          M[4];
    noe_start(g, 0, &q, &v);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(noe_step_jacobian(g, M), NOE_OK);
        for (int i = 0; i < 4; i++) small(M[i] - exact[i], 1, 1e-15, "damped midpoint rule");
    }
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

/* Every derivative of a long run is that of a run that begins at the same state: what is measured
 * between the steps does not change what belongs to the last one. */
static void test_within_a_long_run(void **state)
{
    (void)state;
    noe_system     *s = noe_system_load("systems/double_pendulum.lag");
    noe_method     *m = method("gauss 4");
    noe_integrator *g = noe_integrator_new(s, m, 1.0 / 64);
    for (int step = 0; step < 400; step++) {
        double          M[16], fresh[16], q[2], p[2], most = 0;
        noe_integrator *other = noe_integrator_new(s, m, 1.0 / 64);
        memcpy(q, noe_q(g), sizeof q), memcpy(p, noe_p(g), sizeof p);
        assert_int_equal(noe_start_momentum(other, noe_time(g), q, p), NOE_OK);
        assert_int_equal(noe_step_jacobian(g, M), NOE_OK);
        assert_int_equal(noe_step_jacobian(other, fresh), NOE_OK);
        for (int i = 0; i < 16; i++) most = fmax(most, fabs(fresh[i]));
        for (int i = 0; i < 16; i++) small(M[i] - fresh[i], most, 1e-12, "derivative of a step");
        noe_integrator_free(other);
    }
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_state_is_that_of_noe_step),
        cmocka_unit_test(test_no_finite_derivative),
        cmocka_unit_test(test_forces_are_differentiated),
        cmocka_unit_test(test_within_a_long_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
