/* M, C, K symmetric positive, at random: what the tests of linear systems share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINEAR_TEST_H
#define LINEAR_TEST_H

#include "laws.h"
#include "matrix/structure.h"
#include "integrate/integrator.h"

enum { MOST = 64 };

typedef struct {
    int    n;
    double M[MOST][MOST], C[MOST][MOST], K[MOST][MOST];
} matrices;

/* B B^T/n + least, the eigenvalues of order 1; band: entries further from the diagonal are 0. */
static UNUSED void random_positive(int n, int band, double least, double (*A)[MOST])
{
    static double B[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) B[i][j] = abs(i - j) <= band / 2 ? random_number() : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = i == j ? least : 0;
            for (int k = 0; k < n; k++) A[i][j] += B[i][k] * B[j][k] / (band < n ? band : n);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) A[i][j] = A[j][i];
}

/* The whole matrix by columns, zeros left out.  Three numbers a place: static room, one matrix
 * at a time. */
typedef struct {
    size_t  start[MOST + 1];
    int     row[MOST * MOST];
    double  value[MOST * MOST];
    noe_csc csc;
} columns_of;

static UNUSED const noe_csc *by_columns(columns_of *x, int n, double (*A)[MOST])
{
    size_t at = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (A[i][j] != 0) x->row[at] = i, x->value[at++] = A[i][j];
        x->start[j + 1] = at;
    }
    x->csc = (noe_csc){ x->start, x->row, x->value };
    return &x->csc;
}

static UNUSED noe_system *structure(matrices *x, bool damped, noe_load *load, void *ctx)
{
    static columns_of M, C, K;
    by_columns(&C, x->n, x->C);
    return noe_system_structure(x->n, by_columns(&M, x->n, x->M), damped ? &C.csc : NULL,
                                by_columns(&K, x->n, x->K), load, ctx);
}

/* A x = b in binary128, row elimination without pivoting: for positive matrices.  A is
 * destroyed. */
static UNUSED void positive_solve(int n, quad (*A)[MOST], quad *b)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const quad f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

static UNUSED void sum_of(int n, quad (*A)[MOST], quad a, double (*X)[MOST], quad b,
                          double (*Y)[MOST])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = a * X[i][j] + b * Y[i][j];
}

static UNUSED void times(int n, double (*A)[MOST], const quad *x, quad *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[i][j] * x[j];
    }
}

/* Simpson's step of M q'' + K q = 0 as in methods with D = M + h^2 K/24 and M; `part` is the 24. */
static UNUSED void simpson_step(matrices *x, quad h, double part, quad *q, quad *p)
{
    static quad A[MOST][MOST];
    const int   n = x->n;
    quad        r[MOST], s[MOST], t[MOST], m[MOST], e[MOST];
    times(n, x->K, q, r);
    for (int i = 0; i < n; i++) m[i] = h / 2 * (p[i] - h / 4 * r[i]);
    sum_of(n, A, 1, x->M, h * h / part, x->K);
    positive_solve(n, A, m);
    for (int i = 0; i < n; i++) m[i] += q[i];
    times(n, x->K, m, s);
    for (int i = 0; i < n; i++) e[i] = h * (p[i] - h / 6 * (r[i] + 2 * s[i]));
    sum_of(n, A, 1, x->M, 0, x->K);
    positive_solve(n, A, e);
    for (int i = 0; i < n; i++) q[i] += e[i];
    times(n, x->K, q, t);
    for (int i = 0; i < n; i++) p[i] -= h / 6 * (r[i] + 4 * s[i] + t[i]);
}

/* The structure of a test, and the largest position and momentum seen in it. */
static UNUSED matrices x;
static UNUSED double   qs, ps;

static UNUSED double between(double a, double b) { return a + (b - a) * (random_number() + 1) / 2; }
static UNUSED int    below(int n) { return (int)(bits() % (uint64_t)n); }
static UNUSED bool   chance(int of) { return below(of) == 0; }

/* Masses and springs of very different sizes: a chain, free or held, stiff links, rotations;
 * lumped or not, in any units. Returns an upper bound of the fastest frequency. */
