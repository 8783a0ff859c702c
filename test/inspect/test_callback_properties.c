/* Properties of functions in C: what probes see of them, and of the same L as a text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "found.h"
#include "inspect/derivative_probe.h"
#include "inspect/properties.h"

/* (x'^2 + y'^2)/2 + B (x y' - y x')/2 - k (x^2 + y^2)/2 + z'^2/2;  ctx: B, k, what t adds */
static double charge(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    (void)param;
    const double *c = ctx, B = c[0], k = c[1] + c[2] * t;
    const double  x = z[0], y = z[1], vx = z[3], vy = z[4], vz = z[5];
    if (grad) {
        const double g[6] = { B * vy / 2 - k * x, -B * vx / 2 - k * y, 0,
                              vx - B * y / 2,     vy + B * x / 2,      vz };
        memcpy(grad, g, sizeof g);
    }
    if (hess) {
        memset(hess, 0, 36 * sizeof *hess);
        hess[0] = hess[7] = -k;
        hess[21] = hess[28] = hess[35] = 1;
        hess[4] = hess[24] = B / 2, hess[9] = hess[19] = -B / 2;
    }
    return (vx * vx + vy * vy + vz * vz) / 2 + B * (x * vy - y * vx) / 2 - k * (x * x + y * y) / 2;
}

/* v^2/2 - (1 - cos q), and -c v */
static double hanging(double t, const double *z, const double *param, double *grad, double *hess,
                      void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -cos(z[0]), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - 1 + cos(z[0]);
}

static void friction(double t, const double *z, const double *param, double *f, double *dfdz,
                     void *ctx)
{
    (void)t, (void)param;
    const double c = *(double *)ctx;
    f[0] = -c * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -c;
}

/* (s^2 + c^2) v^2/2 + cos q + s(t)^2 + c(t)^2, L_qv with what rounding leaves of 0 */
static double noisy(double t, const double *z, const double *param, double *grad, double *hess,
                    void *ctx)
{
    (void)param, (void)ctx;
    const double q = z[0], v = z[1], s = sin(q), c = cos(q), m = s * s + c * c,
                 none = 2 * s * c - sin(2 * q);
    if (grad) grad[0] = -s, grad[1] = m * v;
    if (hess) hess[0] = -c, hess[1] = hess[2] = none * v, hess[3] = m;
    return m * v * v / 2 + c + sin(t) * sin(t) + cos(t) * cos(t);
}

/* x'^2/2 + y'^2 - 3 x^2 x' y' + sin(t) y' + x y + cos(x);  force (0, -c x' y) */
static double lagrangian_in_c(double t, const double *z, const double *param, double *grad,
                              double *hess, void *ctx)
{
    (void)param, (void)ctx;
    const double x = z[0], y = z[1], u = z[2], v = z[3];
    if (grad) {
        const double g[4] = { -6 * x * u * v + y - sin(x), x, u - 3 * x * x * v,
                              2 * v - 3 * x * x * u + sin(t) };
        memcpy(grad, g, sizeof g);
    }
    if (hess) {
        const double xu = -6 * x * v, xv = -6 * x * u, uv = -3 * x * x;
        const double h[16] = {
            -6 * u * v - cos(x), 1, xu, xv, 1, 0, 0, 0, xu, 0, 1, uv, xv, 0, uv, 2
        };
        memcpy(hess, h, sizeof h);
    }
    return u * u / 2 + v * v - 3 * x * x * u * v + sin(t) * v + x * y + cos(x);
}

static void push(double t, const double *z, const double *param, double *f, double *dfdz, void *ctx)
{
    (void)t, (void)param, (void)ctx;
    f[0] = 0, f[1] = -5 * z[2] * z[1];
    if (dfdz) memset(dfdz, 0, 8 * sizeof *dfdz), dfdz[5] = -5 * z[2], dfdz[6] = -5 * z[1];
}

