/* phi_(gamma_k h) o .. o phi_(gamma_1 h):  order, derivative, memory of a composition.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

#include "method/stability.h"
#include "method/order_conditions.h"

static const struct {
    const char *name, *canonical;
    int         order, steps;
} rows[] = {
    { "compose 4 midpoint", "compose 4 midpoint", 4, 3 },
    { "Compose 6 Simpson", "compose 6 simpson", 6, 3 },
    { "compose 8simpson", "compose 8 simpson", 8, 9 },
    { "compose suzuki4 lobatto 1", "compose suzuki4 lobatto 1", 4, 5 },
    { "compose Kahan-Li8 gauss1", "compose kahan-li8 midpoint", 8, 17 },
    { "compose sofroniou-spaletta10 midpoint", "compose sofroniou-spaletta10 midpoint", 10, 35 },
    { "compose 6 compose 4 midpoint", "compose 6 compose 4 midpoint", 6, 9 },
};

static void test_names_and_orders(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = method(rows[k].name), *again = method(m->name);
        quad        sum = 0;
        assert_string_equal(m->name, rows[k].canonical);
        assert_memory_equal(m->part, again->part, sizeof m->part);
        assert_int_equal(m->order, rows[k].order);
        assert_int_equal(m->parts, rows[k].steps);
        assert_true(m->symmetric && m->symplectic);
        for (int i = 0; i < m->parts; i++) sum += m->part[i];
        small(sum - 1, 1, 1e-32, m->name);
        for (int i = 0; i < m->parts && m->parts < 20; i++) { /* each off by a thousandth: seen */
            quad wrong[NOE_MAX_PARTS];
            memcpy(wrong, m->part, sizeof wrong);
            wrong[i] += (quad)1e-3;
            assert_true(noe_order_conditions_of_composition(m->parts, wrong, 2) < 2);
        }
        noe_method_free(m);
        noe_method_free(again);
    }
    /* Of splittings it is a splitting: the named set itself. */
    noe_method *a = method("compose 4 verlet"), *b = method("yoshida4");
    assert_int_equal(a->flows, b->flows);
    for (int i = 0; i < a->flows; i++) small(a->flow[i] - b->flow[i], 1, 1e-33, "yoshida4");
    noe_method_free(a);
    noe_method_free(b);
}

static void test_refusals(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *says;
    } wrong[] = {
        { "compose", "expected an order or a set" },
        { "compose 4", "expected an order or a set" },
        { "compose 4 simpson", "an even order above 4" },
        { "compose 5 midpoint", "an even order above 2" },
        { "compose 6 rk4", "rk4 is not symmetric" },
        { "compose 4 newmark 1/4 1/2", "is neither a Galerkin method nor" },
        { "compose 4 ruth3", "ruth3 is not symmetric" },
        { "compose 4 P2 radau-left 2", "not symmetric" },
        { "compose suzuki midpoint", "did you mean 'suzuki4'" },
        { "compose 12 midpoint", "more than 128" },
        { "compose verlet midpoint", "no set of steps 'verlet'" },
        { "compose 4 sympson", "did you mean 'simpson'" },
        { "compose 999 midpoint", "expected an order or a set" },
        { "compose 4 compose suzuki4 compose suzuki4 midpoint x", "left over" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        noe_error_clear();
        assert_null(noe_method_parse(wrong[k].name));
        if (!noe_error() || !strstr(noe_error(), wrong[k].says))
            fail_msg("'%s' gives: %s", wrong[k].name, noe_error() ? noe_error() : "no message");
    }
    noe_error_clear();
}

/* On a mass matrix that depends on q, driven and damped: no splitting would do. */
static const char everything[] =
    "coordinate x, y\n"
    "kinetic (1 + t^2/4 + x^2)*x'^2/2 + y'^2 + sin(t)*cos(x)*x'*y'/2\n"
    "lagrangian t*x*y' - y*x' - x^2/2 - y^4/4 + cos(t)*x*y\nforce y = -y'^3/4\n"
    "start x = 1, y = 0.3, x' = 0.2, y' = -0.5\n";

