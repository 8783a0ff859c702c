/* noether.h: constraints given as functions in C, beside the same mechanism as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>

enum { U, X, Y, S, T, COORDINATES = T, TIES = 3 };
enum { M_1, M_2, CRANK, ROD, SWING, DRAG, GYRO, PARAMETERS };

/* A slider-crank whose bearing u is moved by t, with a mass that depends on position, L_v that
 * depends on t, and friction at the piston. */
static const char text[] =
    "parameter m = %.17g, M = %.17g, r = %.17g, l = %.17g, A = %.17g, c = %.17g, b = %.17g\n"
    "coordinate u, x, y, s\n"
    "kinetic m/2*(x'^2 + (1 + y^2)*y'^2) + M/2*s'^2 + u'^2/2 + b*sin(2*t)*x'*y\n"
    "potential 3*y + 2*s^2\nforce s = -c*s'\n"
    "constraint drive: u = A*sin(t)\nconstraint crank: (x - u)^2 + y^2 = r^2\n"
    "constraint rod: (x - s)^2 + y^2 = l^2\n";

static double lagrangian(double t, const double *z, const double *c, double *grad, double *hess,
                         void *ctx)
{
    const double *q = z, *v = z + COORDINATES, y = q[Y], m = c[M_1], M = c[M_2],
                 b = c[GYRO] * sin(2 * t);
    enum { N = 2 * COORDINATES, V = COORDINATES };
    (*(int *)ctx)++;
    if (grad) {
        for (int i = 0; i < N; i++) grad[i] = 0;
        grad[Y] = m * y * v[Y] * v[Y] + b * v[X] - 3, grad[S] = -4 * q[S];
        grad[V + U] = v[U], grad[V + X] = m * v[X] + b * y;
        grad[V + Y] = m * (1 + y * y) * v[Y], grad[V + S] = M * v[S];
    }
    if (hess) {
        for (int i = 0; i < N * N; i++) hess[i] = 0;
        hess[Y * N + Y] = m * v[Y] * v[Y], hess[S * N + S] = -4;
        hess[Y * N + V + Y] = hess[(V + Y) * N + Y] = 2 * m * y * v[Y];
        hess[Y * N + V + X] = hess[(V + X) * N + Y] = b;
        hess[(V + U) * (N + 1)] = 1, hess[(V + X) * (N + 1)] = m;
        hess[(V + Y) * (N + 1)] = m * (1 + y * y), hess[(V + S) * (N + 1)] = M;
    }
    return m / 2 * (v[X] * v[X] + (1 + y * y) * v[Y] * v[Y]) + M / 2 * v[S] * v[S] + v[U] * v[U] / 2
         + b * v[X] * y - 3 * y - 2 * q[S] * q[S];
}

static double rate(double t, const double *z, const double *c, void *ctx)
{
    (void)ctx;
    return 2 * c[GYRO] * cos(2 * t) * z[COORDINATES + X] * z[Y];
}

static void friction(double t, const double *z, const double *c, double *f, double *dfdz, void *ctx)
{
    (void)t, (void)ctx;
    for (int i = 0; i < COORDINATES; i++) f[i] = 0;
    f[S] = -c[DRAG] * z[COORDINATES + S];
    for (int i = 0; i < 2 * COORDINATES * COORDINATES && dfdz; i++) dfdz[i] = 0;
    if (dfdz) dfdz[S * 2 * COORDINATES + COORDINATES + S] = -c[DRAG];
}

static void ties(double t, const double *q, const double *c, double *g, double *dg, double *d2g,
                 void *ctx)
{
    enum { N = COORDINATES + 1 };
    double(*G)[N] = (double(*)[N])dg, (*H)[N][N] = (double(*)[N][N])d2g;
    const double d = q[X] - q[U], e = q[X] - q[S], y = q[Y], A = c[SWING];
    (void)ctx;
    g[0] = q[U] - A * sin(t);
    g[1] = d * d + y * y - c[CRANK] * c[CRANK];
    g[2] = e * e + y * y - c[ROD] * c[ROD];
    if (dg) {
        G[0][U] = 1, G[0][T] = -A * cos(t);
        G[1][U] = -2 * d, G[1][X] = 2 * d, G[1][Y] = 2 * y;
        G[2][X] = 2 * e, G[2][Y] = 2 * y, G[2][S] = -2 * e;
    }
    if (d2g) {
        H[0][T][T] = A * sin(t);
        H[1][U][U] = H[1][X][X] = H[1][Y][Y] = 2, H[1][U][X] = H[1][X][U] = -2;
        H[2][X][X] = H[2][Y][Y] = H[2][S][S] = 2, H[2][X][S] = H[2][S][X] = -2;
    }
}

