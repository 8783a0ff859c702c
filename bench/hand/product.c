/* A step of a small linear system as one writes it by hand: a full matrix times the state.
 * SPDX-License-Identifier: BSD-3-Clause */

/* A[n][n] by columns, x[n] in and out, y[n] room. */
int product_go(int n, const double *A, double *x, double *y, int steps);
int product_go(int n, const double *A, double *x, double *y, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) y[i] = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) y[i] += A[j * n + i] * x[j];
        for (int i = 0; i < n; i++) x[i] = y[i];
    }
    return 0;
}
