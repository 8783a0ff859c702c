/* fixed point = chord Newton = Newton: one root, three ways.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "integrate/integrator.h"

static const char *const long_method[] = { "simpson",   "gauss 3",    "gauss 4",
                                           "lobatto 5", "P4 gauss 6", "gauss 8" };
enum { LONG_METHODS = sizeof long_method / sizeof *long_method };

static point step_by(const noe_engine *engine, const noe_system *s, const noe_method *m,
                     const point *x, quad solver, quad *count)
{
    run r = make_run(engine, s, m, suggested_step(s) / 4);
    for (int i = 0; i < engine->members; i++) engine->solver->choose(r.work, i, solver);
    start_run(r, x, true);
    for (int k = 0; k < 3; k++) step_run(r);
    const point y = get_point(r, 0);
    *count = get_solver(r, 0, NOE_SOLVER_CONTRACTED);
    engine->drop(r.work);
    return y;
}

static quad apart(const noe_system *s, const point *x, const point *y, const point *z)
{
    const quad h = suggested_step(s), scale = momentum_scale(&s->dyn, x);
    quad       q = 0, worst = 0;
    for (int j = 0; j < s->dyn.n; j++) q = fmaxq(q, fabsq(x->q[j]) + fabsq(h * x->v[j]));
    for (int j = 0; j < s->dyn.n; j++)
        worst = fmaxq(worst, fmaxq(fabsq(y->q[j] - z->q[j]) / q, fabsq(y->p[j] - z->p[j]) / scale));
    return worst;
}

static int tried, contracted;

static void one_root(const noe_system *s, const char *path)
{
    if (s->dyn.structure) return;
    for (int i = 0; i < LONG_METHODS; i++) {
        noe_method *m = method(long_method[i]);
        const point x = random_point(s);
        quad        by_point, by_chord, none;
        const point a = step_by(noe_engine_quad(), s, m, &x, 1, &by_point),
                    b = step_by(noe_engine_quad(), s, m, &x, 2, &by_chord);
        const point c = step_by(noe_engine_quad(), s, m, &x, 3, &none);
        assert_true(by_chord == 0 && none == 0);
        tried++, contracted += by_point == 3;
        small(apart(s, &x, &a, &b), 1, 1000 * QUAD_EPS, path);
        small(apart(s, &x, &c, &b), 1, 1000 * QUAD_EPS, path);
        noe_method_free(m);
    }
}

static void test_one_root(void **unused)
{
    (void)unused;
    every_system(one_root);
    printf("the fixed point solved all three steps in %d of %d runs; tightest bound %.2g\n",
           contracted, tried, tightest);
    assert_true(contracted > 3 * tried / 4);
}

/* h omega = 16: nothing contracts, Newton takes over, and the step is that of Newton. */
static void test_what_does_not_contract(void **unused)
{
    (void)unused;
    noe_system *s = parse(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 800*x^2 + y^4/4 + x*y^2\n"
        "start x = 0.1, y = 1\nsuggest step = 1.6");
    noe_method *m = method("gauss 6");
    const point x = random_point(s);
    quad        by_point, none;
    const point a = step_by(noe_engine_quad(), s, m, &x, 1, &by_point),
                b = step_by(noe_engine_quad(), s, m, &x, 2, &none);
    assert_true(by_point < 3);
    small(apart(s, &x, &a, &b), 1, 1000 * QUAD_EPS, "stiff");
    noe_method_free(m);
    noe_system_free(s);
}

/* A fixed point with wrong coefficients must be seen: X of one node is not that of the modes. */
static void test_a_wrong_coefficient_is_seen(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/henon_heiles.lag");
    noe_method *m = method("gauss 4"), wrong = spoiled(m, 2);
    const point x = random_point(s);
    quad        count;
    const point a = step_by(noe_engine_quad(), s, &wrong, &x, 1, &count),
                b = step_by(noe_engine_quad(), s, m, &x, 2, &count);
    assert_true(apart(s, &x, &a, &b) > 1e-9);
    noe_method_free(m);
    noe_system_free(s);
}

/* From easy to hopeless, a stiff pendulum on a soft one: the fixed point, Newton, following the
 * motion, NOE_NOT_CONVERGED, each in its turn.  A step that says it is one solves the equations
 * that binary128 solves by Newton alone; one that fails leaves the state and says why. */
