/* Energy and momenta under forces: impulses, work, dissipation, what drives L.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "forced.h"
#include "integrate/integrator.h"

/* ---- momenta ---- */

/* A charged particle stirred and slowed in the plane: L is symmetric under rotation about 0, the
 * force is not along any symmetry.  w moves by itself and is pushed by the torque: p(w) is the
 * discrete impulse h sum b_i f.xi. */
static const char stirred[] =
    "coordinate x, y, w\nr2 = x^2 + y^2\n"
    "kinetic (1 + r2/5)*(x'^2 + y'^2)/2 + w'^2/2\nlagrangian x*y' - y*x'\n"
    "potential r2^2/4 + 1/(1 + r2)\n"
    "fx = cos(2*t) - y - x'/5\nfy = x*y + sin(x) - y'*(1 + x^2)/5\n"
    "force x = fx, y = fy\nforce w = x*fy - y*fx\nstart x = 1, y = 0.3, y' = 1, x' = -0.4";

/* Largest |change of x p(y) - y p(x) less the change of p(w)|, relative. */
static double unbalanced(const noe_engine *engine, const noe_method *m)
{
    noe_system *s = parse(stirred);
    run         r = make_run(engine, s, m, (quad)1 / 20);
    const point start = model_start(s);
    quad        I0 = 0, worst = 0, size = 1, turned = 0;
    start_run(r, &start, false);
    for (int k = 0; k <= 200; k++) {
        if (k) step_run(r);
        const point x = get_point(r, 0);
        const quad  I = x.q[0] * x.p[1] - x.q[1] * x.p[0];
        if (!k) I0 = I;
        size = fmaxq(size, fabsq(x.q[0] * x.p[1]) + fabsq(x.q[1] * x.p[0]) + fabsq(x.p[2]));
        worst = fmaxq(worst, fabsq(I - I0 - x.p[2]));
        turned = fmaxq(turned, fabsq(I - I0));
    }
    assert_true(turned > size / 10); /* the force does change the momentum */
    engine->drop(r.work);
    noe_system_free(s);
    return (double)(worst / size);
}

static void test_momentum_changes_by_the_impulse(void **unused)
{
    (void)unused;
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]);
        /* measured: 1.7 eps over 200 steps */
        small(unbalanced(noe_engine_quad(), m), 1, 100 * QUAD_EPS, m->name);
        /* measured: 1.2 eps */
        small(unbalanced(noe_engine_double(), m), 1, 100 * 0x1p-53, m->name);
        for (int which = 1; which < 3; which++) {
            const noe_method wrong = spoiled(m, which);
            assert_true(unbalanced(noe_engine_quad(), &wrong) > 1e-8);
        }
        noe_method_free(m);
    }
    noe_method *rk4 = method("rk4"); /* keeps it to its order alone */
    assert_true(unbalanced(noe_engine_quad(), rk4) > 1e-8);
    noe_method_free(rk4);
}

