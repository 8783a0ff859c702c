/* Local errors: jumps of velocity polynomials by range; |v0 + 4 v1 + v2 - 3 (q2 - q0)/h| by range.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "integrate/integrator.h"

/* A ring of N sites: of sums; written out, stepped by its sums where that is faster; a structure;
 * small matrices. */
static const struct {
    int    sites;
    double quartic;
} ring[] = { { 90, 1 }, { 24, 1 }, { 90, 0 }, { 40, 0 }, { 6, 0 } };
enum { RINGS = sizeof ring / sizeof *ring, ROOM = 900, MOST = 128 };
static const char *const of_rings[] = { "simpson", "midpoint", "gauss 2", "gauss 3", "gauss 6" };
enum { OF_RINGS = sizeof of_rings / sizeof *of_rings };

typedef struct {
    double factor, unit, constant, boost; /* of L, of the coordinates, in V, of all velocities */
    bool   mirrored;
} words;
static const words plain = { 1, 1, 0, 0, false };

static void write_ring(char *to, int which, words w, const double *random)
{
    const int N = ring[which].sites;
    snprintf(to, ROOM,
             "parameter N = %d, b = %g, c = %.17g, a = %.17g, u = %.17g\ncoordinate x[0..N-1]\n"
             "kinetic sum(i in 0..N-1) c*a^2*x[i]'^2/2\n"
             "r[i] = a*(x[(i+1) mod N] - x[i])\n"
             "potential sum(i in 0..N-1) c*(r[i]^2/2 + b/4*r[i]^4)\npotential %.17g\n"
             "start x[i] = sin(%.17g*(%s) + %.17g)/a, x[i]' = (u + cos(%.17g*(%s) + %.17g))/a\n",
             N, ring[which].quartic, w.factor, w.unit, w.boost, w.constant, 1 + random[0],
             w.mirrored ? "N-1-i" : "i", random[1], 2 + random[2], w.mirrored ? "N-1-i" : "i",
             random[3]);
}

static int seen;

static noe_integrator *begin(const char *text, const char *name, double h, noe_system **s)
{
    *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(*s, m, h);
    if (!g) fail_msg("%s: %s", name, noe_error());
    noe_method_free(m);
    if (!g->engine->guard) return seen++, g;
    noe_integrator_free(g), noe_system_free(*s); /* this engine measures jumps itself */
    return NULL;
}

