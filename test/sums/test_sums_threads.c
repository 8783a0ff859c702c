/* Sums over any number of threads, tiles and restarts: the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kept_sums.h"
#include "integrate/integrator.h"

static noe_integrator *chain(const noe_system *s, const char *name, int threads, double *out)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    if (!g || noe_set(g, "threads", threads) || noe_run(g, 2, NULL, NULL))
        fail_msg("%s", noe_error());
    memcpy(out, noe_q(g), (size_t)noe_system_dim(s) * sizeof *out);
    memcpy(out + noe_system_dim(s), noe_p(g), (size_t)noe_system_dim(s) * sizeof *out);
    noe_method_free(m);
    return g;
}

/* A long chain in tiles: the bits of 1, 2 and 3 threads, and those of a chain so short that it
 * is one tile, as far as nothing of the difference can have come. */
static void test_threads(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/fput_alpha.lag"), *a = noe_system_let(s, "N = 9000"),
               *b = noe_system_let(a, "x[i] = sin(i^2)");
    noe_system *c = noe_system_let(b, "N = 2000");
    const int   n = noe_system_dim(b);
    double     *x[3], *y = calloc(4000, sizeof *y);
    assert_int_equal(n, 9000);
    for (int i = 0; i < 3; i++) x[i] = calloc(2 * (size_t)n, sizeof **x);
    static const char *const names[] = { "simpson", "gauss 5", "kahan-li8", "rk4",
                                         "sofroniou-spaletta10" };
    for (int f = 0; f < 5; f++) {
        for (int i = 0; i < 3; i++) noe_integrator_free(chain(b, names[f], i + 1, x[i]));
        assert_memory_equal(x[0], x[1], 2 * (size_t)n * sizeof **x);
        assert_memory_equal(x[0], x[2], 2 * (size_t)n * sizeof **x);
        noe_integrator_free(chain(c, names[f], 2, y));
        int same = 0;
        for (int i = 0; i < 1000; i++) same += x[0][i] == y[i] && x[0][n + i] == y[2000 + i];
        /* tiles that end after another number of iterations differ by a rounding */
        assert_true(same >= 900);
    }
    for (int i = 0; i < 3; i++) free(x[i]);
    free(y);
    noe_system_free(s), noe_system_free(a), noe_system_free(b), noe_system_free(c);
}

/* What keeps a system from being cut into tiles and moves nothing. */
#define WHOLE "\npotential sum(i in 1..9) 1e-200*x[i]*x[3*i]"

/* In tiles and whole, by terms shared out among threads and not: one motion to rounding, one set
 * of bits a system. A ring whose terms reach around its end, two families on one, strides, a
 * lattice in rows, bodies that all attract. */