static void test_measured(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double      h;
    } some[] = {
        { "compose 4 midpoint", 1. / 64 },
        { "compose 6 simpson", 1. / 32 },
        { "compose 8 gauss 3", 1. / 16 },
        { "compose kahan-li6 lobatto 1", 1. / 32 },
    };
    noe_system *s = parse(everything);
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        noe_method  *m = method(some[k].name);
        const double order = measured_order(s, m, some[k].h, 4);
        if (!(fabs(order - m->order) < 0.15)) fail_msg("%s: order %.3f", m->name, order);
        m->part[1] += (quad)1e-3;
        assert_true(measured_order(s, m, some[k].h, 4) < 2);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* The derivative against differences, and step(-h) after step(h). */
static void test_derivative(void **unused)
{
    (void)unused;
    noe_system *s = parse(everything);
    noe_method *m = method("compose 6 simpson");
    run         r = make_run(noe_engine_quad(), s, m, (quad)1 / 16),
        back = make_run(noe_engine_quad(), s, m, -(quad)1 / 16);
    point      x = model_start(s);
    quad       M[16], size = 0, worst = 0;
    const quad d = (quad)1e-7;
    start_run(r, &x, true);
    step_run(r), step_run(r);
    x = get_point(r, 0);
    step_run(r);
    const point y = get_point(r, 0);
    assert_true(r.engine->derivative(r.work, 0, M));
    const point same = get_point(r, 0);
    assert_memory_equal(&y, &same, sizeof y);
    start_run(back, &y, true);
    step_run(back);
    const point undone = get_point(back, 0);
    small(state_distance(&undone, &x, 2), 1, 1e-30, "step(-h) after step(h)");
    worst = derivative_error(r, &x, d, M, &size);
    small(worst, size, 1e-23, "derivative of a composition");
    r.engine->drop(r.work), back.engine->drop(back.work);
    noe_method_free(m);
    noe_system_free(s);
}

/* A restart goes on with the same bits; a linear system takes the composition, not its base,
 * everywhere. */
static void test_memory(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    noe_method *m = method("compose 6 simpson");
    run         a = make_run(noe_engine_double(), s, m, (quad)1 / 50),
        b = make_run(noe_engine_double(), s, m, 1);
    const point x = model_start(s);
    size_t      bytes;
    start_run(a, &x, false);
    for (int i = 0; i < 30; i++) step_run(a);
    void *memory = a.engine->memory(a.work, &bytes);
    memcpy(b.engine->memory(b.work, &bytes), memory, bytes);
    for (int i = 0; i < 30; i++) step_run(a), step_run(b);
    const point y = get_point(a, 0), z = get_point(b, 0);
    assert_memory_equal(&y, &z, sizeof y);
    a.engine->drop(a.work), b.engine->drop(b.work);
    noe_system_free(s);

    s = load("systems/harmonic_oscillator.lag");
    noe_integrator *g = noe_integrator_new(s, m, 0.125);
    noe_method     *fine = method("gauss 8"), *base = method("simpson");
    noe_integrator *e = noe_integrator_new(s, fine, 0.125), *f = noe_integrator_new(s, base, 0.125);
    noe_run(g, 1, NULL, NULL), noe_run(e, 1, NULL, NULL), noe_run(f, 1, NULL, NULL);
    const double composed = fabs(noe_q(g)[0] - noe_q(e)[0]),
                 simple = fabs(noe_q(f)[0] - noe_q(e)[0]);
    if (!(composed < simple / 3)) fail_msg("%.3g, simpson alone %.3g", composed, simple);
    noe_integrator_free(g), noe_integrator_free(e), noe_integrator_free(f);
    noe_method_free(m), noe_method_free(fine), noe_method_free(base);
    noe_system_free(s);
}