/* The two systems at the same random start, by the same method. */
typedef struct {
    noe_system     *s[2]; /* text, functions in C */
    noe_integrator *g[2];
    int             calls;
} twins;

static void made(twins *x, const char *method, double h)
{
    const double c[PARAMETERS] = { 1.5 + random_number(),       1.5 + random_number(),
                                   1 + 0.2 * random_number(),   3 + 0.5 * random_number(),
                                   0.2 + 0.1 * random_number(), 0.3,
                                   0.4 * random_number() },
                 a = 3 * random_number(), w = 2 * random_number(), drive = c[SWING],
                 q[] = { 0, c[CRANK] * cos(a), c[CRANK] * sin(a),
                         c[CRANK] * cos(a) + sqrt(c[ROD] * c[ROD] - pow(c[CRANK] * sin(a), 2)) },
                 v[] = { drive, drive - w * q[Y], w * q[X], 1 }; /* s' is projected */
    char        own[1000], name[10];
    noe_method *f = noe_method_parse(method);
    snprintf(own, sizeof own, text, c[M_1], c[M_2], c[CRANK], c[ROD], c[SWING], c[DRAG], c[GYRO]);
    x->calls = 0;
    x->s[0] = noe_system_parse(own);
    x->s[1] = noe_system_constrained(COORDINATES, PARAMETERS, TIES, lagrangian, rate, friction,
                                     ties, &x->calls);
    for (int i = 0; i < 2; i++) x->g[i] = noe_integrator_new(x->s[i], f, h);
    no_error();
    for (int i = 0; i < PARAMETERS; i++) {
        snprintf(name, sizeof name, "c.%d", i + 1);
        assert_int_equal(noe_set(x->g[1], name, c[i]), NOE_OK);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(noe_start(x->g[i], 0, q, v), NOE_OK);
    noe_method_free(f);
}

static void freed(twins *x)
{
    for (int i = 0; i < 2; i++) noe_integrator_free(x->g[i]), noe_system_free(x->s[i]);
}

static double apart(const twins *x, const char *column, const char *called)
{
    return fabs(noe_get(x->g[0], column) - noe_get(x->g[1], called));
}

/* Positions, momenta, forces, errors of the constraints and the energy balance of both. */
static void test_twins(void **unused)
{
    (void)unused;
    static const char *const method[] = { "simpson", "gauss 3", "lobatto 1", "lobatto 3",
                                          "P2 gauss 3" };
    static const char *const column[][2] = {
        { "energy", "energy" },         { "balance", "balance" },       { "work", "work" },
        { "drive.force", "g.1.force" }, { "crank.force", "g.2.force" }, { "rod.force", "g.3.force" }
    };
    double worst = 0, force = 0, off = 0;
    for (int k = 0; k < 10; k++) {
        twins x;
        made(&x, method[k % 5], 0.01);
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 2; j++) assert_int_equal(noe_run(x.g[j], 0.1 * i, NULL, NULL), 0);
            for (int j = 0; j < COORDINATES; j++) {
                worst = fmax(worst, fabs(noe_q(x.g[0])[j] - noe_q(x.g[1])[j]));
                worst = fmax(worst, fabs(noe_p(x.g[0])[j] - noe_p(x.g[1])[j]) / 10);
            }
            for (size_t j = 0; j < sizeof column / sizeof *column; j++)
                force = fmax(force, apart(&x, column[j][0], column[j][1])
                                        / (1 + fabs(noe_get(x.g[0], column[j][0]))));
            off = fmax(off, fabs(noe_get(x.g[1], "g.2.error")));
            off = fmax(off, fabs(noe_get(x.g[1], "g.3.error")));
            no_error();
        }
        assert_true(x.calls > 0);
        freed(&x);
    }
    print_message("states %.2g, columns %.2g, |g| %.2g\n", worst, force, off);
    assert_true(worst < 1e-13 && force < 2e-11 && off < 2e-14);
}

