/* How long a step of a structure may be: limits, windows, damping; what its certificate promises.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "spring_grid.h"
#include "failing.h"

/* Beyond the limit: refused, with the limit; just inside: it runs. */
static void refused(void **state)
{
    (void)state;
    strip             s = grid(30, 6);
    noe_system       *x = grid_system(&s);
    static const char limit[] = "beyond the largest stable one of simpson, ";
    noe_integrator   *g = integrator(x, "simpson", 5);
    double           *z = calloc(2 * (size_t)s.n, sizeof *z);
    z[0] = 1;
    assert_int_equal(noe_start(g, 0, z, z + s.n), NOE_INVALID);
    const char *at = strstr(noe_error(), limit);
    assert_non_null(at);
    const double stable = atof(at + sizeof limit - 1);
    noe_error_clear();
    assert_true(stable > 0.1 && stable < 5);
    noe_integrator_free(g);
    g = integrator(x, "simpson", 0.998 * stable);
    start_somewhere(g, s.n);
    for (int k = 0; k < 2000; k++) step(g);
    for (int i = 0; i < s.n; i++) assert_true(fabs(noe_q(g)[i]) < 1e3);
    noe_integrator_free(g);
    g = integrator(x, "gauss 2", 5);
    start_somewhere(g, s.n);
    step(g);
    noe_integrator_free(g);
    free(z);
    noe_system_free(x);
    free_grid(&s);
}

/* K <- R K R^T, rotations R of neighbours: the same frequencies, all coordinates coupled. */
static void couple(void)
{
    for (int k = 0; k + 1 < x.n; k++) {
        const double angle = 1 + random_number() / 2, c = cos(angle), s = sin(angle);
        for (int j = 0; j < x.n; j++) {
            const double a = x.K[k][j], b = x.K[k + 1][j];
            x.K[k][j] = c * a - s * b, x.K[k + 1][j] = s * a + c * b;
        }
        for (int j = 0; j < x.n; j++) {
            const double a = x.K[j][k], b = x.K[j][k + 1];
            x.K[j][k] = c * a - s * b, x.K[j][k + 1] = s * a + c * b;
        }
    }
    for (int i = 0; i < x.n; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++) x.K[i][j] = x.K[j][i];
}

/* Two groups of frequencies, 1 and 10: a step that puts the fast ones into the second window
 * runs when it is asked for. */
static void second_window(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        x.n = round % 2 ? 40 : 8; /* by polynomials, by a matrix */
        for (int i = 0; i < x.n; i++)
            for (int j = 0; j < x.n; j++)
                x.M[i][j] = i == j, x.K[i][j] = i == j ? (i % 2 ? 100 : 1) : 0;
        if (round > 1) couple();
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, "simpson",
                                       0.4); /* 4 lies between 2 sqrt 3 and 2 sqrt 6 */
        double          z[80] = { 0 };
        for (int i = 0; i < x.n; i++) z[i] = 1;
        assert_int_equal(noe_start(g, 0, z, z + 40), NOE_INVALID);
        noe_error_clear();
        assert_int_equal(noe_set(g, "window", 2), NOE_OK);
        if (noe_start(g, 0, z, z + 40)) fail_msg("%s", noe_error());
        for (int k = 0; k < 1000; k++) step(g);
        double square = 0;
        for (int i = 0; i < x.n; i++) square += noe_q(g)[i] * noe_q(g)[i];
        assert_true(square < 9 * x.n);
        noe_integrator_free(g);
        noe_system_free(s);
        for (int i = 0; i < x.n; i++)
            for (int j = 0; j < x.n; j++) x.K[i][j] = i == j ? (i % 2 ? 100 : 1) : 0;
        x.K[6][6] = 64; /* 0.4 * 8 = 3.2: in the gap */
        if (round > 1) couple();
        s = structure(&x, false, NULL, NULL);
        g = integrator(s, "simpson", 0.4);
        assert_int_equal(noe_set(g, "window", 2), NOE_OK);
        assert_int_equal(noe_start(g, 0, z, z + 40), NOE_INVALID);
        assert_non_null(strstr(noe_error(), "puts 1 mode of the structure into the gap"));
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* |q| + |p| after so many steps of q'' + c q' + q = 0, two of them, the other slower; NAN:
 * refused. */
