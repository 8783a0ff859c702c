/* Finds where the mass matrix is singular: m = least pivot of D L_vv D = 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where m = 0 the velocities are not determined by the momenta.  D scales by the largest entries
 * that L_vv had so far.  Near a pole of angles m falls as the square of the distance, where det
 * L_vv changes sign in proportion to the distance. */
#include "matrix/small_eigen.h"
#include "matrix/small_solve.h"
#include "integrate/singularity_guard.h"
#include "number/golden_section.h"

#include <math.h>
#include <string.h>

static const double
    /* A parabola through three m that falls below this part of the larger end is searched. */
    PIVOT_DIP = 0.3,
    /* Least m over the larger m of the ends below which L_vv is singular. */
    SINGULAR_PART = 1e-9;

/* L_vv at (t, x->q, x->v) into x->M. */
static void mass(noe_integrator *g, quad t)
{
    noe_singularity_guard *x = g->guard;
    const noe_dynamics    *d = &g->system->dyn;
    const int              n = x->n;
    for (int i = 0; i < n * n; i++) x->M[i] = 0;
    if (d->L) {
        double param[d->params + 1];
        for (int i = 0; i < d->params; i++) param[i] = (double)g->param[i];
        for (int i = 0; i < n; i++) x->z[i] = (double)x->q[i], x->z[n + i] = (double)x->v[i];
        d->L((double)t, x->z, param, x->grad, x->hess, d->ctx);
        for (int i = 0; i < n * n; i++) x->M[i] = x->hess[(n + i / n) * 2 * n + n + i % n];
        return;
    }
    memset(x->in, 0, (size_t)d->legendre->inputs * sizeof *x->in);
    x->in[0] = t;
    memcpy(x->in + noe_tape_input(NOE_Q, 0, n), x->q, (size_t)n * sizeof *x->in);
    memcpy(x->in + noe_tape_input(NOE_V, 0, n), x->v, (size_t)n * sizeof *x->in);
    noe_tape_quad_run(d->legendre, x->in, x->wide, x->out);
    for (int k = 0; k < d->masses; k++)
        x->M[d->mass[k].row * n + d->mass[k].col] = x->out[d->mass[k].output];
}

/* The same in double at a fraction of the path, for most checks: in binary128 they took a twentieth
 * of the time of an ensemble. */
static void rough_mass(const noe_step_path *w, double share)
{
    noe_singularity_guard *x = w->g->guard;
    const noe_dynamics    *d = &w->g->system->dyn;
    const int              n = x->n;
    const double           h = w->t1 - w->t0;
    for (int i = 0; i < n * n; i++) x->M[i] = 0;
    memset(x->slot, 0, (size_t)d->legendre->inputs * sizeof *x->slot);
    x->slot[0] = w->t0 + share * h;
    for (int i = 0; i < n; i++) {
        const double way = w->q1[i] - w->q0[i];
        x->slot[noe_tape_input(NOE_Q, i, n)] = w->q0[i] + share * way;
        x->slot[noe_tape_input(NOE_V, i, n)] = way / h;
    }
    noe_tape_double_run(d->legendre, x->slot);
    for (int k = 0; k < d->masses; k++)
        x->M[d->mass[k].row * n + d->mass[k].col] = x->slot[d->legendre->out[d->mass[k].output]];
}

/* M <- D M D, D = diag(1 / sqrt(largest entry of row i so far)). */
static void scale(noe_singularity_guard *x)
{
    const int n = x->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double size = (double)fabsl(x->M[i * n + j]);
            if (isfinite(size)) x->most[i] = fmax(x->most[i], size);
        }
    for (int i = 0; i < n * n; i++) {
        const double d = x->most[i / n] * x->most[i % n];
        if (d > 0) x->M[i] /= sqrtl(d);
    }
}

/* The least pivot of x->M by elimination with row exchanges (Golub & Van Loan, Matrix Computations,
 * 3.4), with the sign of det. */
