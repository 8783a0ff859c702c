/* Windows of stability of a Galerkin method on the oscillator.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * trace = +-2  iff  det( K - x M ) = 0,   K = sum_i b_i V_i V_i^T,  M = sum_i b_i Q_i Q_i^T,
 * x = (w h)^2.
 *
 * The step is symplectic: a 2x2 map of determinant 1, stable where |trace| < 2.  Its trace is 2
 * where the action 1/2 sum_i b_i (V_i^2 - x Q_i^2) of the paths with q(1) = q(0) is degenerate,
 * -2 where that of the paths with q(1) = -q(0) is.  Both are pencils of symmetric matrices with
 * K > 0 and M >= 0 in at most s unknowns: every x is real, and found to rounding even where two
 * nearly meet.  (As roots of trace -+ 2 such pairs would be lost: for lobatto 12 the first two
 * are 8e-20 apart and |trace| exceeds 2 by some 4e-39.) At two equal x the trace touches +-2 and
 * turns back: no transition.  So it is with Gauss.
 *
 * Over all quadratures, degrees and points different x are at least 3.6e-20 apart (P12 gauss 13)
 * and equal ones come out at most 1.4e-32 apart (gauss 12), relative to x: binary128 tells them
 * in every case. */
#include "method/stability.h"

#include "method/explicit_stability.h"

#include <stdlib.h>

enum { S = NOE_MAX_DEGREE };
/* Cosine of the angle of two columns that are orthogonal, three units of rounding; sweeps until all
 * are, at most, about seven. */
static const double ORTHOGONAL_PART = 1e-33;
enum { SWEEPS_MOST = 30 };
/* M_jj by the largest one of a path that vanishes at all nodes, where rounding leaves its square:
 * of 545 methods (method/method_rounding.h) 1.8e-67 at most, and of all other paths 2.9e-4 at
 * least. */
static const double VANISHING_PART = 1e-28;
static const double EDGE_PART = 1e-26; /* geometric mean of 3.6e-20 and 1.4e-32 */

/* A basis of n paths with q(1) = q(0) or q(1) = -q(0): path j is given at the nodes by V[i][j]
 * and Q[i][j]. */
struct paths {
    int  n;                                          /* number of paths */
    quad V[NOE_MAX_POINTS][S], Q[NOE_MAX_POINTS][S]; /* velocities and positions at the nodes */
};

/* The paths with q(1) - q(0) = sum_m w_m a_m = -2 q(0): all modes a_m are free. */
static void antiperiodic(const noe_method *t, struct paths *p)
{
    p->n = t->s;
    for (int i = 0; i < t->r; i++)
        for (int m = 0; m < t->s; m++) {
            p->V[i][m] = t->l[i][m];
            p->Q[i][m] = t->I[i][m] - t->w[m] / 2;
        }
}

/* The paths with sum_m w_m a_m = 0, solved for the a_m with the largest w_m. q(0) is chosen so
 * that sum_i b_i Q_i = 0, as the equation of q(0), x sum_i b_i Q_i = 0, requires; the trivial
 * root x = 0 is excluded. */
static void periodic(const noe_method *t, struct paths *p)
{
    int big = 0;
    for (int m = 1; m < t->s; m++)
        if (fabsq(t->w[m]) > fabsq(t->w[big])) big = m;
    p->n = 0;
    for (int m = 0; m < t->s; m++) {
        quad ratio = t->w[m] / t->w[big], mean = 0;
        if (m == big) continue;
        for (int i = 0; i < t->r; i++) {
            p->V[i][p->n] = t->l[i][m] - ratio * t->l[i][big];
            p->Q[i][p->n] = t->I[i][m] - ratio * t->I[i][big];
            mean += t->b[i] * p->Q[i][p->n];
        }
        for (int i = 0; i < t->r; i++) p->Q[i][p->n] -= mean;
        p->n++;
    }
}

static quad dot(const noe_method *t, quad (*a)[S], int j, int k)
{
    quad sum = 0;
    for (int i = 0; i < t->r; i++) sum += t->b[i] * a[i][j] * a[i][k];
    return sum;
}

/* Gram-Schmidt orthonormalization of V, so that K = 1. Needs r >= s, since otherwise K is
 * singular. */
static void normalise(const noe_method *t, struct paths *p)
{
    for (int j = 0; j < p->n; j++) {
        for (int k = 0; k < j; k++) {
            quad f = dot(t, p->V, j, k);
            for (int i = 0; i < t->r; i++) {
                p->V[i][j] -= f * p->V[i][k];
                p->Q[i][j] -= f * p->Q[i][k];
            }
        }
        quad length = sqrtq(dot(t, p->V, j, j));
        for (int i = 0; i < t->r; i++) {
            p->V[i][j] /= length;
            p->Q[i][j] /= length;
        }
    }
}

