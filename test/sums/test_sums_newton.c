/* large steps of many coordinates.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Newton's method finds the solution of the same equations as the dense core. */
#include "laws.h"

#include "sums/sums.h"
#include "integrate/integrator.h"

/* The model with its sums kept, or written out. */
static noe_system *as(const char *text, noe_model_kind kind)
{
    noe_arena  *arena = noe_arena_new();
    noe_system *s = noe_arena_take(arena, sizeof *s);
    s->arena = arena;
    s->source = "text";
    if (!noe_system_fill(s, kind, text, strlen(text))) fail_msg("%s\n%s", noe_error(), text);
    s->usual = s->model->observables;
    return s;
}

static double positive(double lo, double hi) { return lo + (hi - lo) * (random_number() + 1) / 2; }

/* "NAME[0..n-1] = (..)" of random numbers. */
static char *list(char *to, const char *name, int n, double lo, double hi)
{
    to += sprintf(to, "parameter %s[0..%d] = (", name, n - 1);
    for (int i = 0; i < n; i++) to += sprintf(to, "%s%.17g", i ? ", " : "", positive(lo, hi));
    return to + sprintf(to, ")\n");
}

enum {
    CHAIN,
    RING,
    PLANE,
    LATTICE,
    PAIRS,
    BAR,
    HOOP,
    SHAPES
}; /* the last two: consistent masses */

/* Convex springs of about the given stiffness, masses from 1 to 3, positions of size 1. */
static void model(char *text, int shape, double k)
{
    const int n = shape == LATTICE ? 16 : 9;
    text = list(text, "m", n, 1, 3);
    text = list(text, "k", n, k, 2 * k);
    text = list(text, "u", n, -1, 1);
    text = list(text, "w", n, -1, 1);
    text += sprintf(text, "coordinate x[0..%d]%s\n", n - 1, shape == PLANE ? ", y[0..8]" : "");
    if (shape == CHAIN) text += sprintf(text, "fix x[0] = 0\n");
    if (shape == BAR)
        text += sprintf(text,
                        "fix x[8] = 0.5\n"
                        "kinetic sum(i in 0..7) m[i]/6*(x[i]'^2 + x[i]'*x[i+1]' + x[i+1]'^2)\n");
    else if (shape == HOOP)
        text += sprintf(
            text,
            "kinetic sum(i in 0..8) m[i]/9*(x[i]'^2 + x[i]'*x[(i+1) mod 9]' + x[(i+1) mod 9]'^2) + "
            "x[3]'^2/9\n");
    else text += sprintf(text, "kinetic sum(i in 0..%d) m[i]/2*x[i]'^2\n", n - 1);
    if (shape == PLANE) text += sprintf(text, "kinetic sum(i in 0..8) m[8-i]/2*y[i]'^2\n");
    switch (shape) {
    case BAR:
    case CHAIN:
        text += sprintf(
            text, "r[i] = x[i+1] - x[i]\npotential sum(i in 0..7) k[i]*(r[i]^2/2 + r[i]^4/40)\n");
        break;
    case HOOP:
    case RING:
        text += sprintf(text, "r[i in 0..8] = x[(i+1) mod 9] - x[i]\n"
                              "potential sum(i in 0..8) k[i]*(cosh(r[i]/4) - 1)*16\n");
        break;
    case PLANE:
        text += sprintf(
            text,
            "d[i] = (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2\n"
            "potential sum(i in 0..7) k[i]/2*(d[i] + d[i]^2/40)\n"
            "potential (sum(i in 0..8) (x[i]^2 + y[i]^2)/2) + sum(i in 0..6) (y[i+2] - 2*y[i+1] + "
            "y[i])^2\n");
        break;
    case LATTICE:
        text += sprintf(
            text, "potential sum(i in 0..3, j in 0..2) k[4*i+j]/2*(x[4*i+j+1] - x[4*i+j])^2\n"
                  "potential sum(e in 0..11) k[e]*((x[e+4] - x[e])^2/2 + (x[e+4] - x[e])^4/40)\n"
                  "potential sum(e in 0..15) x[e]^4/4\n");
        break;
    default:
        text += sprintf(text,
                        "potential sum(i in 0..7, j in i+1..8) k[i]/8*((x[i] - x[j])^2/2 + (x[i] - "
                        "x[j])^4/90)\n");
    }
    sprintf(text, "start x[i] = u[i]%s, x[i]' = w[i]\n", shape == PLANE ? ", y[i] = w[i]" : "");
}