/* A wrong derivative of the functions is no text's motion: the comparison sees it. */
static void wrong_ties(double t, const double *q, const double *c, double *g, double *dg,
                       double *d2g, void *ctx)
{
    ties(t, q, c, g, dg, d2g, ctx);
    if (dg) dg[(COORDINATES + 1) + Y] *= 1.001;
}

static void test_wrong(void **unused)
{
    (void)unused;
    twins       x;
    noe_method *f = noe_method_parse("simpson");
    char        name[10];
    made(&x, "simpson", 0.01);
    noe_system     *s = noe_system_constrained(COORDINATES, PARAMETERS, TIES, lagrangian, rate,
                                               friction, wrong_ties, &x.calls);
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    for (int i = 0; i < PARAMETERS; i++) {
        snprintf(name, sizeof name, "c.%d", i + 1);
        noe_set(g, name, noe_get(x.g[1], name));
    }
    const noe_status start = noe_start(g, 0, noe_q(x.g[1]), noe_v(x.g[1])),
                     end = start ? start : noe_run(g, 1, NULL, NULL);
    noe_run(x.g[1], 1, NULL, NULL);
    noe_error_clear();
    assert_true(end || fabs(noe_q(g)[X] - noe_q(x.g[1])[X]) > 1e-7);
    noe_integrator_free(g), noe_system_free(s), noe_method_free(f);
    freed(&x);
}

/* Two rods of the same length between the same points: one of them follows from the other. */
static void twice(double t, const double *q, const double *c, double *g, double *dg, double *d2g,
                  void *ctx)
{
    enum { N = COORDINATES + 1 };
    ties(t, q, c, g, dg, d2g, ctx);
    g[3] = 3 * g[2];
    for (int i = 0; i < N && dg; i++) dg[3 * N + i] = 3 * dg[2 * N + i];
    for (int i = 0; i < N * N && d2g; i++) d2g[3 * N * N + i] = 3 * d2g[2 * N * N + i];
}

static void test_redundant(void **unused)
{
    (void)unused;
    twins       x;
    noe_method *f = noe_method_parse("simpson");
    char        name[10];
    made(&x, "simpson", 0.01);
    noe_system     *s = noe_system_constrained(COORDINATES, PARAMETERS, TIES + 1, lagrangian, rate,
                                               friction, twice, &x.calls);
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    for (int i = 0; i < PARAMETERS; i++) {
        snprintf(name, sizeof name, "c.%d", i + 1);
        noe_set(g, name, noe_get(x.g[1], name));
    }
    assert_int_equal(noe_start(g, 0, noe_q(x.g[1]), noe_v(x.g[1])), NOE_OK);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    assert_int_equal(noe_run(x.g[1], 1, NULL, NULL), NOE_OK);
    for (int i = 0; i < COORDINATES; i++) assert_true(fabs(noe_q(g)[i] - noe_q(x.g[1])[i]) < 1e-12);
    const double one = noe_get(g, "g.3.force"), two = noe_get(g, "g.4.force"),
                 alone = noe_get(x.g[1], "g.3.force");
    /* lambda_3 + 3 lambda_4 = lambda with the least lambda_3^2 + (3 lambda_4)^2 */
    assert_true(fabs(one - alone / 2) < 1e-9 * (1 + fabs(alone)));
    assert_true(fabs(3 * two - alone / 2) < 1e-9 * (1 + fabs(alone)));
    no_error();
    noe_integrator_free(g), noe_system_free(s), noe_method_free(f);
    freed(&x);
}

