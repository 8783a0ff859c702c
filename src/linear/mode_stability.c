/* Checks that a method bounds every mode of a structure at a step length.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     undamped: mu = h omega inside a window; damped: each mode's step has eigenvalues <= 1 */
#include "linear/mode_stability.h"

#include "base/status.h"
#include "matrix/factorization.h"
#include "method/stability.h"

#include <math.h>

enum { S = NOE_MAX_DEGREE };

/* Growth of a mode in a step up to which it is rounding.  20000 random modes of 8 methods: 9e-14,
 * of gauss 8; 1e-10 is 0.1 % in 1e7 steps. */
static const double GROWTH_ROUNDING = 1e-10;
/* Frequencies at which modes are looked at, and halvings of the step that is advised. */
enum { GRID = 4000, HALVINGS = 30 };

typedef struct {
    const noe_structure *s;         /* the structure */
    const noe_method    *method;    /* the method */
    double               h, omega2; /* h > 0 */
    int                  window;    /* number of windows of stability that may be used */
} mode_problem;

static noe_status refuse(const mode_problem *w, double stable)
{
    const double omega = sqrt(w->omega2);
    return noe_status_fail(
        NOE_INVALID,
        "the step %.6g is beyond the largest stable one of %s, %.6g: the fastest mode has "
        "frequency %.6g (period %.4g); take a smaller step, or a method that is stable at every "
        "step, as gauss 2",
        w->h, w->method->name, stable, omega, 8 * atan(1) / omega);
}

/* ---- undamped ---- */

/* Number of modes faster than mu/h by Sylvester's law of inertia; -1 with a message. */
static int faster(const mode_problem *w, double mu)
{
    noe_factorization *x = noe_factorization_new(w->s, -1, w->h * w->h / (mu * mu), NOE_BITS_FAST);
    const int          count = x ? noe_factorization_negative(x) : -1;
    noe_factorization_free(x);
    return count;
}

/* Checks that all modes lie inside the first `window` windows and none in the gaps between. */
static noe_status windows(const mode_problem *w, const double *edge, int edges, double mu)
{
    int i = 0;
    while (i < edges && edge[i] <= mu) i++;
    if (i % 2 || w->window < 1 + i / 2) return refuse(w, edge[0] / sqrt(w->omega2));
    for (int k = 0; k < i; k += 2) {
        const int above = faster(w, edge[k]), beyond = faster(w, edge[k + 1]);
        if (above < 0 || beyond < 0) return NOE_SINGULAR;
        if (above > beyond)
            return noe_status_fail(NOE_INVALID,
                                   "the step %.6g puts %d mode%s of the structure into the gap of "
                                   "%s from %.6g to %.6g "
                                   "radians a step, where motions grow; take another step",
                                   w->h, above - beyond, above - beyond > 1 ? "s" : "",
                                   w->method->name, edge[k], edge[k + 1]);
    }
    return NOE_OK;
}

/* ---- damped: q'' + c q' + x q = 0 with the step as the unit of time; d = change of y = (q, p)
 * in a step ---- */

static void galerkin(const noe_method *f, double x, double c, const double *y, double *d)
{
    double A[S][S + 1], dq = 0, mean = y[0];
    for (int m = 0; m < f->s; m++) {
        A[m][f->s] = (double)f->w[m] * y[1];
        for (int k = 0; k < f->s; k++) A[m][k] = 0;
        for (int i = 0; i < f->r; i++) {
            const double b = (double)f->b[i], X = (double)f->X[i][m], l = (double)f->l[i][m];
            A[m][f->s] -= b * X * x * y[0];
            for (int k = 0; k < f->s; k++)
                A[m][k] += b * ((l + c * X) * (double)f->l[i][k] + x * X * (double)f->I[i][k]);
        }
    }
    for (int k = 0; k < f->s; k++) { /* elimination with row pivots */
        int top = k;
        for (int m = k + 1; m < f->s; m++) top = fabs(A[m][k]) > fabs(A[top][k]) ? m : top;
        for (int j = 0; j <= f->s; j++) {
            const double z = A[k][j];
            A[k][j] = A[top][j], A[top][j] = z;
        }
        for (int m = 0; m < f->s; m++) {
            const double z = m == k ? 0 : A[m][k] / A[k][k];
            for (int j = k; j <= f->s && m != k; j++) A[m][j] -= z * A[k][j];
        }
    }
    for (int m = 0; m < f->s; m++) {
        const double a = A[m][f->s] / A[m][m];
        dq += (double)f->w[m] * a;
        for (int i = 0; i < f->r; i++) mean += (double)(f->b[i] * f->I[i][m]) * a;
    }
    d[0] = dq, d[1] = -(x * mean + c * dq);
}

