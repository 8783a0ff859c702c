/* Stability on the oscillator of explicit methods and compositions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     unstable where |R(i w h)| > 1 or |trace| > 2
 *
 * Limits of stability are searched on a grid of w h and then bisected, in binary128. Growth by
 * less than 1e-20 per step is taken for rounding: it occurs where |R|, or the trace, touches its
 * limit without crossing it. */
#include "method/explicit_stability.h"

#include <math.h>

static const double EDGE_TOUCH = 1e-20;
/* A trace computed in double that is below 2 by this is below 2: its rounding is 1e-13 after
 * 1000 flows that add a unit each. */
static const double ROUGH_TRACE = 1e-6;
/* Grid points per unit of w h; fewer for compositions, whose steps take longer. */
enum { GRID = 1024, COMPOSITION_GRID = 64 };

/* R(z) = 1 + z b^T (1 - z A)^-1 e at z = i y, A strictly lower triangular. */
static bool runge_kutta_grows(const noe_method *f, quad y)
{
    quad re[NOE_MAX_STAGES], im[NOE_MAX_STAGES], R = 1, I = 0;
    for (int i = 0; i < f->r; i++) {
        re[i] = 1, im[i] = 0;
        for (int l = 0; l < i; l++) {
            re[i] -= y * f->A[i][l] * im[l];
            im[i] += y * f->A[i][l] * re[l];
        }
        R -= y * f->b[i] * im[i];
        I += y * f->b[i] * re[i];
    }
    return R * R + I * I > 1 + (quad)EDGE_TOUCH;
}

/* The step of q' = p, p' = -q over y: its determinant is 1. */
static bool splitting_grows(const noe_method *f, quad y)
{
    quad q[2] = { 1, 0 }, p[2] = { 0, 1 };
    for (int i = 0; i < f->flows; i++)
        for (int k = 0; k < 2; k++)
            if ((i + f->drift_first) % 2) q[k] += f->flow[i] * y * p[k];
            else p[k] -= f->flow[i] * y * q[k];
    return fabsq(q[0] + p[1]) > 2 + (quad)EDGE_TOUCH;
}

/* True if |trace| is below 2 by more than rounding, computed in double: saves the computation in
 * binary128 at most points of the grid. */
static bool splitting_rests(const noe_method *f, double y)
{
    double q[2] = { 1, 0 }, p[2] = { 0, 1 };
    for (int i = 0; i < f->flows; i++)
        for (int k = 0; k < 2; k++)
            if ((i + f->drift_first) % 2) q[k] += (double)f->flow[i] * y * p[k];
            else p[k] -= (double)f->flow[i] * y * q[k];
    return fabs(q[0] + p[1]) < 2 - ROUGH_TRACE;
}

/* One Galerkin step of length h of q' = p, p' = -q. With V and Q linear in the modes a, sum_k [
 * sum_i b_i ( l_im l_ik + h^2 X_im I_ik ) ] a_k = w_m p - h sum_i b_i X_im q. */
static void galerkin_step(const noe_method *f, quad h, quad *q, quad *p)
{
    const int s = f->s;
    quad      A[NOE_MAX_DEGREE][NOE_MAX_DEGREE + 1], dq = 0, dp = 0;
    for (int m = 0; m < s; m++) {
        A[m][s] = f->w[m] * *p;
        for (int i = 0; i < f->r; i++) A[m][s] -= h * f->b[i] * f->X[i][m] * *q;
        for (int k = 0; k < s; k++) {
            A[m][k] = 0;
            for (int i = 0; i < f->r; i++)
                A[m][k] += f->b[i] * (f->l[i][m] * f->l[i][k] + h * h * f->X[i][m] * f->I[i][k]);
        }
    }
    for (int c = 0; c < s; c++) { /* Gauss-Jordan elimination with partial pivoting */
        int top = c;
        for (int m = c + 1; m < s; m++) top = fabsq(A[m][c]) > fabsq(A[top][c]) ? m : top;
        for (int k = 0; k <= s; k++) {
            const quad x = A[c][k];
            A[c][k] = A[top][k], A[top][k] = x;
        }
        for (int m = 0; m < s; m++) {
            const quad x = m == c ? 0 : A[m][c] / A[c][c];
            for (int k = c; k <= s && m != c; k++) A[m][k] -= x * A[c][k];
        }
    }
    for (int m = 0; m < s; m++) dq += h * f->w[m] * A[m][s] / A[m][m];
    for (int i = 0; i < f->r; i++) {
        quad Q = *q;
        for (int m = 0; m < s; m++) Q += h * f->I[i][m] * A[m][s] / A[m][m];
        dp -= h * f->b[i] * Q;
    }
    *q += dq;
    *p += dp;
}

static bool composition_grows(const noe_method *f, quad y)
{
    quad q[2] = { 1, 0 }, p[2] = { 0, 1 };
    for (int i = 0; i < f->parts; i++)
        for (int k = 0; k < 2; k++) galerkin_step(f, f->part[i] * y, &q[k], &p[k]);
    return fabsq(q[0] + p[1]) > 2 + (quad)EDGE_TOUCH;
}

static bool grows(const noe_method *f, quad y)
{
    if (f->kind == NOE_GALERKIN) return composition_grows(f, y);
    if (f->kind == NOE_SPLITTING && splitting_rests(f, (double)y)) return false;
    return f->kind == NOE_SPLITTING ? splitting_grows(f, y) : runge_kutta_grows(f, y);
}

int noe_explicit_stability_windows(const noe_method *f, double limit, double end, double last,
                                   double *edge, int most)
{
    const int  grid = f->kind == NOE_GALERKIN ? COMPOSITION_GRID : GRID;
    const quad d = (quad)1 / grid;
    int        edges = 0;
    bool       before = false;
    for (int k = 1; (double)(k * d) <= (edges ? end : last) && (double)((k - 1) * d) < limit; k++) {
        quad       low = (k - 1) * d, high = k * d;
        const bool now = grows(f, high);
        if (now == before) continue;
        before = now;
        for (int i = 0; i < 70; i++) {
            const quad y = (low + high) / 2;
            if (grows(f, y) == now) high = y;
            else low = y;
        }
        if (high < (quad)1 / GRID)
            high = 0; /* unstable for every step; the growth of small steps is below EDGE_TOUCH */
        if (!((double)high <= limit)) break;
        if (edges < most && edge) edge[edges] = (double)high;
        edges++;
    }
    return edges;
}
