/* (M + lambda K) y = g:  steps of structures too large for a transition matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Against a second computation: the formula of Simpson's step, the general core, other factors. */
#include "spring_grid.h"

static void test_simpson(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        const int n = 40 + 2 * round;
        simpson_by_formula(n, round % 3 ? 7 : 2 * n, round % 2, round < 4 ? 0.2 : 0.9, 12);
    }
}

/* kind 0: undamped; 1: damping alpha M + beta K and a load; 2: any damping and a load. */
static void as_the_general_core(void **state)
{
    static const char *const method[] = { "simpson",   "midpoint",  "gauss 2",    "gauss 3",
                                          "lobatto 1", "lobatto 3", "P2 gauss 3", "rk4",
                                          "luo-guo4",  "verlet",    "srkn14-6" };
    (void)state;
    for (size_t m = 0; m < sizeof method / sizeof *method; m++)
        for (int kind = 0; kind < 6; kind++) {
            const int n = 36;
            random_structure(n, 5, kind / 3);
            for (int i = 0; i < n && kind % 3 == 1; i++)
                for (int j = 0; j < n; j++)
                    x.C[i][j] = 0.05 * x.M[i][j] + (m < 9 ? 0.02 * x.K[i][j] : 0);
            const bool  forced = kind % 3;
            noe_system *s = structure(&x, forced, forced ? shaker : NULL, &x);
            noe_system *c = noe_system_new(n, 0, quadratic, forced ? damper : NULL, &x);
            if (m >= 9 && kind % 3 == 2) { /* an exact kick of any damping */
                noe_method *f = noe_method_parse(method[m]);
                assert_null(noe_integrator_new(s, f, 0.1));
                assert_non_null(strstr(noe_error(), "no multiple of the mass"));
                noe_error_clear();
                noe_method_free(f), noe_system_free(s), noe_system_free(c);
                continue;
            }
            noe_integrator *g = integrator(s, method[m], 0.1),
                           *general = integrator(c, method[m], 0.1);
            double q[MOST], v[MOST];
            quad   qq[MOST], pp[MOST];
            for (int i = 0; i < n; i++) q[i] = random_number(), v[i] = random_number();
            if (noe_start(g, 0.5, q, v)) fail_msg("%s", noe_error());
            assert_int_equal(noe_start(general, 0.5, q, v), NOE_OK);
            small(noe_get(g, "energy") - noe_get(general, "energy"),
                  fabs(noe_get(general, "energy")), 4e-14, "energy");
            for (int k = 0; k < 5; k++) {
                step(g), step(general);
                for (int i = 0; i < n; i++) qq[i] = noe_q(general)[i], pp[i] = noe_p(general)[i];
                seen(n, qq, pp);
            }
            const double d = distance(g, n, qq, pp);
            if (d > 4e-14) print_message("%s, kind %d: %.3g\n", method[m], kind, d);
            small(d, 1, 4e-14, "structure against the general core");
            balances_agree(g, general, 1e-13);
            /* a lumped mass needs no factors, with damping alpha M + beta K neither */
            char told[400];
            g->engine->summarize(g->work, told, sizeof told);
            if (m < 7) assert_true(!strstr(told, "no factorisation") == (kind < 3 || kind == 5));
            noe_integrator_free(general);
            noe_integrator_free(g);
            noe_system_free(c);
            noe_system_free(s);
        }
}

/* Any number of threads, strips or none: the same bits; and from a memory, the bits of the run
 * that went on. */
static void same_bits(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) { /* the last by complex shifts */
        const char *name = round < 2 ? "simpson" : "gauss 2";
        /* the large one goes through the cache in strips */
        strip           s = round ? grid(200, 40) : grid(60, 10);
        noe_system     *x = grid_system(&s);
        noe_integrator *g[3];
        const double    threads[] = { 1, 2, 3 };
        const uint64_t  own = seed;
        for (int i = 0; i < 3; i++) {
            g[i] = integrator(x, name, 0.3);
            assert_int_equal(noe_set(g[i], "threads", threads[i]), NOE_OK);
            seed = own;
            start_somewhere(g[i], s.n);
            for (int k = 0; k < 3; k++) step(g[i]);
        }
        for (int i = 1; i < 3; i++) {
            assert_memory_equal(noe_q(g[0]), noe_q(g[i]), (size_t)s.n * sizeof(double));
            assert_memory_equal(noe_p(g[0]), noe_p(g[i]), (size_t)s.n * sizeof(double));
        }
        size_t bytes;
        void  *memory = g[0]->engine->memory(g[0]->work, &bytes), *copy = malloc(bytes);
        memcpy(copy, memory, bytes);
        noe_integrator *again = integrator(x, name, 0.3);
        assert_true(noe_integrator_start_restore(again, copy, bytes));
        step(g[0]), step(again);
        assert_memory_equal(noe_q(g[0]), noe_q(again), (size_t)s.n * sizeof(double));
        assert_memory_equal(noe_p(g[0]), noe_p(again), (size_t)s.n * sizeof(double));
        free(copy);
        noe_integrator_free(again);
        for (int i = 0; i < 3; i++) noe_integrator_free(g[i]);
        noe_system_free(x);
        free_grid(&s);
    }
}

