/* Optimal motions: published optima, orders, exact derivatives, multipliers.  Needs: ipopt.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

#include "control/optimal_motion.h"
#include "control/trajectory.h"

#include "base/table.h"

static void optimum(noe_optimal_motion *x, const noe_system *s, const noe_method *m, int steps,
                    double until)
{
    *x = (noe_optimal_motion){ .model = s->model,
                               .method = m,
                               .steps = steps,
                               .until = until,
                               .search = { .most = 1000, .tolerance = 1e-9 } };
    if (noe_optimal_motion_find(x)) fail_msg("%s", noe_error());
    if (x->how != NOE_OPTIMUM) fail_msg("%d steps: %s", steps, x->search.why);
}

static double cost_of(const char *path, const char *by, int steps, double until)
{
    noe_system        *s = load(path);
    noe_method        *m = method(by);
    noe_optimal_motion x;
    optimum(&x, s, m, steps, until);
    const double cost = x.t.cost;
    noe_optimal_motion_drop(&x);
    noe_method_free(m);
    noe_system_free(s);
    return cost;
}

/* u = 6 (1 - 2 t) and the cost 12 are exact for every number of steps: Simpson's rule and
 * quadratic positions have them. */
static void a_block_is_moved(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        noe_system        *s = load("systems/block_move.lag");
        noe_method        *m = method("simpson");
        const int          steps[] = { 1, 2, 5, 10 };
        noe_optimal_motion x;
        optimum(&x, s, m, steps[k], 1);
        noe_table *table = noe_trajectory_table(&x.t);
        assert_true(fabs(x.t.cost - 12) < 1e-12);
        for (size_t i = 0; i < noe_table_rows(table); i++) {
            const double t = noe_table_at(table, 0)[i];
            assert_true(fabs(noe_table_at(table, 1)[i] - t * t * (3 - 2 * t)) < 1e-13);
            assert_true(fabs(noe_table_at(table, 2)[i] - 6 * t * (1 - t)) < 1e-12);
            assert_true(fabs(noe_table_at(table, 3)[i] - 6 * t * (1 - t)) < 1e-12);
            assert_true(fabs(noe_table_at(table, 4)[i] - (6 - 12 * t)) < 1e-11);
            /* Pontryagin: 2 u + multiplier = 0 */
            assert_true(fabs(noe_table_at(table, 5)[i] + 2 * (6 - 12 * t)) < 1e-11);
        }
        noe_table_free(table);
        noe_optimal_motion_drop(&x);
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* The same finite problem solved in 32 digits by another program, and the optimum by shooting with
 * Pontryagin's equations, 58.807667458167: orders 4 and 6. */
static void a_cart_swings_its_pole_up(void **state)
{
    static const char path[] = "systems/cart_pole_swing_up.lag";
    const double      J = 58.807667458167;
    static const struct {
        int    steps;
        double cost;
    } known[] = { { 5, 53.95716693925154 }, { 10, 59.73888821563946 }, { 20, 58.88791374823665 },
                  { 40, 58.813021881467 },  { 80, 58.808009935997 },   { 160, 58.807688991633 } };
    double cost[6], six[2];
    (void)state;
    for (int k = 0; k < 6; k++) {
        cost[k] = cost_of(path, "simpson", known[k].steps, 2);
        if (!(fabs(cost[k] - known[k].cost) < 1e-11 * J))
            fail_msg("%d steps: %.14g, not %.14g", known[k].steps, cost[k], known[k].cost);
    }
    assert_true(fabs(log2((cost[4] - J) / (cost[5] - J)) - 4) < 0.05);
    for (int k = 0; k < 2; k++) six[k] = cost_of(path, "lobatto 3", 40 << k, 2);
    assert_true(fabs(log2((six[0] - J) / (six[1] - J)) - 6) < 0.2);
}

/* Optima of Pontryagin's equations, state and costate together, solved apart from this program by
 * shooting (residuals 1e-12, an explicit method of order 8 with errors of 1e-12): the costs come to
 * them with the order of the method. */
static void optima_by_shooting(void **state)
{
    static const struct {
        const char *path;
        double      until, J, within;
    } known[] = { { "systems/arm_reach.lag", 1, 21.915081702678, 5e-9 },
                  { "systems/low_thrust_transfer.lag", 8, 0.0022918046336492, 1e-12 },
                  { "systems/walking_hip.lag", 1, 2.3592254960268, 5e-11 } };
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double half = cost_of(known[k].path, "lobatto 3", 40, known[k].until) - known[k].J,
                     off = cost_of(known[k].path, "lobatto 3", 80, known[k].until) - known[k].J;
        if (!(fabs(off) < known[k].within)) fail_msg("%s: off by %.3g", known[k].path, off);
        if (k == 0) assert_true(fabs(log2(half / off) - 6) < 0.5);
    }
}

/* The controls of the problem with 10 steps, in 20 digits; multipliers at the start are those of
 * the shooting: M lambda = (4.8504765, 4.2899048) to the order of the method. */
