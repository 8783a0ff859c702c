/* W = A^-1 by Gauss-Jordan elimination with row pivots.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/small_inverse.h"

bool noe_small_inverse(int n, quad *A, quad *W)
{
    for (int i = 0; i < n * n; i++) W[i] = i / n == i % n;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsq(A[i * n + k]) > fabsq(A[p * n + k])) p = i;
        if (!(fabsq(A[p * n + k]) > 0)) return false;
        for (int j = 0; j < n; j++) {
            quad swap = A[k * n + j];
            A[k * n + j] = A[p * n + j], A[p * n + j] = swap;
            swap = W[k * n + j], W[k * n + j] = W[p * n + j], W[p * n + j] = swap;
        }
        const quad pivot = A[k * n + k];
        for (int j = 0; j < n; j++) A[k * n + j] /= pivot, W[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const quad f = i == k ? 0 : A[i * n + k];
            for (int j = 0; j < n && f != 0; j++)
                A[i * n + j] -= f * A[k * n + j], W[i * n + j] -= f * W[k * n + j];
        }
    }
    return true;
}
