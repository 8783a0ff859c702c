/* (M + lambda K) y = g:  structures too large for a transition matrix, against a second computation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear.h"

static matrices x;
static double   qs, ps;

static void random_structure(int n, int band, bool lumped)
{
    x.n = n;
    qs = ps = 0;
    random_positive(n, band, 0.5, x.M);
    random_positive(n, band, 0.1, x.K);
    random_positive(n, band, 0.01, x.C);
    for (int i = 0; i < n && lumped; i++)
        for (int j = 0; j < n; j++) x.M[i][j] *= i == j;
}

static noe_integrator *integrator(const noe_system *s, const char *method, double step)
{
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, f, step);
    noe_method_free(f);
    if (!g) fail_msg("%s: %s", method, noe_error());
    return g;
}

static void seen(int n, const quad *q, const quad *p)
{
    for (int i = 0; i < n; i++) qs = fmax(qs, fabs((double)q[i])), ps = fmax(ps, fabs((double)p[i]));
}

static double distance(const noe_integrator *g, int n, const quad *q, const quad *p)
{
    double error = 0;
    seen(n, q, p);
    for (int i = 0; i < n; i++)
        error = fmax(error, fmax(fabs((double)(noe_q(g)[i] - q[i])) / qs, fabs((double)(noe_p(g)[i] - p[i])) / ps));
    return error;
}

static void step(noe_integrator *g)
{
    if (noe_step(g)) fail_msg("%s", noe_error());
}

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
        for (int i = 0; i < n; i++) wrong[0][i] = q[i] = q0[i] = random_number(), wrong[1][i] = p[i] = p0[i] = random_number();
        if (noe_start_momentum(g, 0, q0, p0)) fail_msg("%s", noe_error());
        for (int k = 0; k < 12; k++) {
            step(g);
            simpson_step(&x, h, 24, q, p);
            simpson_step(&x, h, 20, wrong[0], wrong[1]);
            seen(n, q, p);
        }
        small(distance(g, n, q, p), 1, 1e-14, "Simpson's step against its formula");
        assert_true(distance(g, n, wrong[0], wrong[1]) > 1e-9);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

static double quadratic(double t, const double *z, const double *param, double *grad, double *hess, void *ctx)
{
    const matrices *y = ctx;
    const int       n = y->n;
    double          L = 0;
    (void)t, (void)param;
    for (int i = 0; i < n; i++) {
        double F = 0, P = 0;
        for (int j = 0; j < n; j++) F -= y->K[i][j] * z[j], P += y->M[i][j] * z[n + j];
        L += (z[i] * F + z[n + i] * P) / 2;
        if (grad) grad[i] = F, grad[n + i] = P;
        for (int j = 0; j < n && hess; j++) {
            hess[i * 2 * n + j] = -y->K[i][j], hess[(n + i) * 2 * n + n + j] = y->M[i][j];
            hess[i * 2 * n + n + j] = hess[(n + i) * 2 * n + j] = 0;
        }
    }
    return L;
}

static void damper(double t, const double *z, const double *param, double *f, double *dfdz, void *ctx)
{
    const matrices *y = ctx;
    const int       n = y->n;
    (void)param;
    for (int i = 0; i < n; i++) {
        f[i] = sin((i + 1) * t);
        for (int j = 0; j < n; j++) f[i] -= y->C[i][j] * z[n + j];
        for (int j = 0; j < n && dfdz; j++) dfdz[i * 2 * n + j] = 0, dfdz[i * 2 * n + n + j] = -y->C[i][j];
    }
}

static void shaker(double t, double *f, void *ctx)
{
    for (int i = 0; i < ((matrices *)ctx)->n; i++) f[i] = sin((i + 1) * t);
}

/* kind 0: undamped; 1: damping alpha M + beta K and a load; 2: any damping and a load. */
static void as_the_general_core(void **state)
{
    static const char *const method[] = { "simpson", "midpoint", "gauss 2", "gauss 3", "lobatto 1", "lobatto 3", "P2 gauss 3" };
    (void)state;
    for (size_t m = 0; m < sizeof method / sizeof *method; m++)
        for (int kind = 0; kind < 6; kind++) {
            const int n = 36;
            random_structure(n, 5, kind / 3);
            for (int i = 0; i < n && kind % 3 == 1; i++)
                for (int j = 0; j < n; j++) x.C[i][j] = 0.05 * x.M[i][j] + 0.02 * x.K[i][j];
            const bool      forced = kind % 3;
            noe_system     *s = structure(&x, forced, forced ? shaker : NULL, &x);
            noe_system     *c = noe_system_new(n, 0, quadratic, forced ? damper : NULL, &x);
            noe_integrator *g = integrator(s, method[m], 0.1), *general = integrator(c, method[m], 0.1);
            double          q[MOST], v[MOST];
            quad            qq[MOST], pp[MOST];
            for (int i = 0; i < n; i++) q[i] = random_number(), v[i] = random_number();
            if (noe_start(g, 0.5, q, v)) fail_msg("%s", noe_error());
            assert_int_equal(noe_start(general, 0.5, q, v), NOE_OK);
            small(noe_get(g, "energy") - noe_get(general, "energy"), fabs(noe_get(general, "energy")), 1e-14, "energy");
            for (int k = 0; k < 5; k++) {
                step(g), step(general);
                for (int i = 0; i < n; i++) qq[i] = noe_q(general)[i], pp[i] = noe_p(general)[i];
                seen(n, qq, pp);
            }
            const double d = distance(g, n, qq, pp);
            if (d > 1e-14) print_message("%s, kind %d: %.3g\n", method[m], kind, d);
            small(d, 1, 1e-14, "structure against the general core");
            noe_integrator_free(general);
            noe_integrator_free(g);
            noe_system_free(c);
            noe_system_free(s);
        }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simpson_by_formula), cmocka_unit_test(as_the_general_core),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("tightest %.3g\n", tightest);
    return failed;
}
