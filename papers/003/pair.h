/* q'M q'/2 - q K q/2:  random pairs M, K, noether's steps of them, and maps of the paper.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Simpson's variational integrator for
 * systems with quadratic Lagrangians, Axioms 13 (2024) 255. */
#ifndef PAIR_H
#define PAIR_H

#include "printed_scheme.h"

#include <unistd.h>

enum { N = 3, PAIRS = 5 }; /* coordinates, unless a program asks for others; pairs of them */

static ENTRY w2, k, mu; /* largest omega^2 of the pair; largest eigenvalue of K, least of M */
static char  model[] = P_tmpdir "/noether-pair-XXXXXX";

SOME matrix definite(int n)
{
    matrix A = zero(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A.a[i][j] = some();
    return sum(times(A, turned(A)), NUM(0.2), one(n));
}

SOME void pair(int n)
{
    ENTRY least, most;
    M = definite(n), K = scaled(9, definite(n));
    eigenvalues(M, &mu, &most);
    eigenvalues(K, &least, &k);
    const matrix C = inverse(cholesky(M)), S = times(times(C, K), turned(C));
    eigenvalues(S, &least, &w2);
    FILE *f = fopen(model, "w");
    if (!f) exit(2);
    for (int i = 0; i < n; i++) fprintf(f, "coordinate x%d\n", i + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            fprintf(f, "kinetic (%s)/2*x%d'*x%d'\n", text(M.a[i][j]), i + 1, j + 1);
            fprintf(f, "potential (%s)/2*x%d*x%d\n", text(K.a[i][j]), i + 1, j + 1);
        }
    fclose(f);
}

/* Rows (p, q) of a run from y = (p, q). */
SOME quad *states(const char *method, matrix y, int steps, int *rows)
{
    const int n = M.rows;
    char      start[1024] = "", names[2][100] = { "", "" };
    for (int i = 0; i < n; i++) {
        sprintf(start + strlen(start), "x%d=%s x%d.p=%s ", i + 1, text(y.a[n + i][0]), i + 1,
                text(y.a[i][0]));
        sprintf(names[0] + strlen(names[0]), "x%d.p,", i + 1);
        sprintf(names[1] + strlen(names[1]), "%sx%d", i ? "," : "", i + 1);
    }
    quad *r = noether(2 * n, rows,
                      "%s %s --digits 33 --method '%s' --step %s --until '%d*%s' --columns %s%s",
                      model, start, method, text(h), steps, text(h), names[0], names[1]);
    if (*rows != steps + 1) exit(fprintf(stderr, "%d rows instead of %d\n", *rows, steps + 1));
    return r;
}

SOME matrix step_matrix(const char *method)
{
    matrix P = zero(2 * N, 2 * N);
    for (int j = 0; j < 2 * N; j++) {
        matrix e = zero(2 * N, 1);
        int    rows;
        e.a[j][0] = 1;
        quad *r = states(method, e, 1, &rows);
        for (int i = 0; i < 2 * N; i++) P.a[i][j] = r[2 * N + i];
        free(r);
    }
    return P;
}

/* ---- maps of the paper ---- */

SOME matrix scheme(matrix x, matrix y) /* A^-1 B of (34) */
{
    matrix A = zero(2 * N, 2 * N), B = A, I = one(N);
    put(&A, 0, 0, 1, I), put(&A, 0, 1, -1, x), put(&A, 1, 0, 1, I), put(&A, 1, 1, 1, y);
    put(&B, 0, 0, -1, I), put(&B, 0, 1, -1, x), put(&B, 1, 0, 1, I), put(&B, 1, 1, -1, y);
    return solve(A, B);
}

SOME matrix by_D(matrix y) /* one solve with D = M + h^2 K/24, one with M */
{
    matrix p = zero(N, 1), q = p;
    for (int i = 0; i < N; i++) p.a[i][0] = y.a[i][0], q.a[i][0] = y.a[N + i][0];
    const matrix D = sum(M, h * h / 24, K), r = times(K, q);
    const matrix m = sum(q, h / 2, solve(D, sum(p, -h / 4, r))), s = times(K, m);
    const matrix q1 = sum(q, h, solve(M, sum(p, -h / 6, sum(r, 2, s)))), t = times(K, q1);
    const matrix p1 = sum(p, -h / 6, sum(sum(r, 4, s), 1, t));
    matrix       out = zero(2 * N, 1);
    put(&out, 0, 0, 1, p1), put(&out, 1, 0, 1, q1);
    return out;
}

SOME quad symplectic(matrix P) /* (33) */
{
    matrix J = zero(2 * N, 2 * N);
    put(&J, 0, 1, -1, one(N)), put(&J, 1, 0, 1, one(N));
    return size(sum(times(times(turned(P), J), P), -1, J)) / (1 + size(P) * size(P));
}

SOME quad less(quad a, quad b) { return a < b ? a : b; }

/* ---- claims ---- */

SOME matrix column(const quad *r) /* a row of states as (p, q) */
{
    matrix y = zero(2 * N, 1);
    for (int i = 0; i < 2 * N; i++) y.a[i][0] = r[i];
    return y;
}

SOME matrix half(matrix y, int which) { return part(y, which * N, N); }

SOME void begin(void) /* a file for the models of the pairs */
{
    const int f = mkstemp(model);
    if (f < 0) exit(2);
    close(f);
}

SOME int end(void)
{
    remove(model);
    return failures != 0;
}

#endif
