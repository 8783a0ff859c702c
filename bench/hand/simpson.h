/* Simpson's step of any few coordinates as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Unknown increments d to the middle and the end. Who includes it defines N and terms(q, v, F,
 * P, D): F = L_q, P = L_v, and unless D is NULL their derivatives (F_q, F_v; P_q, P_v).
 * R_0 + p = 0 and R_m = 0 by Newton's method, its matrix kept through the step while it
 * contracts; predicted by the differences of eight steps; sums compensated.  One evaluation is
 * the step where the bend of the equations, measured every 16th step, tells that the correction
 * suffices. */
#ifndef HAND_SIMPSON_H
#define HAND_SIMPSON_H

#include <float.h>
#include <math.h>
#include <string.h>

enum { M = 2 * N, PAST = 8 };

static void terms(const double *q, const double *v, double *F, double *P, double (*D)[2 * N]);

typedef struct {
    double q[N], p[N], dq[N], dp[N], past[PAST][M], LU[M][M], push[N][M], bend;
    int    known, look, row[M];
} state;

static const double b[3] = { 1. / 6, 4. / 6, 1. / 6 };
/* h phi' at the nodes: row the node, columns start, middle, end */
static const double slope[3][3] = { { -3, 4, -1 }, { -1, 0, 1 }, { 1, -4, 3 } };

/* R = (R_m, R_0 + p) and its size; with J its derivative by d, and that of the kick. */
static void residual(const state *x, double h, const double *d, double *R, double *kick,
                     double *scale, double (*J)[M], double (*push)[M])
{
    double F[N], P[N], D[2 * N][2 * N];
    for (int j = 0; j < N; j++) {
        R[j] = kick[j] = 0;
        R[N + j] = x->p[j] + x->dp[j];
        scale[j] = fabs(x->p[j]) + 1e-300;
    }
    if (J) memset(J, 0, M * sizeof *J), memset(push, 0, N * sizeof *push);
    for (int i = 0; i < 3; i++) {
        double q[N], v[N];
        for (int j = 0; j < N; j++) {
            q[j] = x->q[j] + (x->dq[j] + (i ? d[(i - 1) * N + j] : 0));
            v[j] = (slope[i][1] * d[j] + slope[i][2] * d[N + j]) / h;
        }
        terms(q, v, F, P, J ? D : NULL);
        for (int j = 0; j < N; j++) {
            const double f = b[i] * h * F[j], p = b[i] * P[j];
            kick[j] += f;
            scale[j] += fabs(f) + fabs(p);
            if (i == 1) R[j] += f;
            else R[j] += slope[i][1] * p;
            R[N + j] += (i ? 0 : f) + slope[i][0] * p;
        }
        if (!J) continue;
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                const double at = h * b[i] * D[j][k], Fv = b[i] * D[j][N + k],
                             Pq = b[i] * D[N + j][k], Pv = b[i] / h * D[N + j][N + k];
                for (int u = 0; u < 2; u++) {
                    const double dF = (i == u + 1 ? at : 0) + slope[i][u + 1] * Fv,
                                 dP = (i == u + 1 ? Pq : 0) + slope[i][u + 1] * Pv;
                    push[j][u * N + k] += dF;
                    J[j][u * N + k] += (i == 1 ? dF : 0) + slope[i][1] * dP;
                    J[N + j][u * N + k] += (i ? 0 : dF) + slope[i][0] * dP;
                }
            }
    }
}

static int factor(double (*A)[M], int *row)
{
    for (int j = 0; j < M; j++) {
        int best = j;
        for (int i = j + 1; i < M; i++)
            if (fabs(A[i][j]) > fabs(A[best][j])) best = i;
        row[j] = best;
        for (int k = 0; k < M; k++) {
            const double t = A[j][k];
            A[j][k] = A[best][k];
            A[best][k] = t;
        }
        if (!(fabs(A[j][j]) > 0)) return 0;
        A[j][j] = 1 / A[j][j];
        for (int i = j + 1; i < M; i++) {
            A[i][j] *= A[j][j];
            for (int k = j + 1; k < M; k++) A[i][k] -= A[i][j] * A[j][k];
        }
    }
    return 1;
}