static void splitting(const noe_method *f, double x, double c, const double *y, double *d)
{
    d[0] = d[1] = 0;
    for (int i = 0; i < f->flows; i++) {
        const double s = (double)f->flow[i], z = c * s;
        const double decay = f->kick == NOE_KICK_EXACT ? -expm1(-z) : z,
                     push = z == 0 ? s : s * decay / z;
        if ((i + f->drift_first) % 2) d[0] += s * (y[1] + d[1]);
        else d[1] -= decay * (y[1] + d[1]) + push * x * (y[0] + d[0]);
    }
}

static void runge_kutta(const noe_method *f, double x, double c, const double *y, double *d)
{
    double k[NOE_MAX_STAGES][2];
    d[0] = d[1] = 0;
    for (int i = 0; i < f->r; i++) {
        double z[2] = { y[0], y[1] };
        for (int l = 0; l < i; l++) {
            z[0] += (double)f->A[i][l] * k[l][0];
            z[1] += (double)f->A[i][l] * k[l][1];
        }
        k[i][0] = z[1], k[i][1] = -x * z[0] - c * z[1];
        for (int j = 0; j < 2; j++) d[j] += (double)f->b[i] * k[i][j];
    }
}

/* Largest modulus of the eigenvalues of a mode's step, less 1; an eigenvalue is 1 + d. */
static double growth(const noe_method *f, double x, double c)
{
    static const double y[2][2] = { { 1, 0 }, { 0, 1 } };
    double              d[2][2];
    for (int i = 0; i < 2; i++) {
        if (f->kind == NOE_SPLITTING) splitting(f, x, c, y[i], d[i]);
        else if (f->kind == NOE_RUNGE_KUTTA) runge_kutta(f, x, c, y[i], d[i]);
        else galerkin(f, x, c, y[i], d[i]);
    }
    const double half = (d[0][0] + d[1][1]) / 2, det = d[0][0] * d[1][1] - d[0][1] * d[1][0],
                 root = half * half - det;
    if (root <= 0) return (2 * half + det) / 2; /* |1 + d|^2 = 1 + 2 half + det */
    const double far = half + copysign(sqrt(root), half), near = far == 0 ? 0 : det / far;
    return fmax(fmax(far, near), -2 - fmin(far, near));
}

/* True if no mode up to the fastest grows, on a fine grid of omega^2. */
static bool none_grows(const mode_problem *w, double h)
{
    for (int i = 0; i <= GRID; i++) {
        const double omega2 = w->omega2 * i / GRID;
        if (growth(w->method, h * h * omega2, h * (w->s->alpha + w->s->beta * omega2))
            > GROWTH_ROUNDING)
            return false;
    }
    return true;
}

static noe_status damped(const mode_problem *w)
{
    double low = 0, high = w->h;
    if (none_grows(w, high)) return NOE_OK;
    for (int i = 0; i < HALVINGS; i++) {
        const double h = (low + high) / 2;
        if (none_grows(w, h)) low = h;
        else high = h;
    }
    return refuse(w, low);
}

/* A damping that is no sum of M and K does not separate into modes: the modes without damping
 * decide. */
noe_status noe_mode_stability_check(const noe_structure *s, const noe_method *f, double step,
                                    double omega2, int window)
{
    enum { EDGES = 2 * S };
    const mode_problem w = { s, f, fabs(step), omega2, window };
    double             edge[EDGES];
    const double       mu = w.h * sqrt(omega2);
    const bool         rayleigh = !s->C && (s->alpha != 0 || s->beta != 0);
    if (rayleigh && f->kind != NOE_NEWMARK && !f->parts) return damped(&w);
    const int edges = noe_stability_windows(f, INFINITY, edge, EDGES);
    if (!edges || mu < edge[0]) return NOE_OK;
    return windows(&w, edge, edges, mu);
}
