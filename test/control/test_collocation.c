/* Discrete mechanics beside direct collocation, trapezoid and Hermite-Simpson, of equal size.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: ipopt.
 *
 * The cart and its pole of systems/cart_pole_swing_up.lag, which reaches no bound.  Collocation
 * [Kelly, SIAM Review 59 (2017) 849]: states y = (x, theta, v, w) and controls at points,
 *     trapezoid:        y_k+1 - y_k = h/2 (f_k + f_k+1),  cost  h/2 sum (u_k^2 + u_k+1^2)
 *     Hermite-Simpson:  y_m = (y_k + y_k+1)/2 + h/8 (f_k - f_k+1),
 *                       y_k+1 - y_k = h/6 (f_k + 4 f_m + f_k+1),      cost by Simpson's rule,
 * solved by Newton's method on the conditions of Karush, Kuhn and Tucker, with second derivatives
 * by hyper-dual numbers, from the motion that noether found. */
#include "laws.h"

#include "control/optimal_motion.h"
#include "control/trajectory.h"

#include "base/table.h"

enum { POINTS_MOST = 193, STATE = 4, EACH = 5, SIZE_MOST = 2 * EACH * POINTS_MOST };
static const double J_exact = 58.807667458167; /* by shooting */
static const double m1 = 1, m2 = 0.3, l = 0.5, g = 9.81;

/* a + b e + c d + f e d, e^2 = d^2 = 0: c, b first derivatives, f the second one. */
typedef struct {
    double a, b, c, f;
} hyper;
static hyper plus(hyper x, double s, hyper y)
{
    return (hyper){ x.a + s * y.a, x.b + s * y.b, x.c + s * y.c, x.f + s * y.f };
}
static hyper times(hyper x, hyper y)
{
    return (hyper){ x.a * y.a, x.a * y.b + x.b * y.a, x.a * y.c + x.c * y.a,
                    x.a * y.f + x.b * y.c + x.c * y.b + x.f * y.a };
}
static hyper function(hyper x, double y, double y1, double y2)
{
    return (hyper){ y, y1 * x.b, y1 * x.c, y1 * x.f + y2 * x.b * x.c };
}

/* v' and w' of (theta, w, u):
 * (m1 + m2) v' + m2 l (cos w' - sin w^2) = u,  cos v' + l w' = -g sin. */
static void accelerations(const hyper z[3], hyper to[2])
{
    const hyper S = function(z[0], sin(z[0].a), cos(z[0].a), -sin(z[0].a)),
                C = function(z[0], cos(z[0].a), -sin(z[0].a), -cos(z[0].a));
    hyper M = times(S, S), F = times(times(z[1], z[1]), S);
    M = (hyper){ m1 + m2 * M.a, m2 * M.b, m2 * M.c, m2 * M.f };
    const hyper one = function(M, 1 / M.a, -1 / (M.a * M.a), 2 / (M.a * M.a * M.a));
    F = plus(plus(z[2], m2 * l, F), m2 * g, times(S, C));
    to[0] = times(F, one);
    to[1] = plus(times(to[0], C), g, S);
    to[1] = (hyper){ -to[1].a / l, -to[1].b / l, -to[1].c / l, -to[1].f / l };
}

typedef struct {
    bool   simpson;
    int    steps, points, unknowns, rows;
    double h, z[EACH * POINTS_MOST], lambda[EACH * POINTS_MOST];
    double (*K)[SIZE_MOST + 1]; /* the matrix and right side of Newton's method */
} collocation;

/* Adds row r: scale_y y_p + scale_f f_p, with its derivatives. */
static void add(collocation *c, int r, int i, int p, double scale_y, double scale_f)
{
    static const int of[3] = { 1, 3, 4 };
    double *const y = c->z + EACH * p, *const right = c->K[c->unknowns + r] + SIZE_MOST;
    const int at = EACH * p, row = c->unknowns + r;
#define ENTRY(j, x) c->K[row][at + (j)] += (x), c->K[at + (j)][row] += (x)
    ENTRY(i, scale_y);
    *right -= scale_y * y[i];
    if (i < 2) {
        ENTRY(2 + i, scale_f);
        *right -= scale_f * y[2 + i];
        return;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            hyper z[3], f[2];
            for (int k = 0; k < 3; k++) z[k] = (hyper){ y[of[k]], k == a, k == b, 0 };
            accelerations(z, f);
            if (!a && !b) *right -= scale_f * f[i - 2].a;
            if (!a) ENTRY(of[b], scale_f * f[i - 2].c);
            c->K[at + of[a]][at + of[b]] += c->lambda[r] * scale_f * f[i - 2].f;
        }
}

