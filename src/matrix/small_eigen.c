/* Eigenvalues and eigenvectors of a small matrix, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     A x = l x
 *
 * The characteristic polynomial by Leverrier and Faddeev (A. S. Householder, The Theory of
 * Matrices in Numerical Analysis, 6.7), its roots all at once (O. Aberth, Math. Comp. 27 (1973)
 * 339), and the eigenvectors by inverse iteration.  The polynomial of so small a matrix costs at
 * most half of the digits. */
#include "matrix/small_eigen.h"

#include "matrix/small_solve.h"

#include <stdlib.h>

enum { N_MOST = NOE_EIGEN_MOST, ABERTH_MOST = 400, INVERSE_ITERATIONS = 3 };
/* Angles of the first points on a circle: equally apart, and none is real or the conjugate of
 * another, from which all corrections would stay so. */
static const quad FULL_TURN = (quad)6.283, FIRST_ANGLE = (quad)0.4;
/* Part of the radius of all roots below which a correction ends Aberth's iteration.  Random
 * matrices of 4 to 16 rows: 1e-26, the same residuals of eigenvectors; 1e-32, of 16 symmetric
 * rows 34 iterations instead of 15; 1e-34, all ABERTH_MOST. */
static const quad ROOT_ROUNDING = (quad)1e-30;
/* Imaginary part, over the largest eigenvalue, up to which one is real.  Random matrices of 2 to 16
 * rows: 1e-60 of single eigenvalues, 1.8e-14 of double real ones, which half of the digits tell;
 * of complex ones at least 0.02.  Triple ones, up to 5e-9, become pairs. */
static const quad REAL_PART = (quad)1e-13;
/* Part of the largest entry by which inverse iteration is beside the eigenvalue: the matrix stays
 * regular where that is exact.  Random matrices: 0 to 1e-22, the same residuals; with one of
 * INVERSE_ITERATIONS 2e-23 instead of 1e-31, with 2 and 6 the same. */
static const quad SHIFT_PART = (quad)1e-25;
/* Part by which an entry must be larger to be the one that is made real: vectors of symmetric
 * systems have entries of equal size.  Tests of the room: 1e-25 of those, else at least 0.1. */
static const quad EQUAL_SIZES = (quad)1e-10;

/* c[n + 1]: det(z - A) = z^n + c[n - 1] z^(n-1) + .. + c[0]. */
static void polynomial(int n, const quad *A, quad *c)
{
    quad M[N_MOST * N_MOST] = { 0 }, AM[N_MOST * N_MOST];
    for (int i = 0; i < n; i++) M[i * n + i] = 1;
    c[n] = 1;
    for (int k = 1; k <= n; k++) {
        quad trace = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                quad sum = 0;
                for (int l = 0; l < n; l++) sum += A[i * n + l] * M[l * n + j];
                AM[i * n + j] = sum;
            }
        for (int i = 0; i < n; i++) trace += AM[i * n + i];
        c[n - k] = -trace / k;
        for (int i = 0; i < n * n; i++) M[i] = AM[i] + (i % (n + 1) == 0 ? c[n - k] : 0);
    }
}

/* All roots z[n] of the polynomial by Aberth's iteration, from points on a circle; each
 * correction is p / (p' - p sum 1/(z_k - z_j)). False: not finite. */