static void test_ladder(void **unused)
{
    (void)unused;
    noe_system *s = parse("coordinate a, b\nkinetic (a'^2 + b'^2 + a'*b'*cos(a - b))/2\n"
                          "potential 20*(1 - cos(a)) + 4*(1 - cos(b)) + a^4\n"
                          "start a = 1, b = 2");
    noe_method *m = method("gauss 4");
    int         by_point = 0, by_newton = 0, followed = 0, failed = 0, strangers = 0;
    double      worst = 0;
    for (double h = 0.05; h < 20; h *= 1.25) {
        noe_integrator *g = noe_integrator_new(s, m, h), *wide = noe_integrator_make(s, m, h, 33);
        assert_int_equal(noe_set(wide, "solver", 3), NOE_OK);
        for (int k = 0; k < 8; k++) {
            const double t = noe_time(g), q[2] = { noe_q(g)[0], noe_q(g)[1] },
                         p[2] = { noe_p(g)[0], noe_p(g)[1] };
            const double points = noe_get(g, "contracted"), hards = noe_get(g, "subdivided");
            if (noe_step(g)) {
                failed++;
                assert_non_null(strstr(noe_error(), "the state before the step is kept"));
                assert_true(noe_time(g) == t && noe_q(g)[0] == q[0] && noe_q(g)[1] == q[1]);
                noe_error_clear();
                break;
            }
            const bool point = noe_get(g, "contracted") > points,
                       hard = noe_get(g, "subdivided") > hards;
            assert_true(!point || !hard);
            point ? by_point++ : hard ? followed++ : by_newton++;
            assert_int_equal(noe_start_momentum(wide, t, q, p), NOE_OK);
            if (noe_step(
                    wide)) { /* it begins here, and has not seen how much the motion exchanges */
                strangers++;
                noe_error_clear();
                break;
            }
            for (int j = 0; j < 2; j++) worst = fmax(worst, fabs(noe_q(g)[j] - noe_q(wide)[j]));
        }
        noe_integrator_free(g), noe_integrator_free(wide);
    }
    printf(
        "ladder: %d steps by the fixed point, %d by Newton, %d by following, %d not at all; apart "
        "by %.2g\n",
        by_point, by_newton, followed, failed, worst);
    /* angles of some radians, sensitive to rounding by the slope of a step */
    assert_true(worst < 1e-12);
    assert_true(by_point && by_newton && followed && failed && strangers <= 3);
    noe_method_free(m);
    noe_system_free(s);
}

/* Let go so near an equilibrium that 1 - cos(q) is 0, or all of the energy is rounding, a
 * pendulum swings like the linear one, which differs by q^2/16: every degree, both precisions. */
static void test_near_an_equilibrium(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "midpoint", "gauss 4" };
    noe_system *s = parse("coordinate q\nkinetic q'^2/2\npotential 1 - cos(q)\nstart q = 1");
    noe_system *line = parse("coordinate q\nkinetic q'^2/2\npotential q^2/2\nstart q = 1");
    for (int i = 0; i < 3; i++)
        for (int digits = 15; digits <= 33; digits += 18) {
            noe_method     *m = method(name[i]);
            noe_integrator *g = noe_integrator_make(s, m, 0.05, digits),
                           *l = noe_integrator_make(line, m, 0.05, digits);
            const quad q = pow(10, (digits > 15 ? -55 : -30) - 20 * random_number()), t = 0, v = 0;
            const quad eps = digits > 15 ? QUAD_EPS : 0x1p-53;
            const bool momentum = false;
            assert_int_equal(noe_integrator_start_from(g, &t, &q, &v, &v, &momentum), NOE_OK);
            assert_int_equal(noe_integrator_start_from(l, &t, &q, &v, &v, &momentum), NOE_OK);
            for (int k = 0; k < 100; k++) {
                quad x, y;
                if (noe_step(g)) fail_msg("%s from %g: %s", name[i], (double)q, noe_error());
                assert_int_equal(noe_step(l), NOE_OK);
                noe_integrator_state_get(g, NOE_AT_Q, &x),
                    noe_integrator_state_get(l, NOE_AT_Q, &y);
                small(x - y, q, (double)(16 * (k + 1) * eps), name[i]);
            }
            noe_integrator_free(g), noe_integrator_free(l);
            noe_method_free(m);
        }
    noe_system_free(s), noe_system_free(line);
}