/* Against the same step by factors: what strips and threads do is the same product. */
static void polynomial_and_factors(void **state)
{
    (void)state;
    strip         s = grid(200, 40);
    const noe_csc K = { s.start, s.row, s.value }, M = { s.diagonal, s.self, s.mass };
    noe_system   *x = grid_system(&s);
    /* Damping by a number that does nothing makes the general route of it: one LU of both modes. */
    const size_t *start = s.diagonal;
    double       *c = calloc((size_t)s.n, sizeof *c);
    c[0] = 1e-300;
    const noe_csc   C = { start, s.self, c };
    noe_system     *y = noe_system_structure(s.n, &M, &C, &K, NULL, NULL);
    noe_integrator *g = integrator(x, "simpson", 0.6), *f = integrator(y, "simpson", 0.6),
                   *h = integrator(x, "simpson", 0.6);
    assert_int_equal(noe_set(h, "factorise", 1), NOE_OK);
    const uint64_t own = seed;
    quad          *q = calloc(2 * (size_t)s.n, sizeof *q), *p = q + s.n;
    start_somewhere(g, s.n);
    seed = own;
    start_somewhere(f, s.n);
    seed = own;
    start_somewhere(h, s.n);
    for (int k = 0; k < 3; k++) step(g), step(f), step(h);
    for (int i = 0; i < s.n; i++) q[i] = noe_q(f)[i], p[i] = noe_p(f)[i];
    qs = ps = 0;
    small(distance(g, s.n, q, p), 1, 4e-14, "polynomial against all modes at once");
    small(distance(h, s.n, q, p), 1, 4e-14, "factors against all modes at once");
    double jacobian[4];
    assert_int_equal(noe_step_jacobian(h, jacobian), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "up to 1000 coordinates"));
    noe_error_clear();
    free(q), free(c);
    noe_integrator_free(g), noe_integrator_free(f), noe_integrator_free(h);
    noe_system_free(x), noe_system_free(y);
    free_grid(&s);
}

/* The same step by factors with the BLAS and without it.  The matrices have conditions below 2,
 * a step adds up modes with numbers up to 7 (d = 4 y_1 - 3 y_0), and a solution is two sums: 3
 * steps, 2 x 7 x 2 units of rounding each. */
static void without_the_blas(void **state)
{
    (void)state;
    static const char *const method[] = { "simpson", "gauss 3", "newmark 1/4 1/2", "gauss 2" };
    strip                    s = grid(60, 30);
    const noe_csc            K = { s.start, s.row, s.value }, M = { s.diagonal, s.self, s.mass };
    double                  *c = calloc((size_t)s.n, sizeof *c);
    quad                    *q = calloc(2 * (size_t)s.n, sizeof *q), *p = q + s.n;
    c[1] = 0.1;
    const noe_csc C = { s.diagonal, s.self, c };
    noe_system   *x = grid_system(&s), *damped = noe_system_structure(s.n, &M, &C, &K, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        noe_integrator *g[2];
        const uint64_t  own = seed;
        for (int k = 0; k < 2; k++) {
            g[k] = integrator(i == 3 ? damped : x, method[i], 0.3);
            if (i < 2) assert_int_equal(noe_set(g[k], "factorise", 1), NOE_OK);
            assert_int_equal(noe_set(g[k], "bits", 1 + k), NOE_OK);
            seed = own;
            start_somewhere(g[k], s.n);
            for (int l = 0; l < 3; l++) step(g[k]);
            assert_int_equal((int)noe_get(g[k], "blas"), k);
        }
        for (int l = 0; l < s.n; l++) q[l] = noe_q(g[0])[l], p[l] = noe_p(g[0])[l];
        qs = ps = 0;
        small(distance(g[1], s.n, q, p), 1, 3 * 28 * 0x1p-52, method[i]);
        noe_integrator_free(g[0]), noe_integrator_free(g[1]);
    }
    free(q), free(c);
    noe_system_free(x), noe_system_free(damped);
    free_grid(&s);
}

