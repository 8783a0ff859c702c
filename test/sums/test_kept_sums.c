/* Sums that stay sums = sums written out: the same motion to rounding, no drift, what is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kept_sums.h"
#include "leaks.h"
#include "integrate/integrator.h"

static const struct {
    const char *name, *text;
} models[] = {
    { "a chain, held at its ends",
      "parameter N = 9, alpha = 0.25\ncoordinate x[0..N+1]\nfix x[0] = 0, x[N+1] = 0.3\n"
      "kinetic sum(i in 1..N) x[i]'^2/2\n"
      "r[i] = x[i+1] - x[i]\npotential sum(i in 0..N) (r[i]^2/2 + alpha/3*r[i]^3)\n"
      "A[k in 1..2] = sum(i in 1..N) x[i]*sin(pi*k*i/(N+1))\n"
      "observe E[k in 1..2] = A[k]'^2 + A[k]^2\n"
      "observe m = sum(i in 1..N) x[i]^2*p(x[i])/i, u = x[3]*x[4]' + m*energy\n"
      "start x[i] = sin(pi*i/(N+1)), x[2]' = 1, p(x[5]) = -1" },
    { "a ring with an outer field",
      "parameter N = 8, k = 2, g[0..N-1] = (1, 2, 3, 4, 5, 6, 7, 8)\ncoordinate q[0..N-1]\n"
      "kinetic sum(i in 0..N-1) (1 + i)/2*q[i]'^2\n"
      "potential sum(i in 0..N-1) (exp(q[(i+1) mod N] - q[i]) + g[i]*(1 - cos(k*q[i])))\n"
      "start q[i] = cos(i), q[i]' = sin(2*i)\nobserve e = sum(i in 0..N-1) g[i]*q[i]" },
    { "bodies in the plane",
      "parameter n = 6, m[i in 1..n] = 1 + i/3\ncoordinate x[1..n], y[1..n]\n"
      "kinetic sum(i in 1..n) m[i]/2*(x[i]'^2 + y[i]'^2)\n"
      "potential -sum(i in 1..n, j in i+1..n) m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2)\n"
      "start x[i] = 3*cos(i), y[i] = 3*sin(i), x[i]' = -sin(i), y[i]' = cos(i)\n"
      "observe L = sum(i in 1..n) (x[i]*p(y[i]) - y[i]*p(x[i])), c = sum(i in 1..n) x[i]^2*x[i]'" },
    { "a lattice, and one coordinate that all of it feels",
      "parameter N = 4, k = 3, t0 = 2\ncoordinate z, u[0..N*N-1]\n"
      "kinetic 5*z'^2 + sum(i in 0..N*N-1) u[i]'^2/2\n"
      "potential 2*z^2 - sum(i in 0..N*N-1) 0.1*z*t0\n"
      "lagrangian (z^3/7 - sum(i in 0..N*N-1) u[i]/9)/2\n"
      "potential k*(sum(i in 0..N-1, j in 0..N-2) (u[i*N+j+1] - u[i*N+j])^2/2) + sum(i in 0..N-2, "
      "j in 0..N-1) (u[i*N+N+j] - u[i*N+j])^4/4\n"
      "potential -sin(u[3]) + sum(i in 0..N*N-1) (u[i] - z)^2/2\nstart u[i] = sin(3*i), z' = 0.5\n"
      "observe s = z + u[2]^2" },
    { "signs and functions",
      "coordinate x[1..12]\nkinetic sum(i in 1..12) x[i]'^2\n"
      "potential sum(i in 1..11) (sin(x[i] - x[i+1])*cos(x[i] - x[i+1])/(3 - sin(x[i+1])) - "
      "exp(-(x[i+1] - x[i]))*tanh(x[i] - x[i+1]) - (-x[i])*(-x[i+1])/7 + sqrt(2 - cos(x[i] - "
      "x[i+1])) + log(3 - (x[i+1] - x[i])^3/9) + (x[i] - 1)*(1 - x[i+1])/5)\nstart x[i] = "
      "sin(i^2)" },
    { "angles",
      "coordinate x[1..12]\nkinetic sum(i in 1..12) x[i]'^2\n"
      "potential sum(i in 1..11) (atan2(x[i+1] - x[i], 2 - x[i]) + (x[i] - x[i+1])^2*max(x[i], -5) "
      "- min(-x[i+1], 4)^2/2)\n"
      "start x[i] = sin(i^2)\n"
      "observe a = sum(i in 1..11) atan2(x[i] - x[i+1], -1), b = sum(i in 1..12) if(x[i] < -9, -1, "
      "x[i])" },
    { "strides",
      "coordinate x[1..12]\nkinetic sum(i in 1..6) (x[2*i]'^2 + 2*x[2*i-1]'^2)\n"
      "potential (sum(i in 1..6) (x[13-2*i] - x[i])^2) + (sum(i in 1..12) x[i]^4/4) + sum(i in "
      "1..3, j in 2*i..5) x[i]*x[j]*x[12-i-j]/9\n"
      "start x[i in 2..5] = 1/i, x[7] = 0.4" },
};

enum { MODELS = sizeof models / sizeof *models };

static void compare(const char *name, noe_integrator *g, noe_integrator *w, const char *column,
                    double bound)
{
    const double a = noe_get(g, column), b = noe_get(w, column);
    if (!(fabs(a - b) <= bound * (1 + fabs(b))))
        fail_msg("%s: %s is %.17g, written out %.17g", name, column, a, b);
}

static void test_same(void **unused)
{
    (void)unused;
    static const char *const methods[] = { "simpson", "gauss 1", "gauss 4", "lobatto 1",
                                           "lobatto 5", "P2 gauss 4", "P3 radau-left 4", "gauss 8",
                                           /* explicit ones, and compositions */
                                           "verlet", "verlet-drift", "euler", "ruth3", "mclachlan4",
                                           "sb3a-4", "srkn6-4", "srkn14-6", "kahan-li8", "rk4",
                                           "rk4-v", "compose kahan-li6 simpson",
                                           "compose 6 gauss 2" };
    for (int k = 0; k < MODELS; k++)
        for (size_t f = 0; f < sizeof methods / sizeof *methods; f++) {
            noe_system *s = parse(models[k].text), *grouped = as(s, NOE_MODEL_GROUPED),
                       *written = as(s, NOE_MODEL_WRITTEN);
            assert_non_null(grouped->dyn.groups);
            assert_null(written->dyn.groups);
            assert_int_equal(noe_system_dim(grouped), noe_system_dim(written));
            noe_method     *m = method(methods[f]);
            noe_integrator *g = noe_integrator_new(grouped, m, 0.02),
                           *w = noe_integrator_new(written, m, 0.02);
            if (!g || noe_run(g, 0.5, NULL, NULL) || noe_run(w, 0.5, NULL, NULL))
                fail_msg("%s: %s", models[k].name, noe_error());
            double worst = 0;
            for (int i = 0; i < noe_system_dim(s); i++) {
                assert_string_equal(noe_system_name(grouped, i), noe_system_name(written, i));
                worst = fmax(worst, fabs(noe_q(g)[i] - noe_q(w)[i])
                                        + fabs(noe_p(g)[i] - noe_p(w)[i])
                                        + fabs(noe_v(g)[i] - noe_v(w)[i]));
                compare(models[k].name, g, w, noe_system_name(written, i), 5e-14);
            }
            if (!(worst < 1e-13))
                fail_msg("%s, %s: they part by %.2e", models[k].name, methods[f],
                         worst); /* measured: 4e-15 */
            compare(models[k].name, g, w, "energy", 2e-14);
            for (int i = 0; i < s->model->observables; i++)
                compare(models[k].name, g, w, written->model->observable[i]->name, 1e-13);
            noe_integrator_free(g), noe_integrator_free(w), noe_method_free(m);
            noe_system_free(s), noe_system_free(grouped), noe_system_free(written);
        }
}