/* The largest difference of q, v, p and energy from binary128, each in units of the largest. */
static double apart(noe_integrator *g, noe_integrator *w)
{
    const int n = noe_system_dim(g->system);
    double    q = 0, p = 0, dq = 0, dp = 0, v = 0, dv = 0;
    for (int i = 0; i < n; i++) {
        q = fmax(q, fabs(noe_q(w)[i])), dq = fmax(dq, fabs(noe_q(g)[i] - noe_q(w)[i]));
        p = fmax(p, fabs(noe_p(w)[i])), dp = fmax(dp, fabs(noe_p(g)[i] - noe_p(w)[i]));
        v = fmax(v, fabs(noe_v(w)[i])), dv = fmax(dv, fabs(noe_v(g)[i] - noe_v(w)[i]));
    }
    const double E = noe_get(w, "energy"), dE = fabs(noe_get(g, "energy") - E);
    return fmax(fmax(dq / q, dv / v), fmax(dp / p, dE / fabs(E)));
}

static const char *const methods[] = { "simpson",    "midpoint",        "gauss 2",
                                       "gauss 5",    "gauss 8",         "lobatto 4",
                                       "P2 gauss 4", "P3 radau-left 4", "compose 6 simpson" };
enum { NAMES = sizeof methods / sizeof *methods, LEGS = 5 };

/* One run of every solver beside the dense core in binary128.  turn: about the fastest omega h. */
static void compare(int shape, const char *name, double turn)
{
    static char  text[8000];
    const double k = 100, h = turn / sqrt((shape < BAR ? 8 : 40) * k);
    model(text, shape, k);
    noe_system     *grouped = as(text, NOE_MODEL_GROUPED), *written = as(text, NOE_MODEL_WRITTEN);
    noe_method     *m = method(name);
    noe_integrator *w = noe_integrator_make(written, m, h, 33);
    assert_non_null(grouped->dyn.groups);
    if (!w || noe_run(w, LEGS * h, NULL, NULL)) fail_msg("%s, %d: %s", name, shape, noe_error());
    for (int solver = 0; solver <= 3; solver++) {
        if (solver == 1 && turn > 1) continue; /* the fixed point alone may fail, and says so */
        noe_integrator *g = noe_integrator_new(grouped, m, h);
        assert_int_equal(noe_set(g, "solver", solver), NOE_OK);
        if (!g || noe_run(g, LEGS * h, NULL, NULL))
            fail_msg("%s, shape %d, solver %d: %s", name, shape, solver, noe_error());
        /* Forces lose (omega h)^2 roundings of a position, and a step hands them on. */
        small(apart(g, w), 1 + turn * turn, 6e-14, name); /* measured: 5e-15 */
        if (solver > 1) assert_true(noe_get(g, "refreshes") >= 1 || !strcmp(name, "lobatto 1"));
        if (solver == 3) assert_true(noe_get(g, "refreshes") == noe_get(g, "iterations"));
        noe_integrator_free(g);
    }
    noe_integrator_free(w), noe_method_free(m), noe_system_free(grouped), noe_system_free(written);
}

static void test_same(void **unused)
{
    (void)unused;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int f = 0; f < NAMES; f++) {
            compare(shape, methods[f], 0.5);
            /* within the limit of Lobatto's */
            compare(shape, methods[f], f == 0 || f == 5 || f == 6 || f == 8 ? 1.5 : 4);
        }
    printf("closest to a bound: %.2f of it\n", tightest);
}

/* Springs a million times as stiff as the step would like, linear: the dense core solves them by
 * its exact matrices. */
