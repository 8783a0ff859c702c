/* Makes the decoupled equations of a step: eigenvalues and eigenvectors of A0^-1 A1.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     A0 = Pi + alpha Xi,   A1 = Theta + beta Xi
 *
 * With M q'' + C q' + K q = f the equations of a step (method/method.h) are, with the step as
 * the unit of time,
 *
 *     sum_k ( Pi_mk M + Xi_mk C + Theta_mk K ) a_k = w_m p - X_m K q + sum_i b_i X_im f_i,
 *     Pi = sum b l l,  Xi = sum b X l,  Theta = sum b X I,  X_m = sum_i b_i X_im.
 *
 * With C = alpha M + beta K they separate.  Simpson: lambda = 0 and 1/24; midpoint 1/4; lobatto
 * 1: 0; gauss s: complex pairs.  The eigenvalues and eigenvectors are improved together by
 * Newton's iteration in binary128 and rounded once. */
#include "method/stage_pencil.h"

#include "matrix/small_eigen.h"
#include "matrix/small_solve.h"

#include <math.h>
#include <string.h>

typedef quad_complex wide;
enum {
    S = NOE_PENCIL,
    /* Newton's corrections of a guess, whose digits each of them doubles. */
    ROUNDS = 6
};

/* What is 0; measured of 545 methods (method/method_rounding.h).  The imaginary part of a real
 * eigenvalue by the largest eigenvalue: 1.5e-75 at most, of a pair 0.097 at least. */
static const double REAL_PART_MOST = 1e-20;
/* P_j, by which a mode is scaled: 1.7e-30 at most of modes that the momentum does not move, of
 * others 3.7e-4 at least. */
static const double SCALE_LEAST = 1e-10;
/* A shifted eigenvalue: 1.4e-31 at most where it is 0, else 0.018 at least. */
static const double EIGENVALUE_LEAST = 1e-20;

/* x <- A^-1 x; false when A is singular. */
static bool solve(int n, wide (*A)[S], wide *x)
{
    wide dense[S * S];
    for (int i = 0; i < n * n; i++) dense[i] = A[i / n][i % n];
    return noe_small_solve_complex(dense, n, x, 1);
}

typedef struct {
    int  n;                  /* size */
    quad A0[S][S], A1[S][S]; /* the two matrices */
} pair;

/* Newton's iteration for lambda and x in (A1 - lambda A0) x = 0 with x_big = 1; converges
 * quadratically. */
static bool improve(const pair *p, wide *lambda, wide *x)
{
    const int n = p->n;
    for (int round = 0; round < ROUNDS; round++) {
        wide A[S][S], d[S];
        int  big = 0;
        for (int i = 0; i < n; i++)
            if (cabsq(x[i]) > cabsq(x[big])) big = i;
        for (int i = n - 1; i >= 0; i--)
            if (i != big) x[i] /= x[big];
        x[big] = 1;
        for (int i = 0; i < n; i++) {
            d[i] = 0;
            for (int j = 0; j < n; j++) {
                A[i][j] = p->A1[i][j] - *lambda * p->A0[i][j];
                d[i] -= A[i][j] * x[j];
            }
            A[i][big] = 0; /* x_big is fixed; its column belongs to the unknown lambda */
            for (int j = 0; j < n; j++) A[i][big] -= p->A0[i][j] * x[j];
        }
        if (!solve(n, A, d)) return false;
        *lambda += d[big];
        for (int i = 0; i < n; i++)
            if (i != big) x[i] += d[i];
    }
    return true;
}

/* Approximations of lambda_j and of the eigenvectors x_j. */
static bool guess(const pair *p, wide *lambda, wide (*x)[S])
{
    const int n = p->n;
    quad      B[S * S] = { 0 };
    wide      vector[S * S];
    for (int j = 0; j < n; j++) { /* A0^-1 A1 by columns */
        wide A[S][S], y[S];
        for (int i = 0; i < n; i++) {
            y[i] = p->A1[i][j];
            for (int k = 0; k < n; k++) A[i][k] = p->A0[i][k];
        }
        if (!solve(n, A, y)) return false;
        for (int i = 0; i < n; i++) B[i * n + j] = crealq(y[i]);
    }
    if (!noe_small_eigen_find(n, B, lambda, vector)) return false;
    for (int i = 0; i < n * n; i++) x[i / n][i % n] = vector[i];
    return true;
}

static void matrices(pair *p, const noe_method *f, quad alpha, quad beta)
{
    p->n = f->s;
    for (int m = 0; m < f->s; m++)
        for (int k = 0; k < f->s; k++) {
            quad Pi = 0, Xi = 0, Theta = 0;
            for (int i = 0; i < f->r; i++) {
                Pi += f->b[i] * f->l[i][m] * f->l[i][k];
                Xi += f->b[i] * f->X[i][m] * f->l[i][k];
                Theta += f->b[i] * f->X[i][m] * f->I[i][k];
            }
            p->A0[m][k] = Pi + alpha * Xi;
            p->A1[m][k] = Theta + beta * Xi;
        }
}

/* Row j of T^-1 A0^-1 = (A0 T)^-1. */
static bool left(const pair *p, wide (*x)[S], int j, wide *row)
{
    wide A[S][S];
    for (int m = 0; m < p->n; m++) {
        row[m] = m == j;
        for (int i = 0; i < p->n; i++) { /* transposed */
            A[m][i] = 0;
            for (int k = 0; k < p->n; k++) A[m][i] += p->A0[i][k] * x[m][k];
        }
    }
    return solve(p->n, A, row);
}

