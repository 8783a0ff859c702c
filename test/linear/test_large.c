/* (M + lambda K) y = g:  structures too large for a transition matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Against a second computation. */
#include "failing.h"
#include "sums/sums.h"
#include "linear.h"

static void simpson_by_formula(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        const int    n = 40 + 2 * round;
        const double h = round < 4 ? 0.2 : 0.9;
        random_structure(n, round % 3 ? 7 : 2 * n, round % 2);
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, "simpson", h);
        double          q0[MOST], p0[MOST];
        quad            q[MOST], p[MOST], wrong[2][MOST];
        for (int i = 0; i < n; i++)
            wrong[0][i] = q[i] = q0[i] = random_number(),
            wrong[1][i] = p[i] = p0[i] = random_number();
        if (noe_start_momentum(g, 0, q0, p0)) fail_msg("%s", noe_error());
        for (int k = 0; k < 12; k++) {
            step(g);
            simpson_step(&x, h, 24, q, p);
            simpson_step(&x, h, 20, wrong[0], wrong[1]);
            seen(n, q, p);
        }
        small(distance(g, n, q, p), 1, 4e-14, "Simpson's step against its formula");
        assert_true(distance(g, n, wrong[0], wrong[1]) > 1e-9);
        noe_integrator_free(g);
        noe_system_free(s);
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
            g->core->tell(g->work, told, sizeof told);
            if (m < 7) assert_true(!strstr(told, "no factorisation") == (kind < 3 || kind == 5));
            noe_integrator_free(general);
            noe_integrator_free(g);
            noe_system_free(c);
            noe_system_free(s);
        }
}

/* A strip of squares, two dofs a node, 2 x 2 blocks: K and lumped M by hand, each spring between
 * neighbours. */
typedef struct {
    int     n, nodes;
    size_t *start, *diagonal;
    int    *row, *self;
    double *value, *mass;
} strip;

/* Springs between the nodes of a grid wide x high, with stiffness along and across; ends at
 * x = 0 held. */
static strip grid(int wide, int high)
{
    const int n = 2 * wide * high;
    strip     s = { .n = n, .nodes = wide * high };
    s.start = calloc((size_t)n + 1, sizeof *s.start),
    s.diagonal = calloc((size_t)n + 1, sizeof *s.diagonal);
    s.row = calloc((size_t)n * 18, sizeof *s.row), s.self = calloc((size_t)n, sizeof *s.self);
    s.value = calloc((size_t)n * 18, sizeof *s.value), s.mass = calloc((size_t)n, sizeof *s.mass);
    size_t at = 0;
    for (int x0 = 0; x0 < wide; x0++)
        for (int y0 = 0; y0 < high; y0++)
            for (int a = 0; a < 2; a++) {
                const int j = 2 * (x0 * high + y0) + a;
                double    sum[2] = { x0 == 0, x0 == 0 };
                size_t    own = 0;
                for (int dx = -1; dx <= 1; dx++)
                    for (int dy = -1; dy <= 1; dy++) {
                        const int x1 = x0 + dx, y1 = y0 + dy, other = 2 * (x1 * high + y1);
                        if (x1 < 0 || y1 < 0 || x1 >= wide || y1 >= high) continue;
                        if (!dx && !dy) own = at;
                        const double l2 = dx * dx + dy * dy, u[2] = { dx, dy };
                        for (int b = 0; b < 2; b++) {
                            const double k = dx || dy ? u[a] * u[b] / l2 : 0;
                            sum[b] += k;
                            s.row[at] = other + b, s.value[at++] = -k;
                        }
                    }
                for (int b = 0; b < 2; b++)
                    s.value[own + (size_t)b] = b == a || x0 ? sum[b] : sum[b] - 1;
                s.start[j + 1] = at;
                s.diagonal[j + 1] = (size_t)j + 1, s.self[j] = j, s.mass[j] = 1 + 0.5 * sin(j);
            }
    return s;
}

static noe_system *grid_system(const strip *s)
{
    const noe_csc K = { s->start, s->row, s->value }, M = { s->diagonal, s->self, s->mass };
    noe_system   *x = noe_system_structure(s->n, &M, NULL, &K, NULL, NULL);
    if (!x) fail_msg("%s", noe_error());
    return x;
}

