/* (q, p) <- Phi (q, p):  small linear systems by their transition matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Against a second computation. */
#include "linear.h"

static void test_simpson(void **state)
{
    (void)state;
    for (int round = 0; round < 12; round++)
        simpson_by_formula(1 + round * 2, 2 + round * 4, round % 2, 0.2, 50);
}

static void as_the_general_core(void **state)
{
    static const char *const method[] = { "simpson",         "midpoint",   "gauss 2",
                                          "gauss 3",         "lobatto 1",  "lobatto 3",
                                          "lobatto 4",       "P2 gauss 3", "P3 clenshaw 5",
                                          "P2 radau-left 3", "rk4",        "verlet",
                                          "blanes-moan4",    "luo-guo4",   "srkn14-6" };
    (void)state;
    for (size_t m = 0; m < sizeof method / sizeof *method; m++)
        for (int forced = 0; forced < 2; forced++) {
            random_structure(5, 2 * 5, m % 2);
            noe_system     *s = structure(&x, forced, forced ? shaker : NULL, &x);
            noe_system     *c = noe_system_new(x.n, 0, quadratic, forced ? damper : NULL, &x);
            noe_integrator *g = integrator(s, method[m], 0.1),
                           *general = integrator(c, method[m], 0.1);
            double q[5], v[5];
            quad   qq[5], pp[5];
            for (int i = 0; i < 5; i++) q[i] = random_number(), v[i] = random_number();
            assert_int_equal(noe_start(g, 0.5, q, v), NOE_OK);
            assert_int_equal(noe_start(general, 0.5, q, v), NOE_OK);
            small(noe_get(g, "energy") - noe_get(general, "energy"),
                  fabs(noe_get(general, "energy")), 1e-15, "energy");
            for (int k = 0; k < 40; k++) {
                assert_false(noe_step(g) || noe_step(general));
                for (int i = 0; i < 5; i++) qq[i] = noe_q(general)[i], pp[i] = noe_p(general)[i];
                seen(5, qq, pp);
            }
            small(distance(g, 5, qq, pp), 1, 4e-14, "linear route against the general one");
            balances_agree(g, general, 1e-13);
            noe_integrator_free(general);
            noe_integrator_free(g);
            noe_system_free(c);
            noe_system_free(s);
        }
}

/* methods: T = 1 s, h = 5e-4: the error is the method's own, not that of rounding. */
static void small_steps(void **state)
{
    (void)state;
    noe_system     *s = noe_system_load("systems/linear_double_pendulum.lag");
    noe_integrator *g = integrator(s, "simpson", 5e-4);
    const quad      pi = acosq(-1), w0 = 2 * pi, root = sqrtq((quad)2),
               w1 = w0 * sqrtq(root / (root + 1)), w2 = w0 * sqrtq(root / (root - 1));
    double worst = 0;
    for (int k = 1; k <= 2000; k++) {
        assert_int_equal(noe_step(g), NOE_OK);
        const quad t = k * (quad)5e-4, a = cosq(w1 * t), b = cosq(w2 * t);
        const quad e1 = pi / 12 * (a - b) / root - noe_q(g)[0],
                   e2 = pi / 12 * (a + b) - noe_q(g)[1];
        worst = fmax(worst, (double)fmaxq(fabsq(e1), fabsq(e2)));
    }
    print_message("largest error %.4g\n", worst);
    assert_true(worst <= 1.2e-12);
    assert_true(worst >= 1.1e-12); /* what truncation alone gives is 1.152e-12 */
    noe_integrator_free(g);
    noe_system_free(s);
}