/* The velocities of a fast top turn its forces: an iteration whose corrections hold momenta needs
 * a quarter of the iterations that gradients alone need, for the same solution; members that turn
 * and members that do not step side by side. */
static void test_turning_forces(void **unused)
{
    (void)unused;
    enum { STEPS = 240 };
    noe_system     *s = load("systems/lagrange_top.lag");
    noe_method     *m = method("gauss 8");
    noe_integrator *g = noe_integrator_new(s, m, 0.0099),
                   *wide = noe_integrator_make(s, m, 0.0099, 33);
    double worst = 0;
    assert_int_equal(noe_set(wide, "solver", 3), NOE_OK);
    for (int k = 0; k < STEPS; k++) {
        const double t = noe_time(g), q[3] = { noe_q(g)[0], noe_q(g)[1], noe_q(g)[2] },
                     p[3] = { noe_p(g)[0], noe_p(g)[1], noe_p(g)[2] };
        assert_int_equal(noe_step(g), NOE_OK);
        if (k % 16 != 15) continue;
        assert_int_equal(noe_start_momentum(wide, t, q, p), NOE_OK);
        assert_int_equal(noe_step(wide), NOE_OK);
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(noe_q(g)[j] - noe_q(wide)[j]) / (1 + fabs(q[j])));
    }
    const double rounds = noe_get(g, "rounds") / noe_get(g, "contracted");
    printf("a top: %.2f iterations a step, apart by %.2g\n", rounds, worst);
    assert_true(noe_get(g, "contracted") >= STEPS - 4 && rounds < 3.5); /* by gradients alone 12 */
    assert_true(worst < 1e-14); /* a rounding is seen, 2e-16 */
    noe_integrator_free(g), noe_integrator_free(wide);

    const noe_engine *engine = noe_engine_lanes();
    const run         all = make_run(engine, s, m, (quad)99 / 10000);
    bool              momentum[DOFS] = { false };
    point             x[16];
    for (int i = 0; i < engine->members; i++)
        x[i] = model_start(s), x[i].v[2] = (quad)100 * i / engine->members,
        put_point(all, i, &x[i]);
    assert_int_equal(engine->start(all.work, momentum), 0);
    for (int k = 0; k < STEPS; k++) step_run(all);
    for (int i = 0; i < engine->members; i++) {
        const run alone = make_run(noe_engine_double(), s, m, (quad)99 / 10000);
        start_run(alone, &x[i], false);
        for (int k = 0; k < STEPS; k++) step_run(alone);
        const point a = get_point(alone, 0), b = get_point(all, i);
        assert_true(get_solver(alone, 0, NOE_SOLVER_ROUNDS)
                    == get_solver(all, i, NOE_SOLVER_ROUNDS));
        for (int j = 0; j < 3; j++) assert_true(a.q[j] == b.q[j] && a.p[j] == b.p[j]);
        alone.engine->drop(alone.work);
    }
    engine->drop(all.work);
    noe_method_free(m);
    noe_system_free(s);
}

static void test_choice(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/kepler.lag");
    noe_method     *m = method("gauss 6");
    noe_integrator *g = noe_integrator_new(s, m, 0.05);
    for (int k = 0; k < 20; k++) assert_int_equal(noe_step(g), NOE_OK);
    assert_true(noe_get(g, "contracted") == 20
                && noe_get(g, "refreshes") == 0); /* degree 6: the fixed point */
    assert_int_equal(noe_set(g, "solver", 3), NOE_OK);
    for (int k = 0; k < 20; k++) assert_int_equal(noe_step(g), NOE_OK);
    assert_true(noe_get(g, "contracted") == 20 && noe_get(g, "refreshes") >= 20);
    assert_int_equal(noe_set(g, "solver", 4), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "solver = 4: expected 0"));
    noe_error_clear();
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

/* Van der Pol, mu = 100, past its first fall: the fixed point gains at first and then loses what
 * is stiff.  Where it turned, 2e-10 of the momenta were left, and taken for rounding. */