/* The forces of two masses on each other: no common motion is pushed, and the certificate knows. */
static void test_inner_forces_leave_the_sum(void **unused)
{
    (void)unused;
    noe_system *s = parse(
        "coordinate x, y\nkinetic x'^2/2 + 3*y'^2/2\npotential (x - y)^4\n"
        "dissipation (x' - y')^2/9\n"
        "force x = sin(x - y)*cos(t), y = -sin(x - y)*cos(t)\nstart x = 1, y' = 2");
    noe_method *m = method("simpson");
    run         r = make_run(noe_engine_quad(), s, m, (quad)1 / 50);
    const point start = model_start(s);
    start_run(r, &start, false);
    for (int k = 0; k < 500; k++) {
        step_run(r);
        const point x = get_point(r, 0);
        small(x.p[0] + x.p[1] - 6, 6, 200 * QUAD_EPS, "p(x) + p(y)");
    }
    r.engine->drop(r.work);
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- the energy balance ---- */

/* A random linear system of three masses, damped by a random matrix, driven at two frequencies. */
static noe_system *random_linear(void)
{
    char   text[2000];
    char  *at = text;
    double k[6];
    at += sprintf(at, "coordinate x, y, z\nkinetic x'^2 + 3*y'^2/2 + z'^2/2 + %.17g*x'*y'\n",
                  0.4 * random_number());
    for (int i = 0; i < 6; i++) k[i] = random_number();
    at += sprintf(
        at,
        "potential 2*x^2 + 3*y^2 + z^2 + %.17g*x*y + %.17g*y*z\nlagrangian %.17g*(x*y' - y*x')\n",
        k[0], k[1], k[2]);
    at += sprintf(at, "dissipation 0.3*x'^2 + 0.2*y'^2 + 0.1*z'^2 + %.17g*y'*z'\n", 0.1 * k[3]);
    sprintf(at, "force x = sin(%.17g*t), z = cos(t)\nstart x = %.17g, y' = 1", 2 + k[4],
            1 + k[5] / 2);
    return parse(text);
}

/* Largest |balance| over 300 steps, in units of the largest energy. */
static double unexplained(const noe_engine *engine, const noe_system *s, const noe_method *m,
                          quad h)
{
    run         r = make_run(engine, s, m, h);
    const point start = model_start(s);
    quad        worst = 0, size = 0;
    start_run(r, &start, false);
    assert_true(get_one(r, 0, NOE_AT_WORK) == 0 && get_one(r, 0, NOE_AT_BALANCE) == 0);
    for (int k = 0; k < 300; k++) {
        step_run(r);
        worst = fmaxq(worst, fabsq(get_one(r, 0, NOE_AT_BALANCE)));
        size = fmaxq(size, fabsq(get_one(r, 0, NOE_AT_ENERGY)));
    }
    engine->drop(r.work);
    return (double)(worst / size);
}

static void test_the_energy_balance_of_gauss_methods(void **unused)
{
    (void)unused;
    static const char *const gauss[] = { "midpoint", "gauss 2", "gauss 3", "gauss 4", "gauss 8" };
    static const char *const other[] = { "simpson", "lobatto 3", "P2 gauss 3", "rk4" };
    /* any damping will do: only L is quadratic */
    noe_system *linear = random_linear(), *cycle = parse(van_der_pol.text);
    for (size_t i = 0; i < sizeof gauss / sizeof *gauss; i++) {
        noe_method *m = method(gauss[i]), wrong = *m;
        small(unexplained(noe_engine_quad(), linear, m, (quad)1 / 10), 1, 200 * QUAD_EPS,
              m->name); /* measured: 5 eps */
        small(unexplained(noe_engine_double(), linear, m, (quad)1 / 10), 1, 200 * 0x1p-53,
              m->name); /* measured: 7 eps */
        small(unexplained(noe_engine_quad(), cycle, m, (quad)1 / 50), 1, 200 * QUAD_EPS, m->name);
        wrong.b[0] += (quad)1 / 1000000;
        assert_true(unexplained(noe_engine_quad(), linear, &wrong, (quad)1 / 10) > 1e-10);
        noe_method_free(m);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) { /* and these do not */
        noe_method  *m = method(other[i]);
        const double coarse = unexplained(noe_engine_quad(), cycle, m, (quad)1 / 50);
        const double fine = unexplained(noe_engine_quad(), cycle, m, (quad)1 / 100);
        assert_true(fine > 1e-20 && coarse > fine);
        noe_method_free(m);
    }
    noe_system_free(linear);
    noe_system_free(cycle);
}

/* The core of any number of digits is another program: its energy balance is that of binary128,
 * to all digits of that. */
static UNUSED void test_the_balance_in_64_digits(void **unused)
{
    (void)unused;
    static const char *const      name[] = { "gauss 3", "simpson", "rk4", "rk4-v" };
    static const noe_engine_value balance[] = { NOE_AT_WORK, NOE_AT_DISSIPATED, NOE_AT_BALANCE };
    noe_system *s = parse(damped_double_pendulum.text), *driven = parse(driven_pendulum.text);
    for (int i = 0; i < 4; i++) {
        noe_method     *m = method(name[i]);
        noe_system     *of = i % 2 ? driven : s;
        noe_integrator *a = noe_integrator_make(of, m, (quad)1 / 32, 33),
                       *b = noe_integrator_make(of, m, (quad)1 / 32, 64);
        for (int k = 0; k < 16; k++) assert_true(!noe_step(a) && !noe_step(b));
        for (int k = 0; k < 3; k++) {
            quad x, y;
            noe_integrator_state_get(a, balance[k], &x);
            noe_integrator_state_get(b, balance[k], &y);
            small(x - y, 20, 100 * QUAD_EPS, m->name);
            assert_true(k == 0 && of == s ? y == 0 : fabsq(y) > 1e-12);
        }
        noe_integrator_free(a), noe_integrator_free(b);
        noe_method_free(m);
    }
    noe_system_free(s), noe_system_free(driven);
}

/* t in L does work, -L_t: as a force the same push has another balance, and both have their
 * order. */
static void test_the_driving_in_L_does_work(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\npotential -x*cos(2*t)\nstart x = 1",
        "coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nforce x = cos(2*t)\nstart x = 1"
    };
    noe_system *in_L = parse(text[0]), *force = parse(text[1]);
    noe_method *m = method("gauss 4");
    run         a = make_run(noe_engine_quad(), in_L, m, (quad)1 / 20),
        b = make_run(noe_engine_quad(), force, m, (quad)1 / 20);
    const point x = model_start(in_L);
    start_run(a, &x, false);
    start_run(b, &x, false);
    for (int k = 0; k < 100; k++) step_run(a), step_run(b);
    const point p = get_point(a, 0), q = get_point(b, 0);
    small(p.q[0] - q.q[0], 1, 1e-28, "the same motion");
    /* int f v dt = f x | - int f' x dt */
    small(get_one(b, 0, NOE_AT_WORK) - get_one(a, 0, NOE_AT_WORK) - (q.q[0] * cosq(10) - 1), 1,
          1e-12, "by parts");
    small(get_one(a, 0, NOE_AT_BALANCE), 1, 1e-12, "balance");
    assert_true(fabsq(get_one(a, 0, NOE_AT_WORK)) > (quad)1 / 100);
    a.engine->drop(a.work), b.engine->drop(b.work);
    noe_method_free(m);
    noe_system_free(in_L), noe_system_free(force);
}

