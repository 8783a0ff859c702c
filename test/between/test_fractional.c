/* (q, p)(t_n + tau) by one step of length tau.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Order, momenta, the grid at both ends, and a run that is untouched. */
#include "between/fractional_step.h"
#include "laws.h"
#include "symmetry/symmetry.h"

#define UNIT 0x1p-53

/* Methods of all kinds: Galerkin by Newton, by the fixed point and by its Nystrom form,
 * quadratures of more nodes than modes, compositions, splittings, Runge-Kutta. */
static const char *const kinds[] = {
    "midpoint", "simpson",    "lobatto 3",       "gauss 2",           "gauss 3",
    "gauss 8",  "P4 gauss 6", "P3 radau-left 3", "compose 6 simpson", "compose kahan-li8 midpoint",
    "verlet",   "yoshida4",   "luo-guo4-drift",  "newmark 1/4 1/2",   "rk4",
    "rk4-v"
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static noe_method *known_method(const char *name)
{
    noe_method *m = noe_method_parse(name);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

/* An integrator of a system that takes the method, else NULL. */
static noe_integrator *started(const noe_system *s, const char *method, quad h, int digits)
{
    noe_method     *m = known_method(method);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    if (g && noe_integrator_start_ready(g)) noe_integrator_free(g), g = NULL;
    noe_method_free(m);
    noe_error_clear();
    return g;
}

/* ---- numbers of a second computation ---- */

static const char kepler_text[] = "coordinate x, y\n"
                                  "kinetic (x'^2 + y'^2)/2\n"
                                  "potential -1/sqrt(x^2 + y^2)\n"
                                  "start x = 1/2, y = 0, x' = 0, y' = sqrt(3)\n";

static void test_numbers_of_a_second_computation(void **unused)
{
    (void)unused;
    /* (q, p) at 0.3 + 0.037 after three steps of 0.1, computed in 40 digits by another program. */
    static const struct {
        const char *method, *z[4];
    } row[] = { { "lobatto 1",
                  { "0.30558782367840246442845056", "0.51762538994338877446427082",
                    "-0.97571234655156474777466999", "1.181237902685511642710609" } },
                { "lobatto 2",
                  { "0.30649097665996870308136554", "0.51205054779295310848305544",
                    "-0.99076685265142791082530304", "1.170353196228454204278473" } },
                { "lobatto 3",
                  { "0.30647135601500104683059416", "0.51205756533554042012707236",
                    "-0.99079841001662578061841937", "1.1703527105333922607984056" } },
                { "gauss 2",
                  { "0.30644400286169117894851135", "0.51205208490029357869024988",
                    "-0.99089179981444472639650097", "1.170318845954747910658757" } } };
    noe_system *s = parse(kepler_text);
    const quad  h = number("0.1"), tau = number("0.037");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int digits = 15; digits <= 33; digits += 18)
            for (int ahead = 0; ahead < 2; ahead++) {
                noe_integrator *g = started(s, row[i].method, h, digits);
                for (int k = 0; k < 3; k++) assert_int_equal(noe_step(g), NOE_OK);
                assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
                if (ahead) assert_int_equal(noe_step(g), NOE_OK);
                noe_integrator *x = noe_fractional_step_take(g, tau);
                assert_non_null(x);
                quad z[4];
                x->engine->get(x->work, NOE_AT_Q, 0, z),
                    x->engine->get(x->work, NOE_AT_P, 0, z + 2);
                for (int j = 0; j < 4;
                     j++) /* measured: 1.3e-16 and 1.6e-26, where the numbers end */
                    small(z[j] - number(row[i].z[j]), 1, digits > 15 ? 1e-24 : 1e-15,
                          row[i].method);
                noe_integrator_free(g);
            }
    noe_system_free(s);
}

/* ---- every system, every kind of method ---- */

/* Two runs, one of them with states read between its steps: the same bits.  The fractional step
 * at the end of a step is the step; a short one is q + tau v. */
static void untouched(const noe_system *s, const char *path)
{
    enum { STEPS = 40 };
    const int n = s->dyn.n;
    if (noe_system_monitored(s)) return; /* test_monitor_runs.c */
    double *q = malloc(2 * (size_t)n * sizeof *q), *p = q + n;
    for (int i = 0; i < KINDS; i++) {
        const quad      h = suggested_step(s);
        noe_integrator *g = started(s, kinds[i], h, 15), *r = started(s, kinds[i], h, 15);
        for (int k = 0; g && k < STEPS; k++) {
            const double t = noe_time(g) + fabs(random_number()) * (double)h;
            /* before the step, from the last polynomial, and after it, from its own */
            if (noe_at(g, t, q, p)) fail_msg("%s, %s: %s", path, kinds[i], noe_error());
            assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
            const noe_status a = noe_step(g), b = noe_step(r);
            assert_int_equal(a, b);
            if (a) break;
            noe_integrator *x = noe_fractional_step_at(g, t);
            assert_non_null(x);
            double size = 0, force = 0;
            for (int j = 0; j < n; j++) {
                size = fmax(size, fabs(q[j]) + fabs((double)h * noe_v(x)[j]));
                force = fmax(force, fmax(fabs(p[j]), fabs(noe_p(g)[j])));
            }
            for (int j = 0; j < n; j++) {
                small(noe_q(x)[j] - q[j], size, 1e-13, kinds[i]);
                small(noe_p(x)[j] - p[j], force, 1e-13, kinds[i]);
            }
            noe_fractional_step_leave(g);
            if (memcmp(noe_q(g), noe_q(r), (size_t)n * sizeof *q)
                || memcmp(noe_p(g), noe_p(r), (size_t)n * sizeof *q))
                fail_msg("%s, %s: the run has changed in step %d", path, kinds[i], k);
        }
        noe_integrator_free(g), noe_integrator_free(r);
    }
    free(q);
}

static void test_the_run_is_untouched(void **unused)
{
    (void)unused;
    every_system(untouched);
}

/* ---- order and momenta ---- */

/* (q, p) at time T by steps of h. */
static void at_time(const noe_system *s, const char *method, quad h, int digits, double T, quad *z)
{
    noe_integrator *g = started(s, method, h, digits);
    const int       n = s->dyn.n;
    assert_non_null(g);
    while (noe_time(g) + (double)h < T) assert_int_equal(noe_step(g), NOE_OK);
    assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
    noe_integrator *x = noe_fractional_step_at(g, T);
    assert_non_null(x);
    assert_true(noe_time(x) == T);
    if (noe_fractional_step_interpolates(g))
        for (int j = 0; j < n; j++) z[j] = noe_q(x)[j], z[n + j] = noe_p(x)[j];
    else x->engine->get(x->work, NOE_AT_Q, 0, z), x->engine->get(x->work, NOE_AT_P, 0, z + n);
    noe_integrator_free(g);
}

/* |y_h - y_h/2| / |y_h/2 - y_h/4| = 2^order at a time T on no grid.  T should be in the first
 * part of a step for every h: the error of Lobatto methods changes by a factor of five within a
 * step. */
static double order_between(const noe_system *s, const char *method, quad h, int digits, double T)
{
    const int n = 2 * s->dyn.n;
    quad     *z = calloc(3 * (size_t)n, sizeof *z), d[2] = { 0, 0 };
    for (int k = 0; k < 3; k++) at_time(s, method, ldexpq(h, -k), digits, T, z + k * n);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < n; j++) d[k] += fabsq(z[k * n + j] - z[(k + 1) * n + j]);
    free(z);
    return (double)log2q(d[0] / d[1]);
}

