/* error = C h^order,   order = min(2s, exactness + 1):  measured in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonlinear systems only. The table: errors of q of the pendulum from pi/2 after a quarter of
 * its period (N steps a period), of p there at N = 128, and of q of the double pendulum at t = 1
 * (N steps); computed in binary128 by another program. */
#include "laws.h"

static const struct row {
    const char *method;
    double      q[3], q_order, p, p_order; /* pendulum, N = 32, 64, 128 */
    double      dq[3], dq_order;           /* double pendulum, N = 40, 80, 160 */
} table[] = {
    { "lobatto 1",
      { 4.044e-03, 1.007e-03, 2.515e-04 },
      2.001,
      3.108e-03,
      2.001,
      { 4.002e-03, 1.048e-03, 2.652e-04 },
      1.983 },
    { "lobatto 2",
      { 8.958e-07, 5.504e-08, 3.425e-09 },
      4.006,
      1.392e-07,
      4.005,
      { 7.145e-05, 4.638e-06, 2.927e-07 },
      3.986 },
    { "lobatto 3",
      { 3.686e-13, 3.602e-16, 3.517e-19 },
      10.000,
      1.037e-11,
      6.012,
      { 7.979e-07, 1.360e-08, 2.153e-10 },
      5.981 },
    { "lobatto 4",
      { 9.500e-13, 3.759e-15, 1.473e-17 },
      7.995,
      8.316e-16,
      8.017,
      { 8.883e-09, 2.949e-11, 1.171e-13 },
      7.976 },
    { "gauss 1",
      { 4.027e-03, 1.006e-03, 2.514e-04 },
      2.000,
      6.211e-04,
      1.997,
      { 1.958e-02, 5.057e-03, 1.275e-03 },
      1.988 },
    { "gauss 2",
      { 3.481e-06, 2.186e-07, 1.368e-08 },
      3.998,
      2.312e-08,
      3.988,
      { 3.809e-05, 2.449e-06, 1.534e-07 },
      3.996 },
    { "gauss 3",
      { 4.779e-09, 7.533e-11, 1.180e-12 },
      5.997,
      7.767e-12,
      6.007,
      { 7.049e-08, 1.540e-09, 2.420e-11 },
      5.992 },
    { "gauss 4",
      { 7.654e-12, 3.013e-14, 1.179e-16 },
      7.997,
      3.047e-16,
      8.028,
      { 4.816e-09, 6.215e-12, 2.450e-14 },
      7.987 },
};
enum { ROWS = sizeof table / sizeof *table };

typedef struct {
    const noe_system *s;
    quad              until, q[2], p[2]; /* the exact solution there */
} known;

static noe_system *pendulum, *double_pendulum;
static known       quarter, second;

static int open_systems(void **unused)
{
    (void)unused;
    pendulum = load("systems/pendulum.lag");
    double_pendulum = load("systems/double_pendulum.lag");
    quarter = (known){ pendulum,
                       number("1.18034059901609622604533794056") / 4,
                       { 0 },
                       { -4 * acosq(-1) * sqrtq((quad)1 / 2) } };
    second = (known){
        double_pendulum,
        1, /* gauss 9, h = 1/400 and 1/600 */
        { number("-0.464477455419028828095181317"), number("-1.305785654115723489559333892") },
        { number("1.004522824066025786084496739"), number("0.630725124983187050010882710") }
    };
    return 0;
}

static int close_systems(void **unused)
{
    (void)unused;
    noe_system_free(pendulum);
    noe_system_free(double_pendulum);
    return 0;
}

/* Errors of q and p after that many steps. */
static void errors(const known *k, const noe_method *m, int steps, double *q, double *p)
{
    run         r = make_run(noe_engine_quad(), k->s, m, k->until / steps);
    const point x = model_start(k->s);
    start_run(r, &x, false);
    for (int i = 0; i < steps; i++) step_run(r);
    const point y = get_point(r, 0);
    *q = *p = 0;
    for (int j = 0; j < r.n; j++) {
        *q = fmax(*q, (double)fabsq(y.q[j] - k->q[j]));
        *p = fmax(*p, (double)fabsq(y.p[j] - k->p[j]));
    }
    r.engine->drop(r.work);
}

static void test_table(void **unused)
{
    (void)unused;
    for (const struct row *x = table; x < table + ROWS; x++) {
        noe_method  *m = method(x->method);
        const double order = noe_method_order(m);
        double       q[3], p[3], dq[3], dp;
        for (int i = 0; i < 3; i++) {
            errors(&quarter, m, 8 << i, &q[i], &p[i]);
            errors(&second, m, 40 << i, &dq[i], &dp);
            digits(q[i], x->q[i], 5.1e-4, x->method); /* all four digits */
            digits(dq[i], x->dq[i], 5.1e-4, x->method);
        }
        digits(p[2], x->p, 5.1e-4, x->method);
        const double of_q = log2(q[1] / q[2]), of_p = log2(p[1] / p[2]),
                     of_dq = log2(dq[1] / dq[2]);
        small(of_q - x->q_order, 1, 6e-4, x->method);
        small(of_p - x->p_order, 1, 6e-4, x->method);
        small(of_dq - x->dq_order, 1, 6e-4, x->method);
        small(of_p - order, 1, 0.03, x->method);
        small(of_dq - order, 1, 0.03, x->method);
        noe_method_free(m);
    }
}

/* The order of q between N and 2N steps. */
static double measured(const known *k, const noe_method *m, int N)
{
    double q[2], p;
    errors(k, m, N, &q[0], &p);
    errors(k, m, 2 * N, &q[1], &p);
    return log2(q[0] / q[1]);
}

static void test_order_is_computed(void **unused)
{
    (void)unused;
    static const struct {
        const char  *name;
        const known *k;
        int          order;
    } other[] = { { "P2 gauss 3", &second, 4 },    { "P2 lobatto 4", &second, 4 },
                  { "P3 clenshaw 4", &second, 4 }, { "P3 radau-left 3", &quarter, 5 },
                  { "P4 clenshaw 5", &second, 6 }, { "P3 radau-right 4", &second, 6 } };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        noe_method *m = method(other[i].name);
        assert_int_equal(noe_method_order(m), other[i].order);
        /* measured: 0.005 */
        small(measured(other[i].k, m, 160) - other[i].order, 1, 0.02, m->name);
        noe_method_free(m);
    }
}

/* One weight off by a thousandth, and the next one by as much the other way; by a fifteenth
 * where the error of h^2 would hide it.  (All weights wrong by one factor make the same motion
 * in other units: midpoint has but one.) */
static void test_a_wrong_weight_destroys_the_order(void **unused)
{
    (void)unused;
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]), wrong = *m;
        const quad  by = (quad)1 / (m->order == 2 ? 15 : 1000);
        wrong.b[0] += by;
        if (m->r > 1) assert_true(measured(&second, &wrong, 80) < 1.2);
        if (m->r > 1) wrong.b[1] -= by;
        if (m->r > 1) assert_true(measured(&second, &wrong, 80) < 1.2);
        noe_method_free(m);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_order_is_computed),
        cmocka_unit_test(test_a_wrong_weight_destroys_the_order),
    };
    return cmocka_run_group_tests(tests, open_systems, close_systems);
}