/* ---- functions in C ---- */

static double swing(double t, const double *z, const double *c, double *grad, double *hess,
                    void *ctx)
{
    (void)t, (void)c, (void)ctx;
    if (grad) grad[0] = -sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -cos(z[0]), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 + cos(z[0]);
}

static void push(double t, const double *z, const double *c, double *f, double *dfdz, void *ctx)
{
    (void)c, (void)ctx;
    f[0] = 1.5 * cos(2 * t / 3) - z[1] / 2;
    if (dfdz) dfdz[0] = 0, dfdz[1] = -0.5;
}

static void test_functions_in_C_push_alike(void **unused)
{
    (void)unused;
    noe_system *text = parse(driven_pendulum.text), *c = noe_system_new(1, 0, swing, push, NULL);
    noe_method *m = method("simpson");
    noe_integrator *a = noe_integrator_new(text, m, 0.02), *b = noe_integrator_new(c, m, 0.02);
    const double    q = 0.2, v = 0;
    assert_int_equal(noe_start(b, 0, &q, &v), NOE_OK);
    for (int k = 0; k < 500; k++) assert_true(!noe_step(a) && !noe_step(b));
    small(noe_get(a, "q") - noe_get(b, "x.1"), 1, 1e-12, "q");
    small(noe_get(a, "work") - noe_get(a, "dissipated") - noe_get(b, "work"), 1, 1e-12, "work");
    small(noe_get(a, "balance") - noe_get(b, "balance"), 1, 1e-12, "balance");
    assert_true(noe_get(b, "dissipated") == 0 && fabs(noe_get(a, "balance")) < 1e-6);
    noe_integrator_free(a), noe_integrator_free(b);
    noe_method_free(m);
    noe_system_free(text), noe_system_free(c);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_changes_by_the_impulse),
        cmocka_unit_test(test_inner_forces_leave_the_sum),
        cmocka_unit_test(test_the_energy_balance_of_gauss_methods),
#ifdef NOE_ARB
        cmocka_unit_test(test_the_balance_in_64_digits),
#endif
        cmocka_unit_test(test_the_driving_in_L_does_work),
        cmocka_unit_test(test_functions_in_C_push_alike),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