static void test_very_stiff(void **unused)
{
    (void)unused;
    static char text[4000];
    char       *to = list(text, "k", 9, 1e6, 2e6);
    to = list(to, "u", 9, -1, 1);
    sprintf(to, "coordinate x[0..8]\nkinetic sum(i in 0..8) x[i]'^2/2\nstart x[i] = u[i]\n"
                "potential (sum(i in 0..7) k[i]/2*(x[i+1] - x[i])^2) + sum(i in 0..8) x[i]^2/2\n");
    noe_system *grouped = as(text, NOE_MODEL_GROUPED), *written = as(text, NOE_MODEL_WRITTEN);
    static const char *const names[] = { "midpoint", "gauss 3", "gauss 8" };
    for (int f = 0; f < 3; f++) {
        noe_method     *m = method(names[f]);
        noe_integrator *g = noe_integrator_new(grouped, m, 0.5),
                       *w = noe_integrator_new(written, m, 0.5);
        if (noe_run(g, 5, NULL, NULL) || noe_run(w, 5, NULL, NULL)) fail_msg("%s", noe_error());
        assert_true(noe_get(g, "refreshes") >= 1); /* by itself */
        /* omega h = 1400: 2e6 roundings a step may be lost in the forces, and stay bounded as
         * the motion does. */
        small(apart(g, w), 1, 10 * 2e6 * 2.2e-16, names[f]);
        noe_integrator_free(g), noe_integrator_free(w), noe_method_free(m);
    }
    noe_system_free(grouped), noe_system_free(written);
}

static noe_system *chain(int n)
{
    char text[600];
    sprintf(text,
            "parameter N = %d\ncoordinate x[0..N+1]\nfix x[0] = 0, x[N+1] = 0\n"
            "kinetic sum(i in 1..N) x[i]'^2/2\n"
            "potential sum(i in 0..N) ((x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/4)\n"
            "start x[i] = sin(i^2)/9\n",
            n);
    return as(text, NOE_MODEL_GROUPED);
}

/* Any number of threads gives the same bits, and the choice of solver is theirs too. */
static void test_threads(void **unused)
{
    (void)unused;
    noe_system *s = chain(5000);
    noe_method *m = method("gauss 3");
    double     *x[3];
    for (int i = 0; i < 3; i++) {
        noe_integrator *g = noe_integrator_new(s, m, 1.5);
        if (noe_set(g, "threads", i + 1) || noe_run(g, 30, NULL, NULL)) fail_msg("%s", noe_error());
        assert_true(noe_get(g, "refreshes") >= 1);
        x[i] = calloc(10000, sizeof **x);
        memcpy(x[i], noe_q(g), 5000 * sizeof **x), memcpy(x[i] + 5000, noe_p(g), 5000 * sizeof **x);
        noe_integrator_free(g);
    }
    assert_memory_equal(x[0], x[1], 10000 * sizeof **x);
    assert_memory_equal(x[0], x[2], 10000 * sizeof **x);
    for (int i = 0; i < 3; i++) free(x[i]);
    noe_method_free(m), noe_system_free(s);
}

/* A run goes on bit for bit where another ended, between two matrices too. */
static void test_restart(void **unused)
{
    (void)unused;
    noe_system     *s = chain(150);
    noe_method     *m = method("gauss 2");
    noe_integrator *g = noe_integrator_new(s, m, 1.5), *f = noe_integrator_new(s, m, 1.5),
                   *all = noe_integrator_new(s, m, 1.5);
    size_t bytes;
    assert_int_equal(noe_run(all, 60, NULL, NULL), NOE_OK);
    assert_true(noe_get(all, "refreshes") >= 1);
    for (int leg = 1; leg <= 10; leg++) {
        assert_int_equal(noe_run(g, 6 * leg - 1.5, NULL, NULL), NOE_OK);
        const void *memory = g->engine->memory(g->work, &bytes);
        assert_true(noe_integrator_start_restore(f, memory, bytes));
        assert_int_equal(noe_run(f, 6 * leg, NULL, NULL), NOE_OK);
        noe_integrator *swap = g;
        g = f, f = swap;
    }
    assert_memory_equal(noe_q(g), noe_q(all), 150 * sizeof(double));
    assert_memory_equal(noe_p(g), noe_p(all), 150 * sizeof(double));
    noe_integrator_free(g), noe_integrator_free(f), noe_integrator_free(all), noe_method_free(m),
        noe_system_free(s);
}