/* Rotates the columns j, k of Q until they are orthogonal; false when they are already. */
static bool rotate(const noe_method *t, struct paths *p, int j, int k)
{
    quad jj = dot(t, p->Q, j, j), kk = dot(t, p->Q, k, k), jk = dot(t, p->Q, j, k);
    if (fabsq(jk) <= ORTHOGONAL_PART * sqrtq(jj * kk)) return false;
    quad zeta = (kk - jj) / (2 * jk), tangent = 1 / (fabsq(zeta) + hypotq(1, zeta));
    quad cosine = 1 / hypotq(1, tangent), sine = cosine * (zeta < 0 ? -tangent : tangent);
    for (int i = 0; i < t->r; i++) {
        quad old = p->Q[i][j];
        p->Q[i][j] = cosine * old - sine * p->Q[i][k];
        p->Q[i][k] = sine * old + cosine * p->Q[i][k];
    }
    return true;
}

/* One-sided Jacobi method (Golub & Van Loan, Matrix Computations, 8.6.3): rotates the columns of
 * Q until M is diagonal. SWEEPS_MOST makes sure that the loop ends. */
static void diagonalise(const noe_method *t, struct paths *p)
{
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS_MOST; sweep++) {
        turned = false;
        for (int j = 1; j < p->n; j++)
            for (int k = 0; k < j; k++) turned |= rotate(t, p, j, k);
    }
}

/* Appends the roots x = 1 / M_jj to x[n]; returns their number. A path that vanishes at all
 * nodes has M_jj = 0 and no root. */
static int add_roots(const noe_method *t, struct paths *p, quad *x, int n)
{
    quad most = 0;
    normalise(t, p);
    diagonalise(t, p);
    for (int j = 0; j < p->n; j++) most = fmaxq(most, dot(t, p->Q, j, j));
    for (int j = 0; j < p->n; j++) {
        quad y = dot(t, p->Q, j, j);
        if (y > VANISHING_PART * most) x[n++] = 1 / y;
    }
    return n;
}

static int ascending(const void *a, const void *b)
{
    quad x = *(const quad *)a, y = *(const quad *)b;
    return (x > y) - (x < y);
}

/* Where the search ends if it has not found anything: a composition is unstable where all its parts
 * are.  One of parts that are stable for every step may have no window. */
static double last_end(const noe_method *f)
{
    enum { EDGES = 2 * NOE_MAX_DEGREE };
    double     edge[EDGES];
    noe_method base = *f;
    quad       least = INFINITY;
    base.parts = 0;
    for (int i = 0; i < f->parts; i++) least = fminq(least, fabsq(f->part[i]));
    const int n = noe_stability_windows(&base, INFINITY, edge, EDGES);
    return n ? edge[n - 1] / (double)least : 0;
}

double noe_stability_searched(const noe_method *f)
{
    return f->kind == NOE_GALERKIN && f->parts && !noe_method_is_gauss(f) ? 4 * f->s + 2 : INFINITY;
}

int noe_stability_windows(const noe_method *t, double limit, double *edge, int most)
{
    struct paths p;
    quad         x[2 * S];
    int          n = 0, edges = 0;
    if (!t) return 0;
    if (t->kind == NOE_NEWMARK) { /* for gamma < 1/2 every step is unstable */
        const quad most_x = t->gamma / 2 - t->beta;
        if (t->gamma >= (quad)1 / 2 && most_x <= 0) return 0;
        const double mu = t->gamma < (quad)1 / 2 ? 0 : (double)(1 / sqrtq(most_x));
        if (mu > limit) return 0;
        if (most > 0 && edge) edge[0] = mu;
        return 1;
    }
    if (t->kind == NOE_GALERKIN && t->parts) {
        const double end = noe_stability_searched(t);
        /* A step of Gauss' methods keeps q^2 + p^2: steps of all lengths turn one circle. */
        return noe_method_is_gauss(t) ? 0
                                      : noe_explicit_stability_windows(
                                          t, limit, end, fmax(end, last_end(t)), edge, most);
    }
    if (t->kind != NOE_GALERKIN) {
        const int stages = t->kind == NOE_SPLITTING ? (t->flows + 1) / 2 : t->r;
        /* a polynomial of this degree is not bounded by 1 beyond it */
        const double end = 2 * stages + 1;
        return noe_explicit_stability_windows(t, limit, end, end, edge, most);
    }
    periodic(t, &p);
    n = add_roots(t, &p, x, n);
    antiperiodic(t, &p);
    n = add_roots(t, &p, x, n);
    qsort(x, (size_t)n, sizeof *x, ascending);
    for (int i = 0; i < n; i++) {
        if (i + 1 < n && x[i + 1] - x[i] <= EDGE_PART * x[i]) {
            i++; /* a double root: the trace touches its limit without crossing it */
            continue;
        }
        double mu = (double)sqrtq(x[i]);
        if (!(mu <= limit)) break;
        if (edges < most && edge) edge[edges] = mu;
        edges++;
    }
    return edges;
}
