/* LU factorization with partial pivoting, P A = L U, every member with its own pivots; of bands.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The largest entry is moved up by exchanges of rows one after another where they are needed, so
 * that eight members with eight different orders of rows go through the same operations as each
 * alone (Golub & Van Loan, Matrix Computations, 3.4).  Pivots are stored as their reciprocals; a
 * zero pivot leaves infinities behind, which the caller's test for finite values finds. */
#ifndef NOE_MATRIX_BATCH_LU_H
#define NOE_MATRIX_BATCH_LU_H

#include "number/real.h"

#include <stdbool.h>

/* Exchanges a and b [n] for the members of m. */
INLINE void exchange(mask m, real *a, real *b, int n)
{
    for (int k = 0; k < n; k++) {
        const real x = a[k], y = b[k];
        a[k] = r_if(m, y, x);
        b[k] = r_if(m, x, y);
    }
}

/* to -= f from, [n]; more than one at a time where a real is one number. */
INLINE void subtract_multiple(real *to, real f, const real *from, int n)
{
    int k = 0;
#if NOE_REAL == NOE_DOUBLE
    typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
    typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
    for (; k + 4 <= n; k += 4) *(four *)(to + k) -= f * *(const four *)(from + k);
    if (k + 2 <= n) *(two *)(to + k) -= f * *(const two *)(from + k), k += 2;
#endif
    for (; k < n; k++) to[k] -= f * from[k];
}

/* Factors A [N][N] in place, where it has many `zeros` with less work; row[i]: the row of the
 * system that stands in place i. */
INLINE void eliminate_rows(real *A, real *row, const int N, const bool zeros)
{
    for (int i = 0; i < N; i++) row[i] = r_set(i);
    for (int c = 0; c < N; c++) {
        real *top = A + c * N;
        for (int i = c + 1; i < N; i++) {
            const mask larger = r_less(r_abs(top[c]), r_abs(A[i * N + c]));
            if (!m_any(larger)) continue;
            exchange(larger, top, A + i * N, N);
            exchange(larger, row + c, row + i, 1);
        }
        top[c] = 1 / top[c];
        for (int i = c + 1; i < N; i++) {
            real      *below = A + i * N;
            const real f = below[c] * top[c];
            below[c] = f;
            if (zeros && !m_any(m_not(r_equal(f, r_set(0))))) continue;
            if (__builtin_constant_p(N))
                for (int k = c + 1; k < N; k++) below[k] -= f * top[k];
            else subtract_multiple(below + c + 1, f, top + c + 1, N - c - 1);
        }
    }
}
INLINE void eliminate(real *A, real *row, const int N) { eliminate_rows(A, row, N, false); }

/* Solves A x = b with the factors of eliminate(). */
INLINE void substitute(const real *A, const real *row, const int N, const real *b, real *x)
{
    mask elsewhere = m_all(0);
    for (int i = 0; i < N; i++)
        x[i] = b[i], elsewhere = elsewhere | m_not(r_equal(row[i], r_set(i)));
    for (int i = 0; i < N && m_any(elsewhere); i++)
        for (int k = 0; k < MEMBERS; k++) r_put(&x[i], k, r_member(b[(int)r_member(row[i], k)], k));
    for (int c = 0; c < N; c++)
        for (int i = c + 1; i < N; i++) x[i] -= A[i * N + c] * x[c];
    for (int c = N; c-- > 0;) {
        x[c] *= A[c * N + c];
        for (int i = 0; i < c; i++) x[i] -= A[i * N + c] * x[c];
    }
}

/* The same for sizes known at run time only, compiled once. */
static void lu_factor(real *A, real *row, int N) { eliminate_rows(A, row, N, true); }
static void lu_solve(const real *A, const real *row, int N, const real *b, real *x)
{
    substitute(A, row, N, b, x);
}

