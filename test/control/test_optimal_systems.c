/* Optimal motions of systems/: orders, bounds, free time, periods; what the public function says.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: ipopt. */
#include "integrator.h"

#include "control/optimal_motion.h"
#include "control/trajectory.h"

#include "base/table.h"

static void optimum(noe_optimal_motion *x, const noe_system *s, const char *by, int steps,
                    double until)
{
    noe_method *m = method(by);
    *x = (noe_optimal_motion){ .model = s->model,
                               .method = m,
                               .steps = steps,
                               .until = until,
                               .search = { .most = 1000, .tolerance = 1e-9 } };
    if (noe_optimal_motion_find(x)) fail_msg("%s", noe_error());
    if (x->how != NOE_OPTIMUM) fail_msg("%s, %d steps: %s", s->source, steps, x->search.why);
    x->method = NULL;
    noe_method_free(m);
}

static double cost(const noe_system *s, const char *by, int steps, double until)
{
    noe_optimal_motion x;
    optimum(&x, s, by, steps, until);
    const double cost = x.t.cost;
    noe_optimal_motion_drop(&x);
    return cost;
}

/* Where no bound is active, Simpson's costs come with order 4 to that of lobatto 3, of order 6. */
static void order_four(void **state)
{
    static const struct {
        const char *path;
        double      until;
        int         steps;
    } of[] = { { "systems/arm_reach.lag", 1, 20 },
               { "systems/low_thrust_transfer.lag", 8, 20 },
               { "systems/walking_hip.lag", 1, 10 } };
    (void)state;
    for (int k = 0; k < 3; k++) {
        noe_system  *s = load(of[k].path);
        const double J = cost(s, "lobatto 3", 4 * of[k].steps, of[k].until),
                     a = cost(s, "simpson", of[k].steps, of[k].until) - J,
                     b = cost(s, "simpson", 2 * of[k].steps, of[k].until) - J,
                     order = log2(fabs(a / b));
        if (!(fabs(order - 4) < 0.25)) fail_msg("%s: order %.3g", of[k].path, order);
        noe_system_free(s);
    }
}

/* Of a problem with several optima: costs of finer grids come together with order 4. */
static void several_optima(void **state)
{
    double J[3];
    (void)state;
    noe_system *s = load("systems/double_pendulum_swing_up.lag");
    for (int k = 0; k < 3; k++) J[k] = cost(s, "simpson", 80 << k, 2);
    assert_true(log2((J[0] - J[1]) / (J[1] - J[2])) > 3.5);
    noe_system_free(s);
}

/* The torque reaches its bounds and keeps them; the estimate of the error is right to a factor. */
static void bounds(void **state)
{
    (void)state;
    noe_system        *s = load("systems/pendulum_swing_up.lag");
    noe_optimal_motion x;
    optimum(&x, s, "simpson", 80, 4);
    double most = 0;
    for (int i = x.t.u_at; i < x.t.v_at; i++) most = fmax(most, fabs(x.t.x[i]));
    assert_true(most <= 5 && most > 5 - 1e-6);
    const double J = cost(s, "simpson", 320, 4);
    assert_true(fabs(x.t.cost - J) < 10 * x.error && x.error < 1e-4 * J);
    noe_optimal_motion_drop(&x);
    noe_system_free(s);
}

/* The shortest time over a distance d with |u| <= a, at rest at both ends: 2 sqrt(d/a), with one
 * switch in the middle, which a grid point meets. */
static void free_time(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        const double d = 1 + random_number() / 2, a = 2 + random_number();
        char         text[400];
        snprintf(text, sizeof text,
                 "coordinate x\ncontrol u in -%.17g..%.17g\nkinetic x'^2/2\nforce x = u\n"
                 "start x = 0\nfinal x = %.17g, x' = 0, t in 0.1..9\nfinal cost = t\n",
                 a, a, d);
        noe_system        *s = parse(text);
        noe_optimal_motion x;
        optimum(&x, s, "simpson", 20, NAN);
        const double T = 2 * sqrt(d / a);
        if (!(fabs(x.t.x[x.t.T_at] - T) < 1e-6 * T))
            fail_msg("time %.10g, not %.10g", x.t.x[x.t.T_at], T);
        noe_optimal_motion_drop(&x);
        noe_system_free(s);
    }
}