static double after(const char *name, double c, double h, int steps, double *limit)
{
    double z[4] = { 1, 1, 0, 0 };
    x.n = 2;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            x.M[i][j] = i == j, x.K[i][j] = i == j ? 1 - i * 0.5 : -0.3, x.C[i][j] = c * x.K[i][j];
    noe_system     *s = structure(&x, true, NULL, NULL);
    noe_integrator *g = integrator(s, name, h);
    double          most = 0;
    assert_true(fabs(s->dyn.structure->beta - c) < 1e-12 && !s->dyn.structure->C);
    if (noe_start(g, 0, z, z + 2)) {
        const char *told = strstr(noe_error(), "largest stable one of ");
        assert_non_null(told);
        *limit = strtod(strchr(told, ',') + 1, NULL);
        most = NAN;
        noe_error_clear();
    }
    for (int k = 0; k < steps && !isnan(most); k++) step(g);
    for (int i = 0; i < 2 && !isnan(most); i++)
        most = fmax(most, fabs(noe_q(g)[i]) + fabs(noe_p(g)[i]));
    noe_integrator_free(g);
    noe_system_free(s);
    return most;
}

/* The limit that is told is the limit, with damping too: bounded just below it, growing just
 * above, which the general core shows, or refuses, that steps functions in C without asking. */
static void damped_limit(void **state)
{
    static const char *const name[] = { "simpson", "lobatto 1" };
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 4; k++) {
            const double c = 0.05 + 0.1 * k * k;
            double       limit = 0, z[4] = { 1, 1, 0, 0 };
            assert_true(isnan(after(name[m], c, 50, 1, &limit)));
            assert_true(limit > 0.1);
            assert_true(after(name[m], c, 0.999 * limit, 2000, &limit) < 1e3);
            noe_system     *s = noe_system_new(2, 0, quadratic, damper, &x);
            noe_integrator *g = integrator(s, name[m], 1.01 * limit);
            double          most = 0;
            assert_int_equal(noe_start(g, 0, z, z + 2), NOE_OK);
            /* it does not know that functions in C are linear: their energy jumps */
            bool refused = false;
            for (int i = 0; i < 20000 && most < 1e6 && !refused; i++) {
                refused = noe_step(g) != NOE_OK;
                most = fabs(noe_q(g)[0]) + fabs(noe_p(g)[0]);
            }
            noe_error_clear();
            if (!(most >= 1e6 || refused))
                fail_msg("%s, damping %g, limit %g: %g", name[m], c, limit, most);
            noe_integrator_free(g);
            noe_system_free(s);
        }
}

/* value, bound and holds of a law; false where there is none of this name. */
static bool law(const noe_table *t, const char *name, double row[3])
{
    static const char *const column[] = { "value", "bound", "holds" };
    for (size_t i = 0; i < noe_table_rows(t); i++)
        for (int k = 0; k < 3 && !strcmp(noe_table_label(t, i), name); k++) {
            row[k] = noe_table_column(t, column[k])[i];
            if (k == 2) return true;
        }
    return false;
}

/* The certificate of structures: what is promised holds; rk4 is seen to break what it must;
 * damping, what it may. */