/* sum_k a_k x_k, [n]: four sums at a time, in every lane in the order of a trajectory alone. */
INLINE real product_of_rows(const real *a, const real *x, int n)
{
    real sum = r_set(0);
    int  k = 0;
#if NOE_REAL == NOE_DOUBLE
    typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
    four           part = { 0 };
    for (; k + 4 <= n; k += 4) part += *(const four *)(a + k) * *(const four *)(x + k);
#else
    real part[4] = { sum, sum, sum, sum };
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++) part[i] += a[k + i] * x[k + i];
#endif
    if (k) sum = (part[0] + part[2]) + (part[1] + part[3]);
    for (; k < n; k++) sum += a[k] * x[k];
    return sum;
}
/* As lu_solve(), row by row: faster, and with sums in another order. */
static void lu_solve_rows(const real *A, const real *row, int N, const real *b, real *x)
{
    mask elsewhere = m_all(0);
    for (int i = 0; i < N; i++)
        x[i] = b[i], elsewhere = elsewhere | m_not(r_equal(row[i], r_set(i)));
    for (int i = 0; i < N && m_any(elsewhere); i++)
        for (int k = 0; k < MEMBERS; k++) r_put(&x[i], k, r_member(b[(int)r_member(row[i], k)], k));
    for (int i = 1; i < N; i++) x[i] -= product_of_rows(A + i * N, x, i);
    for (int i = N; i-- > 0;)
        x[i] = (x[i] - product_of_rows(A + i * N + i + 1, x + i + 1, N - i - 1)) * A[i * N + i];
}

/* Moves the largest entry of column c up to row c, [N][rows] batches. */
INLINE void move_pivot_up(batch *A, const int N, const int rows, int c)
{
    const int   W = rows * WIDE;
    real *const x = (real *)A, *const top = x + c * W;
    for (int i = c + 1; i < N; i++) {
        const mask larger = r_less(r_abs(top[c]), r_abs(x[i * W + c]));
        if (m_any(larger)) exchange(larger, top, x + i * W, W);
    }
}

INLINE bool is_zero(real x) { return !m_any(m_not(r_equal(x, r_set(0)))); }

/* to <- (to - f a) - g b, [n]; a register at a time where a real is one number. */
INLINE void subtract_two_multiples(real *to, real f, const real *a, real g, const real *b, int n)
{
    int k = 0;
#if NOE_REAL == NOE_DOUBLE
    typedef double piece __attribute__((vector_size(32), aligned(8), may_alias));
    enum { PIECE = sizeof(piece) / sizeof(double) };
    const piece zero = { 0 }, F = zero + f, G = zero + g;
    for (; k + PIECE <= n; k += PIECE)
        *(piece *)(to + k) = (*(piece *)(to + k) - F * *(const piece *)(a + k))
                           - G * *(const piece *)(b + k);
#endif
    for (; k < n; k++) to[k] = (to[k] - f * a[k]) - g * b[k];
}

/* Eliminates columns c and c + 1 below their rows.  Column c + 1 is brought up to date first, for
 * its pivot; then each row is read and written once for both.  What is left of the two columns is
 * not read again, but for the pivots, as their reciprocals. */
INLINE void eliminate_two(batch *A, const int N, const int rows, int c)
{
    const int   W = rows * WIDE, from = (c + 1) / WIDE * WIDE;
    real *const x = (real *)A, *const top = x + c * W, *const next = top + W;
    move_pivot_up(A, N, rows, c);
    top[c] = 1 / top[c];
    for (int i = c + 1; i < N; i++) {
        real *const below = x + i * W;
        below[c] *= top[c];
        if (!is_zero(below[c])) below[c + 1] -= below[c] * top[c + 1];
    }
    move_pivot_up(A, N, rows, c + 1);
    const real pivot = 1 / next[c + 1];
    if (!is_zero(next[c])) subtract_multiple(next + from, next[c], top + from, W - from);
    next[c + 1] = pivot;
    for (int i = c + 2; i < N; i++) {
        real *const row = x + i * W + from;
        const real  f = x[i * W + c], g = x[i * W + c + 1] * pivot;
        const bool  none = is_zero(f);
        if (is_zero(g)) {
            if (!none) subtract_multiple(row, f, top + from, W - from);
        } else if (none) subtract_multiple(row, g, next + from, W - from);
        else subtract_two_multiples(row, f, top + from, g, next + from, W - from);
    }
}

