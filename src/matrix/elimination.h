/* A X = B by Gaussian elimination with row pivots, for one type of number.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by matrix/small_solve.c for each type, after NUMBER, SIZE (the absolute value), FINITE
 * and ELIMINATE, the name of the function, are defined; it undefines them. */

/* B <- A^-1 B, A [N][N] and B [N][columns]; A is overwritten. False: A is singular or has no finite
 * pivot. */
bool ELIMINATE(NUMBER *A, int N, NUMBER *B, int columns)
{
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (SIZE(A[i * N + k]) > SIZE(A[pivot * N + k])) pivot = i;
        if (!(SIZE(A[pivot * N + k]) > 0) || !FINITE(SIZE(A[pivot * N + k]))) return false;
        for (int j = 0; j < N && pivot != k; j++) {
            const NUMBER
            x = A[k * N + j];
            A[k * N + j] = A[pivot * N + j], A[pivot * N + j] = x;
        }
        for (int j = 0; j < columns && pivot != k; j++) {
            const NUMBER
            x = B[k * columns + j];
            B[k * columns + j] = B[pivot * columns + j], B[pivot * columns + j] = x;
        }
        for (int i = k + 1; i < N; i++) {
            const NUMBER
            f = A[i * N + k] / A[k * N + k];
            if (f == 0) continue;
            for (int j = k + 1; j < N; j++) A[i * N + j] -= f * A[k * N + j];
            for (int j = 0; j < columns; j++) B[i * columns + j] -= f * B[k * columns + j];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int i = k + 1; i < N; i++) { /* most matrices here are sparse */
            const NUMBER
            f = A[k * N + i];
            for (int j = 0; j < columns && f != 0; j++)
                B[k * columns + j] -= f * B[i * columns + j];
        }
        for (int j = 0; j < columns; j++)
            if (B[k * columns + j] != 0) B[k * columns + j] /= A[k * N + k];
    }
    return true;
}
#undef NUMBER
#undef SIZE
#undef FINITE
#undef ELIMINATE