static void test_refused(void **unused)
{
    (void)unused;
    int          calls = 0;
    noe_method  *f = noe_method_parse("simpson"), *split = noe_method_parse("verlet");
    const double zero[COORDINATES] = { 0 };
    noe_error_clear();
    assert_null(noe_system_constrained(4, 7, 0, lagrangian, rate, friction, ties, &calls));
    says("0 constraints between 4 coordinates: expected 1 to 1000 of either");
    assert_null(noe_system_constrained(0, 7, 3, lagrangian, rate, friction, ties, &calls));
    says("noe_system_constrained: 0 coordinates and 7 parameters: expected 1 to");
    assert_null(noe_system_constrained(4, 7, 3, lagrangian, rate, friction, NULL, &calls));
    no_error();
    noe_system *s = noe_system_constrained(4, 7, 3, lagrangian, rate, friction, ties, &calls);
    assert_null(noe_integrator_new(s, split, 0.1));
    says("'verlet' cannot keep the constraint 'g.1'");
    noe_integrator *g = noe_integrator_new(s, f, 0.1);
    noe_set(g, "c.1", 1), noe_set(g, "c.2", 1), noe_set(g, "c.3", 1), noe_set(g, "c.4", 3);
    assert_int_equal(noe_start(g, 0, (double[]){ 0, 0, 1.1, sqrt(8) }, zero), NOE_INVALID);
    says("functions in C: the constraint 'g.2' does not hold at the start");
    assert_int_equal(noe_start(g, 0, (double[]){ 0, 0, 1, sqrt(8) }, zero), NOE_OK);
    assert_int_equal(noe_step_jacobian(g, (double[64]){ 0 }), NOE_INVALID);
    says("the derivative of a step is not known for systems with constraints");
    assert_true(isnan(noe_get(g, "g.4.force")));
    says("g.4.force");
    assert_null(noe_system_emit(s, "crank"));
    noe_error_clear();
    noe_integrator_free(g), noe_system_free(s), noe_method_free(f), noe_method_free(split);
}

/* A bead on the wire y = x^2 + x, whose start is 0, and on a circle that has not 0 on it. */
static double falling(double t, const double *z, const double *c, double *grad, double *hess,
                      void *ctx)
{
    (void)t, (void)c, (void)ctx;
    if (grad) grad[0] = 0, grad[1] = -9.81, grad[2] = z[2], grad[3] = 2 * z[3];
    for (int i = 0; i < 16 && hess; i++) hess[i] = i == 10 ? 1 : i == 15 ? 2 : 0;
    return z[2] * z[2] / 2 + z[3] * z[3] - 9.81 * z[1];
}

static void wire(double t, const double *q, const double *c, double *g, double *dg, double *d2g,
                 void *ctx)
{
    const double off = *(const double *)ctx;
    (void)t, (void)c;
    g[0] = q[1] - q[0] * q[0] - q[0] - off;
    if (dg) dg[0] = -2 * q[0] - 1, dg[1] = 1;
    if (d2g) d2g[0] = -2;
}

static void test_check(void **unused)
{
    (void)unused;
    static const char *const all[] = { "same bits", "constraints", "hidden constraints" };
    double                   off[] = { 0, 1 };
    noe_method              *f = noe_method_parse("simpson");
    noe_error_clear();
    for (int k = 0; k < 2; k++) {
        noe_system *s = noe_system_constrained(2, 0, 1, falling, NULL, NULL, wire, &off[k]);
        noe_table  *t = noe_check(s, f, 0.01);
        if (k) assert_null(t), says("the constraint 'g.1' does not hold at the start");
        int found = 0;
        for (size_t i = 0; i < noe_table_rows(t); i++)
            for (size_t j = 0; j < sizeof all / sizeof *all; j++)
                if (!strcmp(noe_table_label(t, i), all[j]))
                    found += equal_bits(noe_table_column(t, "holds")[i], 1);
        assert_int_equal(found, k ? 0 : 3);
        noe_error_clear();
        noe_table_free(t), noe_system_free(s);
    }
    noe_method_free(f);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_twins), cmocka_unit_test(test_wrong),
                                        cmocka_unit_test(test_redundant),
                                        cmocka_unit_test(test_check),
                                        cmocka_unit_test(test_refused) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
