/* LU factors of the band of constraints, without exchanges of rows, and solutions with them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A band A [N][2 half + 1] has row i at A + i (2 half + 1): the entries of columns i - half to i +
 * half, those outside of the matrix 0.  Pivots are stored as their reciprocals.  Each row waits for
 * those before it, in factors and in solutions: a long and narrow band is factored from both ends,
 * so that two such chains of operations run beside each other.  The rows middle to middle + half -
 * 1, which neither end reaches beyond, come last. */
#ifndef NOE_STEP_CONSTRAINT_BAND_H
#define NOE_STEP_CONSTRAINT_BAND_H

#include "number/real.h"

enum {
    NARROW_BAND = 5,    /* most of `half` that is compiled for */
    TWO_ENDS_LEAST = 12 /* rows; with fewer the middle is most of the matrix */
};

/* Row i of a band: entries c with |c - i| <= half, as row[c]. */
INLINE real *band_row(real *A, int half, int i)
{
    return A + (size_t)i * (size_t)(2 * half + 1) + half - i;
}

/* Takes the row of a pivot from the k-th row behind it, in `more` columns; where `wide` is
 * negative, rows and columns before a pivot are those behind it. */
INLINE void take_band_row(real *pivot, const int wide, const int k, const int more)
{
    const int   on = wide > 0 ? 1 : -1;
    real *const next = pivot + k * (wide - on); /* in the column of the pivot */
    const real  f = *next * *pivot;
    *next = f;
    for (int c = 1; c <= more; c++) next[c * on] -= f * pivot[c * on];
}

/* x - sum_k row_-k last_k-1 for the last numbers found, the newest first; `on` -1: row_k.  row: the
 * diagonal of a row. */
INLINE real follow_band(real x, const real *row, const int on, const int half, const real *last)
{
    for (int k = half; k > 0; k--) x -= row[-k * on] * last[k - 1];
    return x;
}

/* Puts x before the other numbers in last [half], and returns it. */
INLINE real put_first(real x, const int half, real *last)
{
    for (int k = half - 1; k > 0; k--) last[k] = last[k - 1];
    return last[0] = x;
}

INLINE void factor_from_both_ends(real *A, const int half, int N)
{
    const int   wide = 2 * half + 1, middle = (N - half) / 2, end = middle + half;
    real *const first = A + half, *const last = first + (N - 1) * wide; /* on the diagonal */
    for (int i = 0; i < N - end; i++) {
        real *const up = first + i * wide, *const down = last - i * wide;
        *down = 1 / *down;
        if (i < middle) *up = 1 / *up;
        for (int k = 1; k <= half; k++) take_band_row(down, -wide, k, half);
        for (int k = 1; k <= half && i < middle; k++) take_band_row(up, wide, k, half);
    }
    for (int i = middle; i < end; i++) {
        real *const pivot = first + i * wide;
        *pivot = 1 / *pivot;
        for (int k = 1; k < end - i; k++) take_band_row(pivot, wide, k, end - 1 - i);
    }
}

/* The numbers that the next ones wait for stay in registers. */
INLINE void solve_from_both_ends(const real *A, const int half, int N, real *x)
{
    const int         wide = 2 * half + 1, middle = (N - half) / 2, end = middle + half;
    const real *const first = A + half, *const last = first + (N - 1) * wide;
    real up[NARROW_BAND], down[NARROW_BAND], *const bottom = x + N - 1;
    for (int k = 0; k < half; k++) up[k] = down[k] = r_set(0);
    for (int i = 0; i < N - end; i++) {
        bottom[-i] = put_first(follow_band(bottom[-i], last - i * wide, -1, half, down), half,
                               down);
        if (i < middle)
            x[i] = put_first(follow_band(x[i], first + i * wide, 1, half, up), half, up);
    }
    for (int i = middle; i < end; i++) {
        const real *const row = first + i * wide;
        for (int k = 1; k <= half && k <= i; k++) x[i] -= row[-k] * x[i - k];
        for (int k = end - i; k <= half && i + k < N; k++) x[i] -= row[k] * x[i + k];
    }
    for (int i = end; i-- > middle;) {
        const real *const row = first + i * wide;
        for (int k = i + 1; k < end; k++) x[i] -= row[k - i] * x[k];
        x[i] *= row[0];
    }
    for (int k = 0; k < half; k++) up[k] = x[middle + k], down[k] = x[end - 1 - k];
    for (int i = N - end; i-- > 0;) {
        const real *const row = last - i * wide, *const other = first + i * wide;
        bottom[-i] = put_first(follow_band(bottom[-i], row, 1, half, down) * row[0], half, down);
        if (i < middle)
            x[i] = put_first(follow_band(x[i], other, -1, half, up) * other[0], half, up);
    }
}

/* From the first row to the last, for a band of any width. */
INLINE void factor_downwards(real *A, const int half, int N)
{
    const int wide = 2 * half + 1;
    real     *pivot = A + half;
    for (int i = 0; i < N; i++, pivot += wide) {
        const int more = i + half < N ? half : N - 1 - i;
        *pivot = 1 / *pivot;
        for (int k = 1; k <= more; k++) take_band_row(pivot, wide, k, more);
    }
}
INLINE void solve_downwards(const real *A, const int half, int N, real *x)
{
    const int   wide = 2 * half + 1;
    const real *row = A + half; /* the diagonal of row i */
    for (int i = 0; i < N; i++, row += wide)
        for (int k = i < half ? i : half; k > 0; k--) x[i] -= row[-k] * x[i - k];
    for (int i = N; i-- > 0;) {
        row -= wide;
        for (int k = N - 1 - i < half ? N - 1 - i : half; k > 0; k--) x[i] -= row[k] * x[i + k];
        x[i] *= row[0];
    }
}

/* A narrow band, by one way or the other. */
INLINE void factor_narrow(real *A, const int half, int N)
{
    if (N < TWO_ENDS_LEAST) factor_downwards(A, half, N);
    else factor_from_both_ends(A, half, N);
}
INLINE void solve_narrow(const real *A, const int half, int N, real *x)
{
    const int   wide = 2 * half + 1;
    const real *row = A + half;
    real        last[NARROW_BAND];
    if (N >= TWO_ENDS_LEAST) {
        solve_from_both_ends(A, half, N, x);
        return;
    }
    for (int k = 0; k < half; k++) last[k] = r_set(0);
    for (int i = 0; i < N; i++, row += wide)
        x[i] = put_first(follow_band(x[i], row, 1, half, last), half, last);
    for (int k = 0; k < half; k++) last[k] = r_set(0);
    for (int i = N; i-- > 0;) {
        row -= wide;
        x[i] = put_first(follow_band(x[i], row, -1, half, last) * row[0], half, last);
    }
}

/* Factors a band in place.  Compiled for chains of constraints, each of which shares coordinates
 * with the next one: at one, two and three nodes. */
static void band_factor(real *A, int half, int N)
{
    switch (half) {
    case 1: factor_narrow(A, 1, N); return;
    case 3: factor_narrow(A, 3, N); return;
    case NARROW_BAND: factor_narrow(A, NARROW_BAND, N); return;
    default: factor_downwards(A, half, N); return;
    }
}

/* x = A^-1 x with the factors of band_factor(). */
static void band_solve(const real *A, int half, int N, real *x)
{
    switch (half) {
    case 1: solve_narrow(A, 1, N, x); return;
    case 3: solve_narrow(A, 3, N, x); return;
    case NARROW_BAND: solve_narrow(A, NARROW_BAND, N, x); return;
    default: solve_downwards(A, half, N, x); return;
    }
}

#endif