static void test_what_turns_is_not_solved(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_parse(
        "parameter mu = 100\ncoordinate x\nkinetic x'^2/2\npotential x^2/2\n"
        "dissipation mu/2*(x^2 - 1)*x'^2\nstart x = 2\n");
    noe_method     *f = noe_method_parse("gauss 6");
    noe_integrator *g = noe_integrator_new(s, f, 0.05), *newton = noe_integrator_new(s, f, 0.05);
    double          worst = 0;
    assert_int_equal(noe_set(newton, "solver", 3), NOE_OK);
    for (int k = 0; k < 200; k++) {
        assert_true(!noe_step(g) && !noe_step(newton));
        worst = fmax(worst, fabs(noe_p(g)[0] / noe_p(newton)[0] - 1));
    }
    print_message("after 200 steps: %.2e of the momentum\n", worst);
    assert_true(worst <= 1000 * 0x1p-52); /* the way of rounding: 2.9e-14; without the cure 2e-10 */
    noe_integrator_free(g), noe_integrator_free(newton);
    noe_method_free(f);
    noe_system_free(s);
}

/* Forces as unknowns: coupled masses, momenta that are not 0 at rest, forces that depend on t
 * and push against gradients. */
static void test_forces_as_unknowns(void **unused)
{
    (void)unused;
    static const char *const degree[] = { "gauss 4", "gauss 5", "gauss 8", "gauss 9", "gauss 12" };
    int                      by_point = 0, steps = 0;
    for (int k = 0; k < 15; k++) {
        const int         n = 1 + k % 3;
        char              text[1200];
        size_t            at = 0;
        const char *const x[] = { "x", "y", "z" };
#define PUT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
        PUT("coordinate x%s%s\n", n > 1 ? ", y" : "", n > 2 ? ", z" : "");
        for (int j = 0; j < n; j++) {
            PUT("kinetic %.17g*%s'^2 + %.3g*%s'\n", 1 + 0.5 * random_number(), x[j],
                random_number(), x[j]);
            if (j && k % 2) PUT("kinetic %.3g*%s'*%s'\n", 0.3 * random_number(), x[j - 1], x[j]);
            PUT("potential %.3g*%s^2 + cos(%s + %.3g*t) + %.3g*%s^4\n", 1 + 0.5 * random_number(),
                x[j], x[j], random_number(), 0.5 + 0.4 * random_number(), x[j]);
            if (j) PUT("potential %.3g*sin(%s - %s)\n", random_number(), x[j - 1], x[j]);
            PUT("force %s = %.3g*%s*sin(t)\n", x[j], 0.1 * random_number(), x[n - 1]);
            PUT("start %s = %.3g, %s' = %.3g\n", x[j], random_number(), x[j], random_number());
        }
#undef PUT
        noe_system *s = parse(text);
        assert_true(s->dyn.natural);
        noe_method     *m = method(degree[k / 3]);
        noe_integrator *g = noe_integrator_new(s, m, 0.2),
                       *wide = noe_integrator_make(s, m, 0.2, 33);
        assert_int_equal(noe_set(wide, "solver", 3), NOE_OK);
        double worst = 0;
        for (int i = 0; i < 25; i++) {
            assert_int_equal(noe_step(g) | noe_step(wide), NOE_OK);
            for (int j = 0; j < n; j++)
                worst = fmax(worst, fmax(fabs(noe_q(g)[j] - noe_q(wide)[j]),
                                         fabs(noe_p(g)[j] - noe_p(wide)[j])));
        }
        if (worst > 2e-14) print_message("%s%s: %.2g\n", text, degree[k / 3], worst);
        assert_true(worst < 2e-13);
        steps += 25, by_point += (int)noe_get(g, "contracted");
        noe_integrator_free(g), noe_integrator_free(wide);
        noe_method_free(m);
        noe_system_free(s);
    }
    assert_true(by_point > steps * 9 / 10);
    static const char *const other[] = {
        "coordinate x\nkinetic x'^2/2 + x^2*x'^2\npotential x^2",
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2 + x*y'\npotential x^2",
        "coordinate x\nkinetic x'^2/2\npotential x^2\nforce x = if(x' < 0, 1, -1)",
        "coordinate x\nkinetic x'^2/2 + sin(t)*x'\npotential x^2"
    };
    for (int i = 0; i < 4; i++) {
        noe_system *s = parse(other[i]);
        assert_false(s->dyn.natural);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_turns_is_not_solved),
        cmocka_unit_test(test_one_root),
        cmocka_unit_test(test_forces_as_unknowns),
        cmocka_unit_test(test_what_does_not_contract),
        cmocka_unit_test(test_a_wrong_coefficient_is_seen),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_near_an_equilibrium),
        cmocka_unit_test(test_turning_forces),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
