/* Gauss 8 as one writes it by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The velocities at the eight nodes by the fixed point, the nodes side by side. Who includes it
 * defines N and accelerations(q, v, a), eight nodes in one vector each.  V_i = v_0 + h sum_j
 * A_ij a(Q_j, V_j), Q_i = q_0 + h sum_j A_ij V_j; V is predicted by the polynomial of the step
 * before; sums compensated. */
#ifndef HAND_GAUSS8_H
#define HAND_GAUSS8_H

#include <float.h>
#include <math.h>
#include <string.h>

enum { S = 8 };
typedef double v8 __attribute__((vector_size(64)));

static void accelerations(const v8 *q, const v8 *v, v8 *a);

/* glibc's vector functions, with -fopenmp-simd and -lmvec. */
double sin(double) __attribute__((simd("notinbranch")));
double cos(double) __attribute__((simd("notinbranch")));

#define EACH(name, f)                                   \
    static inline v8 name(v8 x)                         \
    {                                                   \
        double from[S], to[S];                          \
        v8     y;                                       \
        memcpy(from, &x, sizeof from);                  \
        _Pragma("omp simd")                             \
        for (int i = 0; i < S; i++) to[i] = f(from[i]); \
        memcpy(&y, to, sizeof y);                       \
        return y;                                       \
    }
EACH (sin8, sin)
    EACH (cos8, cos)
        EACH (sqrt8, sqrt)

            /* Columns as vectors: entry i of A[j] is A_ij; b; E: the polynomial through the
             * nodes at the nodes of the next step. */
            static v8 A[S], E[S];
static double b[S];

static long double legendre(long double x, long double *slope)
{
    long double p = 1, before = 0;
    for (int n = 0; n < S; n++) {
        const long double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
        before = p, p = next;
    }
    *slope = S * (x * p - before) / (x * x - 1);
    return p;
}

static long double lagrange(const long double *c, int j, long double x)
{
    long double y = 1;
    for (int k = 0; k < S; k++)
        if (k != j) y *= (x - c[k]) / (c[j] - c[k]);
    return y;
}

static void tableau(void)
{
    long double c[S], w[S], slope;
    for (int i = 0; i < S; i++) {
        long double x = -cosl((i + 0.75L) / (S + 0.5L) * 3.14159265358979323846L);
        for (int k = 0; k < 40; k++) x -= legendre(x, &slope) / slope;
        legendre(x, &slope);
        c[i] = (1 + x) / 2, w[i] = 1 / ((1 - x * x) * slope * slope);
    }
    for (int j = 0; j < S; j++) {
        b[j] = (double)w[j];
        for (int i = 0; i < S; i++) {
            long double sum = 0; /* of degree 7: these nodes themselves integrate it */
            for (int k = 0; k < S; k++) sum += w[k] * lagrange(c, j, c[i] * c[k]);
            A[j][i] = (double)(c[i] * sum);
            E[j][i] = (double)lagrange(c, j, 1 + c[i]);
        }
    }
}

static inline v8 times(const v8 *m, v8 x)
{
    v8 y = m[0] * x[0];
    for (int j = 1; j < S; j++) y += m[j] * x[j];
    return y;
}

static void add(double *sum, double *rest, double what)
{
    const double a = *sum, y = what + *rest, s = a + y, c = s - a;
    *rest = (a - (s - c)) + (y - c);
    *sum = s;
}

/* From (q, v), `steps` steps; leaves q. */
int hand_go(const double *q, const double *v, double h, int steps, double *to);
int hand_go(const double *q, const double *v, double h, int steps, double *to)
{
    static v8     V[N], Q[N], a[N];
    static double y[N], dy[N], w[N], dw[N];
    tableau();
    for (int k = 0; k < N; k++) y[k] = q[k], w[k] = v[k], dy[k] = dw[k] = 0;
    for (int n = 0; n < steps; n++) {
        double last = HUGE_VAL;
        for (int k = 0; k < N; k++) V[k] = n ? times(E, V[k]) : w[k] - (v8){ 0 };
        for (int it = 0;; it++) {
            double off = 0, size = 0;
            for (int k = 0; k < N; k++) Q[k] = h * times(A, V[k]) + dy[k] + y[k];
            accelerations(Q, V, a);
            for (int k = 0; k < N; k++) {
                const v8 next = h * times(A, a[k]) + dw[k] + w[k], d = next - V[k];
                for (int i = 0; i < S; i++)
                    off = fmax(off, fabs(d[i])), size = fmax(size, fabs(next[i]));
                V[k] = next;
            }
            if (!(off < HUGE_VAL) || it == 60) return 1;
            if (off <= 2 * DBL_EPSILON * size || (off >= last && off < 1e-12 * size)) break;
            last = off;
        }
        for (int k = 0; k < N; k++) {
            double x = 0, u = 0;
            for (int j = 0; j < S; j++) x += b[j] * V[k][j], u += b[j] * a[k][j];
            add(&y[k], &dy[k], h * x);
            add(&w[k], &dw[k], h * u);
        }
    }
    for (int k = 0; k < N; k++) to[k] = y[k];
    return 0;
}

#endif
