/* M, C, K symmetric positive, at random: what the tests of linear systems share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINEAR_TEST_H
#define LINEAR_TEST_H

#include "laws.h"
#include "linear/linear.h"
#include "run/integrator.h"

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

/* The whole matrix by columns, zeros left out.  Three numbers a place: static room, one matrix at a time. */
typedef struct {
    size_t start[MOST + 1];
    int    row[MOST * MOST];
    double value[MOST * MOST];
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
    return noe_system_structure(x->n, by_columns(&M, x->n, x->M), damped ? &C.csc : NULL, by_columns(&K, x->n, x->K),
                                load, ctx);
}

/* A x = b in binary128, row elimination without pivoting: for positive matrices.  A is destroyed. */
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

static UNUSED void sum_of(int n, quad (*A)[MOST], quad a, double (*X)[MOST], quad b, double (*Y)[MOST])
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

#endif
