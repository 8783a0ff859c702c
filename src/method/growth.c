/* |R(i w h)| > 1, |trace| > 2: where an explicit method grows on the oscillator.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Looked for on a grid of w h, then bisected, in binary128: growth by less than 1e-20 a step is rounding at a
 * place where the size of R, or the trace, touches its limit and turns back. */
#include "method/growth.h"

#include <math.h>

static const double TOUCH = 1e-20;
enum { GRID = 1024 };

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
    return R * R + I * I > 1 + (quad)TOUCH;
}

/* The step of q' = p, p' = -q over y: its determinant is 1. */
static bool splitting_grows(const noe_method *f, quad y)
{
    quad q[2] = { 1, 0 }, p[2] = { 0, 1 };
    for (int i = 0; i < f->flows; i++)
        for (int k = 0; k < 2; k++)
            if ((i + f->drift_first) % 2) q[k] += f->flow[i] * y * p[k];
            else p[k] -= f->flow[i] * y * q[k];
    return fabsq(q[0] + p[1]) > 2 + (quad)TOUCH;
}

/* The same in double, for the grid: surely not beyond 2. */
static bool splitting_rests(const noe_method *f, double y)
{
    double q[2] = { 1, 0 }, p[2] = { 0, 1 };
    for (int i = 0; i < f->flows; i++)
        for (int k = 0; k < 2; k++)
            if ((i + f->drift_first) % 2) q[k] += (double)f->flow[i] * y * p[k];
            else p[k] -= (double)f->flow[i] * y * q[k];
    return fabs(q[0] + p[1]) < 2 - 1e-6;
}

static bool grows(const noe_method *f, quad y)
{
    if (f->kind == NOE_SPLITTING && splitting_rests(f, (double)y)) return false;
    return f->kind == NOE_SPLITTING ? splitting_grows(f, y) : runge_kutta_grows(f, y);
}

int noe_growth_windows(const noe_method *f, double limit, double *edge, int most)
{
    const int stages = f->kind == NOE_SPLITTING ? (f->flows + 1) / 2 : f->r;
    const int end = GRID * (2 * stages + 1); /* no polynomial of so many stages is bounded beyond */
    int       edges = 0;
    bool      before = false;
    for (int k = 1; k <= end && (double)(k - 1) / GRID < limit; k++) {
        quad       low = (quad)(k - 1) / GRID, high = (quad)k / GRID;
        const bool now = grows(f, high);
        if (now == before) continue;
        before = now;
        for (int i = 0; i < 70; i++) {
            const quad y = (low + high) / 2;
            if (grows(f, y) == now) high = y;
            else low = y;
        }
        if (high < (quad)1 / GRID) high = 0; /* grows however small the step: y^2 below the threshold */
        if (!((double)high <= limit)) break;
        if (edges < most && edge) edge[edges] = (double)high;
        edges++;
    }
    return edges;
}
