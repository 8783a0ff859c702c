/* Kepler's orbit through a line: errors of times and states at the events against measured numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers are those of another program, in higher precision: e = 1/2, the six passages of y =
 * 3/10 x + 4/10 in three periods, by 50 to 400 steps in a period. */
#include "event_record.h"

enum { EVENTS = 6 };

/* t, x, y, x', y' of passage k, by Newton's iteration for the eccentric anomaly: the line is met at
 * sin(E) sqrt(3)/2 = 3/10 (cos(E) - 1/2) + 4/10. */
static void exact(int k, double z[5])
{
    const quad c = number("0.3"), b = sqrtq(3) / 2;
    quad       E = k % 2 ? 2.5 : 0.6;
    for (int i = 0; i < 9; i++)
        E -= (b * sinq(E) - c * cosq(E) - number("0.25")) / (b * cosq(E) + c * sinq(E));
    const quad rate = 1 / (1 - cosq(E) / 2);
    z[0] = (double)(E - sinq(E) / 2
                    + 2 * number("3.14159265358979323846264338327950288") * (k / 2));
    z[1] = (double)(cosq(E) - 0.5), z[2] = (double)(b * sinq(E));
    z[3] = (double)(-sinq(E) * rate), z[4] = (double)(b * cosq(E) * rate);
}

/* The largest errors of time, positions and momenta, energy and angular momentum. */
static void errors(const noe_system *s, const char *name, int steps, double worst[5])
{
    static record r;
    assert_true(pass(s, name, 2 * M_PI / steps, 6 * M_PI, &r));
    assert_int_equal(r.count, EVENTS);
    for (int i = 0; i < 5; i++) worst[i] = 0;
    for (int k = 0; k < EVENTS; k++) {
        double        z[5];
        const double *q = r.q[k], *p = r.p[k];
        exact(k, z);
        worst[0] = fmax(worst[0], fabs(r.t[k] - z[0]));
        worst[1] = fmax(worst[1], fmax(fabs(q[0] - z[1]), fabs(q[1] - z[2])));
        worst[2] = fmax(worst[2], fmax(fabs(p[0] - z[3]), fabs(p[1] - z[4])));
        worst[3] = fmax(worst[3],
                        fabs((p[0] * p[0] + p[1] * p[1]) / 2 - 1 / hypot(q[0], q[1]) + 0.5));
        worst[4] = fmax(worst[4], fabs((q[0] * p[1] - q[1] * p[0]) / (sqrt(3) / 2) - 1));
        small(q[1] - 0.3 * q[0] - 0.4, 1, 4 * 0x1p-53, "the line");
    }
}

static void test_errors_at_events(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         order;
        double      t[4], q, p, H; /* 0: not known; q, p, H of 400 steps */
    } row[] = {
        { "simpson", 4, { 9.79e-4, 5.78e-5, 3.56e-6, 2.22e-7 }, 3.27e-8, 8.09e-8, 1.12e-8 },
        { "lobatto 3", 6, { 1.30e-5, 1.90e-7, 2.93e-9, 4.56e-11 }, 2.80e-12, 3.98e-12, 7.1e-13 },
        { "gauss 2", 4, { 6.17e-3, 3.97e-4, 2.50e-5, 1.56e-6 }, 8.84e-8, 3.31e-7, 9.5e-9 },
        { "gauss 3", 6, { 0, 0, 0, 1.46e-10 }, 6.3e-12, 2.5e-11, 1.3e-12 },
        { "lobatto 1", 2, { 0, 0, 0, 2.24e-2 }, 1.43e-3, 1.90e-3, 3.3e-4 }
    };
    noe_system *s = parse("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                          "potential -1/sqrt(x^2 + y^2)\nstart x = 1/2, y' = sqrt(3)\n"
                          "event line: y = 3/10*x + 4/10\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double worst[4][5];
        for (int k = 0; k < 4; k++) {
            errors(s, row[i].name, 50 << k, worst[k]);
            if (getenv("NOE_SHOW"))
                printf("%s, %d: %.3g %.3g %.3g %.3g %.2g\n", row[i].name, 50 << k, worst[k][0],
                       worst[k][1], worst[k][2], worst[k][3], worst[k][4]);
            if (row[i].t[k] > 0) digits(worst[k][0], row[i].t[k], 0.006, "time");
            small(worst[k][4], 1, 1e-15, "angular momentum");
        }
        digits(worst[3][1], row[i].q, 0.02, "position");
        digits(worst[3][2], row[i].p, 0.02, "momentum");
        digits(worst[3][3], row[i].H, 0.02, "energy");
        const double order = log2(worst[2][0] / worst[3][0]);
        if (!(fabs(order - row[i].order) < 0.06)) fail_msg("%s: %.3f", row[i].name, order);
    }
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_errors_at_events) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