/* Steps where the fixed point contracts fast are left to it; beyond the limit of stability a run
 * ends and says why. */
static void test_chosen(void **unused)
{
    (void)unused;
    noe_system     *s = chain(200);
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.1), *h = noe_integrator_new(s, m, 2.5);
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_OK);
    assert_true(noe_get(g, "refreshes") == 0 && noe_get(g, "contracted") == 50);
    assert_int_equal(noe_run(h, 1000, NULL, NULL), NOE_NOT_CONVERGED);
    if (!strstr(noe_error(), "beyond the stability limit")) fail_msg("%s", noe_error());
    assert_true(isfinite(noe_get(h, "energy")));
    noe_error_clear();
    noe_integrator_free(g), noe_integrator_free(h), noe_method_free(m), noe_system_free(s);
}

/* The derivative of a step, and the reason of a failure by name, come from the same system
 * written out. */
static void test_twin(void **unused)
{
    (void)unused;
    enum { N = 70, M = 2 * N };
    char text[400];
    sprintf(text,
            "coordinate x[1..%d]\nkinetic sum(i in 1..%d) i/70*x[i]'^2\n"
            "potential sum(i in 1..%d) ((x[i+1] - x[i])^2/2 + x[i]^4/4)\n"
            "start x[i] = sin(i^2)/3\n",
            N, N, N - 1);
    noe_system     *s = noe_system_parse(text), *w = as(text, NOE_MODEL_WRITTEN);
    noe_method     *m = method("simpson");
    noe_integrator *a = noe_integrator_new(s, m, 0.05), *b = noe_integrator_new(w, m, 0.05);
    double         *J = calloc(2 * M * M, sizeof *J), *K = J + M * M, worst = 0;
    assert_non_null(s->dyn.groups);
    assert_int_equal(noe_run(a, 0.5, NULL, NULL) | noe_run(b, 0.5, NULL, NULL), NOE_OK);
    assert_int_equal(noe_step_jacobian(a, J) | noe_step_jacobian(b, K), NOE_OK);
    assert_true(noe_time(a) == noe_time(b) && noe_time(a) > 0.54);
    for (int i = 0; i < M * M; i++) worst = fmax(worst, fabs(J[i] - K[i]));
    if (!(worst < 4e-14))
        fail_msg("the derivatives part by %.2e", worst); /* entries up to 2; measured: 3e-17 */
    small(apart(a, b), 1, 2e-14, "after the step");
    noe_integrator *far = noe_integrator_new(s, m, 9);
    assert_int_equal(noe_run(far, 9000, NULL, NULL), NOE_NOT_CONVERGED);
    if (!strstr(noe_error(), "x[1]")) fail_msg("%s", noe_error()); /* the lightest */
    noe_error_clear();
    free(J);
    noe_integrator_free(a), noe_integrator_free(b), noe_integrator_free(far);
    noe_method_free(m), noe_system_free(s), noe_system_free(w);
}

/* Forty stiff links, bending springs, absolute coordinates, the tip pulled down by its weight:
 * ten radians of the fastest oscillation in a step and more.  Eighth order at a step and at half
 * of it agree where both are resolved. */