/* Rounding walks at random: after k steps the energy is off by about eps sqrt(k), not by a
 * drift.  A step that rounds its coefficients one by one, or ends its iteration at two units of
 * rounding, drifts by 8e-18 a step: 1.6e-13 here. */
static void test_no_drift(void **unused)
{
    (void)unused;
    enum { STEPS = 20000 };
    noe_system *s = load("systems/fput_alpha.lag"), *a = noe_system_let(s, "N = 150"),
               *b = noe_system_let(a, "x[i] = sin(pi*i/(N+1)) + sin(i^2)/4");
    noe_method     *m = method("gauss 6");
    noe_integrator *g = noe_integrator_new(b, m, 0.1);
    assert_non_null(b->dyn.groups);
    const double E = noe_get(g, "energy");
    for (int k = 0; k < STEPS; k++)
        if (noe_step(g)) fail_msg("%s", noe_error());
    const double off = fabs(noe_get(g, "energy") - E) / E;
    if (!(off < 2.2e-16 * sqrt(STEPS)))
        fail_msg("the energy is off by %.2e after %d steps", off, STEPS); /* measured: 4e-15 */
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s), noe_system_free(a),
        noe_system_free(b);
}

/* Written out, a chain across several tiles moves alike: the rims are wide enough. */
static void test_tiles(void **unused)
{
    (void)unused;
    noe_system *s = parse(
        "parameter N = 2200\ncoordinate x[1..N]\nkinetic sum(i in 1..N) x[i]'^2/2\n"
        "potential sum(i in 1..N-2) ((x[i+2] - x[i])^2 + (x[i+1] - x[i])^4)/2\n"
        "start x[i] = sin(i^2)/2");
    noe_method     *m = method("gauss 2");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    assert_non_null(s->dyn.groups);
    if (noe_run(g, 1, NULL, NULL)) fail_msg("%s", noe_error());
    /* the same by the equations of the method itself, all sites at once */
    const double r = sqrt(3), A[2][2] = { { 0.25, 0.25 - r / 6 }, { 0.25 + r / 6, 0.25 } };
    enum { N = 2200 };
    double *q = calloc(8 * N, sizeof *q), *v = q + N, *F[2] = { q + 2 * N, q + 3 * N },
           *Q = q + 4 * N, worst = 0;
    for (int i = 0; i < N; i++) q[i] = sin((double)(i + 1) * (i + 1)) / 2;
    for (int step = 0; step < 10; step++) {
        for (int it = 0; it < 60; it++) {
            double *next[2] = { q + 5 * N, q + 6 * N };
            for (int k = 0; k < 2; k++) {
                for (int i = 0; i < N; i++) {
                    Q[i] = q[i];
                    for (int j = 0; j < 2; j++) Q[i] += 0.1 * A[k][j] * v[i];
                    for (int j = 0; j < 2; j++)
                        for (int l = 0; l < 2; l++) Q[i] += 0.01 * A[k][j] * A[j][l] * F[l][i];
                }
                memset(next[k], 0, N * sizeof *q);
                for (int i = 0; i + 2 < N; i++) {
                    const double a = Q[i + 2] - Q[i], b = 2 * pow(Q[i + 1] - Q[i], 3);
                    next[k][i] += a + b, next[k][i + 2] -= a, next[k][i + 1] -= b;
                }
            }
            memcpy(F[0], next[0], 2 * N * sizeof *q);
        }
        for (int i = 0; i < N; i++) {
            q[i] += 0.1 * v[i];
            for (int j = 0; j < 2; j++)
                for (int l = 0; l < 2; l++) q[i] += 0.01 * 0.5 * A[j][l] * F[l][i];
            v[i] += 0.1 * (F[0][i] + F[1][i]) / 2;
        }
    }
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(noe_q(g)[i] - q[i]) + fabs(noe_v(g)[i] - v[i]));
    if (!(worst < 2e-14))
        fail_msg("tiles part from the whole by %.2e", worst); /* measured: 2e-15 */
    free(q);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* A small chain is stepped by its sums; it goes where all of L goes, and what looks at all of L
 * still does. */