static void certificate(void **state)
{
    static const char *const method[] = { "simpson", "gauss 2", "lobatto 3",
                                          "verlet",  "rk4",     "newmark 1/4 1/2" };
    (void)state;
    int measured = 0;
    for (int m = 0; m < 6; m++)
        for (int kind = 0; kind < 4; kind++) {
            const int  n = kind < 2 ? 9 : 40;
            const bool damped = kind % 2;
            double     y[3];
            random_structure(n, 5, kind == 2);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) x.C[i][j] = 0.02 * x.M[i][j];
            noe_system *s = structure(&x, damped, damped ? shaker : NULL, &x);
            noe_method *f = noe_method_parse(method[m]);
            noe_table  *t = noe_check(s, f, 0.3);
            if (!t) fail_msg("%s: %s", method[m], noe_error());
            for (size_t i = 0; i < noe_table_rows(t); i++)
                if (noe_table_column(t, "holds")[i] == 0)
                    fail_msg("%s, kind %d: %s is %g, not %g", method[m], kind,
                             noe_table_label(t, i), noe_table_column(t, "value")[i],
                             noe_table_column(t, "bound")[i]);
            assert_true(law(t, "symplectic", y));
            if (m == 4 && !damped) assert_true(y[0] > 100 * y[1] && isnan(y[2]));
            else if (!damped) assert_true(y[2] == 1);
            assert_true(!damped || y[0] > y[1]); /* damping is seen */
            assert_true(law(t, "order", y) && y[2] != 0);
            measured += y[2] == 1; /* of a slow mode the error may be rounding */
            assert_true(law(t, "simpson_energy", y) == (m == 0 && !damped));
            assert_true(law(t, "energy bounded", y) == !damped && law(t, "balance", y) == damped);
            if (damped && (m == 1 || m == 5)) assert_true(y[2] == 1);
            assert_true(!law(t, "two routes", y) || y[2] == 1);
            assert_true(law(t, "two routes", y) || m > 2
                        || kind != 2); /* a lumped mass: products with K, and complex shifts too */
            noe_table_free(t);
            noe_method_free(f);
            noe_system_free(s);
        }
    assert_true(measured >= 12);
}

/* Memory that ends at any moment: a message, no crash, nothing lost; and a step takes none. */
static void failing(void **state)
{
    static const char *const method[] = { "simpson", "gauss 2", "newmark 1/4 1/2", "lobatto 3" };
    (void)state;
    for (int m = 0; m < 8; m++) {
        bool   done = false;
        double q[80] = { 1 };
        random_structure(40, 5, m % 2);
        for (long k = 0; !done; k++) {
            noe_error_clear();
            calls_left = k;
            noe_system     *s = structure(&x, m >= 4, NULL, NULL);
            noe_method     *f = s ? noe_method_parse(method[m % 4]) : NULL;
            noe_integrator *g = noe_integrator_new(s, f, 0.1);
            const bool      ok = g && !noe_start(g, 0, q, q + 40) && !noe_step(g);
            done = calls_left >= 0;
            calls_left = -1;
            assert_true(ok || noe_error());
            if (done && !ok) fail_msg("%s", noe_error());
            if (done) {
                calls_left = 0;
                step(g);
                assert_true(calls_left == 0);
                calls_left = -1;
            }
            noe_integrator_free(g);
            noe_method_free(f);
            noe_system_free(s);
        }
    }
    noe_error_clear();
}

/* A load that is not finite at one of its calls. */
typedef struct {
    int calls, bad;
} bad_load;

static void load_but_once(double t, double *f, void *ctx)
{
    bad_load *b = ctx;
    f[0] = ++b->calls == b->bad ? NAN : sin(t), f[1] = cos(t);
}

/* Many steps at once that one of them ends go on from there: all others are not made twice. */
static void bad_once(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        bad_load b = { .bad = 50 + (int)(400 * fabs(random_number())) };
        x.n = 2;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) x.M[i][j] = i == j, x.K[i][j] = i == j ? 2 : -1;
        noe_system      *s = structure(&x, false, load_but_once, &b);
        noe_integrator  *g = integrator(s, k % 2 ? "simpson" : "newmark", 0.01);
        const noe_status ended = noe_run(g, 10, NULL, NULL);
        if (ended) assert_true(noe_time(g) < 10 && noe_error());
        else assert_true(fabs(noe_time(g) - 10) < 1e-12);
        noe_error_clear();
        noe_integrator_free(g), noe_system_free(s);
    }
}

