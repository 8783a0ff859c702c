/* A (q_m, p, q) = B (p_0, q_0);  q = Z^-1 (2 p_0 + (X - Y) q_0), p = X (q - q_0) - p_0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both variants of Simpson's scheme for M q'' + K q = 0 by the formulas as printed: the first,
 * (26)-(29), keeps the middle q_m of the step as an unknown, and its equations are solved in every
 * step; the second, (30)-(32), has eliminated it, L q_m = (q_0 + q)/2.
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Axioms 13 (2024) 255.
 *
 *     L = 1 - (h^2/8) M^-1 K,   X = (2/h) M - (h/6) K,   Y = (h/3) (K L^-1 + K/2),   Z = X + Y
 *
 * In the numbers of matrix.h: binary128 where the map is meant, double where its rounding is. */
#ifndef PRINTED_SCHEME_H
#define PRINTED_SCHEME_H

#include "matrix.h"

static matrix M, K, L, X, Y;
static ENTRY  h; /* the step of L, X and Y */

SOME void set_step(ENTRY step)
{
    h = step;
    L = sum(one(M.rows), -h * h / 8, solve(M, K));
    X = sum(scaled(2 / h, M), -h / 6, K);
    Y = scaled(h / 3, sum(times(K, inverse(L)), 0.5, K));
}

SOME void first_variant(matrix *A, matrix *B) /* (28) */
{
    const int    n = M.rows;
    const matrix I = one(n);
    *A = zero(3 * n, 3 * n), *B = zero(3 * n, 2 * n);
    put(A, 0, 0, 1, L), put(A, 0, 2, -0.5, I), put(A, 1, 1, 1, I), put(A, 1, 2, -1, X);
    put(A, 2, 0, 2 * h / 3, K), put(A, 2, 1, 1, I), put(A, 2, 2, h / 6, K);
    put(B, 0, 1, 0.5, I), put(B, 1, 0, -1, I), put(B, 1, 1, -1, X), put(B, 2, 0, 1, I),
        put(B, 2, 1, -h / 6, K);
}

/* Rows first .. first + n of y. */
SOME matrix part(matrix y, int first, int n)
{
    matrix x = zero(n, y.columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < y.columns; j++) x.a[i][j] = y.a[first + i][j];
    return x;
}

/* (29): a step of y = (p, q). */
SOME matrix with_the_middle(matrix y)
{
    matrix A, B;
    first_variant(&A, &B);
    return part(solve(A, times(B, y)), M.rows, 2 * M.rows);
}

/* (32): a step of y = (p, q). */
SOME matrix without_the_middle(matrix y)
{
    const int    n = M.rows;
    const matrix p = part(y, 0, n), q = part(y, n, n);
    const matrix after = solve(sum(X, 1, Y), sum(scaled(2, p), 1, times(sum(X, -1, Y), q)));
    matrix       out = zero(2 * n, 1);
    put(&out, 0, 0, 1, sum(times(X, sum(after, -1, q)), -1, p)), put(&out, 1, 0, 1, after);
    return out;
}

#endif
