/* The quadratic eigenvalue problem of a linearized motion.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ( l^2 A + l B + C ) x = 0,   A = L_vv,  B = L_vq - L_qv,  C = -L_qq.
 *
 * l = g m, with D A D, D B D / g, D C D / g^2 of size 1 (H.-Y. Fan, W.-W. Lin, P. Van Dooren,
 * Normwise scaling of second order polynomial matrices, SIAM J. Matrix Anal. Appl. 26 (2004)
 * 252), and y = m x:
 *     [ 0   1 ] x       [ 1   0 ] x
 *     [ -C -B ] y  =  m [ 0   A ] y
 * A double l = 0, which every free direction has, comes out of the QZ algorithm as the root of the
 * rounding. */
#include "matrix/quadratic_eigen.h"

#include "base/optional_library.h"
#include "base/lapack.h"

#include <math.h>
#include <stdlib.h>

/* Size of a computed eigenvalue that is 0: the square root of the rounding error, 1e-8, times
 * the growth for up to 256 coordinates. */
static const double DEFECT_PART = 1e-6;
/* An eigenvalue of an equilibrated mass matrix up to n times this part of the largest is rounding:
 * 4 units of it. */
static const double SINGULAR_PART = 4 * 0x1p-53;
/* Sweeps of equilibrate(): the largest entries of the rows become 1 to the 2^30th root. */
enum { EQUILIBRATIONS = 30 };

/* D with |D A D| having largest entries of 1 in every row (D. Ruiz, A scaling algorithm to
 * equilibrate both rows and columns norms in matrices, RAL-TR-2001-034); a row of zeros keeps 1. */
static void equilibrate(int n, const quad *A, quad *d)
{
    for (int i = 0; i < n; i++) d[i] = 1;
    for (int sweep = 0; sweep < EQUILIBRATIONS; sweep++)
        for (int i = 0; i < n; i++) {
            quad most = 0;
            for (int j = 0; j < n; j++) most = fmaxq(most, fabsq(d[i] * A[i * n + j] * d[j]));
            if (most > 0) d[i] /= sqrtq(most);
        }
}

static quad largest(int n, const quad *A, const quad *d)
{
    quad most = 0;
    for (int i = 0; i < n * n; i++) most = fmaxq(most, fabsq(d[i / n] * A[i] * d[i % n]));
    return most;
}

bool noe_quadratic_eigen_condition(int n, const quad *A, double *condition)
{
    const size_t k = (size_t)n;
    const int    lwork = 3 * n;
    int          info = 0;
    quad        *d = noe_status_alloc(k, sizeof *d);
    double      *a = noe_status_alloc(k * k + 4 * k, sizeof *a);
    const bool   ok = d && a
                 && !noe_optional_library_require(NOE_OF_LAPACK, "the condition of a mass matrix");
    *condition = NAN;
    if (ok) {
        double *w = a + k * k, least = INFINITY, most = 0;
        equilibrate(n, A, d);
        for (int i = 0; i < n * n; i++) {
            a[i] = (double)(d[i / n] * A[i] * d[i % n]);
            info |= !isfinite(a[i]);
        }
        if (!info) dsyev_("N", "L", &n, a, &n, w, w + n, &lwork, &info, 1, 1);
        for (int i = 0; i < n; i++) least = fmin(least, fabs(w[i])), most = fmax(most, fabs(w[i]));
        if (!info) *condition = least > n * SINGULAR_PART * most ? most / least : INFINITY;
    }
    free(d);
    free(a);
    return ok;
}

/* The 2n x 2n matrices a, b of the linear problem a z = m b z, column by column. */
static void linearise(int n, const quad *const pencil[3], const quad *d, quad g, double *a,
                      double *b)
{
    const int N = 2 * n;
    for (int i = 0; i < n; i++) {
        a[(n + i) * N + i] = b[i * N + i] = 1;
        for (int j = 0; j < n; j++) {
            const quad scale = d[i] * d[j];
            b[(n + j) * N + n + i] = (double)(scale * pencil[0][i * n + j]);
            a[(n + j) * N + n + i] = (double)(-scale * pencil[1][i * n + j] / g);
            a[j * N + n + i] = (double)(-scale * pencil[2][i * n + j] / (g * g));
        }
    }
}

static void read_spectrum(int N, const double *re, const double *im, const double *beta, double g,
                          bool singular, noe_quadratic_spectrum *s)
{
    for (int i = 0; i < N; i++) {
        const double size = hypot(re[i], im[i]), speed = fabs(im[i] / beta[i]),
                     rate = re[i] / beta[i];
        /* includes 0/0: every l is an eigenvalue */
        if (singular && DEFECT_PART * size >= fabs(beta[i])) {
            s->infinite++;
        } else if (size <= DEFECT_PART * fabs(beta[i])) {
            s->zeros++;
        } else {
            if (rate > DEFECT_PART) s->growth = fmax(s->growth, g * rate);
            if (!(speed > DEFECT_PART)) continue;
            s->fastest = fmax(s->fastest, g * speed);
            s->slowest = fmin(s->slowest, g * speed);
        }
    }
    if (!(s->fastest > 0)) s->slowest = 0;
}

bool noe_quadratic_eigen_find(int n, const quad *A, const quad *B, const quad *C,
                              noe_quadratic_spectrum *s)
{
    const quad *const pencil[3] = { A, B, C };
    const int         N = 2 * n, lwork = 64 * N, one = 1;
    const size_t      k = (size_t)N;
    int               info = 0;
    double            condition;
    quad             *d = noe_status_alloc((size_t)n, sizeof *d);
    double           *a = noe_status_alloc(2 * k * k + 3 * k + (size_t)lwork, sizeof *a);
    const bool        ok = d && a && noe_quadratic_eigen_condition(n, A, &condition);
    *s = (noe_quadratic_spectrum){ .slowest = INFINITY };
    if (ok) {
        double *b = a + k * k, *re = b + k * k, *im = re + k, *beta = im + k;
        equilibrate(n, A, d);
        const quad size = fmaxq(sqrtq(largest(n, C, d)), largest(n, B, d)), g = size > 0 ? size : 1;
        linearise(n, pencil, d, g, a, b);
        dggev_("N", "N", &N, a, &N, b, &N, re, im, beta, NULL, &one, NULL, &one, beta + k, &lwork,
               &info, 1, 1);
        if (!info) read_spectrum(N, re, im, beta, (double)g, !isfinite(condition), s);
        else
            noe_status_fail(NOE_NOT_CONVERGED,
                            "the frequencies of the linear equations were not found");
    }
    free(d);
    free(a);
    return ok && !info;
}
