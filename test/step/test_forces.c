/* Steps with forces and damping: order, impulses, energy balance.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * error = C h^2s;  I_new - I = h sum b_i f.xi;  energy + dissipated - work = const. */
#include "forced.h"

#include "base/optional_library.h"
#include "integrate/integrator.h"

/* ---- order ---- */

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
    r.core->get(r.work, NOE_AT_V, 0, v);
    for (int j = 0; j < r.n; j++)
        e.state = fmax(e.state, (double)fmaxq(fabsq(end.q[j] - y[j]), fabsq(v[j] - y[r.n + j])));
    e.work = (double)fabsq(get_one(r, 0, NOE_AT_WORK) - y[2 * r.n]);
    e.dissipated = (double)fabsq(get_one(r, 0, NOE_AT_DISSIPATED) - y[2 * r.n + 1]);
    r.core->drop(r.work);
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
        r.core->drop(r.work), u.core->drop(u.work);
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
            r.core->drop(r.work);
        }
        const double order = (double)log2q(fabsq((x[0] - x[1]) / (x[1] - x[2])));
        if (!(fabs(order - row[k].order) < 0.1))
            fail_msg("%s%s: order %.3f", row[k].name, row[k].term, order);
        noe_integrator_free(g);
        noe_method_free(m), noe_system_free(s);
    }
}

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
static double unbalanced(const noe_engine *core, const noe_method *m)
{
    noe_system *s = parse(stirred);
    run         r = make_run(core, s, m, (quad)1 / 20);
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
    core->drop(r.work);
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
    r.core->drop(r.work);
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
static double unexplained(const noe_engine *core, const noe_system *s, const noe_method *m, quad h)
{
    run         r = make_run(core, s, m, h);
    const point start = model_start(s);
    quad        worst = 0, size = 0;
    start_run(r, &start, false);
    assert_true(get_one(r, 0, NOE_AT_WORK) == 0 && get_one(r, 0, NOE_AT_BALANCE) == 0);
    for (int k = 0; k < 300; k++) {
        step_run(r);
        worst = fmaxq(worst, fabsq(get_one(r, 0, NOE_AT_BALANCE)));
        size = fmaxq(size, fabsq(get_one(r, 0, NOE_AT_ENERGY)));
    }
    core->drop(r.work);
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
    a.core->drop(a.work), b.core->drop(b.work);
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
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_orders_of_explicit_methods),
        cmocka_unit_test(test_schemes_of_paper_004),
        cmocka_unit_test(test_frozen_order_where_coordinates_are_coupled),
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
