/* A X = B by Gaussian elimination with row pivots.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/small_solve.h"

bool noe_small_solve_columns(quad *A, int N, quad *B, int cols)
{
    for (int k = 0; k < N; k++) {
        int big = k;
        for (int i = k + 1; i < N; i++)
            if (fabsq(A[i * N + k]) > fabsq(A[big * N + k])) big = i;
        if (!(fabsq(A[big * N + k]) > 0) || !finiteq(A[big * N + k])) return false;
        for (int j = 0; j < N && big != k; j++) {
            const quad x = A[k * N + j];
            A[k * N + j] = A[big * N + j], A[big * N + j] = x;
        }
        for (int j = 0; j < cols && big != k; j++) {
            const quad x = B[k * cols + j];
            B[k * cols + j] = B[big * cols + j], B[big * cols + j] = x;
        }
        for (int i = k + 1; i < N; i++) {
            const quad f = A[i * N + k] / A[k * N + k];
            if (f == 0) continue;
            for (int j = k + 1; j < N; j++) A[i * N + j] -= f * A[k * N + j];
            for (int j = 0; j < cols; j++) B[i * cols + j] -= f * B[k * cols + j];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int i = k + 1; i < N; i++) { /* most matrices here are sparse */
            const quad f = A[k * N + i];
            for (int j = 0; j < cols && f != 0; j++) B[k * cols + j] -= f * B[i * cols + j];
        }
        for (int j = 0; j < cols; j++)
            if (B[k * cols + j] != 0) B[k * cols + j] /= A[k * N + k];
    }
    return true;
}

bool noe_small_solve_inverse(quad *A, int N, quad *W)
{
    for (int i = 0; i < N * N; i++) W[i] = i / N == i % N;
    return noe_small_solve_columns(A, N, W, N);
}