static void test_small_chain(void **unused)
{
    (void)unused;
    static const struct {
        const char *file, *method;
        double      h;
        bool        uses_sums;
    } cases[] = {
        { "fput_alpha", "sb3a-4", 0.1, true },
        { "fput_alpha", "simpson", 0.1, true },
        { "fput_alpha", "rk4", 0.1, true },
        { "sine_gordon", "simpson", 0.05, true },
        { "spring_lattice", "verlet", 0.02, true },
        { "toda", "midpoint", 0.05, true },
        { "lennard_jones", "simpson", 0.002, true },
        { "outer_solar_system", "simpson", 100, true },
        { "outer_solar_system", "verlet", 100, false },
        { "fput_alpha", "gauss 8", 0.1, false },
        { "n_link_pendulum", "simpson", 0.01, false },
        { "pleiades", "simpson", 0.001, false },
        { "hanging_cable", "sb3a-4", 0.001, true },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[80];
        snprintf(path, sizeof path, "systems/%s.lag", cases[k].file);
        noe_system     *s = load(path), *whole = noe_system_written(s, "a test");
        noe_method     *m = method(cases[k].method);
        noe_integrator *g = noe_integrator_new(s, m, cases[k].h),
                       *w = noe_integrator_new(whole, m, cases[k].h);
        const int n = noe_system_dim(s);
        if (!g || !w || noe_error()) fail_msg("%s: %s", path, noe_error());
        if (noe_integrator_uses_sums(g) != cases[k].uses_sums || noe_integrator_uses_sums(w))
            fail_msg("%s by %s: uses_sums %d", path, cases[k].method, !cases[k].uses_sums);
        if (noe_run(g, 40 * cases[k].h, NULL, NULL) || noe_run(w, 40 * cases[k].h, NULL, NULL))
            fail_msg("%s: %s", path, noe_error());
        double worst = 0, size = 0;
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(noe_q(g)[i] - noe_q(w)[i]) + fabs(noe_v(g)[i] - noe_v(w)[i]));
            size = fmax(size, fabs(noe_q(w)[i]) + fabs(noe_v(w)[i]));
        }
        if (!(worst <= 4e-14 * size))
            fail_msg("%s by %s: they part by %.2e", path, cases[k].method,
                     worst / size); /* measured: 8e-16 */
        compare(path, g, w, "energy", 1e-14 * fabs(noe_get(w, "energy")));
        for (int i = 0; i < whole->model->observables; i++)
            compare(path, g, w, whole->model->observable[i]->name, 1e-13);
        if (n <= 40 && m->kind == NOE_GALERKIN) { /* the derivative of the step, and the step */
            double *M = malloc(8 * (size_t)(n * n) * sizeof *M), off = 0, most = 0;
            if (noe_step_jacobian(g, M) || noe_step_jacobian(w, M + 4 * n * n))
                fail_msg("%s: %s", path, noe_error());
            for (int i = 0; i < 4 * n * n; i++)
                off = fmax(off, fabs(M[i] - M[4 * n * n + i])), most = fmax(most, fabs(M[i]));
            if (!(off <= 2e-14 * most))
                fail_msg("%s: derivatives part by %.2e", path, off / most); /* measured: 2e-16 */
            if (noe_get(g, "steps") != 41 || noe_get(w, "steps") != 41)
                fail_msg("%s: %g steps", path, noe_get(g, "steps"));
            free(M);
        }
        noe_integrator_free(g), noe_integrator_free(w), noe_method_free(m), noe_system_free(s),
            noe_system_free(whole);
    }
}