static void test_beam(void **unused)
{
    (void)unused;
    noe_system *s = noe_system_parse(
        "parameter n = 40, l = 1/n, m = 1/n, EA = 1e4, EI = 1, g = 9.81\n"
        "coordinate x[0..n], y[0..n]\n"
        "fix x[0] = 0, y[0] = 0, x[1] = l, y[1] = 0\n"
        "r[i] = sqrt((x[i+1] - x[i])^2 + (y[i+1] - y[i])^2)\n"
        "a[i] = atan2((x[i+1] - x[i])*(y[i+2] - y[i+1]) - (y[i+1] - y[i])*(x[i+2] - x[i+1]), "
        "(x[i+1] - x[i])*(x[i+2] - x[i+1]) + (y[i+1] - y[i])*(y[i+2] - y[i+1]))\nkinetic sum(i in "
        "2..n) m/2*(x[i]'^2 + y[i]'^2)\n"
        "potential (sum(i in 0..n-1) EA/l/2*(r[i] - l)^2) + (sum(i in 0..n-2) EI/l/2*a[i]^2) + "
        "sum(i in 2..n) m*g*y[i]\n"
        "start x[i] = i*l");
    if (!s) fail_msg("%s", noe_error());
    assert_non_null(s->dyn.groups);
    double tip[2];
    for (int k = 0; k < 2; k++) {
        noe_method     *m = method("gauss 4");
        noe_integrator *g = noe_integrator_new(s, m, k ? 0.0005 : 0.001);
        if (noe_run(g, 0.1, NULL, NULL)) fail_msg("%s", noe_error());
        assert_true(noe_get(g, "refreshes") >= 1);
        assert_true(fabs(noe_get(g, "energy")) < 3e-13); /* of 0.29; measured 7e-15 */
        tip[k] = noe_get(g, "y[40]");
        noe_integrator_free(g), noe_method_free(m);
    }
    if (!(fabs(tip[0] - tip[1]) < 1e-7))
        fail_msg("the tip at half the step: %.12g, %.12g", tip[0], tip[1]); /* measured: 5e-9 */
    noe_system_free(s);
}

/* A chain that passes a place where its forces are small.  There the energy of a step of second
 * order changes by more than a quarter of sum_j (change of p_j)^2/m_j, the energy check of Newton's
 * method; but the iteration contracts by 0.007, so that the energy is not asked. */
static void test_small_forces(void **unused)
{
    (void)unused;
    noe_system *s = as(
        "parameter m[0..4] = (1.546875, 1.109375, 1.25, 1.265625, 1.21875)\n"
        "parameter k[0..4] = (0.671875, 0.984375, 0.3125, 0.1875, 0.40625)\n"
        "parameter a[0..4] = (0.46875, 0.421875, 0.25, 0.09375, 0.234375)\n"
        "parameter g[0..4] = (0.359375, 0.203125, 0.75, 0.765625, 0.140625)\n"
        "parameter c[0..4] = (0.21875, 0.9375, 0.515625, 0.046875, 0.40625)\n"
        "parameter u[0..4] = (0.176763, -0.876692, 0.82439, 0.168285, -0.501217)\n"
        "parameter w[0..4] = (-0.469789, -0.386644, -0.493407, -0.980462, -0.335435)\n"
        "coordinate q[0..4]\nstart q[i] = u[i], q[i]' = w[i]\n"
        "lagrangian sum(i in 0..4) (m[i]*q[i]'^2/2 - g[i]*q[i]^2/2 - c[i]*cos(q[i]))\n"
        "lagrangian sum(i in 0..3) (-k[i]*(q[i+1] - q[i])^2/2 - a[i]*(q[i+1] - q[i])^4/4)\n",
        NOE_MODEL_GROUPED);
    const quad        h = (quad)0.171875;
    noe_method       *m = method("gauss 1");
    const noe_engine *e = noe_sums_engine(s->dyn.groups, m);
    void             *g = e->make(&s->dyn, m);
    e->set(g, NOE_AT_STEP, 0, &h);
    assert_int_equal(e->begin(g), 0);
    for (int i = 1; i <= 20; i++)
        if (e->step(g)) fail_msg("the engine refused step %d", i);
    assert_true(e->solver->get(g, NOE_SOLVER_REFRESHES, 0) > 0);
    e->drop(g), noe_method_free(m), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),    cmocka_unit_test(test_very_stiff),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_restart),
        cmocka_unit_test(test_chosen),  cmocka_unit_test(test_twin),
        cmocka_unit_test(test_beam),    cmocka_unit_test(test_small_forces)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