static void same_state(const noe_integrator *g, const noe_integrator *h, int n)
{
    for (int i = 0; i < n; i++)
        assert_true(equal_bits(noe_q(g)[i], noe_q(h)[i]) && equal_bits(noe_p(g)[i], noe_p(h)[i]));
    assert_true(equal_bits(noe_get(g, "work"), noe_get(h, "work")));
    assert_true(equal_bits(noe_get(g, "dissipated"), noe_get(h, "dissipated")));
}

/* A load that is not finite at any of the kicks or stages of a step leaves the state as it was: the
 * next step is that of a run which has not failed, bit for bit. */
static void bad_inside_a_step(void **state)
{
    static const char *const method[] = { "verlet",         "verlet-drift", "yoshida4",
                                          "blanes-moan4",   "rk4",          "gauss 2",
                                          "newmark 1/4 1/2" };
    enum { N = 40 };
    (void)state;
    for (int m = 0; m < 7; m++) {
        int  failures = 0;
        bool failed = true;
        random_structure(N, 5, m % 2);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) x.C[i][j] = 0.02 * x.M[i][j];
        for (int at = 1; failed; at++) {
            bad_load    b = { 0 }, sound = { 0 };
            noe_system *s = structure(&x, true, load_but_once, &b),
                       *reference = structure(&x, true, load_but_once, &sound);
            noe_integrator *g = integrator(s, method[m], 0.1),
                           *h = integrator(reference, method[m], 0.1);
            double z[2 * N];
            for (int i = 0; i < 2 * N; i++) z[i] = random_number();
            assert_int_equal(noe_start(g, 0, z, z + N), NOE_OK);
            assert_int_equal(noe_start(h, 0, z, z + N), NOE_OK);
            for (int k = 0; k < 3; k++) step(g), step(h);
            b.bad = b.calls + at;
            failed = noe_step(g) != NOE_OK;
            failures += failed;
            noe_error_clear();
            if (failed) same_state(g, h, N), step(g);
            step(h);
            same_state(g, h, N);
            noe_integrator_free(g), noe_integrator_free(h);
            noe_system_free(s), noe_system_free(reference);
        }
        assert_true(failures >= (m == 1 ? 1 : 2));
    }
}

/* A state between two steps, before any step was made: refused where the step is too long, with the
 * state as it was; that no step can be made is no reason to interpolate. */
static void between_steps_that_fail(void **state)
{
    static const char *const method[] = { "simpson", "verlet" };
    enum { N = 40 };
    (void)state;
    for (int m = 0; m < 2; m++) {
        random_structure(N, 5, true);
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, method[m], 50);
        double          z[2 * N];
        quad            before[N], after[N];
        for (int i = 0; i < 2 * N; i++) z[i] = random_number();
        g->engine->get(g->work, NOE_AT_Q, 0, before);
        noe_error_clear();
        assert_false(g->engine->fraction->factorises(g->work));
        noe_error_clear();
        assert_int_equal(g->engine->fraction->place(g->work, 1, z, z + N), NOE_INVALID);
        assert_non_null(strstr(noe_error(), "largest stable one"));
        noe_error_clear();
        g->engine->get(g->work, NOE_AT_Q, 0, after);
        assert_memory_equal(before, after, sizeof before);
        noe_integrator_free(g), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused),           cmocka_unit_test(second_window),
        cmocka_unit_test(damped_limit),      cmocka_unit_test(certificate),
        cmocka_unit_test(failing),           cmocka_unit_test(bad_once),
        cmocka_unit_test(bad_inside_a_step), cmocka_unit_test(between_steps_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