/* What a large model cannot be is said; what it may be, written out, is done. */
static void test_refused(void **unused)
{
    (void)unused;
#define BIG "coordinate x[1..5000]\nkinetic sum(i in 1..5000) x[i]'^2/2\n"
#define MID "coordinate x[1..200]\nkinetic sum(i in 1..200) x[i]'^2/2\n"
    static const struct {
        const char *text, *says; /* NULL: it runs */
    } cases[] = {
        { BIG "potential sqrt(sum(i in 1..5000) x[i]^2 + 1)", "a nonlinear function of a sum" },
        { MID "potential sqrt(sum(i in 1..200) x[i]^2 + 1)", NULL },
        { BIG "potential sum(i in 1..5000) x[i+1]^2",
          "'x[5001]' does not exist (i = 5000): the index runs over 1..5000" },
        { BIG "potential sum(i in 1..20, j in 1..1000) x[i*j]^2", "too complicated an index" },
        { BIG "potential sum(i in 1..5000) x[(i - 1) mod 5000]^2",
          "'x[0]' does not exist (i = 1)" },
        { BIG "potential sum(i in 5..4) x[i]^2",
          "the sum is empty: its index would run over 5..4" },
        { BIG "potential sum(i in 1..4935) sum(j in 1..65) x[i+j]^2/9",
          "a sum inside a sum, of more than 64 terms" },
        { BIG "force x[1] = 1", "the statement 'force': this works up to" },
        { MID "force x[1] = 1", NULL },
        { BIG "kinetic x[1]'*x[2]'/8\nstart p(x[3]) = 1", "couples velocities" },
        { MID "kinetic x[1]'*x[2]'/8\nstart p(x[3]) = 1", NULL },
        { BIG "kinetic x[1]*x[1]'*x[2]'/8", "depend on the" },
        { BIG "kinetic sum(i in 1..5000) x[i]^2*x[i]'^2", "depend on the" },
        { BIG "potential t*x[1]", "depend on t" },
        { BIG "lagrangian sum(i in 1..4999) x[i]*x[i+1]'", "positions" },
        { "coordinate x[0..5000]\nkinetic sum(i in 1..5000) x[i]'^2/2",
          "coordinate 'x[0]' has no kinetic energy" },
        { BIG "fix x[3] = sin(t)", "fixed to what moves" },
        { BIG "fix x[i] = 0", "every coordinate is fixed" },
        { BIG "fix x[5001] = 0", "'x[5001]' does not exist" },
        { BIG "start x[0] = 1", "'x[0]' does not exist" },
        { BIG "start x[i] = x[1]", "expected numbers and parameters only" },
        { BIG "X[0] = 0\nX[i] = X[i-1] + x[i]\npotential sum(i in 1..5000) X[i]^2",
          "a recurrence" },
        { MID "X[0] = 0\nX[i] = X[i-1] + x[i]\npotential sum(i in 1..200) X[i]^2", NULL },
        { "coordinate x[1..10^15]\nkinetic x[1]'^2", "expected ']'" },
        { "coordinate x[1..1000000000000]\nkinetic x[1]'^2", "GB of memory" },
        { "parameter N = 1e11\ncoordinate x[1..N]\nkinetic x[1]'^2", "GB of memory" },
        { MID "potential sum(i in 1..199) sum(j in i..200) x[j]^2/9", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        noe_error_clear();
        noe_system *s = noe_system_parse(cases[i].text);
        if (cases[i].says ? s || !strstr(noe_error(), cases[i].says) : !s || s->dyn.groups)
            fail_msg("%.80s..: %s", strchr(cases[i].text, '\n') + 1, s ? "taken" : noe_error());
        noe_system_free(s);
    }
    noe_error_clear();
    noe_system *inner = parse(BIG "potential sum(i in 1..4935) sum(j in 1..64) x[i+j]^2/9");
    assert_non_null(inner->dyn.groups);
    noe_system_free(inner);
    noe_system *s = parse(
        BIG "potential sum(i in 1..5000) (x[i]^2 + 1e-9*x[i]^4)"); /* but for that a structure */
    noe_method *m = method("luo-guo4-frozen");
    assert_null(noe_integrator_new(s, m, 0.1));
    assert_non_null(
        strstr(noe_error(), "5000 coordinates in sums are not stepped by 'luo-guo4-frozen'"));
    noe_error_clear();
    assert_null(noe_system_emit(s, "L"));
    assert_non_null(strstr(noe_error(), "written out"));
    noe_error_clear();
    noe_method *f = method("simpson");
    assert_null(noe_check(s, f, 0.1));
    assert_non_null(strstr(noe_error(), "written out"));
    noe_error_clear();
    noe_integrator *g = noe_integrator_new(s, f, 2.2); /* beyond the limit of stability, 2 */
    noe_system     *b = noe_system_let(s, "x[3] = 1");
    noe_integrator *h = noe_integrator_new(b, f, 2.2);
    assert_int_equal(noe_step(g), NOE_OK); /* at rest */
    assert_int_equal(noe_set(h, "solver", 2), NOE_OK);
    assert_int_equal(noe_run(h, 2000, NULL, NULL), NOE_NOT_CONVERGED);
    assert_non_null(strstr(noe_error(), "beyond the stability limit of the method, 2 = 2.83/1.41"));
    assert_true(fabs(noe_get(h, "x.3")) < 10 && noe_time(h) < 100);
    noe_error_clear();
    noe_integrator_free(g), noe_integrator_free(h), noe_method_free(m), noe_method_free(f);
    noe_system_free(s), noe_system_free(b);
}

static void parse_and_drop(const void *text) { noe_system_free(noe_system_parse(text)); }

/* What is refused leaves no memory behind, nor does what is taken. */
static void test_nothing_lost(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        BIG "observe a = x[1]*sum(i in 1..5000) x[i+1]^2",
        BIG "observe a = x[1] + sin(x[2])\nobserve b = sum(i in 5..4) x[i]",
        BIG "potential sum(i in 1..5000) x[i+1]^2",
        BIG "potential sum(i in 1..4999) (x[i+1] - x[i])^2/2\nobserve a = x[1]*x[2]",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        const size_t lost = bytes_lost(parse_and_drop, text[i]);
        if (lost) fail_msg("%s: %zu bytes are lost", strchr(text[i], '\n') + 1, lost);
        if (i < 3) assert_non_null(noe_error());
        noe_error_clear();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),    cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_tiles),   cmocka_unit_test(test_small_chain),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_nothing_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