/* A run whose steps nobody looks at is one product; it ends where the steps do. */
static void jumps(void **state)
{
    (void)state;
    random_structure(6, 2 * 6, false);
    for (int damped = 0; damped < 2; damped++) {
        const int   steps = damped ? 51 : 1001; /* damped motion dies out, its rounding does not */
        noe_system *s = structure(&x, damped, NULL, NULL);
        noe_integrator *g = integrator(s, "simpson", 0.125),
                       *leap = integrator(s, "simpson", 0.125);
        double q[6], p[6];
        quad   qq[6], pp[6];
        for (int i = 0; i < 6; i++) q[i] = random_number(), p[i] = random_number();
        noe_start_momentum(g, 0, q, p);
        noe_start_momentum(leap, 0, q, p);
        for (int k = 0; k < steps; k++) assert_int_equal(noe_step(g), NOE_OK);
        assert_int_equal(noe_run(leap, steps * 0.125, NULL, NULL), NOE_OK);
        assert_true(noe_time(leap) == steps * 0.125 && noe_get(leap, "steps") == steps);
        for (int i = 0; i < 6; i++) qq[i] = noe_q(g)[i], pp[i] = noe_p(g)[i];
        small(distance(leap, 6, qq, pp), 1, 1e-13, "a jump against its steps");
        const double lost = noe_get(g, "dissipated");
        assert_true(damped ? lost > 0.01 : lost == 0);
        small(noe_get(leap, "dissipated") - lost, lost + fabs(noe_get(g, "energy")), 1e-13,
              "what a jump dissipates");
        noe_integrator_free(g);
        noe_integrator_free(leap);
        noe_system_free(s);
    }
}

/* Chopra, Dynamics of Structures, examples 5.3 and 5.4 (and OpenSees' verification of them). */
static void half_sine(double t, double *f, void *ctx)
{
    (void)ctx;
    f[0] = t < 0.6 ? 10 * sin(acos(-1) * t / 0.6) : 0;
}

static void chopra(void **state)
{
    static const struct {
        const char *method;
        double      u[10];
    } table[] = {
        { "newmark 1/4 1/2",
          { 0.0437, 0.2326, 0.6121, 1.0825, 1.4309, 1.4231, 0.9622, 0.1908, -0.6044, -1.1442 } },
        { "newmark 1/6 1/2",
          { 0.0300, 0.2193, 0.6166, 1.1130, 1.4782, 1.4625, 0.9514, 0.1273, -0.6954, -1.2208 } },
    };
    (void)state;
    x.n = 1;
    x.M[0][0] = 0.2533, x.K[0][0] = 10, x.C[0][0] = 2 * 0.05 * sqrt(0.2533 * 10);
    for (int copies = 1; copies <= 40;
         copies += 39) /* one of it, and forty uncoupled: the two routes */
        for (int i = 0; i < 2; i++) {
            x.n = copies;
            for (int a = 1; a < copies; a++)
                for (int b = 0; b < copies; b++)
                    x.M[a][b] = (a == b) * x.M[0][0], x.K[a][b] = (a == b) * x.K[0][0],
                    x.C[a][b] = (a == b) * x.C[0][0], x.M[0][a] = x.K[0][a] = x.C[0][a] = 0;
            noe_system     *s = structure(&x, true, half_sine, NULL);
            noe_integrator *g = integrator(s, table[i].method, 0.1);
            for (int k = 0; k < 10; k++) {
                if (noe_step(g)) fail_msg("%s", noe_error());
                if (!(fabs(noe_get(g, "x.1") - table[i].u[k])
                      < 0.6e-4)) /* one digit of the balance is cut off, not rounded */
                    fail_msg("%s, row %d: %.6f instead of %.4f", table[i].method, k + 1,
                             noe_get(g, "x.1"), table[i].u[k]);
            }
            noe_integrator_free(g);
            noe_system_free(s);
        }
}

/* M^T J M = J for the matrix of the step, unless something is damped; its determinant then falls
 * below 1. */