static bool roots(int n, const quad *c, quad_complex *z)
{
    quad radius = 0;
    for (int k = 0; k < n; k++)
        radius = fmaxq(radius,
                       2 * (c[k] == 0 ? 0 : powq(fabsq(c[k]), (quad)1 / (n - k)))); /* Fujiwara */
    for (int k = 0; k < n; k++)
        z[k] = noe_small_eigen_complex(radius / 2 * cosq(k * FULL_TURN / n + FIRST_ANGLE),
                                       radius / 2 * sinq(k * FULL_TURN / n + FIRST_ANGLE));
    for (int round = 0; round < ABERTH_MOST && radius > 0; round++) {
        quad most = 0;
        for (int k = 0; k < n; k++) {
            quad_complex p = c[n], d = 0, near = 0;
            for (int j = n - 1; j >= 0; j--) d = d * z[k] + p, p = p * z[k] + c[j];
            if (cabsq(p) == 0) continue;
            for (int j = 0; j < n; j++)
                if (j != k && cabsq(z[k] - z[j]) > 0) near += 1 / (z[k] - z[j]);
            const quad_complex below = d - p * near;
            if (!(cabsq(below) > 0)) continue;
            z[k] -= p / below;
            most = fmaxq(most, cabsq(p / below));
        }
        if (!finiteq(most)) return false;
        if (most <= ROOT_ROUNDING * radius) break;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    const quad_complex x = *(const quad_complex *)a, y = *(const quad_complex *)b;
    const bool         pair = cimagq(x) != 0, other = cimagq(y) != 0;
    if (pair != other) return pair - other;
    if (crealq(x) != crealq(y)) return crealq(x) < crealq(y) ? -1 : 1;
    return (cimagq(x) > cimagq(y)) - (cimagq(x) < cimagq(y));
}

/* Sorts the eigenvalues: real ones, then that with the positive imaginary part of each pair.
 * Returns how many are kept, -1 where the complex ones are no pairs. */
static int sorted(int n, quad_complex *z)
{
    quad most = 0;
    int  kept = 0, real = 0;
    for (int k = 0; k < n; k++) most = fmaxq(most, cabsq(z[k]));
    for (int k = 0; k < n; k++) {
        if (fabsq(cimagq(z[k])) <= REAL_PART * most) z[kept++] = crealq(z[k]), real++;
        else if (cimagq(z[k]) > 0) z[kept++] = z[k];
    }
    qsort(z, (size_t)kept, sizeof *z, ascending);
    return 2 * kept - real == n ? kept : -1;
}

static bool vector(int n, const quad *A, quad_complex lambda, quad size, quad_complex *x)
{
    quad_complex B[N_MOST * N_MOST];
    for (int i = 0; i < n; i++) x[i] = 1 + (quad)0.1 * i;
    for (int round = 0; round < INVERSE_ITERATIONS; round++) {
        quad sum = 0;
        int  big = 0;
        for (int i = 0; i < n * n; i++)
            B[i] = A[i] - (i % (n + 1) == 0 ? lambda + SHIFT_PART * size : 0);
        if (!noe_small_solve_complex(B, n, x, 1)) return false;
        for (int i = 0; i < n; i++) /* the first of several entries of equal size */
            if (cabsq(x[i]) > cabsq(x[big]) * (1 + EQUAL_SIZES)) big = i;
        const quad_complex phase = cabsq(x[big]) / x[big];
        for (int i = 0; i < n; i++) x[i] *= phase, sum += cabsq(x[i]) * cabsq(x[i]);
        for (int i = 0; i < n; i++) x[i] /= sqrtq(sum);
        x[big] = crealq(x[big]);
    }
    return true;
}

bool noe_small_eigen_find(int n, const quad *A, quad_complex *lambda, quad_complex *x)
{
    quad         c[N_MOST + 1], size = 0;
    quad_complex z[N_MOST];
    polynomial(n, A, c);
    if (!roots(n, c, z)) return false;
    const int kept = sorted(n, z);
    for (int i = 0; i < n * n; i++) size = fmaxq(size, fabsq(A[i]));
    int at = 0;
    for (int k = 0; k < kept; k++, at++) {
        lambda[at] = z[k];
        if (!vector(n, A, z[k], size > 0 ? size : 1, x + at * n)) return false;
        if (cimagq(z[k]) == 0) {
            for (int i = 0; i < n; i++) x[at * n + i] = crealq(x[at * n + i]);
            continue;
        }
        at++;
        lambda[at] = noe_small_eigen_complex(crealq(z[k]), -cimagq(z[k]));
        for (int i = 0; i < n; i++)
            x[at * n + i] = noe_small_eigen_complex(crealq(x[at * n - n + i]),
                                                    -cimagq(x[at * n - n + i]));
    }
    return kept >= 0;
}