/* The same L as functions in C and as a text shows the same numbers to a probe. */
static void test_probes_agree(void **unused)
{
    (void)unused;
    noe_error_clear();
    noe_system *s = noe_system_new(2, 0, lagrangian_in_c, push, NULL);
    noe_system *m = parse(
        PLANE
        "lagrangian x'^2/2 + y'^2 - 3*x^2*x'*y' + sin(t)*y' + x*y + cos(x)\nforce y = -5*x'*y");
    noe_derivative_probe a, b;
    assert_true(noe_derivative_probe_open(&a, s, 1e-4) && noe_derivative_probe_open(&b, m, 1e-4));
    for (int k = 0; k < 20; k++) {
        const quad t = random_number(), q[2] = { random_number(), random_number() };
        const quad v[2] = { random_number(), random_number() };
        quad       x[a.outputs], y[b.outputs], rounded[b.outputs];
        assert_true(noe_derivative_probe_at(&a, t, q, v, false, x)
                    && noe_derivative_probe_at(&b, t, q, v, false, y));
        assert_true(noe_derivative_probe_at(&b, t, q, v, true, rounded));
        small(x[noe_derivative_probe_L(&a)] - y[noe_derivative_probe_L(&b)], 1, 2e-15, "L");
        for (int i = 0; i < b.outputs; i++) {
            assert_true(rounded[i] == (double)rounded[i]);
            small(rounded[i] - y[i], 10, 1e-15, "rounded");
        }
        for (int i = 0; i < 2; i++) {
            small(x[noe_derivative_probe_r(&a, i)] - y[noe_derivative_probe_r(&b, i)], 10, 1e-9,
                  "r"); /* a difference in t */
            small(x[noe_derivative_probe_F(&a, i)] - y[noe_derivative_probe_F(&b, i)], 10, 2e-15,
                  "F");
        }
        for (int i = 0; i < 16; i++)
            small(x[a.hess[i]] - (b.hess[i] < 0 ? 0 : y[b.hess[i]]), 10, 2e-15, "the Hessian");
        /* L_vq is 0 at rest, though not in motion */
        assert_true(x[a.gyro[1]] == 0 && b.gyro[1] == -1);
        for (int i = 0; i < 8; i++)
            small(x[a.force[i]] - (b.force[i] < 0 ? 0 : y[b.force[i]]), 5, 2e-15,
                  "the force's derivatives");
    }
    noe_derivative_probe_close(&a);
    noe_derivative_probe_close(&b);
    noe_system_free(s);
    noe_system_free(m);
    /* Functions are rounded like sums: L_q = e^q. */
    m = parse("coordinate q\nkinetic q'^2/2\npotential -exp(q)");
    const quad q = 0.3, v = 0;
    quad       y[16];
    assert_true(noe_derivative_probe_open(&b, m, 1) && b.outputs <= 16
                && noe_derivative_probe_at(&b, 0, &q, &v, true, y));
    assert_true(y[noe_derivative_probe_F(&b, 0)] == exp(0.3));
    noe_derivative_probe_close(&b);
    noe_system_free(m);
}

static void test_functions(void **unused)
{
    (void)unused;
    double          c[3] = { 1.5, 2, 0 };
    noe_system     *s = noe_system_new(3, 0, charge, NULL, c);
    noe_properties *x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "NYYYY");
    assert_string_equal(blocks_of(x), "x.1 x.2|x.3");
    assert_string_equal(cyclic_of(x), "x.3");
    assert_true(x->functions && x->blocks_sampled && x->equilibrium && x->states_regular == 24
                && x->nonzeros == 9);
    near(x->start.fastest, sqrt(2 + 0.5625) + 0.75, 2e-14);
    near(x->start.slowest, sqrt(2 + 0.5625) - 0.75, 2e-14);
    noe_properties_free(x);
    c[0] = 0, c[2] = 1e-6;
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYYNN");
    assert_string_equal(blocks_of(x), "x.1|x.2|x.3");
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 0, hanging, friction, c);
    c[0] = 0.8; /* l = -0.4 +- i sqrt(1 - 0.16) */
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYNYN");
    near(x->start.fastest, sqrt(0.84), 2e-14);
    assert_true(x->forces && x->equilibrium && x->start.growth == 0);
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 0, noisy, NULL, NULL);
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYNYN");
    assert_true(x->nonzeros == 2 && x->cancelled == 2);
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 2, attracting, NULL, NULL);
    x = find(s, "simpson", 0.1);
    assert_true(!x->finite && !x->spectral && !x->equilibrium && x->condition == 1
                && x->states_regular == 24);
    assert_string_equal(verdicts_of(x), "YYNYN");
    noe_properties_free(x);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probes_agree),
        cmocka_unit_test(test_functions),
    };
    print_seed();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
