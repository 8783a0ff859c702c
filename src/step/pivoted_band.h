/* LU factorization of a band with partial pivoting, every member with its own pivots.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A_ik = 0 for |i - k| > half; exchanges of rows fill up to column i + 2 half (Golub & Van Loan,
 * Matrix Computations, 4.3.5), so that a row has 3 half + 1 numbers: A_ik stands at
 * A[part_row_at(half, N, i) + k].  As in matrix/batch_lu.h pivots are stored as their reciprocals,
 * and a zero pivot leaves infinities behind; but factors of rows stay where they were computed,
 * and pivot[c] is the row that was exchanged with row c. */
#ifndef NOE_STEP_PIVOTED_BAND_H
#define NOE_STEP_PIVOTED_BAND_H

#include "matrix/batch_lu.h"

enum { SQUARE = -1 }; /* in place of `half`: all N^2 numbers are stored, as in matrix/batch_lu.h */

/* Numbers of a band or square of N rows; where column 0 of row i stands, or would stand. */
INLINE size_t part_numbers(int half, int N)
{
    return (size_t)N * (size_t)(half == SQUARE ? N : 3 * half + 1);
}
INLINE size_t part_row_at(int half, int N, int i)
{
    return half == SQUARE ? (size_t)i * (size_t)N : (size_t)i * (size_t)(3 * half) + (size_t)half;
}
/* Is a band of N rows smaller than the square? */
INLINE bool band_saves(int half, int N) { return 3 * half + 1 < N; }

INLINE int least_of(int a, int b) { return a < b ? a : b; }

/* The row with the largest entry of column c, c .. last. */
INLINE real pivot_row(const real *A, int N, int half, int c, int last)
{
    real best = r_abs(A[part_row_at(half, N, c) + (size_t)c]), place = r_set(c);
    for (int i = c + 1; i <= last; i++) {
        const real x = r_abs(A[part_row_at(half, N, i) + (size_t)c]);
        const mask larger = r_less(best, x);
        best = r_if(larger, x, best), place = r_if(larger, r_set(i), place);
    }
    return place;
}

static void pivoted_band_factor(real *A, real *pivot, int N, int half)
{
    for (int c = 0; c < N; c++) {
        const int   last = least_of(c + half, N - 1), columns = least_of(c + 2 * half + 1, N) - c;
        real *const top = A + part_row_at(half, N, c) + c;
        pivot[c] = pivot_row(A, N, half, c, last);
        if (m_any(m_not(r_equal(pivot[c], r_set(c)))))
            for (int i = c + 1; i <= last; i++) {
                const mask here = r_equal(pivot[c], r_set(i));
                if (m_any(here)) exchange(here, top, A + part_row_at(half, N, i) + c, columns);
            }
        *top = 1 / *top;
        for (int i = c + 1; i <= last; i++) {
            real *const below = A + part_row_at(half, N, i) + c;
            const real  f = *below * *top;
            *below = f;
            if (m_any(m_not(r_equal(f, r_set(0)))))
                subtract_multiple(below + 1, f, top + 1, columns - 1);
        }
    }
}

/* Exchanges x[c] with x[pivot], where every member has its own. */
INLINE void exchange_places(real *x, real pivot, int c)
{
    if (!m_any(m_not(r_equal(pivot, r_set(c))))) return;
    for (int k = 0; k < MEMBERS; k++) {
        const int i = (int)r_member(pivot, k);
        const num kept = r_member(x[c], k);
        r_put(&x[c], k, r_member(x[i], k)), r_put(&x[i], k, kept);
    }
}

/* x <- A^-1 x, [N], with the factors of pivoted_band_factor(). */
static void pivoted_band_solve(const real *A, const real *pivot, int N, int half, real *x)
{
    for (int c = 0; c < N; c++) {
        const int last = least_of(c + half, N - 1);
        exchange_places(x, pivot[c], c);
        for (int i = c + 1; i <= last; i++) x[i] -= A[part_row_at(half, N, i) + (size_t)c] * x[c];
    }
    for (int c = N; c-- > 0;) {
        x[c] *= A[part_row_at(half, N, c) + (size_t)c];
        for (int i = c > 2 * half ? c - 2 * half : 0; i < c; i++)
            x[i] -= A[part_row_at(half, N, i) + (size_t)c] * x[c];
    }
}

/* Factors of a band or square. */
INLINE void factor_part(real *A, real *pivot, int N, int half)
{
    if (half == SQUARE) lu_factor(A, pivot, N);
    else pivoted_band_factor(A, pivot, N, half);
}

#endif