static void solve(const double (*A)[M], const int *row, double *x)
{
    for (int j = 0; j < M; j++) {
        const double y = x[row[j]];
        x[row[j]] = x[j];
        x[j] = y;
    }
    for (int j = 0; j < M; j++)
        for (int i = j + 1; i < M; i++) x[i] -= A[i][j] * x[j];
    for (int j = M - 1; j >= 0; j--) {
        x[j] *= A[j][j];
        for (int i = 0; i < j; i++) x[i] -= A[i][j] * x[j];
    }
}

static void add(double *sum, double *rest, double what)
{
    const double a = *sum, y = what + *rest, s = a + y, c = s - a;
    *rest = (a - (s - c)) + (y - c);
    *sum = s;
}

int hand_step(state *x, double h);
int hand_step(state *x, double h)
{
    static const double binomial[PAST + 1][PAST] = { { 0 },
                                                     { 1 },
                                                     { 2, -1 },
                                                     { 3, -3, 1 },
                                                     { 4, -6, 4, -1 },
                                                     { 5, -10, 10, -5, 1 },
                                                     { 6, -15, 20, -15, 6, -1 },
                                                     { 7, -21, 35, -35, 21, -7, 1 },
                                                     { 8, -28, 56, -70, 56, -28, 8, -1 } };
    double              d[M], R[M], kick[N], scale[N], last = HUGE_VAL;
    for (int i = 0; i < M; i++) {
        d[i] = 0;
        for (int k = x->known - 1; k >= 0; k--) d[i] += binomial[x->known][k] * x->past[k][i];
    }
    for (int it = 0, end = 0; !end; it++) {
        double worst = 0;
        residual(x, h, d, R, kick, scale, it ? NULL : x->LU, x->push);
        for (int i = 0; i < M; i++) worst = fmax(worst, fabs(R[i]) / scale[i % N]);
        if (!(worst < HUGE_VAL) || it == 30) return 1;
        end = worst <= 8 * DBL_EPSILON || (it && worst >= last / 4 && worst < 1e-10)
           || (it && worst <= last / 1024 && 256 * worst * worst < last * DBL_EPSILON)
           || (!it && x->look > 0 && 16 * x->bend * worst * worst <= DBL_EPSILON);
        if (it == 1) {
            const double bound = fmax(8 * fmax(worst, 8 * DBL_EPSILON) / (last * last), 1);
            /* what rounding does not hide */
            if (worst > 32 * DBL_EPSILON || !(x->bend > 0 && x->bend < bound)) x->bend = bound;
            x->look = 16;
        }
        const int again = !end && it && worst >= last / 4096 && worst > 1024 * DBL_EPSILON;
        if (again) residual(x, h, d, R, kick, scale, x->LU, x->push);
        if ((!it || again) && !factor(x->LU, x->row)) return 1;
        solve(x->LU, x->row, R);
        for (int i = 0; i < M; i++) d[i] -= R[i];
        last = worst;
    }
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < M; i++) x->dp[j] -= x->push[j][i] * R[i];
        add(&x->q[j], &x->dq[j], d[N + j]);
        add(&x->p[j], &x->dp[j], kick[j]);
    }
    x->look--;
    memmove(x->past[1], x->past[0], (PAST - 1) * sizeof x->past[0]);
    memcpy(x->past[0], d, sizeof d);
    if (x->known < PAST) x->known++;
    return 0;
}

/* From (q, v), `steps` steps; leaves q. */
int hand_go(const double *q, const double *v, double h, int steps, double *to);
int hand_go(const double *q, const double *v, double h, int steps, double *to)
{
    static state x;
    double       F[N];
    memset(&x, 0, sizeof x);
    memcpy(x.q, q, sizeof x.q);
    terms(q, v, F, x.p, NULL);
    for (int j = 0; j < N; j++) x.past[0][j] = h / 2 * v[j], x.past[0][N + j] = h * v[j];
    x.known = 1;
    for (int i = 0; i < steps; i++)
        if (hand_step(&x, h)) return 1;
    memcpy(to, x.q, sizeof x.q);
    return 0;
}

#endif