static void test_threads_everywhere(void **unused)
{
    (void)unused;
#define RING                                                                         \
    "parameter N = 2500\ncoordinate x[0..N-1]\n"                                     \
    "kinetic sum(i in 0..N-1) (2 + sin(i))*x[i]'^2/2\n"                              \
    "potential sum(i in 0..N-1) ((x[(i+1) mod N] - x[i])^2/2 + (x[(i+N-2) mod N] - " \
    "x[i])^4/4 + cos(x[i]))\n"                                                       \
    "start x[i] = sin(i^2), x[i]' = cos(3*i)"
#define PAIR                                                                          \
    "parameter N = 2100\ncoordinate y[1..N], x[1..N]\n"                               \
    "kinetic sum(i in 1..N) (x[i]'^2 + 2*y[i]'^2)/2\n"                                \
    "potential sum(i in 1..N) (cos(x[i mod N + 1] - y[i]) + (y[(i + 6) mod N + 1] - " \
    "x[i])^2/2)\n"                                                                    \
    "start x[i] = sin(i^2), y[i] = cos(i^3)"
#define ROWS                                                                    \
    "parameter N = 33, M = 130\ncoordinate x[0..N*M-1]\n"                       \
    "kinetic sum(i in 0..N*M-1) x[i]'^2/2\n"                                    \
    "potential sum(j in 0..M-1, i in 0..N-2) (x[j*N+i+1] - x[j*N+i])^2/2\n"     \
    "potential (sum(i in 0..N*M-N-1) (x[i+N] - x[i])^4/4) + (sum(j in 0..M-1) " \
    "x[j*N]^2) + sum(j in 0..M-3) cos(x[j*N+3] - x[j*N+7])\n"                   \
    "start x[i] = sin(i^2)"
#define BODIES                                                                   \
    "parameter N = 90\ncoordinate x[1..N], y[1..N]\n"                            \
    "kinetic sum(i in 1..N) (x[i]'^2 + i*y[i]'^2)/2\n"                           \
    "potential -sum(i in 1..N, j in i+1..N) 1/N/sqrt((x[i] - x[j])^2 + (y[i] - " \
    "y[j])^2 + 0.1)\n"                                                           \
    "potential sum(i in 1..N-1) ((x[i+1] - x[i])^2 + (y[i+1] - x[i])^2)/9\n"     \
    "start x[i] = 2*sin(i^2), y[i] = 2*cos(i^3)"
    static const char *const text[] = { RING, RING WHOLE, PAIR,   PAIR WHOLE,
                                        ROWS, ROWS WHOLE, BODIES, BODIES };
    static const char *const names[] = { "simpson", "gauss 2", "verlet", "rk4" };
    for (size_t k = 0; k < sizeof text / sizeof *text; k += 2)
        for (int f = 0; f < 4; f++) {
            double *x[5] = { NULL }, worst = 0;
            int     n = 0;
            for (int i = 0; i < 5; i++) { /* 1, 2, 3 threads; whole with 1 and 2 */
                noe_system *s = parse(text[k + (i > 2)]);
                n = noe_system_dim(s);
                assert_non_null(s->dyn.groups);
                x[i] = calloc(2 * (size_t)n, sizeof **x);
                noe_integrator *g = chain(s, names[f], i % 3 + 1, x[i]);
                char            told[400];
                g->engine->summarize(g->work, told, sizeof told);
                if (k < 6 && !strstr(told, i > 2 ? " 1 tile on" : "tiles on")) fail_msg("%s", told);
                if (k == 6 && i == 1 && !strstr(told, "1 tile on 2 threads")) fail_msg("%s", told);
                noe_integrator_free(g), noe_system_free(s);
            }
            assert_memory_equal(x[0], x[1], 2 * (size_t)n * sizeof **x);
            assert_memory_equal(x[0], x[2], 2 * (size_t)n * sizeof **x);
            assert_memory_equal(x[3], x[4], 2 * (size_t)n * sizeof **x);
            for (int i = 0; i < 2 * n; i++) worst = fmax(worst, fabs(x[0][i] - x[3][i]));
            if (!(worst < 6e-14))
                fail_msg("system %zu, %s: in tiles and whole part by %.2e", k / 2, names[f],
                         worst); /* measured: 1.3e-15 */
            for (int i = 0; i < 5; i++) free(x[i]);
        }
}

/* Bodies shared out among threads move as they do with all of L written out. */
static void test_shares(void **unused)
{
    (void)unused;
    noe_system *s = parse(BODIES), *grouped = as(s, NOE_MODEL_GROUPED),
               *written = as(s, NOE_MODEL_WRITTEN);
    double *x = calloc(720, sizeof *x), worst = 0;
    noe_integrator_free(chain(grouped, "simpson", 2, x));
    noe_integrator_free(chain(written, "simpson", 0, x + 360));
    for (int i = 0; i < 360; i++) worst = fmax(worst, fabs(x[i] - x[360 + i]));
    if (!(worst < 4e-14)) fail_msg("they part by %.2e", worst); /* measured: 4e-16 */
    free(x);
    noe_system_free(s), noe_system_free(grouped), noe_system_free(written);
}

static void test_restart(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/fput_alpha.lag"), *a = noe_system_let(s, "N = 300");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(a, m, 0.1), *f = noe_integrator_new(a, m, 0.1);
    size_t          bytes;
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_OK);
    const void *memory = g->engine->memory(g->work, &bytes);
    assert_true(noe_integrator_start_restore(f, memory, bytes));
    assert_int_equal(noe_run(g, 9, NULL, NULL) | noe_run(f, 9, NULL, NULL), NOE_OK);
    assert_memory_equal(noe_q(g), noe_q(f), 300 * sizeof(double));
    assert_true(noe_time(f) == noe_time(g) && noe_get(f, "energy") == noe_get(g, "energy"));
    /* and by hand, from positions and velocities or momenta */
    noe_integrator *h = noe_integrator_new(a, m, 0.1), *k = noe_integrator_new(a, m, 0.1);
    assert_int_equal(
        noe_start(h, 1, noe_q(g), noe_v(g)) | noe_start_momentum(k, 1, noe_q(g), noe_p(g)), NOE_OK);
    assert_int_equal(noe_run(h, 3, NULL, NULL) | noe_run(k, 3, NULL, NULL), NOE_OK);
    assert_memory_equal(noe_q(h), noe_q(k), 300 * sizeof(double));
    noe_integrator_free(g), noe_integrator_free(f), noe_integrator_free(h), noe_integrator_free(k);
    noe_method_free(m), noe_system_free(a), noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_everywhere),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
