/* exp(s_1 B) exp(r_1 A) . . = exp(A + B) + O(order + 1):  orders from words and as measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "splitting_system.h"
#include "method/splitting.h"

/* ---- the numbers ---- */

static void test_orders_from_words(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETS; k++) {
        noe_method *m = method(sets[k].name);
        quad        sum[2] = { 0 };
        if (m->order != sets[k].order || m->damped_order != sets[k].damped)
            fail_msg("%s: orders %d, %d", m->name, m->order, m->damped_order);
        assert_int_equal(m->symmetric, m->order % 2 == 0);
        assert_true(m->symplectic);
        for (int i = 0; i < m->flows; i++) sum[(i + m->drift_first) % 2] += m->flow[i];
        for (int i = 0; i < 2; i++) small(sum[i] - 1, 1, 1e-32, m->name); /* measured: 6e-34 */
        /* One coefficient wrong by a thousandth, and its mirror image: seen, every one. */
        for (int i = 0; i < (m->flows + 1) / 2; i += 1 + m->flows / 24) {
            noe_method w = *m;
            w.flow[i] += (quad)1e-3;
            if (m->symmetric && i != w.flows - 1 - i) w.flow[w.flows - 1 - i] += (quad)1e-3;
            noe_splitting_traits(&w);
            if (w.order >= m->order) fail_msg("%s: flow %d does not count", m->name, i);
        }
        noe_method_free(m);
    }
}

/* The coefficients of Neri and of Forest and Ruth by their formulas, and the conditions for
 * order 4 written out; with the middle one as a paper prints it, -(2 + z)/3, the drifts do not
 * add up. */
static void test_forest_ruth(void **unused)
{
    (void)unused;
    noe_method *m = method("yoshida4");
    const quad  root = cbrtq(2), z = root + 1 / root;
    const quad  want[] = { (2 + z) / 6, (2 + z) / 3, (1 - z) / 6, -(1 + 2 * z) / 3,
                           (1 - z) / 6, (2 + z) / 3, (2 + z) / 6 };
    assert_int_equal(m->flows, 7);
    assert_false(m->drift_first);
    for (int i = 0; i < 7; i++) small(m->flow[i] - want[i], 1, 1e-33, "Forest-Ruth");
    quad S = 0, R = 0, rS = 0, sR2 = 0, rS2 = 0, sR3 = 0;
    for (int i = 0; i < 7; i++)
        if (i % 2) R += m->flow[i], rS += m->flow[i] * S, rS2 += m->flow[i] * S * S;
        else S += m->flow[i], sR2 += m->flow[i] * R * R, sR3 += m->flow[i] * R * R * R;
    small(rS - (quad)1 / 2, 1, 1e-32, "sum r S");
    small(sR2 - (quad)1 / 3, 1, 1e-32, "sum s R^2");
    small(rS2 - (quad)1 / 3, 1, 1e-32, "sum r S^2");
    small(sR3 - (quad)1 / 4, 1, 1e-32, "sum s R^3");
    noe_method w = *m;
    w.flow[3] = -(2 + z) / 3;
    noe_splitting_traits(&w);
    assert_int_equal(w.order, 0);
    noe_method_free(m);
}

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *canonical;
    } rows[] = {
        { "Verlet", "verlet" },
        { " kahan-li 8 ", "kahan-li8" },
        { "SRKN11-6", "srkn11-6" },
        { "yoshida 4", "yoshida4" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = method(rows[k].name);
        assert_string_equal(m->name, rows[k].canonical);
        noe_method_free(m);
    }
    noe_error_clear();
    assert_null(noe_method_parse("verlet 2"));
    assert_non_null(strstr(noe_error(), "left over"));
    noe_error_clear();
    assert_null(noe_method_parse("verlett"));
    assert_non_null(strstr(noe_error(), "did you mean 'verlet'"));
    noe_error_clear();
}

/* ---- measured ---- */

static void test_orders_measured(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, ""), *d = system_of(driven, rubbed);
    for (int k = 0; k < SETS; k++) {
        noe_method  *m = method(sets[k].name);
        const double free = measured_order(s, m, sets[k].h, 4),
                     damped = measured_order(d, m, sets[k].h, 4);
        printf("%-22s %7.3f %7.3f\n", m->name, free, damped);
        if (!(fabs(free - sets[k].order) < 0.1)) fail_msg("%s: order %.3f", m->name, free);
        if (!(fabs(damped - sets[k].damped) < 0.1))
            fail_msg("%s, damped: order %.3f", m->name, damped);
        noe_method_free(m);
    }
    noe_system_free(s);
    noe_system_free(d);
}

/* One coefficient off by 1e-3: the measured order tells, too. */
static void test_a_wrong_coefficient_is_measured(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, "");
    noe_method *m = method("kahan-li6");
    for (int i = 0; i < m->flows; i += 5) {
        noe_method w = *m;
        w.flow[i] += (quad)1e-3;
        assert_true(measured_order(s, &w, (quad)1 / 64, 4) < 2);
    }
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- paper 004's examples with the exact damped kick: errors that another program has ---- */

static double sup_error(const char *text, const char *name, quad h, int steps, int n)
{
    noe_system *s = parse(text);
    noe_method *m = method(name), *fine = method("gauss 6");
    run         r = make_run(noe_engine_double(), s, m, h),
        exact = make_run(noe_engine_quad(), s, fine, h / 2);
    const point x = model_start(s);
    quad        worst = 0;
    start_run(r, &x, false);
    start_run(exact, &x, false);
    for (int k = 0; k < steps; k++) {
        step_run(r), step_run(exact), step_run(exact);
        const point y = get_point(r, 0), z = get_point(exact, 0);
        for (int j = 0; j < n; j++) worst = fmaxq(worst, fabsq(y.q[j] - z.q[j]));
    }
    r.engine->drop(r.work), exact.engine->drop(exact.work);
    noe_method_free(m), noe_method_free(fine), noe_system_free(s);
    return (double)worst;
}

static const char van_der_pol[] =
    "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = 10*(1 - x^2)*x'\nstart x = 1\n";

static const char two_duffing[] =
    "coordinate a, b\nkinetic a'^2 + 3/2*b'^2\n"
    "potential a^2 + a^4/40 + b^2 + b^4/20 + a*b\ndissipation a'^2/20 + b'^2/10\nstart b' = 1\n";

static void test_known_damped_errors(void **unused)
{
    (void)unused;
    digits(sup_error(van_der_pol, "yoshida4", (quad)1 / 100, 2000, 1), 0.0004839, 5e-3,
           "Van der Pol, T = 20");
    digits(sup_error(van_der_pol, "rk4", (quad)1 / 100, 2000, 1), 0.001018, 5e-3,
           "Van der Pol, T = 20, rk4");
    digits(sup_error(two_duffing, "yoshida4", (quad)1 / 100, 10000, 2), 9.843e-09, 1e-3,
           "two Duffing, T = 100");
    digits(sup_error(two_duffing, "rk4", (quad)1 / 100, 10000, 2), 1.194e-09, 1e-3,
           "two Duffing, T = 100, rk4");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_from_words),
        cmocka_unit_test(test_forest_ruth),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_orders_measured),
        cmocka_unit_test(test_a_wrong_coefficient_is_measured),
        cmocka_unit_test(test_known_damped_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
