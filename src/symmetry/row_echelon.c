/* Gauss-Jordan reduction of rows in binary128, with pivots in given columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/row_echelon.h"

#include <stddef.h>

static const double ZERO_PART = 1e-12; /* smaller entries of a row of largest entry 1 count as 0 */

static quad *row(quad *Z, int N, int i) { return Z + (size_t)i * (size_t)N; }

/* Scales a row to a largest entry of 1, so that entries of different rows can be compared. */
static void normalise(quad *x, int N)
{
    quad most = 0;
    for (int j = 0; j < N; j++) most = fmaxq(most, fabsq(x[j]));
    for (int j = 0; j < N && most > 0; j++) x[j] /= most;
}

int noe_row_echelon_reduce(quad *Z, int rows, int N, int first, const bool *wanted)
{
    int done = first;
    for (int i = 0; i < rows; i++) normalise(row(Z, N, i), N);
    for (; done < rows; done++) {
        quad largest = ZERO_PART;
        for (int i = done; i < rows; i++)
            for (int j = 0; j < N; j++)
                if (wanted[j]) largest = fmaxq(largest, fabsq(row(Z, N, i)[j]));
        if (largest <= ZERO_PART) break;
        int at = -1, column = 0;
        for (int j = 0; j < N && at < 0; j++) {
            quad best = largest * 3 / 10;
            for (int i = done; i < rows && wanted[j]; i++)
                if (fabsq(row(Z, N, i)[j]) >= best) {
                    at = i;
                    column = j;
                    best = fabsq(row(Z, N, i)[j]);
                }
        }
        quad *pivot = row(Z, N, done), *found = row(Z, N, at);
        for (int j = 0; j < N; j++) {
            const quad swap = pivot[j];
            pivot[j] = found[j], found[j] = swap;
        }
        const quad unit = pivot[column];
        for (int j = 0; j < N; j++) pivot[j] /= unit;
        for (int i = 0; i < rows; i++) {
            quad      *x = row(Z, N, i);
            const quad f = x[column];
            for (int j = 0; j < N && i != done && f != 0; j++)
                x[j] = j == column ? 0 : x[j] - f * pivot[j];
        }
    }
    return done - first;
}
