/* noether.h, functions in C: L with its derivatives, names, forces, L_t, and what is not finite.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>

/* A bead on y = x^2/2: L = m (1 + x^2) v^2/2 - m g x^2/2; param = m, g. */
static double bead(double t, const double *z, const double *param, double *grad, double *hess,
                   void *ctx)
{
    const double x = z[0], v = z[1], m = param[0] * (1 + x * x), g = param[0] * param[1];
    (void)t, (void)ctx;
    if (grad) grad[0] = param[0] * x * v * v - g * x, grad[1] = m * v;
    if (hess) hess[0] = param[0] * v * v - g, hess[1] = hess[2] = 2 * param[0] * x * v, hess[3] = m;
    return m * v * v / 2 - g * x * x / 2;
}

static void test_callback(void **state)
{
    (void)state;
    static const char *const methods[] = { "simpson", "gauss 4", "lobatto 3", "midpoint",
                                           "P3 radau-left 3" };
    double                   worst = 0;
    for (int i = 0; i < 20; i++) {
        const double m = 1.5 + random_number(), q = random_number(), v = 3 * random_number();
        orbit o = begin("parameter m = 1, g = 9.81\ncoordinate x\nkinetic m*(1 + x^2)*x'^2/2\n"
                        "potential m*g*x^2/2\n",
                        methods[i % 5], 0.01);
        noe_system *s = noe_system_with(o.s, "m", m), *c = noe_system_new(1, 2, bead, NULL, NULL);
        noe_integrator *a = noe_integrator_new(s, o.f, 0.01), *b = noe_integrator_new(c, o.f, 0.01);
        assert_int_equal(noe_set(b, "c.1", m), NOE_OK);
        assert_int_equal(noe_set(b, "c.2", 9.81), NOE_OK);
        assert_true(equal_bits(noe_get(b, "c.1"), m));
        assert_int_equal(noe_start(a, 0, &q, &v), NOE_OK);
        assert_int_equal(noe_start(b, 0, &q, &v), NOE_OK);
        assert_int_equal(noe_run(a, 5, NULL, NULL), NOE_OK);
        assert_int_equal(noe_run(b, 5, NULL, NULL), NOE_OK);
        worst = fmax(worst, fabs(noe_q(a)[0] - noe_q(b)[0]));
        worst = fmax(worst, fabs(noe_p(a)[0] - noe_p(b)[0]) / 3);
        worst = fmax(worst, fabs(noe_get(a, "energy") - noe_get(b, "energy")) / 15);
        noe_integrator_free(a);
        noe_integrator_free(b);
        noe_system_free(s);
        noe_system_free(c);
        end(o);
    }
    no_error();
    print_message("text and C differ by %.2g\n", worst);
    assert_true(worst < 1e-13);
}

static void test_callback_names(void **state)
{
    (void)state;
    noe_system     *c = noe_system_new(1, 2, bead, NULL, NULL);
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(c, f, 0.01);
    const double    q = 1, v = 2;
    assert_int_equal(noe_system_dim(c), 1);
    assert_string_equal(noe_system_name(c, 0), "x.1");
    assert_int_equal(noe_set(g, "step", 0.02), NOE_OK); /* this needs no start */
    assert_true(equal_bits(noe_get(g, "step"), 0.02));
    no_error();
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_SINGULAR); /* m is still 0 */
    says("singular at the start");
    for (int i = 0; i < 3; i++) { /* said again, however often it is cleared */
        noe_error_clear();
        assert_int_equal(i == 0   ? noe_step(g)
                         : i == 1 ? noe_run(g, 1, NULL, NULL)
                                  : noe_step_jacobian(g, (double[4]){ 0 }),
                         NOE_SINGULAR);
        says("singular at the start");
    }
    assert_int_equal(noe_set(g, "c.1", 3), NOE_OK);
    assert_int_equal(noe_set(g, "c.2", 10), NOE_OK);
    assert_int_equal(noe_step(g), NOE_SINGULAR); /* and it does not begin elsewhere by itself */
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
    assert_true(equal_bits(noe_get(g, "x.1"), 1) && equal_bits(noe_get(g, "x.1.v"), 2)
                && equal_bits(noe_get(g, "p(x.1)"), 12));
    assert_true(equal_bits(noe_get(g, "energy"), 6 * 4.0 / 2 + 15) && equal_bits(noe_v(g)[0], 2));
    assert_int_equal(noe_set(g, "c.1", 6), NOE_OK); /* the momentum stays, the velocity follows */
    assert_true(equal_bits(noe_v(g)[0], 1) && equal_bits(noe_p(g)[0], 12)
                && equal_bits(noe_get(g, "energy"), 12.0 / 2 + 30));
    noe_table *t = noe_record(g, 0.1, 5, NULL);
    assert_int_equal(noe_table_columns(t), 4);
    assert_string_equal(noe_table_name(t, 2), "p(x.1)");
    noe_table_free(t);
    noe_error_clear();
    static const char *const unknown[] = {
        "c.0", "c.3", "c.1x", "c. 1", "c.", "x.2", "x", "x.1.w"
    };
    for (int i = 0; i < 8; i++) {
        assert_true(isnan(noe_get(g, unknown[i])));
        says("unknown column or option");
    }
    assert_null(noe_system_with(c, "c.1", 1));
    says("use noe_set and noe_start");
    assert_null(noe_system_emit(c, "bead"));
    says("functions in C");
    assert_null(noe_system_new(0, 0, bead, NULL, NULL));
    says("0 coordinates");
    assert_null(noe_system_new(1, -1, bead, NULL, NULL));
    says("-1 parameters");
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(c);
}

static double oscillator(double t, const double *z, const double *param, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -4 * z[0], grad[1] = z[1];
    if (hess) hess[0] = -4, hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - 2 * z[0] * z[0];
}