/* A periodic orbit ends where it begins, and the momenta of the next period continue it. */
static void periodic(void **state)
{
    (void)state;
    noe_system        *s = load("systems/walking_hip.lag");
    noe_optimal_motion x;
    optimum(&x, s, "simpson", 40, 1);
    noe_table   *t = noe_trajectory_table(&x.t);
    const size_t last = noe_table_rows(t) - 1;
    for (size_t c = 1; c <= 6; c++) { /* q, v, p */
        const double *y = noe_table_at(t, c);
        assert_true(fabs(y[last] - y[0]) < 1e-9 * (1 + fabs(y[0])));
    }
    assert_true(fabs(noe_table_at(t, 2)[0] - 0.4) < 1e-12);
    noe_table_free(t);
    noe_optimal_motion_drop(&x);
    noe_system_free(s);
}

/* Of costs 1 + c 2^-pk; of costs that jump; of a search that found nothing. */
static void unsettled(void **state)
{
    char text[400];
    (void)state;
    noe_optimal_motion x = { .grids = 3, .steps = 40, .costs = { 1.4, 1.1, 1.025 } };
    assert_false(noe_optimal_motion_unsettled(&x, text, sizeof text));
    x.costs[2] = 2;
    assert_true(noe_optimal_motion_unsettled(&x, text, sizeof text));
    assert_non_null(strstr(text, "1.4, 1.1, 2 with 10, 20, 40 steps"));
    x.costs[2] = NAN;
    assert_false(noe_optimal_motion_unsettled(&x, text, sizeof text));
    x = (noe_optimal_motion){ .grids = 3, .steps = 40, .costs = { 1, 1 + 1e-12, 1 - 1e-11 } };
    assert_false(noe_optimal_motion_unsettled(&x, text, sizeof text));
    x.grids = 2, x.costs[1] = 5;
    assert_false(noe_optimal_motion_unsettled(&x, text, sizeof text));
}

/* noe_optimize: the same table, and what it says. */
static void public_function(void **state)
{
    (void)state;
    noe_system *s = load("systems/block_move.lag");
    noe_method *m = method("simpson");
    noe_optimum o = { .steps = 4, .until = NAN };
    noe_table  *t = noe_optimize(s, m, &o);
    if (!t) fail_msg("%s", noe_error());
    assert_true(o.found && fabs(o.cost - 12) < 1e-12 && o.end == 1 && o.violation < 1e-12);
    assert_true(noe_table_rows(t) == 9 && fabs(noe_table_column(t, "u")[0] - 6) < 1e-11);
    noe_table_free(t);
    noe_system_free(s);
    noe_error_clear();
    s = parse("coordinate x\ncontrol u in -1..1\nkinetic x'^2/2\nforce x = u\ncost u^2\n"
              "final x = 1, x' = 0, t = 1\n");
    o = (noe_optimum){ .steps = 10, .until = NAN };
    t = noe_optimize(s, m, &o);
    assert_true(t && !o.found && o.violation > 1e-3 && strstr(noe_error(), "widen the bounds"));
    for (size_t i = 0; i < noe_table_rows(t); i++)
        assert_true(fabs(noe_table_column(t, "u")[i]) <= 1 + 1e-12);
    noe_table_free(t);
    noe_error_clear();
    o.steps = -1;
    assert_null(noe_optimize(s, m, &o));
    assert_non_null(strstr(noe_error(), "0 or more steps"));
    noe_error_clear();
    assert_null(noe_optimize(NULL, m, &o));
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_four),     cmocka_unit_test(several_optima),
        cmocka_unit_test(bounds),         cmocka_unit_test(free_time),
        cmocka_unit_test(periodic),       cmocka_unit_test(unsettled),
        cmocka_unit_test(public_function)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