static void symplectic(void **state)
{
    static const char *const method[] = {
        "simpson", "gauss 3", "lobatto 3", "newmark 1/4 1/2", "newmark 1/12 1/2", "newmark 0.3 0.6"
    };
    (void)state;
    for (int m = 0; m < 6; m++) {
        const int n = 7;
        random_structure(n, 2 * n, m % 2);
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, method[m], 0.4);
        double          M[14 * 14], q[7], worst = 0;
        for (int i = 0; i < n; i++) q[i] = random_number();
        assert_int_equal(noe_start(g, 0, q, q), NOE_OK);
        if (noe_step_jacobian(g, M)) fail_msg("%s: %s", method[m], noe_error());
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < 2 * n; j++) {
                quad sum = (j == i + n) - (i == j + n);
                for (int k = 0; k < n; k++)
                    sum -= (quad)M[k * 2 * n + i] * M[(n + k) * 2 * n + j]
                         - (quad)M[(n + k) * 2 * n + i] * M[k * 2 * n + j];
                worst = fmax(worst, fabs((double)sum));
            }
        if (m < 5) small(worst, 1, 1e-14, "symplectic");
        else assert_true(worst > 1e-3); /* gamma is not 1/2 */
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* From its memory an integrator goes on with the same bits; the quadratic form stays over a
 * million steps. */
static void goes_on(void **state)
{
    (void)state;
    noe_system     *s = noe_system_load("systems/linear_double_pendulum.lag");
    noe_integrator *g = integrator(s, "simpson", 0.01), *again = integrator(s, "simpson", 0.01);
    const double    H2 = noe_get(g, "simpson_energy");
    double          worst = 0;
    size_t          bytes;
    for (int k = 0; k < 1000000; k++) {
        if (noe_step(g)) fail_msg("%s", noe_error());
        if (k % 1000 == 0) worst = fmax(worst, fabs(noe_get(g, "simpson_energy") / H2 - 1));
    }
    print_message("simpson_energy within %.3g after a million steps\n", worst);
    assert_true(worst < 1e-11);
    assert_true(fabs(noe_get(g, "energy") / H2 - 1) > 1e-9);
    const void *memory = g->engine->memory(g->work, &bytes);
    assert_true(noe_integrator_start_restore(again, memory, bytes));
    for (int k = 0; k < 10; k++) assert_false(noe_step(g) || noe_step(again));
    assert_memory_equal(noe_q(g), noe_q(again), 2 * sizeof(double));
    assert_memory_equal(noe_p(g), noe_p(again), 2 * sizeof(double));
    noe_integrator_free(g), noe_integrator_free(again);
    noe_system_free(s);
}

/* |x| has the second derivative 0 and is not linear: one matrix would go through the kink as if
 * it were not there. Hooke's spring goes from -1/10 to 1/10 while it is -x - 3 left of the kink
 * and -x + 3 right of it, by formula. */
static void kinked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      away;
    } row[] = {
        { "coordinate x\nkinetic x'^2/2\npotential x^2/2 - 3*abs(x)\nstart x = -1/10, x' = 1", 1 },
        { "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = if(x < 0, -3, 3)\n"
          "start x = -1/10, x' = 1",
          1 },
        { "coordinate x\nkinetic x'^2/2\npotential x^2/2 - max(3*x, -3*x)\nstart x = -1/10, x' = 1",
          1 },
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        noe_system     *s = noe_system_parse(row[k].text);
        noe_integrator *g = integrator(s, "simpson", 1e-3);
        assert_int_equal(noe_run(g, 0.5, NULL, NULL), NOE_OK);
        /* x + 3 = A cos t + B sin t up to 0, then x - 3 = -3 cos + v sin of the rest. */
        const double A = 2.9, B = 1, at = acos(3 / hypot(A, B)), phase = atan2(B, A);
        const double t1 = phase - at > 0 ? phase - at : phase + at, v1 = -A * sin(t1) + B * cos(t1),
                     left = 0.5 - t1;
        print_message("kink passed at %.4f: off by %.2g\n", t1,
                      noe_q(g)[0] - (3 - 3 * cos(left) + v1 * sin(left)));
        assert_true(t1 > 0 && left > 0);
        small(noe_q(g)[0] - (3 - 3 * cos(left) + v1 * sin(left)), 1, 5e-3, "past the kink");
        assert_true(noe_q(g)[0] < row[k].away);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simpson), cmocka_unit_test(as_the_general_core),
        cmocka_unit_test(small_steps),  cmocka_unit_test(jumps),
        cmocka_unit_test(chopra),       cmocka_unit_test(symplectic),
        cmocka_unit_test(goes_on),      cmocka_unit_test(kinked),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("tightest %.3g\n", tightest);
    return failed;
}