static void assemble(collocation *c)
{
    const double h = c->h, end[2][4] = { { 0, 0, 0, 0 }, { 1, acos(-1), 0, 0 } };
    const int    size = c->unknowns + c->rows, stride = c->simpson ? 2 : 1;
    int          r = 0;
    for (int i = 0; i < size; i++) memset(c->K[i], 0, sizeof c->K[i]);
    for (int k = 0; k < c->steps; k++) {
        const int p = k * stride, q = p + stride;
        for (int i = 0; i < STATE && c->simpson; i++, r++) {
            add(c, r, i, p + 1, 1, 0);
            add(c, r, i, p, -0.5, -h / 8), add(c, r, i, q, -0.5, h / 8);
        }
        for (int i = 0; i < STATE; i++, r++) {
            add(c, r, i, p, -1, c->simpson ? -h / 6 : -h / 2);
            if (c->simpson) add(c, r, i, p + 1, 0, -2 * h / 3);
            add(c, r, i, q, 1, c->simpson ? -h / 6 : -h / 2);
        }
        for (int j = p; j <= q; j++) {
            const double b = !c->simpson ? h / 2 : j == p + 1 ? 2 * h / 3 : h / 6;
            c->K[EACH * j + 4][EACH * j + 4] += 2 * b;
            c->K[EACH * j + 4][SIZE_MOST] -= 2 * b * c->z[EACH * j + 4];
        }
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < STATE; i++, r++) {
            add(c, r, i, side ? c->points - 1 : 0, 1, 0);
            c->K[c->unknowns + r][SIZE_MOST] += end[side][i];
        }
}

/* Gauss's elimination with partial pivoting; the solution in column SIZE_MOST. */
static void eliminate(double (*K)[SIZE_MOST + 1], int n)
{
    for (int c = 0; c < n; c++) {
        int top = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(K[i][c]) > fabs(K[top][c])) top = i;
        for (int j = c; j <= SIZE_MOST; j++) {
            const double x = K[c][j];
            K[c][j] = K[top][j], K[top][j] = x;
        }
        for (int i = c + 1; i < n; i++) {
            const double f = K[i][c] / K[c][c];
            if (f == 0) continue;
            for (int j = c; j < n; j++) K[i][j] -= f * K[c][j];
            K[i][SIZE_MOST] -= f * K[c][SIZE_MOST];
        }
    }
    for (int c = n; c-- > 0;) {
        K[c][SIZE_MOST] /= K[c][c];
        for (int i = 0; i < c; i++) K[i][SIZE_MOST] -= K[i][c] * K[c][SIZE_MOST];
    }
}

/* The cost, and by how much the momentum along x misses the impulse of the force, at most. */
static double result(const collocation *c, double *missed)
{
    double    J = 0, impulse = 0;
    const int stride = c->simpson ? 2 : 1;
    *missed = 0;
    for (int k = 0; k < c->steps; k++) {
        const double *u = c->z + EACH * k * stride + 4, *y = u + EACH * stride - 4;
        const double  a = u[0], m = c->simpson ? u[EACH] : 0, b = u[EACH * stride];
        J += c->simpson ? c->h / 6 * (a * a + 4 * m * m + b * b) : c->h / 2 * (a * a + b * b);
        impulse += c->simpson ? c->h / 6 * (a + 4 * m + b) : c->h / 2 * (a + b);
        *missed = fmax(*missed, fabs((m1 + m2) * y[2] + m2 * l * cos(y[1]) * y[3] - impulse));
    }
    return J;
}

/* Values of a table's column at time t, from its cubic through the rows around. */
static double between(const noe_table *t, size_t column, double at)
{
    const size_t  rows = noe_table_rows(t);
    const double *x = noe_table_at(t, 0), *y = noe_table_at(t, column);
    size_t i = (size_t)fmin(fmax(at / x[rows - 1] * (double)(rows - 1) - 1, 0), (double)rows - 4);
    double sum = 0;
    for (size_t j = i; j < i + 4; j++) {
        double value = y[j];
        for (size_t k = i; k < i + 4; k++)
            if (k != j) value *= (at - x[k]) / (x[j] - x[k]);
        sum += value;
    }
    return sum;
}