/* The first two steps against Simpson's rule on the velocities as a caller reads them. */
static void test_two_steps(void **unused)
{
    (void)unused;
    for (int k = 0; k < RINGS * OF_RINGS; k++) {
        double random[4], q[3][MOST], v[3][MOST], p[3][MOST], by_hand = 0, largest = 0;
        char   text[ROOM];
        for (int i = 0; i < 4; i++) random[i] = random_number();
        const double h = 0.1 + 0.3 * fabs(random_number());
        write_ring(text, k % RINGS, plain, random);
        noe_system     *s;
        noe_integrator *g = begin(text, of_rings[k / RINGS], h, &s);
        if (!g) continue;
        const int n = s->dyn.n;
        for (int i = 0; i < 3; i++) {
            if (i && noe_step(g)) fail_msg("%s", noe_error());
            memcpy(q[i], noe_q(g), (size_t)n * sizeof(double));
            memcpy(v[i], noe_v(g), (size_t)n * sizeof(double));
            memcpy(p[i], noe_p(g), (size_t)n * sizeof(double));
        }
#define RANGE(x, j) (fmax(x[0][j], fmax(x[1][j], x[2][j])) - fmin(x[0][j], fmin(x[1][j], x[2][j])))
        for (int j = 0; j < n; j++) largest = fmax(largest, RANGE(v, j) * RANGE(p, j));
        for (int j = 0; j < n; j++) {
            /* Velocities that hardly vary yet beside others do not count. */
            if (RANGE(v, j) * RANGE(p, j) < 0.03 * 0.03 * largest) continue;
            const long double d = (long double)h / 3
                                    * (v[0][j] + 4 * (long double)v[1][j] + v[2][j])
                                - ((long double)q[2][j] - q[0][j]);
            by_hand = fmax(by_hand, fabs((double)(3 * d / h)) / RANGE(v, j));
        }
        const noe_local_error e = noe_local_error_of(g);
        small(e.jump - by_hand, 1, 1e-13 / h, "two steps");
        const int p_ = g->order, k_ = p_ < 4 ? p_ : 4;
        small(e.size - pow(e.jump, (double)p_ / k_), e.size, 1e-15, "its power");
        assert_true(e.t == noe_time(g) || e.jump == 0);
        assert_true(noe_get(g, "local_error") == e.size);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* Oscillators of one frequency and random phases: the largest defect by range is
 * |4 + 2 cos x - 6 sin(x)/x|/2, x = omega h. */
static void test_oscillators(void **unused)
{
    (void)unused;
    static const int sites[] = { 90, 40, 20 };
    for (int k = 0; k < 18; k++) {
        const int    N = sites[k % 3];
        const double omega = pow(10, random_number()), x = 0.4 + 0.6 * fabs(random_number()),
                     closed = fabs(4 + 2 * cos(x) - 6 * sin(x) / x) / 2;
        char text[ROOM];
        snprintf(text, sizeof text,
                 "parameter N = %d, w = %.17g\ncoordinate x[1..N]\n"
                 "kinetic sum(i in 1..N) x[i]'^2/2\npotential sum(i in 1..N) w^2*x[i]^2/2\n"
                 "start x[i] = sin(%.17g*i^2), x[i]' = w*cos(%.17g*i^2)\n",
                 N, omega, 2 + random_number(), 2 + random_number());
        noe_system     *s;
        noe_integrator *g = begin(text, k % 2 ? "gauss 4" : "gauss 6", x / omega, &s);
        double          done;
        /* At once, where the engine can; or one by one. */
        if (k % 6 < 3) assert_int_equal(noe_advance_steps(g, 400, &done), NOE_OK);
        else
            for (int i = 0; i < 400; i++) assert_int_equal(noe_step(g), NOE_OK);
        const noe_local_error e = noe_local_error_of(g);
        if (!(e.jump > 0.8 * closed && e.jump < 1.5 * closed))
            fail_msg("%d sites, x %g: %g instead of %g", N, x, e.jump, closed);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* The same motion in other words has the same local error. */
static void test_same_in_other_words(void **unused)
{
    (void)unused;
    static const words other[] = { { 1, 1, 1e5, 0, false },
                                   { 4096, 1, 0, 0, false },
                                   { 1, 1024, 0, 0, false },
                                   { 1, 1, 0, 10, false },
                                   { 1, 1, 0, 0, true } };
    for (int k = 0; k < RINGS * OF_RINGS; k++) {
        double random[4], h = 0.05 + 0.2 * fabs(random_number());
        char   text[ROOM];
        for (int i = 0; i < 4; i++) random[i] = random_number();
        noe_local_error first = { 0 };
        int             all = 0;
        for (int a = -1; a < (int)(sizeof other / sizeof *other); a++) {
            write_ring(text, k % RINGS, a < 0 ? plain : other[a], random);
            noe_system     *s;
            noe_integrator *g = begin(text, of_rings[k / RINGS], h, &s);
            if (!g) break;
            int done = 0; /* a step too long for its equations is refused, not in all words */
            while (done < 20 && !noe_step(g)) done++;
            const noe_local_error e = noe_local_error_of(g);
            if (a < 0) first = e, all = done;
            else if (done < 20 || all < 20) noe_error_clear();
            else {
                if (!(fabs(e.jump - first.jump) <= 1e-6 * first.jump + 1e-9))
                    fail_msg("ring %d, %s, step %g, words %d: %.12g instead of %.12g", k % RINGS,
                             of_rings[k / RINGS], h, a, e.jump, first.jump);
                assert_int_equal(e.coarse, first.coarse);
            }
            noe_error_clear();
            noe_integrator_free(g), noe_system_free(s);
        }
    }
}

/* What is looked at changes no bit of the run, also where two steps more are made for it. */
static void test_the_run_is_untouched(void **unused)
{
    (void)unused;
    for (int k = 0; k < RINGS; k++) {
        double random[4], z[2][2 * MOST];
        char   text[ROOM];
        for (int i = 0; i < 4; i++) random[i] = random_number();
        write_ring(text, k, plain, random);
        for (int blind = 0; blind < 2; blind++) {
            noe_system     *s;
            noe_integrator *g = begin(text, "simpson", 0.1, &s);
            if (!g) break;
            const size_t n = (size_t)s->dyn.n;
            double       done;
            assert_int_equal(noe_integrator_start_ready(g), NOE_OK);
            assert_non_null(g->local_error);
            if (blind) noe_local_error_free(g->local_error), g->local_error = NULL;
            for (int i = 0; i < 5; i++) assert_int_equal(noe_advance_steps(g, 30, &done), NOE_OK);
            memcpy(z[blind], noe_q(g), n * sizeof(double));
            memcpy(z[blind] + n, noe_p(g), n * sizeof(double));
            if (blind) assert_true(isnan(noe_local_error_of(g).size));
            if (blind) assert_memory_equal(z[0], z[1], 2 * n * sizeof(double));
            noe_integrator_free(g), noe_system_free(s);
        }
    }
}

/* The shortest waves of a ring, omega = 2 and more: fewer than three steps a period are coarse,
 * forty are not. */
static void test_coarse(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4 * RINGS; k++)
        for (int fine = 0; fine < 2; fine++) {
            const int    N = ring[k % RINGS].sites;
            const double h = (fine ? 0.07 : 1.2) + 0.05 * random_number();
            char         text[ROOM];
            snprintf(text, sizeof text,
                     "parameter N = %d, b = %g\ncoordinate x[0..N-1]\n"
                     "kinetic sum(i in 0..N-1) x[i]'^2/2\nr[i] = x[(i+1) mod N] - x[i]\n"
                     "potential sum(i in 0..N-1) (r[i]^2/2 + b/4*r[i]^4)\n"
                     "start x[i] = 0.1*%.17g*cos(pi*i), x[i]' = 0.1*cos(pi*i)\n",
                     N, ring[k % RINGS].quartic, random_number());
            noe_system     *s;
            noe_integrator *g = begin(text, of_rings[k / RINGS], h, &s);
            if (!g) break;
            bool refused = false;
            for (int i = 0; i < 100 && !refused; i++) refused = noe_step(g);
            const noe_local_error e = noe_local_error_of(g);
            noe_error_clear();
            if ((e.coarse || refused) == fine)
                fail_msg("ring %d, %s, step %g: %g", k % RINGS, of_rings[k / RINGS], h, e.jump);
            noe_integrator_free(g), noe_system_free(s);
        }
}

/* The velocity polynomial of a step of x'' = -w^2 x at both ends, from its positions: of degree 0,
 * or by simpson, whose middle is xm = 4 (x0 + x1)/(8 - h^2 w^2), where dL_d/dxm = 0. */
static void end_velocities(bool simpson, double h, double w, double x0, double x1, double V[2])
{
    const double xm = 4 * (x0 + x1) / (8 - h * h * w * w);
    V[0] = simpson ? (4 * xm - 3 * x0 - x1) / h : (x1 - x0) / h;
    V[1] = simpson ? (3 * x1 - 4 * xm + x0) / h : (x1 - x0) / h;
}

/* Galerkin steps: (largest jump/range)^(p/k) of velocity polynomials that are computed from x_n; a
 * term of x^4, too small to count, keeps the transition matrix away. */
static void test_jumps(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double      power; /* p/k */
    } of[] = { { "midpoint", 2 }, { "lobatto 1", 2 }, { "simpson", 4. / 3 } };
    enum { STEPS = 300 };
    for (int k = 0; k < 30; k++) {
        const double w = exp(random_number() / 2), h = (0.1 + 0.05 * random_number()) / w,
                     a = random_number(), b = 1 + random_number() / 4;
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2/2\npotential %.17g*x^2/2 + 1e-15*x^4\n"
                 "start x = %.17g, x' = %.17g",
                 w * w, a, b);
        noe_system     *s = parse(text);
        noe_method     *m = method(of[k % 3].name);
        noe_integrator *g = noe_integrator_new(s, m, h);
        assert_non_null(g->engine->guard); /* the engine measures jumps */
        double jump = 0, low = b, high = b, last = NAN, x = noe_q(g)[0], each[STEPS];
        for (int i = 0; i < STEPS; i++) {
            double V[2];
            assert_int_equal(noe_step(g), NOE_OK);
            end_velocities(k % 3 == 2, h, w, x, noe_q(g)[0], V);
            each[i] = fabs(V[0] - last);
            jump = fmax(jump, each[i]), last = V[1], x = noe_q(g)[0];
            low = fmin(low, fmin(V[0], V[1])), high = fmax(high, fmax(V[0], V[1]));
        }
        const noe_local_error e = noe_local_error_of(g);
        const double          part = jump / (high - low);
        /* rounding of positions, some 8 eps/h of a velocity, by jumps of h^2; measured: 3e-9 */
        small(e.jump / part - 1, 1, 1e-8, "jump/range");
        small(e.size / pow(part, of[k % 3].power) - 1, 1, 1e-8, "its power");
        const int at = (int)round(e.t / h); /* step number at, from 0 on, begins by it */
        assert_true(at > 0 && at < STEPS);
        small(e.t - at * h, at * h, 4 * 0x1p-52, "its time");
        small(each[at] - jump, jump, 1e-8, "the jump at that time");
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_two_steps),
                                        cmocka_unit_test(test_jumps),
                                        cmocka_unit_test(test_oscillators),
                                        cmocka_unit_test(test_same_in_other_words),
                                        cmocka_unit_test(test_the_run_is_untouched),
                                        cmocka_unit_test(test_coarse) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d runs of these engines\n", seen);
    printf("tightest bound used to %.2g\n", tightest);
    return failed;
}
