/* A + s B, A B, A^-1 B, eigenvalues:  small dense matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In binary128, unless the program has defined ENTRY, the type of the entries, and MOST, the
 * largest number of rows. */
#ifndef MATRIX_H
#define MATRIX_H

#include "../claim.h"

#ifndef ENTRY
#define ENTRY quad
#define MOST 9
#endif

typedef struct {
    int   rows, columns;
    ENTRY a[MOST][MOST];
} matrix;

SOME matrix zero(int r, int c) { return (matrix){ .rows = r, .columns = c }; }
SOME matrix scaled(ENTRY s, matrix A)
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) A.a[i][j] *= s;
    return A;
}
SOME matrix one(int n)
{
    matrix I = zero(n, n);
    for (int i = 0; i < n; i++) I.a[i][i] = 1;
    return I;
}
SOME matrix sum(matrix A, ENTRY s, matrix B) /* A + s B */
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) A.a[i][j] += s * B.a[i][j];
    return A;
}
SOME matrix times(matrix A, matrix B)
{
    matrix C = zero(A.rows, B.columns);
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < B.columns; j++)
            for (int k = 0; k < A.columns; k++) C.a[i][j] += A.a[i][k] * B.a[k][j];
    return C;
}
SOME matrix turned(matrix A)
{
    matrix C = zero(A.columns, A.rows);
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) C.a[j][i] = A.a[i][j];
    return C;
}
SOME matrix solve(matrix A, matrix B) /* A^-1 B */
{
    const int n = A.rows;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (fabsq(A.a[i][k]) > fabsq(A.a[p][k])) p = i;
        for (int j = 0; j < n; j++) {
            const ENTRY t = A.a[k][j];
            A.a[k][j] = A.a[p][j];
            A.a[p][j] = t;
        }
        for (int j = 0; j < B.columns; j++) {
            const ENTRY t = B.a[k][j];
            B.a[k][j] = B.a[p][j];
            B.a[p][j] = t;
        }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const ENTRY f = A.a[i][k] / A.a[k][k];
            for (int j = k; j < n; j++) A.a[i][j] -= f * A.a[k][j];
            for (int j = 0; j < B.columns; j++) B.a[i][j] -= f * B.a[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < B.columns; j++) B.a[i][j] /= A.a[i][i];
    return B;
}
SOME matrix inverse(matrix A) { return solve(A, one(A.rows)); }
SOME void   put(matrix *A, int r, int c, ENTRY s,
                matrix B) /* block (r, c) of the size of B, += s B */
{
    for (int i = 0; i < B.rows; i++)
        for (int j = 0; j < B.columns; j++)
            A->a[r * B.rows + i][c * B.columns + j] += s * B.a[i][j];
}
SOME quad size(matrix A)
{
    quad most = 0;
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.columns; j++) most = largest(most, A.a[i][j]);
    return most;
}
SOME quad  apart(matrix A, matrix B) { return size(sum(A, -1, B)) / (1 + size(A)); }
SOME ENTRY form(matrix x, matrix A) { return times(times(turned(x), A), x).a[0][0]; }

/* Eigenvalues of a symmetric matrix, by Jacobi's rotations: the least and the largest. */
SOME void eigenvalues(matrix A, ENTRY *least, ENTRY *most)
{
    for (int sweep = 0; sweep < 40; sweep++)
        for (int p = 0; p < A.rows; p++)
            for (int q = p + 1; q < A.rows; q++) {
                if (A.a[p][q] == 0) continue;
                const quad f = (A.a[q][q] - A.a[p][p]) / (2 * A.a[p][q]);
                const quad t = (f < 0 ? -1 : 1) / (fabsq(f) + sqrtq(f * f + 1)),
                           c = 1 / sqrtq(t * t + 1);
                matrix R = one(A.rows);
                R.a[p][p] = R.a[q][q] = c, R.a[p][q] = t * c, R.a[q][p] = -t * c;
                A = times(times(turned(R), A), R);
            }
    *least = *most = A.a[0][0];
    for (int i = 1; i < A.rows; i++) {
        if (A.a[i][i] < *least) *least = A.a[i][i];
        if (A.a[i][i] > *most) *most = A.a[i][i];
    }
}
SOME matrix cholesky(matrix A) /* L, A = L L' */
{
    for (int i = 0; i < A.rows; i++)
        for (int j = 0; j < A.rows; j++) {
            if (j > i) {
                A.a[i][j] = 0;
                continue;
            }
            for (int k = 0; k < j; k++) A.a[i][j] -= A.a[i][k] * A.a[j][k];
            A.a[i][j] = i == j ? sqrtq(A.a[i][i]) : A.a[i][j] / A.a[j][j];
        }
    return A;
}

#endif