static void free_grid(strip *s)
{
    free(s->start), free(s->diagonal), free(s->row), free(s->self), free(s->value), free(s->mass);
}

static void start_somewhere(noe_integrator *g, int n)
{
    double *q = calloc(2 * (size_t)n, sizeof *q), *v = q + n;
    for (int i = 0; i < n; i++) q[i] = random_number(), v[i] = random_number();
    if (noe_start(g, 0, q, v)) fail_msg("%s", noe_error());
    free(q);
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
        void  *memory = g[0]->core->memory(g[0]->work, &bytes), *copy = malloc(bytes);
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
    static const char *const method[] = { "simpson", "gauss 3", "newmark 1/4 1/2", "simpson-middle",
                                          "gauss 2" };
    strip                    s = grid(60, 30);
    const noe_csc            K = { s.start, s.row, s.value }, M = { s.diagonal, s.self, s.mass };
    double                  *c = calloc((size_t)s.n, sizeof *c);
    quad                    *q = calloc(2 * (size_t)s.n, sizeof *q), *p = q + s.n;
    c[1] = 0.1;
    const noe_csc C = { s.diagonal, s.self, c };
    noe_system   *x = grid_system(&s), *damped = noe_system_structure(s.n, &M, &C, &K, NULL, NULL);
    for (int i = 0; i < 5; i++) {
        noe_integrator *g[2];
        const uint64_t  own = seed;
        for (int k = 0; k < 2; k++) {
            g[k] = integrator(i == 4 ? damped : x, method[i], 0.3);
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

/* Two groups of frequencies, 1 and 10: a step that puts the fast ones into the second window
 * runs when it is asked for. */
static void second_window(void **state)
{
    (void)state;
    for (x.n = 8; x.n <= 40; x.n += 32) { /* by a matrix, by polynomials */
        for (int i = 0; i < x.n; i++)
            for (int j = 0; j < x.n; j++)
                x.M[i][j] = i == j, x.K[i][j] = i == j ? (i % 2 ? 100 : 1) : 0;
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
        for (int i = 0; i < x.n; i++) assert_true(fabs(noe_q(g)[i]) < 3);
        noe_integrator_free(g);
        noe_system_free(s);
        x.K[6][6] = 64; /* 0.4 * 8 = 3.2: in the gap */
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

/* One step of the same system by another core, from its start; then how far the integrator's
 * state is from it. */
static double beside(const noe_engine *core, const noe_system *s, const char *name, double h,
                     noe_integrator *g, int steps)
{
    noe_method *f = noe_method_parse(name);
    const int   n = noe_system_dim(s);
    void       *w = core->make(&s->dyn, f);
    quad       *z = calloc(3 * (size_t)n, sizeof *z), hh = h, zero = 0;
    bool       *momentum = calloc((size_t)n, sizeof *momentum);
    assert_non_null(w);
    for (int i = 0; i < n; i++) z[i] = noe_q(g)[i], z[n + i] = noe_v(g)[i];
    core->set(w, NOE_AT_T0, 0, &zero), core->set(w, NOE_AT_STEP, 0, &hh);
    core->set(w, NOE_AT_Q, 0, z), core->set(w, NOE_AT_V, 0, z + n),
        core->set(w, NOE_AT_P, 0, z + 2 * n);
    assert_false(core->start(w, momentum));
    qs = ps = 0;
    for (int k = 0; k < steps; k++) {
        step(g);
        assert_false(core->step(w));
        core->get(w, NOE_AT_Q, 0, z), core->get(w, NOE_AT_P, 0, z + n);
        seen(n, z, z + n);
    }
    const double d = distance(g, n, z, z + n);
    quad         H;
    core->get(w, NOE_AT_ENERGY, 0, &H);
    small(noe_get(g, "energy") - (double)H, fabs((double)H) + qs * qs * n, 1e-13,
          "energy by two routes");
    if (n <= MOST) { /* the derivative of a step */
        static double J[4 * MOST * MOST];
        static quad   M[4 * MOST * MOST];
        double        size[2][2] = { { 0 } }, apart = 0;
        if (noe_step_jacobian(g, J)) fail_msg("%s", noe_error());
        assert_false(core->step(w));
        assert_true(core->derivative(w, 0, M));
        for (int i = 0; i < 4 * n * n; i++)
            size[i / 2 / n / n][i / n % 2] = fmax(size[i / 2 / n / n][i / n % 2],
                                                  fabs((double)M[i]));
        for (int i = 0; i < 4 * n * n; i++)
            apart = fmax(apart, fabs(J[i] - (double)M[i]) / size[i / 2 / n / n][i / n % 2]);
        small(apart, 1, 1e-13, "the derivative of a step by two routes");
    }
    core->drop(w);
    noe_method_free(f);
    free(z), free(momentum);
    return d;
}

static bool is_structure(const noe_integrator *g)
{
    char told[400] = "";
    if (g->core->tell) g->core->tell(g->work, told, sizeof told);
    return !strncmp(told, "structure", 9);
}

/* L as text, too large for one matrix: it takes the sparse route, and the general core says the
 * same. */
static void recognised(void **state)
{
    (void)state;
    static const char *const method[] = { "simpson", "gauss 2", "lobatto 3", "newmark 1/4 1/2" };
    char                     text[4000];
    for (int groups = 0; groups < 2; groups++)
        for (int other = 0; other < 4;
             other++) { /* quadratic; and not: a fourth power, a magnetic term, a kink */
            const int    n = groups ? 1000 : 40;
            const double a = 0.5 + 0.4 * fabs(random_number()), b = 0.3 * random_number(),
                         c = 0.2 * fabs(random_number()), w = random_number();
            snprintf(text, sizeof text,
                     "parameter m[i in 0..%d] = 1 + %.15g*cos(i)^2\ncoordinate x[0..%d]\n"
                     "fix x[0] = %.17g, x[%d] = 0\n"
                     "kinetic sum(i in 1..%d) m[i]/2*x[i]'^2\n%spotential sum(i in 1..%d) (x[i] - "
                     "x[i-1])^2/2\n"
                     "potential sum(i in 2..%d) %.15g/2*(x[i] - x[i-2])^2\n"
                     "potential sum(i in 1..%d) %.15g*x[i]\n"
                     "potential sum(i in 1..%d) %s\n"
                     "start x[i in 1..%d] = sin(7*i), x[i in 1..%d]' = cos(3*i)\n"
                     "observe mean = sum(i in 1..%d) x[i]*m[i]\nobserve third = x[3] + x[0]\n",
                     n + 1, a, n + 1, b, n + 1, n,
                     groups ? "" : "kinetic sum(i in 2..5) 0.1*x[i]'*x[i-1]'\n", n + 1, n + 1, c, n,
                     w, n,
                     other == 1   ? "0.001*x[i]^4"
                     : other == 3 ? "0.1*abs(x[i])"
                                  : "0.1*x[i]^2",
                     n, n, n);
            if (other == 2 && groups) continue; /* groups have none */
            if (other == 2) strcat(text, "lagrangian 0.1*x[1]*x[2]'\n");
            noe_system *s = noe_system_parse(text);
            if (!s) fail_msg("%s", noe_error());
            assert_true(!s->dyn.groups == !groups);
            for (int m = 0; m < (other ? 1 : groups ? 3 : 4); m++) {
                noe_integrator *g = integrator(s, method[m], 0.1);
                assert_true(is_structure(g) == !other);
                if (other) {
                    noe_integrator_free(g);
                    continue;
                }
                noe_error_clear();
                if (m < 3) {
                    noe_method       *f = noe_method_parse(method[m]);
                    const noe_engine *core = groups ? noe_sums_engine(s->dyn.groups, f)
                                                    : noe_engine_double();
                    small(beside(core, s, method[m], 0.1, g, 10), 1, 4e-14,
                          "a text by the sparse route");
                    noe_method_free(f);
                } else step(g);
                double mean = 0;
                for (int i = 0; i < n; i++)
                    mean += noe_q(g)[i] * (1 + a * cos(i + 1.0) * cos(i + 1.0));
                small(noe_get(g, "mean") - mean, 1 + qs * n, 1e-13, "an observable");
                if (!(fabs(noe_get(g, "third") - noe_q(g)[2] - b) < 1e-15
                      && noe_get(g, "x[3]") == noe_q(g)[2]
                      && fabs(noe_get(g, "x.3.v") - noe_v(g)[2]) < 1e-15 * (1 + fabs(noe_v(g)[2]))))
                    fail_msg("%s, %d: %.17g %.17g %.17g, %.17g %.17g, %.17g", method[m], groups,
                             noe_get(g, "third"), noe_q(g)[2], b, noe_get(g, "x[3]"),
                             noe_get(g, "x.3.v"), noe_v(g)[2]);
                noe_integrator_free(g);
            }
            noe_system_free(s);
        }
}

/* Both variants of the scheme as printed make the steps of simpson, with their own rounding. */
static void printed(void **state)
{
    static const char *const method[] = { "simpson-middle", "simpson-ends" };
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int kind = 0; kind < 4; kind++) {
            const int n = kind < 2 ? 7 : 40;
            random_structure(n, 5, kind % 2);
            noe_system *s = structure(&x, false, NULL, NULL),
                       *loaded = structure(&x, false, shaker, &x);
            noe_integrator *g = integrator(s, method[m], 0.2), *own = integrator(s, "simpson", 0.2),
                           *other = integrator(s, "midpoint", 0.2);
            double z[2 * MOST];
            quad   q[MOST], p[MOST], qm[MOST], pm[MOST];
            for (int i = 0; i < 2 * n; i++) z[i] = random_number();
            if (noe_start(g, 0, z, z + n) || noe_start(own, 0, z, z + n)
                || noe_start(other, 0, z, z + n))
                fail_msg("%s", noe_error());
            for (int k = 0; k < 20; k++) {
                step(g), step(own), step(other);
                for (int i = 0; i < n; i++)
                    q[i] = noe_q(own)[i], p[i] = noe_p(own)[i], qm[i] = noe_q(other)[i],
                    pm[i] = noe_p(other)[i];
                seen(n, q, p);
            }
            small(distance(g, n, q, p), 1, 2e-12,
                  "a variant as printed"); /* it divides differences of q by h */
            assert_true(distance(g, n, qm, pm) > 1e-6);
            small(noe_get(g, "energy") - noe_get(own, "energy"), fabs(noe_get(own, "energy")),
                  2e-12, "its energy");
            double *M = malloc(8 * (size_t)n * (size_t)n * sizeof *M), *other_M = M + 4 * n * n,
                   most = 0;
            if (noe_step_jacobian(g, M) || noe_step_jacobian(own, other_M))
                fail_msg("%s: %s", method[m], noe_error());
            for (int i = 0; i < 4 * n * n; i++) most = fmax(most, fabs(other_M[i]));
            for (int i = 0; i < 4 * n * n; i++)
                small(M[i] - other_M[i], most, 2e-12, "its derivative");
            step(other);
            assert_true(noe_get(g, "steps") == noe_get(own, "steps"));
            small(noe_q(g)[0] - noe_q(own)[0], 1, 2e-12, "the step beside it");
            free(M);
            noe_method *f = noe_method_parse(method[m]);
            assert_int_equal(noe_method_order(f), 4);
            assert_null(noe_integrator_new(loaded, f, 0.2));
            assert_non_null(strstr(noe_error(), "without damping, forces and t"));
            noe_error_clear();
            noe_method_free(f);
            noe_integrator_free(g), noe_integrator_free(own), noe_integrator_free(other);
            noe_system_free(s), noe_system_free(loaded);
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

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simpson_by_formula),
        cmocka_unit_test(as_the_general_core),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(polynomial_and_factors),
        cmocka_unit_test(without_the_blas),
        cmocka_unit_test(kept),
        cmocka_unit_test(refused),
        cmocka_unit_test(newmark_two_routes),
        cmocka_unit_test(second_window),
        cmocka_unit_test(damped_limit),
        cmocka_unit_test(recognised),
        cmocka_unit_test(printed),
        cmocka_unit_test(certificate),
        cmocka_unit_test(failing),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("tightest %.3g\n", tightest);
    return failed;
}