static void test_order(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag"), *kepler = parse(kepler_text);
    for (int i = 0; i < KINDS; i++) {
        noe_method *m = known_method(kinds[i]);
        const bool  splits = m->kind == NOE_SPLITTING;
        if (m->kind != NOE_NEWMARK && m->order > 1) {
            const double T = 0.5 + 0.1 * fabs(random_number()) * 0.01, h = splits ? 0.02 : 0.01,
                         p = order_between(splits ? kepler : s, kinds[i], (quad)h, 33, T);
            if (!(fabs(p - m->order) < 0.35))
                fail_msg("%s: order %.3g at t = %.15g", kinds[i], p, T);
        }
        noe_method_free(m);
    }
    noe_system_free(s), noe_system_free(kepler);
}

/* Momenta of symmetries that L has: at fractional times those of the grid, to rounding. */
static int strict_momenta;

static void momenta(const noe_system *plain, const char *path)
{
    static const char *const methods[] = { "simpson", "gauss 2", "gauss 8", "compose 6 simpson",
                                           "verlet" };
    if (noe_system_monitored(plain)) return; /* a part of a step is one in the fictitious time */
    noe_symmetries *found = noe_symmetry_find(plain);
    char            lines[4000] = "", name[4000] = "";
    int             count = 0;
    for (int i = 0; found && i < found->count; i++) {
        const noe_symmetry *y = &found->found[i];
        /* constants rounded to double (NOE_TO_ROUNDING) make them drift by that rounding */
        if (y->kind == NOE_ENERGY || !y->strict || y->forced_along || y->declared
            || strchr(y->momentum, '\n') || strlen(lines) + strlen(y->momentum) > 3500
            || strstr(y->momentum, "*t") || y->kind == NOE_BOOST)
            continue;
        sprintf(lines + strlen(lines), "observe m%d_ = %s\n", count++, y->momentum);
    }
    noe_symmetry_free(found);
    noe_error_clear();
    noe_system *s = count ? noe_system_observing(plain, lines) : NULL;
    (void)name;
    for (size_t i = 0; s && i < sizeof methods / sizeof *methods; i++) {
        noe_integrator *g = started(s, methods[i], suggested_step(s), 15);
        for (int k = 0; g && k < 20; k++) {
            double scale = 0;
            assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
            quad before[8];
            for (int c = 0; c < count && c < 8; c++) {
                char       text[16];
                noe_column x;
                sprintf(text, "m%d_", c);
                assert_true(noe_column_name_find(s, text, &x));
                before[c] = noe_column_value(g, &x);
            }
            if (noe_step(g)) break;
            for (int j = 0; j < s->dyn.n; j++)
                for (int l = 0; l < s->dyn.n; l++)
                    scale = fmax(scale, fabs(noe_p(g)[j]) * (1 + fabs(noe_q(g)[l])));
            noe_integrator *x = noe_fractional_step_take(g, (quad)fabs(random_number())
                                                                * suggested_step(s));
            assert_non_null(x);
            for (int c = 0; c < count && c < 8; c++) {
                char       text[16];
                noe_column y;
                sprintf(text, "m%d_", c);
                assert_true(noe_column_name_find(s, text, &y));
                /* measured: 2.5 units */
                small(noe_column_value(x, &y) - before[c], scale, 64 * UNIT, path);
            }
            strict_momenta++;
        }
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

static void test_momenta(void **unused)
{
    (void)unused;
    strict_momenta = 0;
    every_system(momenta);
    assert_true(strict_momenta > 500);
}

/* ---- other engines ---- */

/* Chains by sums, quadratic chains as a map, as a structure by products, by factors. */
static const char nonlinear_chain[] =
    "parameter N = 40\n"
    "coordinate x[0..N+1]\n"
    "fix x[0] = 0, x[N+1] = 0\n"
    "kinetic sum(i in 1..N) x[i]'^2/2\n"
    "potential sum(i in 0..N) ((x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/4)\n"
    "start x[i in 1..N] = sin(pi*i/(N+1)) + sin(2*i)/4\n";
static const char linear_chain[] = "parameter N = 40\n"
                                   "coordinate x[0..N+1]\n"
                                   "fix x[0] = 0, x[N+1] = 0\n"
                                   "kinetic sum(i in 1..N) x[i]'^2/2\n"
                                   "potential sum(i in 0..N) (x[i+1] - x[i])^2/2\n"
                                   "start x[i in 1..N] = sin(pi*i/(N+1)) + sin(2*i)/4\n";

static void test_chains(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *method;
        int         N;
        bool        between; /* interpolated */
        double      order;
    } row[] = {
        { nonlinear_chain, "simpson", 40, false, 4 },
        { nonlinear_chain, "lobatto 3", 40, false, 6 },
        { nonlinear_chain, "verlet", 40, false, 2 },
        { nonlinear_chain, "rk4", 40, false, 4 },
        { nonlinear_chain, "gauss 2", 300, false, 4 },
        { linear_chain, "simpson", 20, false, 4 },
        { linear_chain, "gauss 2", 20, false, 4 },
        { linear_chain, "simpson", 300, false, 4 },
        { linear_chain, "gauss 3", 300, false, 6 },
        { linear_chain, "verlet", 300, false, 2 },
        { linear_chain, "rk4", 300, false, 4 },
        { linear_chain, "newmark 1/4 1/2", 300, true, 2 },
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        noe_system     *all = parse(row[i].text), *s = noe_system_with(all, "N", row[i].N);
        const quad      h = (quad)1 / 5;
        noe_integrator *g = started(s, row[i].method, h, 15), *r = started(s, row[i].method, h, 15);
        const size_t    n = (size_t)s->dyn.n, bytes = n * sizeof(double);
        double         *q = malloc(2 * bytes), *p = q + n;
        assert_non_null(g);
        assert_int_equal(noe_fractional_step_interpolates(g), row[i].between);
        for (int k = 0; k < 12; k++) {
            const double t = noe_time(g);
            assert_int_equal(noe_at(g, t + 0.2 * fabs(random_number()), q, p), NOE_OK);
            assert_int_equal(noe_at(g, t, q, p), NOE_OK);
            assert_int_equal(memcmp(q, noe_q(g), bytes), 0);
            assert_int_equal(noe_step(g), NOE_OK), assert_int_equal(noe_step(r), NOE_OK);
            if (memcmp(noe_q(g), noe_q(r), bytes) || memcmp(noe_p(g), noe_p(r), bytes))
                fail_msg("%s, N = %d: the run has changed in step %d", row[i].method, row[i].N, k);
        }
        const double order = order_between(s, row[i].method, h, 15,
                                           2 + 0.04 * fabs(random_number()));
        if (!(fabs(order - row[i].order) < 0.7))
            fail_msg("%s, N = %d: order %.3g", row[i].method, row[i].N, order);
        free(q);
        noe_integrator_free(g), noe_integrator_free(r);
        noe_system_free(s), noe_system_free(all);
    }
}

/* ---- short steps, bad times ---- */

static void test_short_steps(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    for (int i = 0; i < KINDS; i++) {
        noe_integrator *g = started(s, kinds[i], suggested_step(s), 15);
        for (int k = 0; g && k < 5; k++) noe_step(g);
        for (int e = -40; g && e < -10; e += 3) {
            const double tau = ldexp(1 + fabs(random_number()), e);
            assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
            noe_integrator *x = noe_fractional_step_take(g, tau);
            assert_non_null(x);
            const quad unit = 4 * UNIT * (1 + (quad)tau * tau / UNIT * 40);
            for (int j = 0; j < 2; j++)
                small(noe_q(x)[j] - (noe_q(g)[j] + (quad)tau * noe_v(g)[j]), 1, (double)unit,
                      kinds[i]);
        }
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

static void test_times_outside_the_step(void **unused)
{
    (void)unused;
    noe_system     *s = parse(kepler_text);
    noe_integrator *g = started(s, "simpson", number("0.1"), 15),
                   *w = started(s, "simpson", number("0.1"), 50);
    const double bad[] = { -0.01, 0.11, NAN, INFINITY };
    double       q[2], p[2];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(noe_at(g, bad[i], q, p), NOE_INVALID);
        assert_true(strstr(noe_error(), "expected a time within the next step, from 0 to 0.1")
                    != NULL);
        noe_error_clear();
    }
    assert_int_equal(noe_at(g, 0.1, q, p), NOE_OK);
    assert_int_equal(noe_step(g), NOE_OK);
    close_to(q[0], noe_q(g)[0], 2e-16), close_to(p[1], noe_p(g)[1], 4e-16);
    if (w) {
        assert_int_equal(noe_at(w, 0.01, q, p), NOE_INVALID);
        assert_true(strstr(noe_error(), "50 digits") != NULL);
        noe_error_clear();
    }
    noe_integrator_free(g), noe_integrator_free(w), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers_of_a_second_computation),
                                        cmocka_unit_test(test_the_run_is_untouched),
                                        cmocka_unit_test(test_order),
                                        cmocka_unit_test(test_momenta),
                                        cmocka_unit_test(test_chains),
                                        cmocka_unit_test(test_short_steps),
                                        cmocka_unit_test(test_times_outside_the_step) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound used to %.2g\n", tightest);
    return failed;
}