static void damping(double t, const double *z, const double *param, double *f, double *dfdz,
                    void *ctx)
{
    const double d = *(const double *)ctx;
    (void)t, (void)param;
    f[0] = -2 * d * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -2 * d;
}

/* q'' + 2 d q' + 4 q = 0:  q = e^(-d t) cos(w t), w^2 = 4 - d^2, at t = 5.  Returns the error. */
static double damped(const char *method, double step)
{
    double          d = 0.25, w = sqrt(4 - d * d), q = 1, v = -d;
    noe_system     *s = noe_system_new(1, 0, oscillator, damping, &d);
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, f, step);
    noe_start(g, 0, &q, &v);
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_OK);
    const double e = exp(-5 * d), exact = e * cos(5 * w), speed = -d * exact - e * w * sin(5 * w);
    const double error = fmax(fabs(noe_q(g)[0] - exact), fabs(noe_v(g)[0] - speed) / 2);
    assert_true(
        fabs(noe_get(g, "energy") - noe_v(g)[0] * noe_v(g)[0] / 2 - 2 * noe_q(g)[0] * noe_q(g)[0])
        < 1e-15);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    no_error();
    return error;
}

static void test_force(void **state)
{
    (void)state;
    const double coarse = damped("gauss 4", 0.25), middle = damped("gauss 4", 0.125),
                 fine = damped("gauss 4", 0.025);
    print_message("damped oscillator, gauss 4: %.2g, %.2g, %.2g\n", coarse, middle, fine);
    assert_true(fine < 5e-15);
    assert_true(coarse > 150 * middle && coarse < 400 * middle); /* order 8 */
    assert_true(damped("simpson", 0.25) > 8 * damped("simpson", 0.125));
}

/* L = v^2/2 - x^2/2 + x cos t, ctx[0] of it; L_t = -x sin t. */
static double driven(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    const double c = *(const double *)ctx * cos(t);
    (void)param;
    if (grad) grad[0] = c - z[0], grad[1] = z[1];
    if (hess) hess[0] = -1, hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - z[0] * z[0] / 2 + c * z[0];
}

static double driven_rate(double t, const double *z, const double *param, void *ctx)
{
    (void)param;
    return -*(const double *)ctx * sin(t) * z[0];
}

/* t in L: without L_t the energy balance is unknown, with it that of the same text. */
static void test_rate(void **state)
{
    (void)state;
    double one = 1, none = 0, x = 0.5, v = 0.25;
    orbit  o = begin("coordinate x\nkinetic x'^2/2\npotential x^2/2 - x*cos(t)\n", "gauss 3", 0.05);
    noe_system     *s[] = { noe_system_new(1, 0, driven, NULL, &one),
                            noe_system_driven(1, 0, driven, driven_rate, NULL, &one),
                            noe_system_new(1, 0, driven, NULL, &none),
                            noe_system_driven(1, 0, driven, driven_rate, damping, &one) };
    noe_integrator *g[4];
    for (int i = 0; i < 4; i++) {
        g[i] = noe_integrator_new(s[i], o.f, 0.05);
        assert_int_equal(noe_start(g[i], 0, &x, &v), NOE_OK);
        assert_int_equal(noe_run(g[i], 10, NULL, NULL), NOE_OK);
    }
    assert_int_equal(noe_start(o.g, 0, &x, &v), NOE_OK);
    assert_int_equal(noe_run(o.g, 10, NULL, NULL), NOE_OK);
    assert_true(isnan(noe_get(g[0], "balance")) && isnan(noe_get(g[0], "work")));
    assert_true(fabs(noe_get(g[0], "x.1") - noe_get(o.g, "x")) < 1e-13);
    assert_true(fabs(noe_get(o.g, "work")) > 0.1
                && fabs(noe_get(g[1], "work") - noe_get(o.g, "work")) < 1e-13);
    assert_true(fabs(noe_get(g[1], "balance")) < 1e-9
                && fabs(noe_get(g[1], "balance") - noe_get(o.g, "balance")) < 1e-13);
    assert_true(equal_bits(noe_get(g[2], "work"), 0)
                && fabs(noe_get(g[2], "balance")) < 1e-9); /* free of t: energy alone */
    assert_true(fabs(noe_get(g[3], "balance")) < 1e-9
                && fabs(noe_get(g[3], "work") - noe_get(g[1], "work")) > 0.1);
    for (int i = 0; i < 4; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    end(o);
    no_error();
}

/* A force that becomes infinite: the state before the step is kept. */
static void cliff(double t, const double *z, const double *param, double *f, double *dfdz,
                  void *ctx)
{
    (void)z, (void)param, (void)ctx;
    f[0] = t > 1 ? INFINITY : 0;
    if (dfdz) dfdz[0] = dfdz[1] = 0;
}

static void test_not_finite(void **state)
{
    (void)state;
    noe_system     *s = noe_system_new(1, 0, oscillator, cliff, NULL);
    noe_method     *f = noe_method_parse("gauss 2");
    noe_integrator *g = noe_integrator_new(s, f, 0.125);
    const double    q = 1, v = 0;
    noe_start(g, 0, &q, &v);
    const noe_status why = noe_run(g, 2, NULL, NULL);
    assert_true(why == NOE_NOT_FINITE || why == NOE_NOT_CONVERGED);
    says("step 9 from t = 1: ");
    assert_true(equal_bits(noe_time(g), 1) && fabs(noe_q(g)[0] - cos(2)) < 1e-4
                && isfinite(noe_get(g, "energy")));
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),           cmocka_unit_test(test_callback),
        cmocka_unit_test(test_callback_names), cmocka_unit_test(test_force),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