static void controls_and_multipliers(void **state)
{
    noe_system        *s = load("systems/cart_pole_swing_up.lag");
    noe_method        *m = method("simpson");
    noe_optimal_motion x;
    optimum(&x, s, m, 10, 2);
    const double *u = x.t.x + x.t.u_at;
    (void)state;
    assert_true(fabs(u[0] - 5.1293365974845554738) < 1e-9);
    assert_true(fabs(u[1] - 8.6292095783664031157) < 1e-9);
    assert_true(fabs(x.t.x[noe_transcription_position(&x.t, 1, 0)] - 0.14585898088437099720633)
                < 1e-10);
    noe_optimal_motion_drop(&x);
    optimum(&x, s, m, 80, 2);
    noe_table   *table = noe_trajectory_table(&x.t);
    const double a = noe_table_at(table, 8)[0], b = noe_table_at(table, 9)[0];
    const double velocity[2] = { 1.3 * a + 0.15 * b, 0.15 * a + 0.075 * b };
    if (!(fabs(velocity[0] - 4.85047652753) < 1e-2 && fabs(velocity[1] - 4.28990481636) < 1e-2))
        fail_msg("multipliers %.8g %.8g", velocity[0], velocity[1]);
    noe_table_free(table);
    noe_optimal_motion_drop(&x);
    noe_method_free(m);
    noe_system_free(s);
}

static const char bent[] = "parameter m = 2\n"
                           "coordinate x, y\n"
                           "control u in -3..3, w\n"
                           "kinetic m/2*(1 + x^2)*x'^2 + exp(y)*y'^2/2 + x*x'*y'\n"
                           "potential x^2*y + cos(t*x) + u*y\n"
                           "force x = u*x' + w^2*sin(y), y = w*t\n"
                           "dissipation x^2*x'^2/2\n"
                           "cost u^2 + w^4*x'^2 + t*y^2\n"
                           "final cost = x*y' + t^2*x'^2, x*y in 0..9, x' = y, t in 1..3\n"
                           "start x = 0.1\n";

/* Jacobian and Hessian against differences of the rows and of the slope sigma J + lambda g, in
 * every unknown, the final time among them. */
static void derivatives(void **state)
{
    static const char *const by[] = { "simpson", "midpoint", "lobatto 3", "gauss 2" };
    (void)state;
    for (int k = 0; k < 4; k++) {
        noe_system           *s = parse(bent);
        noe_method           *m = method(by[k]);
        noe_control_functions f;
        noe_transcription     t;
        assert_true(noe_control_functions_make(&f, s->model));
        assert_true(noe_transcription_make(&t, &f, m, 2));
        const int n = t.unknowns, rows = t.rows;
        double *J = calloc((size_t)(n * rows), sizeof *J), *H = calloc((size_t)(n * n), sizeof *H),
               *value = calloc((size_t)(t.entries + t.second_entries), sizeof *value),
               *lambda = calloc((size_t)rows, sizeof *lambda),
               *g = calloc((size_t)(2 * (rows + n)), sizeof *g), cost[2], most = 0, size = 1;
        int *row = calloc((size_t)(t.entries + t.second_entries), sizeof *row),
            *col = calloc((size_t)(t.entries + t.second_entries), sizeof *col);
        for (int i = 0; i < n; i++) t.x[i] = random_number();
        for (int i = 0; i < rows; i++) lambda[i] = random_number();
        t.x[t.T_at] = 2 + random_number() / 2;
        noe_problem_derivatives_places(&t, row, col);
        assert_true(noe_problem_derivatives_jacobian(&t, t.x, value));
        for (int e = 0; e < t.entries; e++) J[row[e] * n + col[e]] += value[e];
        noe_problem_derivatives_second_places(&t, row, col);
        assert_true(noe_problem_derivatives_hessian(&t, t.x, 0.7, lambda, value));
        for (int e = 0; e < t.second_entries; e++) {
            assert_true(row[e] >= col[e]);
            H[row[e] * n + col[e]] += value[e];
            if (row[e] != col[e]) H[col[e] * n + row[e]] += value[e];
        }
        double *slope = calloc((size_t)n, sizeof *slope);
        noe_problem_derivatives_slope(&t, t.x, slope);
        for (int i = 0; i < n; i++) {
            const double d = 1e-6, at = t.x[i];
            for (int side = 0; side < 2; side++) {
                double *y = g + side * (rows + n) + rows;
                t.x[i] = side ? at - d : at + d;
                noe_transcription_residual(&t, t.x, g + side * (rows + n));
                noe_transcription_cost(&t, t.x, &cost[side]);
                noe_problem_derivatives_slope(&t, t.x, y);
                for (int j = 0; j < n; j++) y[j] *= 0.7;
                noe_problem_derivatives_places(&t, row, col);
                noe_problem_derivatives_jacobian(&t, t.x, value);
                for (int e = 0; e < t.entries; e++) y[col[e]] += lambda[row[e]] * value[e];
            }
            t.x[i] = at;
            const double *a = g, *b = g + rows + n;
            most = fmax(most, fabs((cost[0] - cost[1]) / (2 * d) - slope[i]));
            for (int j = 0; j < rows; j++) {
                most = fmax(most, fabs((a[j] - b[j]) / (2 * d) - J[j * n + i]));
                size = fmax(size, fabs(J[j * n + i]));
            }
            for (int j = 0; j < n; j++) {
                most = fmax(most, fabs((a[rows + j] - b[rows + j]) / (2 * d) - H[j * n + i]));
                size = fmax(size, fabs(H[j * n + i]));
            }
        }
        if (!(most < 1e-8 * size)) fail_msg("%s: %.3g of %.3g", by[k], most, size);
        free(J), free(H), free(value), free(lambda), free(g), free(row), free(col), free(slope);
        noe_transcription_drop(&t);
        noe_control_functions_drop(&f);
        noe_method_free(m);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_moved),   cmocka_unit_test(a_cart_swings_its_pole_up),
        cmocka_unit_test(optima_by_shooting), cmocka_unit_test(controls_and_multipliers),
        cmocka_unit_test(derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