/* Solves the problem by collocation; `from` has the motion to begin with. */
static double collocate(bool simpson, int steps, const noe_table *from, double *missed)
{
    collocation c = { .simpson = simpson, .steps = steps, .h = 2.0 / steps };
    c.points = (simpson ? 2 : 1) * steps + 1;
    c.unknowns = EACH * c.points;
    c.rows = STATE * (c.points - 1) + 2 * STATE;
    assert_true(c.points <= POINTS_MOST);
    c.K = malloc(SIZE_MOST * sizeof *c.K);
    static const size_t column[EACH] = { 1, 2, 3, 4, 7 }; /* x, theta, x.v, theta.v; u */
    for (int p = 0; p < c.points; p++)
        for (int i = 0; i < EACH; i++)
            c.z[EACH * p + i] = between(from, column[i], 2.0 * p / (c.points - 1));
    double change = 1;
    int    rounds = 0;
    for (; change > 1e-9 && rounds < 30; rounds++) {
        assemble(&c);
        eliminate(c.K, c.unknowns + c.rows);
        change = 0;
        for (int i = 0; i < c.unknowns; i++) {
            change = fmax(change, fabs(c.K[i][SIZE_MOST]));
            c.z[i] += c.K[i][SIZE_MOST];
        }
        for (int r = 0; r < c.rows; r++) c.lambda[r] = c.K[c.unknowns + r][SIZE_MOST];
    }
    free(c.K);
    if (!(change <= 1e-9)) fail_msg("collocation with %d steps: not converged", steps);
    return result(&c, missed);
}

static noe_table *discrete_mechanics(const noe_system *s, int steps, double *J)
{
    noe_method        *m = method("simpson");
    noe_optimal_motion x = { .model = s->model,
                             .method = m,
                             .steps = steps,
                             .until = 2,
                             .search = { .most = 1000, .tolerance = 1e-9 } };
    if (noe_optimal_motion_find(&x) || x.how != NOE_OPTIMUM) fail_msg("%s", noe_error());
    noe_table *t = noe_trajectory_table(&x.t);
    *J = x.t.cost;
    noe_optimal_motion_drop(&x);
    noe_method_free(m);
    return t;
}

/* The momentum along x, p(x), less the impulse of u by Simpson's rule. */
static double missed_by(const noe_table *t)
{
    const double *p = noe_table_column(t, "x.p"), *u = noe_table_column(t, "u"),
                 *at = noe_table_column(t, "t");
    double impulse = p[0], most = 0;
    for (size_t i = 0; i + 2 < noe_table_rows(t); i += 2) {
        impulse += (at[i + 2] - at[i]) / 6 * (u[i] + 4 * u[i + 1] + u[i + 2]);
        most = fmax(most, fabs(p[i + 2] - impulse));
    }
    return most;
}

static void tell(int numbers, const char *method, double error, double missed)
{
    print_message("%3d numbers, %-15s error of the cost %.1e, momentum missed by %.0e\n", numbers,
                  method, error, missed);
}

/* 123, 243, 483 numbers for noether, two more for collocation: which has the orders that are
 * published, 2 and 4, while noether's momentum has the impulse of the force to rounding. */
static void with_as_many_variables(void **state)
{
    enum { SIZES = 3, METHODS = 3 };
    noe_system *s = load("systems/cart_pole_swing_up.lag");
    double      J, fine, error[SIZES][METHODS], missed[SIZES][METHODS];
    noe_table  *from = discrete_mechanics(s, 160, &fine);
    (void)state;
    for (int k = 0; k < SIZES; k++) {
        noe_table *t = discrete_mechanics(s, 20 << k, &J);
        error[k][0] = fabs(J - J_exact), missed[k][0] = missed_by(t);
        noe_table_free(t);
        error[k][1] = fabs(collocate(false, 24 << k, from, &missed[k][1]) - J_exact);
        error[k][2] = fabs(collocate(true, 12 << k, from, &missed[k][2]) - J_exact);
        tell((120 << k) + 3, "noether", error[k][0], missed[k][0]);
        tell((120 << k) + 5, "trapezoid", error[k][1], missed[k][1]);
        tell((120 << k) + 5, "Hermite-Simpson", error[k][2], missed[k][2]);
        assert_true(missed[k][0] < 1e-13);
        assert_true(missed[k][1] > 1e-3 && missed[k][2] > 1e-5);
        assert_true(error[k][0] < error[k][1] / 5);
    }
    double       none;
    const double finer = fabs(collocate(true, 96, from, &none) - J_exact);
    assert_true(fabs(log2(error[0][0] / error[1][0]) - 4) < 0.5);
    assert_true(fabs(log2(error[0][1] / error[1][1]) - 2) < 0.5);
    assert_true(fabs(log2(error[2][2] / finer) - 4) < 0.5);
    noe_table_free(from);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(with_as_many_variables) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