/* Midpoint's steps turn one ellipse, whatever their lengths; Simpson's do not. */
static void test_stability(void **unused)
{
    (void)unused;
    double      edge = -1;
    noe_method *a = method("compose suzuki4 midpoint"), *b = method("compose 6 simpson");
    assert_int_equal(noe_stability_windows(a, INFINITY, &edge, 1), 0);
    assert_true(noe_stability_windows(b, INFINITY, &edge, 1) >= 1);
    /* Beyond 2 s + 1: edges in 40 digits, from the discrete Lagrangian of Simpson's steps. */
    static const struct {
        const char *name;
        double      edge[2];
    } far[] = { { "compose sofroniou-spaletta8 simpson",
                  { 6.206854931647136910246, 6.344700603401844131343 } },
                { "compose sofroniou-spaletta10 simpson",
                  { 6.257165450012759602665, 6.30392806166848986116 } } };
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        double      found[2] = { 0 };
        noe_method *m = method(far[k].name);
        assert_true(noe_stability_windows(m, INFINITY, found, 2) >= 2);
        for (int i = 0; i < 2; i++)
            if (!(fabs(found[i] - far[k].edge[i]) < 1e-14)) fail_msg("%.17g", found[i]);
        noe_method_free(m);
    }
    noe_system *s = parse("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n");
    for (int side = -1; side <= 1; side += 2) { /* one thousandth on either side of the edge */
        run         r = make_run(noe_engine_quad(), s, b, (quad)(edge * (1 + side * 1e-3)));
        const point x = model_start(s);
        quad        most = 0;
        start_run(r, &x, false);
        for (int k = 0; k < 2000; k++) step_run(r), most = fmaxq(most, fabsq(get_point(r, 0).q[0]));
        assert_int_equal(most > 1e6, side > 0);
        r.engine->drop(r.work);
    }
    noe_method_free(a), noe_method_free(b);
    noe_system_free(s);
}

/* Steps across waves that they do not resolve: of many the equations have no solution near the
 * motion. Where any part of a step fails the state is that before the step, in every lane. */
static void test_a_failed_step_is_undone(void **unused)
{
    (void)unused;
    int failed = 0;
    for (int round = 0; round < 150; round++) {
        const double wave = 2000 + 1000 * random_number(), speed = 0.3;
        char         text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (1.5 + 0.3*cos(y))*x'^2/2 + (1.5 + 0.3*cos(x))*y'^2/2\n"
                 "potential sqrt(1 + x^2) + y^2/2 + %.17g*sin(%.17g*x)\n",
                 pow(10, -2 + random_number()), wave);
        noe_system *s = parse(text);
        noe_method *m = method(rows[round % 3].name);
        const quad  h = (1.2 + (quad)random_number() / 2) / (wave * speed);
        for (int lanes = 0; lanes < 2; lanes++) {
            run   r = make_run(lanes ? noe_engine_lanes() : noe_engine_double(), s, m, h);
            point before[8], x = { .q = { 1, random_number() }, .v = { -speed, random_number() } };
            start_run(r, &x, false);
            for (int i = 0; i < r.engine->members; i++) { /* each lane elsewhere */
                x.q[0] += (quad)0.3 / wave;
                put_point(r, i, &x);
            }
            const bool momentum[DOFS] = { false };
            if (r.engine->start(r.work, momentum)) fail_msg("a start failed");
            for (int k = 0; k < 60; k++) {
                for (int i = 0; i < r.engine->members; i++) before[i] = get_point(r, i);
                const unsigned left = r.engine->step(r.work);
                for (int i = 0; i < r.engine->members; i++) {
                    const point after = get_point(r, i);
                    if (!(left >> i & 1)) continue;
                    failed++;
                    if (after.t != before[i].t || state_distance(&after, &before[i], 2) != 0)
                        fail_msg("%s", text);
                }
                if (left) break;
            }
            r.engine->drop(r.work);
        }
        noe_method_free(m), noe_system_free(s);
    }
    printf("%d steps failed\n", failed);
    assert_true(failed >= 5);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_orders),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_a_failed_step_is_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