static UNUSED double random_matrices(int n)
{
    const double mass = pow(10, between(-6, 6)), stiff = pow(10, between(-3, 9));
    double       unit[MOST], top = 0;
    const bool   lumped = chance(2), units = chance(3), contrast = chance(2),
               held = !chance(4) || n == 1;
    x.n = n;
    random_positive(n, 3, 0.5, x.M);
    for (int i = 0; i < n; i++) {
        unit[i] = units ? pow(10, between(-2, 2)) : 1;
        for (int j = 0; j < n; j++) {
            x.K[i][j] = x.C[i][j] = 0;
            if (i != j && lumped) x.M[i][j] = 0;
        }
    }
    for (int i = -1; i < n; i++) {
        const double k = contrast ? pow(10, between(-3, 3)) : between(0.5, 2);
        if (i < 0 && !held) continue;
        if (i >= 0) x.K[i][i] += k;
        if (i + 1 < n) x.K[i + 1][i + 1] += k;
        if (i >= 0 && i + 1 < n) x.K[i][i + 1] -= k, x.K[i + 1][i] -= k;
        if (i == n - 1 && !held) x.K[i][i] -= k;
    }
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += fabs(x.K[i][j]);
        top = fmax(
            top, row / (lumped ? x.M[i][i] : 0.5)); /* Gershgorin, and the least eigenvalue of M */
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x.M[i][j] *= mass * unit[i] * unit[j], x.K[i][j] *= stiff * unit[i] * unit[j];
    return sqrt(top * stiff / mass);
}

static UNUSED void random_structure(int n, int band, bool lumped)
{
    x.n = n;
    qs = ps = 0;
    random_positive(n, band, 0.5, x.M);
    random_positive(n, band, 0.1, x.K);
    random_positive(n, band, 0.01, x.C);
    for (int i = 0; i < n && lumped; i++)
        for (int j = 0; j < n; j++) x.M[i][j] *= i == j;
}

static UNUSED noe_integrator *integrator(const noe_system *s, const char *method, double step)
{
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, f, step);
    noe_method_free(f);
    if (!g) fail_msg("%s: %s", method, noe_error());
    return g;
}

static UNUSED void step(noe_integrator *g)
{
    if (noe_step(g)) fail_msg("%s", noe_error());
}

static UNUSED void seen(int n, const quad *q, const quad *p)
{
    for (int i = 0; i < n; i++)
        qs = fmax(qs, fabs((double)q[i])), ps = fmax(ps, fabs((double)p[i]));
}

/* Largest distance of the integrator's state from (q, p), relative to the largest of each seen
 * on the way. */
static UNUSED double distance(const noe_integrator *g, int n, const quad *q, const quad *p)
{
    double error = 0;
    seen(n, q, p);
    for (int i = 0; i < n; i++)
        error = fmax(error, fmax(fabs((double)(noe_q(g)[i] - q[i])) / qs,
                                 fabs((double)(noe_p(g)[i] - p[i])) / ps));
    return error;
}

/* Steps of Simpson's method by its own formula, in binary128; 20 in place of its 24 is seen. */
static UNUSED void simpson_by_formula(int n, int band, bool lumped, double h, int steps)
{
    random_structure(n, band, lumped);
    noe_system     *s = structure(&x, false, NULL, NULL);
    noe_integrator *g = integrator(s, "simpson", h);
    double          q0[MOST], p0[MOST];
    quad            q[MOST], p[MOST], wrong[2][MOST];
    for (int i = 0; i < n; i++)
        wrong[0][i] = q[i] = q0[i] = random_number(), wrong[1][i] = p[i] = p0[i] = random_number();
    if (noe_start_momentum(g, 0, q0, p0)) fail_msg("%s", noe_error());
    for (int k = 0; k < steps; k++) {
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

/* The general core on the same system, as functions in C. */
static UNUSED double quadratic(double t, const double *z, const double *param, double *grad,
                               double *hess, void *ctx)
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

static UNUSED void damper(double t, const double *z, const double *param, double *f, double *dfdz,
                          void *ctx)
{
    const matrices *y = ctx;
    const int       n = y->n;
    (void)param;
    for (int i = 0; i < n; i++) {
        f[i] = sin((i + 1) * t);
        for (int j = 0; j < n; j++) f[i] -= y->C[i][j] * z[n + j];
        for (int j = 0; j < n && dfdz; j++)
            dfdz[i * 2 * n + j] = 0, dfdz[i * 2 * n + n + j] = -y->C[i][j];
    }
}

static UNUSED void shaker(double t, double *f, void *ctx)
{
    for (int i = 0; i < ((matrices *)ctx)->n; i++) f[i] = sin((i + 1) * t);
}

/* Functions in C say of a force what it works, not which part of it is a load. */
static UNUSED void balances_agree(const noe_integrator *g, const noe_integrator *general,
                                  double bound)
{
    const double work = noe_get(g, "work"), lost = noe_get(g, "dissipated"),
                 H = noe_get(g, "energy");
    const double size = fabs(work) + fabs(lost) + fabs(H);
    small(work - lost - noe_get(general, "work"), size, bound, "the balance");
    small(noe_get(g, "balance") - noe_get(general, "balance"), size, 2 * bound,
          "the energy balance");
}

#endif
