/* Diagonalizes the stage matrix of a method for a simplified Newton iteration.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T^-1 A T = diag(mu); the iteration corrects itself, so double suffices.  The bits are the same
 * on every machine. */
#include "method/stage_modes.h"

#include "method/stage_pencil.h"

#include <math.h>
#include <string.h>

enum { S = NOE_MAX_DEGREE };

/* A pivot up to this is 0: of the Gram matrix of the basis in the quadrature, and of the matrix of
 * the eigenvectors, whose entries are up to 1.  Of 545 methods (method/method_rounding.h) regular
 * ones have 0.39 and 2.3e-6 at least, singular ones 5.6e-17 at most. */
static const double GRAM_PIVOT_LEAST = 1e-12, MODES_PIVOT_LEAST = 1e-10;

/* B <- A^-1 B, A n x n, B n x m, by Gauss-Jordan elimination with pivoting; A is overwritten.
 * False when a pivot is below `least`. */
static bool divide(int n, double (*A)[S], int m, double (*B)[S], double least)
{
    for (int c = 0; c < n; c++) {
        int big = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(A[i][c]) > fabs(A[big][c])) big = i;
        if (!(fabs(A[big][c]) > least)) return false;
        for (int k = 0; k < n; k++) {
            const double x = A[c][k];
            A[c][k] = A[big][k], A[big][k] = x;
        }
        for (int k = 0; k < m; k++) {
            const double x = B[c][k];
            B[c][k] = B[big][k], B[big][k] = x;
        }
        for (int i = 0; i < n; i++) {
            if (i == c) continue;
            const double f = A[i][c] / A[c][c];
            for (int k = c; k < n; k++) A[i][k] -= f * A[c][k];
            for (int k = 0; k < m; k++) B[i][k] -= f * B[c][k];
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) B[i][k] /= A[i][i];
    return true;
}

static void numbers(const noe_method *f, noe_stage_modes *x)
{
    for (int m = 0; m < f->s; m++) {
        x->w[m] = (double)f->w[m];
        for (int k = 0; k < f->s; k++) {
            quad G = 0;
            for (int i = 0; i < f->r; i++) G += f->b[i] * f->l[i][m] * f->l[i][k];
            x->G[m][k] = (double)G;
        }
    }
    for (int i = 0; i < f->r; i++)
        for (int m = 0; m < f->s; m++) {
            x->I[i][m] = (double)f->I[i][m];
            x->bX[i][m] = (double)(f->b[i] * f->X[i][m]);
        }
}

bool noe_stage_modes_make(const noe_method *f, noe_stage_modes *x)
{
    const int n = f->s;
    double    G[S][S], T[S][S] = { { 0 } }, back[S][S] = { { 0 } }, inverse[S][S] = { { 0 } };
    noe_stage_pencil_mode mode[S];
    int                   at = 0;
    *x = (noe_stage_modes){ .s = n };
    numbers(f, x);
    memcpy(G, x->G, sizeof G);
    for (int i = 0; i < n; i++) inverse[i][i] = 1;
    if (!divide(n, G, n, inverse, GRAM_PIVOT_LEAST)) return false;
    x->shifts = noe_stage_pencil_modes(f, mode);
    for (int k = 0; k < x->shifts; k++) {
        x->mu_re[k] = (double)crealq(mode[k].lambda);
        x->mu_im[k] = mode[k].real ? 0 : (double)cimagq(mode[k].lambda);
        x->real += mode[k].real;
        for (int part = 0; part < (mode[k].real ? 1 : 2) && at < n; part++, at++)
            for (int i = 0; i < n; i++)
                T[i][at] = (double)(part ? cimagq(mode[k].x[i]) : crealq(mode[k].x[i]));
    }
    if (at != n) return false;
    /* With T = (.., Re t, Im t, ..) real, d = 2 Re(t z) = 2 Re t Re z - 2 Im t Im z.  T^-1 gives
     * the coefficients (a, b) of a vector with a Re t + b Im t = Re((a - ib)(Re t + i Im t)); so
     * z = (a - ib)/2. */
    for (int i = 0; i < n; i++) {
        back[i][i] = 1;
        for (int k = 0; k < n; k++) x->from[i][k] = T[i][k];
    }
    if (!divide(n, T, n, back, MODES_PIVOT_LEAST)) return false;
    for (int i = 0; i < n; i++) {
        const bool imaginary = i >= x->real && (i - x->real) % 2;
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int l = 0; l < n; l++) sum += back[i][l] * inverse[l][k];
            x->to[i][k] = imaginary ? -sum : sum;
            if (imaginary) x->from[k][i] = -x->from[k][i];
        }
    }
    return true;
}
