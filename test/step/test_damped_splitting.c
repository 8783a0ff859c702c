/* Splittings under damping, forces and functions in C: the damped kick, balances, refusals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "splitting_system.h"

/* ---- the damped kick by itself: strong damping, no force: p <- e^(-c h) p ---- */

static void test_damping_alone(void **unused)
{
    (void)unused;
    const double c[] = { 1e-12, 0.1, 3, 40, 500, -2 };
    for (int k = 0; k < 6; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2\nforce x = -2*(%.17g)*x'\nstart x' = 1\n", c[k]);
        char decimal[40];
        snprintf(decimal, sizeof decimal, "%.17g", c[k]);
        noe_system *s = parse(text);
        noe_method *m = method("verlet");
        for (int which = 0; which < 2; which++) {
            run         r = make_run(which ? noe_engine_quad() : noe_engine_double(), s, m, 1);
            const point x = model_start(s);
            start_run(r, &x, false);
            step_run(r);
            const quad want = expq(-number(decimal)), got = get_point(r, 0).p[0] / 2,
                       eps = which ? QUAD_EPS : 0x1p-53;
            small(got - want, fmaxq(want, 1), 8 * eps, text);
            r.engine->drop(r.work);
        }
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* Through a full matrix, weak to strong: p_x + p_y and p_x - p_y decay by themselves. */
static void test_damping_by_a_matrix(void **unused)
{
    (void)unused;
    const double c[][2] = { { 1e-9, 1e-10 }, { 0.1, -0.05 }, { 3, 2 },
                            { 40, 30 },      { 300, -100 },  { -2, 1 } };
    for (int k = 0; k < 6; k++) {
        char text[300], a[40], b[40];
        snprintf(a, sizeof a, "%.17g", c[k][0]), snprintf(b, sizeof b, "%.17g", c[k][1]);
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -(%s)*x' - (%s)*y'\n"
                 "force y = -(%s)*x' - (%s)*y'\nstart x' = 1, y' = 0.25\n",
                 a, b, b, a);
        noe_system *s = parse(text);
        noe_method *m = method("verlet");
        for (int which = 0; which < 2; which++) {
            run         r = make_run(which ? noe_engine_quad() : noe_engine_double(), s, m, 1);
            const point x = model_start(s);
            start_run(r, &x, false);
            step_run(r);
            const point y = get_point(r, 0);
            const quad  plus = (quad)1.25 * expq(-number(a) - number(b)),
                       minus = (quad)0.75 * expq(number(b) - number(a));
            const quad scale = fmaxq(1, fmaxq(plus, minus)), eps = which ? QUAD_EPS : 0x1p-53;
            small(y.p[0] + y.p[1] - plus, scale, 32 * eps, text);
            small(y.p[0] - y.p[1] - minus, scale, 32 * eps, text);
            r.engine->drop(r.work);
        }
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* ---- energy balance: energy + dissipated - work - H0 has the order of the method, with L_t,
 * forces and dissipation ---- */

static void test_energy_balance(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, rubbed);
    const char *names[] = { "verlet-drift", "yoshida4", "kahan-li8" };
    for (int k = 0; k < 3; k++) {
        noe_method *m = method(names[k]);
        quad        left[2];
        for (int i = 0; i < 2; i++) {
            run         r = make_run(noe_engine_quad(), s, m, ldexpq(1, -5 - i));
            const point x = model_start(s);
            start_run(r, &x, false);
            for (int j = 0; j < 16 << i; j++) step_run(r);
            left[i] = fabsq(get_one(r, 0, NOE_AT_BALANCE));
            r.engine->drop(r.work);
        }
        const double order = (double)log2q(left[0] / left[1]);
        if (!(fabs(order - m->damped_order) < 0.3))
            fail_msg("%s: the energy balance has the order %.3f", m->name, order);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- what is refused, and told ---- */

static const struct {
    const char *text, *says;
} refused[] = {
    { "coordinate a, b\nkinetic a'^2 + b^2*b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian a*b' - b*a'\n", "d2L/d(a')d(b) is not 0" },
    { "coordinate a, b\nkinetic a'^2 + (1 + t^2)*b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^4 + b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian sin(t)*b'\n",
      "b' times something that is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nforce a = -b'^3\n",
      "the force on a is not linear in b'" },
    /* What jumps has the derivative 0 and is not constant. */
    { "coordinate a, b\nkinetic a'^2 + b'^2\ndissipation 3*abs(b')\n",
      "the force on b is not linear in the velocities" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nforce a = if(b' > 2, -1, a)\n",
      "the force on a is not linear in the velocities" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian abs(b')\n",
      "here L depends on b' in another way" },
};

static void test_refusals(void **unused)
{
    (void)unused;
    noe_method *m = method("yoshida4");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        noe_system *s = parse(refused[k].text);
        assert_null(noe_integrator_new(s, m, 0.1));
        if (!noe_error() || !strstr(noe_error(), refused[k].says)
            || !strstr(noe_error(), "take \"simpson\""))
            fail_msg("%s gives: %s", refused[k].text, noe_error() ? noe_error() : "no message");
        noe_system_free(s);
    }
    /* What cancels is no obstacle: polar coordinates of a plane written in full, a mass that is
     * constant. */
    noe_system *s = parse(
        "coordinate a, b\nu = cos(a)\nw = sin(a)\nkinetic (u'^2 + w'^2)/2 + b'^2/2\n"
        "lagrangian 3*b'\npotential cos(a)*b\n");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    assert_non_null(g);
    assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_free(g);
    noe_system_free(s);
    noe_method_free(m);
}

/* L_v contains a constant: v = M^-1 (p - b). */
static void test_constant_momentum(void **unused)
{
    (void)unused;
    noe_system *a = parse("coordinate x\nkinetic x'^2\npotential x^4\nstart x = 1, x' = 1\n");
    noe_system *b = parse(
        "coordinate x\nkinetic x'^2\nlagrangian 5*x'\npotential x^4\nstart x = 1, x' = 1\n");
    noe_method *m = method("verlet");
    run         r = make_run(noe_engine_quad(), a, m, (quad)1 / 8),
        s = make_run(noe_engine_quad(), b, m, (quad)1 / 8);
    const point x = model_start(a);
    start_run(r, &x, false), start_run(s, &x, false);
    for (int k = 0; k < 10; k++) step_run(r), step_run(s);
    small(get_point(r, 0).q[0] - get_point(s, 0).q[0], 1, 1e-31,
          "a constant momentum changes nothing");
    r.engine->drop(r.work), s.engine->drop(s.work);
    noe_method_free(m), noe_system_free(a), noe_system_free(b);
}

/* ---- functions in C ---- */

static double oscillator(double t, const double *z, const double *param, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)ctx;
    const double k = param[0], q = z[0], v = z[1], wrong = param[1];
    if (grad) grad[0] = -k * q - q * q * q + wrong * q * v * v, grad[1] = v + wrong * q * q * v;
    if (hess)
        hess[0] = -k - 3 * q * q + wrong * v * v, hess[1] = hess[2] = 2 * wrong * q * v,
        hess[3] = 1 + wrong * q * q;
    return v * v / 2 - k * q * q / 2 - q * q * q * q / 4 + wrong * q * q * v * v / 2;
}

static void friction(double t, const double *z, const double *param, double *f, double *dfdz,
                     void *ctx)
{
    (void)t, (void)ctx;
    const double c = 0.2 + z[0] * z[0], cubic = param[2];
    *f = -c * z[1] - cubic * z[1] * z[1] * z[1];
    if (dfdz) dfdz[0] = -2 * z[0] * z[1], dfdz[1] = -c - 3 * cubic * z[1] * z[1];
}

static noe_status run_c(const char *name, double h, double wrong, double cubic, double *end,
                        noe_status *jacobian)
{
    noe_system     *s = noe_system_new(1, 3, oscillator, friction, NULL);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    const double    q = 1, v = 0.5;
    double          M[4];
    noe_set(g, "c.1", 2), noe_set(g, "c.2", wrong), noe_set(g, "c.3", cubic);
    noe_method_free(m);
    noe_status status = noe_start(g, 0, &q, &v);
    if (!status) status = noe_run(g, 2, NULL, NULL);
    if (!status) *end = noe_q(g)[0], *jacobian = noe_step_jacobian(g, M);
    noe_integrator_free(g);
    noe_system_free(s);
    return status;
}

static void test_functions_in_c(void **unused)
{
    (void)unused;
    double     exact, coarse, fine;
    noe_status jacobian;
    assert_int_equal(run_c("gauss 6", 0.05, 0, 0, &exact, &jacobian), NOE_OK);
    for (int k = 0; k < 3; k++) {
        const char *name[] = { "verlet", "ruth3", "yoshida4" };
        assert_int_equal(run_c(name[k], 0.1, 0, 0, &coarse, &jacobian), NOE_OK);
        assert_int_equal(run_c(name[k], 0.05, 0, 0, &fine, &jacobian), NOE_OK);
        assert_int_equal(jacobian, NOE_INVALID);
        assert_non_null(strstr(noe_error(), "derivative of a damped kick"));
        noe_error_clear();
        const double order = log2(fabs(coarse - exact) / fabs(fine - exact));
        if (!(fabs(order - 2 - k) < 0.3)) fail_msg("%s: order %.3f", name[k], order);
    }
    assert_int_equal(run_c("verlet", 0.1, 0.5, 0, &fine, &jacobian), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "d2L/d(x.1')d("));
    noe_error_clear();
    assert_int_equal(run_c("verlet", 0.1, 0, 0.5, &fine, &jacobian), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "the force on x.1 is not linear in x.1'"));
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping_alone),       cmocka_unit_test(test_energy_balance),
        cmocka_unit_test(test_damping_by_a_matrix), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_constant_momentum),   cmocka_unit_test(test_functions_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