static double least_pivot(noe_singularity_guard *x)
{
    const int    n = x->n;
    long double *M = x->M, least = INFINITY;
    int          sign = 1;
    scale(x);
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(M[i * n + k]) > fabsl(M[p * n + k])) p = i;
        for (int j = 0; j < n && p != k; j++) {
            const long double swap = M[k * n + j];
            M[k * n + j] = M[p * n + j], M[p * n + j] = swap;
        }
        if (p != k) sign = -sign;
        if (M[k * n + k] < 0) sign = -sign;
        least = fminl(least, fabsl(M[k * n + k]));
        if (M[k * n + k] == 0) return 0;
        for (int i = k + 1; i < n; i++) {
            const long double f = M[i * n + k] / M[k * n + k];
            for (int j = k + 1; j < n; j++) M[i * n + j] -= f * M[k * n + j];
        }
    }
    return (double)(sign * least);
}

/* m at a fraction of the path; exact: in binary128 also where double would do. */
static double at(const noe_step_path *w, double share, bool exact)
{
    noe_singularity_guard *x = w->g->guard;
    const quad             h = (quad)w->t1 - w->t0;
    if (!exact && !w->g->system->dyn.L) return rough_mass(w, share), least_pivot(x);
    for (int i = 0; i < x->n; i++) {
        const quad d = (quad)w->q1[i] - w->q0[i];
        x->q[i] = w->q0[i] + share * d;
        x->v[i] = d / h;
    }
    mass(w->g, w->t0 + share * h);
    return least_pivot(x);
}

/* |m|, exact: where m falls to 0 the place is found to rounding. */
static double size_at(const void *path, double share) { return fabs(at(path, share, true)); }

/* Can m be 0 on the path?  m changes sign, is 0 at an end, or the parabola through its values at 0,
 * 1/2 and 1 falls far. */
static bool may(double m0, double half, double m1)
{
    if (!isfinite(m0) || !isfinite(half) || !isfinite(m1)) return false;
    if (m0 * m1 <= 0 || m0 * half <= 0) return true;
    double       share;
    const double a = fabs(m0), c = fabs(m1);
    return noe_step_path_least_of_parabola(a, fabs(half), c, &share) < PIVOT_DIP * fmax(a, c);
}

/* Fills y->lost, from the eigenvector of the least eigenvalue of L_vv, and y->moved. */
static void find_coordinates(const noe_step_path *w, noe_singular_mass *y)
{
    noe_singularity_guard *x = w->g->guard;
    const int              n = x->n;
    const quad             h = (quad)w->t1 - w->t0, t = w->t0 + y->share * h;
    quad_complex           a[n * n], vector[n];
    at(w, y->share, true);
    mass(w->g, t); /* again, not eliminated */
    scale(x);
    for (int i = 0; i < n; i++) vector[i] = 1 + (quad)0.1 * i;
    for (int round = 0; round < 4; round++) { /* inverse iteration; the scaled M has entries of 1 */
        for (int i = 0; i < n * n; i++) a[i] = x->M[i] + (i % (n + 1) == 0 ? (quad)1e-25 : 0);
        if (!noe_small_solve_complex(a, n, vector, 1)) break;
        quad most = 0;
        for (int i = 0; i < n; i++) most = fmaxq(most, fabsq(crealq(vector[i])));
        for (int i = 0; i < n; i++) vector[i] /= most;
    }
    for (int i = 0; i < n; i++) {
        y->lost[i] = fabsq(crealq(vector[i])) > (quad)0.3;
        const double start = fabs(at(w, 0, true));
        for (int j = 0; j < n; j++)
            x->q[j] = w->q0[j] + (j == i ? y->share * ((quad)w->q1[j] - w->q0[j]) : 0);
        mass(w->g, t);
        y->moved[i] = fabs(least_pivot(x)) <= 1e-4 * start;
    }
}

double noe_singular_mass_pivot(const noe_step_path *w, double share) { return at(w, share, false); }

bool noe_singular_mass_find(const noe_step_path *w, noe_singular_mass *y)
{
    const double m0 = at(w, 0, false), m1 = at(w, 1, false), ends = fmax(fabs(m0), fabs(m1));
    if (!(ends > 0) || !may(m0, at(w, 0.5, false), m1)) return false;
    const double least = noe_golden_section_least(size_at, w, 0, 1, 0, &y->share);
    y->dip = least / fmin(fabs(m0), fabs(m1));
    if (least > SINGULAR_PART * ends) return false;
    if (y->lost && y->moved) find_coordinates(w, y);
    return true;
}
