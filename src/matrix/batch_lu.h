/* LU factorization with partial pivoting, P A = L U, every member with its own pivots.
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

/* Exchanges a and b [n] for the members of m; four at a time where a real is one number. */
INLINE void exchange(mask m, real *a, real *b, int n)
{
    int k = 0;
#if NOE_REAL == NOE_DOUBLE
    typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
    if (!m_any(m)) return;
    for (; k + 4 <= n; k += 4) {
        const four x = *(four *)(a + k), y = *(four *)(b + k);
        *(four *)(a + k) = y, *(four *)(b + k) = x;
    }
#endif
    for (; k < n; k++) {
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

/* x = P b, with the rows that stand in their places, [N]. */
INLINE void take_rows(const real *row, const int N, const real *b, real *x)
{
    mask elsewhere = m_all(0);
    for (int i = 0; i < N; i++)
        x[i] = b[i], elsewhere = elsewhere | m_not(r_equal(row[i], r_set(i)));
    for (int i = 0; i < N && m_any(elsewhere); i++)
        for (int k = 0; k < MEMBERS; k++) r_put(&x[i], k, r_member(b[(int)r_member(row[i], k)], k));
}

/* Solves A x = b with the factors of eliminate(). */
INLINE void substitute(const real *A, const real *row, const int N, const real *b, real *x)
{
    take_rows(row, N, b, x);
    for (int c = 0; c < N; c++)
        for (int i = c + 1; i < N; i++) x[i] -= A[i * N + c] * x[c];
    for (int c = N; c-- > 0;) {
        x[c] *= A[c * N + c];
        for (int i = 0; i < c; i++) x[i] -= A[i * N + c] * x[c];
    }
}

/* The same for sizes known at run time only, compiled once. */
static void lu_factor(real *A, real *row, int N)
{
    if (N == 1) *row = r_set(0), *A = 1 / *A;
    else eliminate_rows(A, row, N, true);
}
static void lu_solve(const real *A, const real *row, int N, const real *b, real *x)
{
    substitute(A, row, N, b, x);
}

/* Four numbers side by side; in a register where a real is one number. */
#if NOE_REAL == NOE_DOUBLE
typedef double four_reals __attribute__((vector_size(32), aligned(8), may_alias));
#else
typedef real four_reals[4];
#endif

/* x -= a_0 y_0 + .. + a_3 y_3, in every lane in the order of a trajectory alone. */
INLINE void subtract_four_products(real *x, const real *a, const four_reals *y)
{
#if NOE_REAL == NOE_DOUBLE
    const four_reals part = *(const four_reals *)a * *y;
    *x -= (part[0] + part[2]) + (part[1] + part[3]);
#else
    const real *const f = *y;
    *x -= (a[0] * f[0] + a[2] * f[2]) + (a[1] * f[1] + a[3] * f[3]);
#endif
}

/* x <- (L U)^-1 x, [N], with the factors of eliminate_rows() and x = P b on entry (take_rows());
 * four unknowns at a time: once these are known, each of the other rows takes what they contribute
 * to it in one operation. */
INLINE void substitute_fours(const real *A, const int N, real *x)
{
    const int whole = N / 4 * 4; /* unknowns in groups of four */
    for (int c = 0; c < whole; c += 4) {
        const real *const a = A + c * N + c, *const b = a + N, *const d = b + N, *const e = d + N;
        const real x0 = x[c], x1 = x[c + 1] - b[0] * x0, x2 = (x[c + 2] - d[0] * x0) - d[1] * x1,
                   x3 = ((x[c + 3] - e[0] * x0) - e[1] * x1) - e[2] * x2;
        const four_reals y = { x0, x1, x2, x3 };
        x[c + 1] = x1, x[c + 2] = x2, x[c + 3] = x3;
        for (int i = c + 4; i < N; i++) subtract_four_products(x + i, A + i * N + c, &y);
    }
    for (int i = whole + 1; i < N; i++)
        for (int k = whole; k < i; k++) x[i] -= A[i * N + k] * x[k];
    for (int c = N; c-- > whole;) {
        x[c] *= A[c * N + c];
        for (int i = 0; i < c; i++) x[i] -= A[i * N + c] * x[c];
    }
    for (int c = whole; (c -= 4) >= 0;) {
        const real *const a = A + c * N + c, *const b = a + N, *const d = b + N, *const e = d + N;
        const real x3 = x[c + 3] * e[3], x2 = (x[c + 2] - d[3] * x3) * d[2],
                   x1 = ((x[c + 1] - b[3] * x3) - b[2] * x2) * b[1],
                   x0 = (((x[c] - a[3] * x3) - a[2] * x2) - a[1] * x1) * a[0];
        const four_reals y = { x0, x1, x2, x3 };
        x[c] = x0, x[c + 1] = x1, x[c + 2] = x2, x[c + 3] = x3;
        for (int i = 0; i < c; i++) subtract_four_products(x + i, A + i * N + c, &y);
    }
}

/* As lu_solve(), faster, and with sums in another order. */
static void lu_solve_fours(const real *A, const real *row, int N, const real *b, real *x)
{
    if (N == 1) {
        *x = *b * *A;
        return;
    }
    take_rows(row, N, b, x);
    substitute_fours(A, N, x);
}

/* The same for squares [size][size] one after another in A, that of part b for the places up to
 * end[b]: factors, and x = A^-1 b. */
static void lu_factor_parts(real *A, real *row, int parts, const int *end)
{
    for (int b = 0, first = 0; b < parts; first = end[b++]) {
        const int size = end[b] - first;
        lu_factor(A, row + first, size);
        A += size * size;
    }
}
static void lu_solve_parts(const real *A, const real *row, int parts, const int *end,
                           const real *right, real *x)
{
    for (int b = 0, first = 0; b < parts; first = end[b++]) {
        const int size = end[b] - first;
        lu_solve_fours(A, row + first, size, right + first, x + first);
        A += size * size;
    }
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

#endif