static double complex round_off(wide z)
{
    return __builtin_complex((double)crealq(z), (double)cimagq(z));
}

/* Order of the eigenvalues: real ones before pairs, each kind ascending; the approximations come
 * in any order. */
static bool before(const noe_stage_pencil_mode *a, const noe_stage_pencil_mode *b)
{
    if (a->real != b->real) return a->real;
    const double re[] = { (double)crealq(a->lambda), (double)crealq(b->lambda) };
    return re[0] != re[1] ? re[0] < re[1] : cimagq(a->lambda) < cimagq(b->lambda);
}

/* Scales x so that one entry is 1: the first of those within a tenth of the largest, since
 * rounding may decide differently on different machines which is the largest. */
static void normalise(int n, wide *x)
{
    quad most = 0;
    int  first = 0;
    for (int i = 0; i < n; i++) most = fmaxq(most, cabsq(x[i]));
    while (10 * cabsq(x[first]) < 9 * most) first++;
    const wide size = x[first];
    for (int i = 0; i < n; i++) x[i] /= size;
    x[first] = 1;
}

static int spectrum(const pair *p, noe_stage_pencil_mode *mode)
{
    wide lambda[S], x[S][S];
    quad largest = 0;
    int  count = 0;
    if (!guess(p, lambda, x)) return 0;
    for (int j = 0; j < p->n; j++) {
        if (!improve(p, &lambda[j], x[j])) return 0;
        largest = fmaxq(largest, cabsq(lambda[j]));
    }
    for (int j = 0; j < p->n; j++) {
        noe_stage_pencil_mode y = { .lambda = lambda[j],
                                    .real = fabsq(cimagq(lambda[j])) <= REAL_PART_MOST * largest };
        int                   at = count;
        if (!y.real && cimagq(lambda[j]) < 0) continue;
        normalise(p->n, x[j]);
        memcpy(y.x, x[j], sizeof y.x);
        for (; at > 0 && before(&y, &mode[at - 1]); at--) mode[at] = mode[at - 1];
        mode[at] = y;
        count++;
    }
    return count;
}

int noe_stage_pencil_modes(const noe_method *f, noe_stage_pencil_mode *mode)
{
    pair p;
    matrices(&p, f, 0, 0);
    return spectrum(&p, mode);
}

bool noe_stage_pencil_make(noe_stage_pencil *x, const noe_method *f, double alpha, double beta)
{
    pair                  p;
    noe_stage_pencil_mode mode[S];
    wide                  v[S][S], row[S];
    quad                  X[S] = { 0 }, I[S] = { 0 };
    memset(x, 0, sizeof *x);
    x->s = f->s, x->r = f->r;
    matrices(&p, f, alpha, beta);
    x->count = spectrum(&p, mode);
    int columns = 0;
    for (int k = 0; k < x->count; k++) /* both eigenvectors of a pair */
        for (int conjugate = 0; conjugate < (mode[k].real ? 1 : 2); conjugate++, columns++)
            for (int i = 0; i < f->s && columns < f->s; i++)
                v[columns][i] = conjugate ? conjq(mode[k].x[i]) : mode[k].x[i];
    if (columns != f->s) return false;
    for (int i = 0; i < f->r; i++) {
        x->b[i] = (double)f->b[i], x->c[i] = (double)f->c[i];
        for (int m = 0; m < f->s; m++) X[m] += f->b[i] * f->X[i][m], I[m] += f->b[i] * f->I[i][m];
    }
    for (int k = 0, j = 0; k < x->count; j += mode[k++].real ? 1 : 2) {
        const bool real = mode[k].real;
        if (!left(&p, v, j, row)) return false;
        wide P = 0, R = 0, U = 0, F[NOE_MAX_POINTS] = { 0 };
        for (int m = 0; m < f->s; m++) {
            P += f->w[m] * row[m], R -= X[m] * row[m];
            U += (I[m] + (m == 0 ? (quad)beta : 0)) * v[j][m];
            for (int i = 0; i < f->r; i++) F[i] += f->b[i] * f->X[i][m] * row[m];
        }
        const wide unit = cabsq(P) > SCALE_LEAST ? P : 1; /* y_j is scaled so that P_j = 1 */
        for (int i = 0; i < f->r; i++) {
            wide W = 0;
            for (int m = 0; m < f->s; m++) W += f->l[i][m] * v[j][m];
            x->F[k][i] = round_off(F[i] / unit), x->W[i][k] = round_off(W * unit);
        }
        const wide shifted = NOE_STIFFNESS_DIVISOR * mode[k].lambda;
        x->lambda[k] = cabsq(shifted) <= EIGENVALUE_LEAST ? 0
                     : real                               ? (double)crealq(shifted)
                                                          : round_off(shifted);
        x->multiplicity[k] = real ? 1 : 2;
        x->P[k] = round_off(P / unit), x->R[k] = round_off(NOE_STIFFNESS_DIVISOR * R / unit);
        x->U[k] = round_off(NOE_STIFFNESS_DIVISOR * U * unit), x->V[k] = round_off(v[j][0] * unit);
    }
    return true;
}
