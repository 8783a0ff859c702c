/* phi_1(z) = (e^z - 1)/z of numbers and matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     phi_1(z) = 1 + z/2 + z^2/6 + ..,   phi_1(2 z) = phi_1(z) + phi_1(z) z phi_1(z)/2
 *
 * Taylor's series where |z| <= 1/8, then doublings (Higham, Functions of Matrices, 10.7); each
 * lane has its own number of doublings, so that it has the bits that it has alone.  There is no
 * cancellation at z = 0, as in expm1. */
#ifndef NOE_NUMBER_PHI_H
#define NOE_NUMBER_PHI_H

#include "number/real.h"

/* terms of the series: 8^-k/(k+1)! is below the rounding error */
enum { PHI_TERMS = NOE_REAL == NOE_QUAD ? 20 : 11 };
enum { PHI_DOUBLINGS = 16 }; /* |z| <= 8192, beyond which e^z overflows or underflows */

/* Number of halvings that make size <= 1/8, as a real; *scale = 2^-(that number). */
INLINE real phi_halvings(real size, real *scale)
{
    real times = r_set(0);
    *scale = r_set(1);
    for (int k = 0; k < PHI_DOUBLINGS; k++) {
        const mask large = r_less(r_set((num)0.125), size * *scale);
        *scale = r_if(large, *scale / 2, *scale);
        times += r_if(large, r_set(1), r_set(0));
    }
    return times;
}

static real phi_1(real z)
{
    real       scale, sum = r_set(1);
    const real times = phi_halvings(r_abs(z), &scale);
    z *= scale;
    for (int k = PHI_TERMS; k > 1; k--) sum = 1 + sum * z / k;
    for (int k = 0; k < PHI_DOUBLINGS; k++) {
        const mask more = r_less(r_set(k), times);
        if (!m_any(more)) break;
        sum = r_if(more, sum + sum * z * sum / 2, sum);
        z = r_if(more, 2 * z, z);
    }
    return sum;
}

static void phi_multiply(int n, const real *A, const real *B, real *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real sum = A[i * n] * B[j];
            for (int k = 1; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

/* phi = phi_1(Z), n x n; size: a norm of Z. Z is overwritten; work [2 n n] is scratch. */
static void phi_1_matrix(int n, real *Z, real size, real *phi, real *work)
{
    real       scale;
    const real times = phi_halvings(size, &scale);
    for (int i = 0; i < n * n; i++) Z[i] *= scale;
    for (int i = 0; i < n * n; i++) phi[i] = r_set(i / n == i % n);
    for (int k = PHI_TERMS; k > 1; k--) {
        phi_multiply(n, phi, Z, work);
        for (int i = 0; i < n * n; i++) phi[i] = work[i] / k + (i / n == i % n);
    }
    for (int k = 0; k < PHI_DOUBLINGS; k++) {
        const mask more = r_less(r_set(k), times);
        if (!m_any(more)) break;
        phi_multiply(n, phi, Z, work);
        phi_multiply(n, work, phi, work + n * n);
        for (int i = 0; i < n * n; i++) {
            phi[i] = r_if(more, phi[i] + work[n * n + i] / 2, phi[i]);
            Z[i] = r_if(more, 2 * Z[i], Z[i]);
        }
    }
}

static void phi_times(int n, const real *A, const real *x, real *y)
{
    for (int i = 0; i < n; i++) {
        real sum = A[i * n] * x[0];
        for (int k = 1; k < n; k++) sum += A[i * n + k] * x[k];
        y[i] = sum;
    }
}

/* y = phi_1(d C) b without forming phi_1, |d C| at most 2^PHI_SHORT/8, n numbers each. The
 * interval is divided into 2^times pieces; in each, x <- e^(d C) x = x + d C phi_1(d C) x, and y
 * is the sum of the phi_1(d C) x. x, z, sum [n] are scratch. */
enum { PHI_SHORT = 4 };
static void phi_1_vector(int n, const real *C, real d, real times, real scale, const real *b,
                         real *y, real *x, real *z, real *sum)
{
    const real piece = d * scale;
    real       pieces = r_set(1);
    for (int k = 0; k < PHI_SHORT; k++) pieces = r_if(r_less(r_set(k), times), 2 * pieces, pieces);
    for (int i = 0; i < n; i++) x[i] = b[i], y[i] = r_set(0);
    for (int k = 0; k < 1 << PHI_SHORT; k++) {
        const mask more = r_less(r_set(k), pieces);
        if (!m_any(more)) break;
        for (int i = 0; i < n; i++) sum[i] = x[i];
        for (int t = PHI_TERMS; t > 1; t--) {
            phi_times(n, C, sum, z);
            for (int i = 0; i < n; i++) sum[i] = x[i] + piece * z[i] / t;
        }
        phi_times(n, C, sum, z);
        for (int i = 0; i < n; i++) {
            y[i] = r_if(more, y[i] + scale * sum[i], y[i]);
            x[i] += piece * z[i];
        }
    }
}

#endif