/* X <- A^-1 X for A [N][N] and columns of X beside it, A | X as rows of so many batches, X from
 * column `from` on and `wide` numbers of it; A is overwritten. */
INLINE void eliminate_batches(batch *A, const int N, const int rows, const int from, const int wide)
{
    real *const x = (real *)A;
    const int   W = rows * WIDE;
    for (int c = 0; c + 1 < N; c += 2) eliminate_two(A, N, rows, c);
    if (N % 2) x[(N - 1) * W + N - 1] = 1 / x[(N - 1) * W + N - 1];
    for (int c = N; c-- > 0;) { /* substitutes two unknowns at a time */
        real *const y = x + c * W + from, *const z = y - W;
        for (int k = 0; k < wide; k++) y[k] *= x[c * W + c];
        if (c-- == 0) break;
        subtract_multiple(z, x[c * W + c + 1], y, wide);
        for (int k = 0; k < wide; k++) z[k] *= x[c * W + c];
        for (int i = 0; i < c; i++)
            subtract_two_multiples(x + i * W + from, x[i * W + c + 1], y, x[i * W + c], z, wide);
    }
}
/* The same, compiled for rows of few batches and for four columns. */
static void eliminate_beside(batch *A, int N, int rows, int from, int wide)
{
    if (WIDE > 1 && wide == 4) switch (rows) {
        case 1: eliminate_batches(A, N, 1, from, 4); return;
        case 2: eliminate_batches(A, N, 2, from, 4); return;
        case 3: eliminate_batches(A, N, 3, from, 4); return;
        default: break;
        }
    eliminate_batches(A, N, rows, from, wide);
}

/* Solves A^T x = b with the factors of lu_factor(): U^T y = b, L^T z = y, P x = z; overwrites b. */
static void lu_solve_transposed(const real *A, const real *row, int N, real *b, real *x)
{
    for (int c = 0; c < N; c++) {
        b[c] *= A[c * N + c];
        for (int i = c + 1; i < N; i++) b[i] -= A[c * N + i] * b[c];
    }
    for (int c = N; c-- > 0;)
        for (int i = 0; i < c; i++) b[i] -= A[c * N + i] * b[c];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < MEMBERS; k++) r_put(&x[(int)r_member(row[i], k)], k, r_member(b[i], k));
}

/* Row i of a band: entries c with |c - i| <= half, as row[c]. */
INLINE real *band_row(real *A, int half, int i)
{
    return A + (size_t)i * (size_t)(2 * half + 1) + half - i;
}

/* Factors a band A [N][2 half + 1] in place, without exchanges of rows, the reciprocal pivots on
 * the diagonal. */
static void band_factor(real *A, int half, int N)
{
    for (int i = 0; i < N; i++) {
        real *const top = band_row(A, half, i);
        const int   end = i + half < N ? i + half + 1 : N;
        top[i] = 1 / top[i];
        for (int k = i + 1; k < end; k++) {
            real *const below = band_row(A, half, k);
            const real  f = below[i] * top[i];
            below[i] = f;
            for (int c = i + 1; c < end; c++) below[c] -= f * top[c];
        }
    }
}

/* x = A^-1 x with the factors of band_factor(). */
static void band_solve(const real *A, int half, int N, real *x)
{
    const int wide = 2 * half + 1;
    for (int i = 0; i < N; i++) {
        const real *row = A + (size_t)i * (size_t)wide + half - i;
        real        sum = x[i];
        for (int c = i > half ? i - half : 0; c < i; c++) sum -= row[c] * x[c];
        x[i] = sum;
    }
    for (int i = N; i-- > 0;) {
        const real *row = A + (size_t)i * (size_t)wide + half - i;
        real        sum = x[i];
        for (int c = i + half < N ? i + half : N - 1; c > i; c--) sum -= row[c] * x[c];
        x[i] = sum * row[i];
    }
}

#endif