/* The quadratic form of Simpson's step is kept to round-off; the energy within its bound. */
static void kept(void **state)
{
    (void)state;
    strip           s = grid(20, 2);
    noe_system     *x = grid_system(&s);
    noe_integrator *g = integrator(x, "simpson", 0.5);
    start_somewhere(g, s.n);
    assert_int_equal(noe_set(g, "threads", 1), NOE_OK);
    const double H2 = noe_get(g, "simpson_energy"), H = noe_get(g, "energy");
    double       worst = 0, energy = 0;
    for (int k = 0; k < 100000; k++) {
        step(g);
        if (k % 100) continue;
        worst = fmax(worst, fabs(noe_get(g, "simpson_energy") / H2 - 1));
        energy = fmax(energy, fabs(noe_get(g, "energy") / H - 1));
    }
    print_message("simpson_energy within %.3g, energy within %.3g\n", worst, energy);
    assert_true(worst < 2e-12);
    assert_true(energy > 1e-4 && energy < 0.1); /* it is not the energy that is kept */
    noe_integrator_free(g);
    noe_system_free(x);
    free_grid(&s);
}

/* 32 coupled dofs go by their transition matrix, with a 33rd that has nothing to do with them by
 * factors. */
static void newmark_two_routes(void **state)
{
    static const char *const method[] = { "newmark 1/4 1/2", "newmark 1/6 1/2", "newmark 0 1/2",
                                          "newmark 0.3 0.6" };
    (void)state;
    for (int m = 0; m < 4; m++)
        for (int kind = 0; kind < 6; kind++) {
            random_structure(32, 64, kind / 3);
            for (int i = 0; i < 32 && kind % 3 == 1; i++)
                for (int j = 0; j < 32; j++) x.C[i][j] = 0.05 * x.M[i][j] + 0.02 * x.K[i][j];
            noe_system *s = structure(&x, kind % 3, kind % 3 ? shaker : NULL, &x), *c;
            x.n = 33;
            for (int i = 0; i < 33; i++) {
                x.M[i][32] = x.M[32][i] = x.K[i][32] = x.K[32][i] = x.C[i][32] = x.C[32][i] = 0;
                x.M[32][32] = x.K[32][32] = 1;
                x.C[32][32] = kind % 3 ? 0.07 : 0;
            }
            c = structure(&x, kind % 3, kind % 3 ? shaker : NULL, &x);
            noe_integrator *g = integrator(s, method[m], 0.1),
                           *large = integrator(c, method[m], 0.1);
            double q[33], v[33];
            quad   qq[33], pp[33];
            for (int i = 0; i < 33; i++) q[i] = random_number(), v[i] = random_number();
            x.n = 32;
            if (noe_start(g, 0.5, q, v)) fail_msg("%s", noe_error());
            x.n = 33;
            if (noe_start(large, 0.5, q, v)) fail_msg("%s", noe_error());
            for (int k = 0; k < 20; k++) {
                x.n = 32, step(g);
                x.n = 33, step(large);
                for (int i = 0; i < 32; i++) qq[i] = noe_q(large)[i], pp[i] = noe_p(large)[i];
                seen(32, qq, pp);
            }
            small(distance(g, 32, qq, pp), 1, 4e-14, "Newmark by two routes");
            for (int i = 0; i < 2 && m == 0;
                 i++) { /* the average acceleration leaves nothing unexplained */
                const noe_integrator *y = i ? large : g;
                const double          size = fabs(noe_get(y, "energy")) + fabs(noe_get(y, "work"))
                                  + noe_get(y, "dissipated");
                small(noe_get(y, "balance"), size, 1e-13, "Newmark's balance");
                assert_true(kind % 3 ? noe_get(y, "work") != 0 && noe_get(y, "dissipated") > 0
                                     : noe_get(y, "dissipated") == 0);
            }
            noe_integrator_free(g), noe_integrator_free(large);
            noe_system_free(s), noe_system_free(c);
        }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simpson),       cmocka_unit_test(as_the_general_core),
        cmocka_unit_test(same_bits),          cmocka_unit_test(polynomial_and_factors),
        cmocka_unit_test(without_the_blas),   cmocka_unit_test(kept),
        cmocka_unit_test(newmark_two_routes),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("tightest %.3g\n", tightest);
    return failed;
}
