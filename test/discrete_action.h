/* D2 L_d(q_k-1, q_k) + D1 L_d(q_k, q_k+1):  a random Lagrangian, its discrete action once more.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     L = sum_j ( m_j (1 + e_j cos q_j) v_j^2/2 + (y_j + z_j cos(q_j - q_k)) v_j v_k
 *               + u_j sin(q_j) v_k - k_j d_j^2/2 - a_j d_j^4/4 - g_j q_j^2/2 - c_j cos q_j
 *               + f_j q_j sin t ),   k = j + 1,  d_j = q_k - q_j,
 *
 * without the terms of k = n.  All coefficients are multiples of 1/64, so that texts and numbers
 * are the same.  Nothing here is the library's but the tableau of the method. */
#ifndef DISCRETE_ACTION_H
#define DISCRETE_ACTION_H

#include "expressions.h"

enum { SITES = 8, UNKNOWNS = SITES * (NOE_MAX_DEGREE + 1), TERMS = 10 };

/* What of L an engine takes: everything; constant masses and like terms; quadratic terms. */
typedef enum { ANY, CHAIN, QUADRATIC, KINDS } kind;

typedef struct {
    kind kind;
    int  n;
    quad m[SITES], e[SITES], y[SITES], z[SITES], u[SITES], k[SITES], a[SITES], g[SITES], c[SITES],
        f[SITES];
} lagrangian;

static const char terms[] = "meyzukagcf";

static UNUSED quad *coefficients(lagrangian *L, int term)
{
    quad *const all[TERMS] = { L->m, L->e, L->y, L->z, L->u, L->k, L->a, L->g, L->c, L->f };
    return all[term];
}

static UNUSED lagrangian random_lagrangian(kind kind, int n)
{
    /* the largest, in 1/64; masses are 64 more: the mass matrix is dominated by its diagonal */
    static const int most[KINDS][TERMS] = { { 64, 16, 5, 5, 32, 64, 32, 64, 64, 32 },
                                            { 64, 0, 0, 0, 0, 64, 32, 64, 64, 0 },
                                            { 64, 0, 10, 0, 0, 64, 0, 64, 0, 0 } };
    lagrangian       L = { .kind = kind, .n = n };
    for (int t = 0; t < TERMS; t++)
        for (int j = 0; j < n; j++)
            coefficients(&L, t)[j] = (quad)(below(most[kind][t] + 1) + 64 * (t == 0)) / 64;
    return L;
}

/* P = L_v and F = L_q. */
static UNUSED void slopes_of(const lagrangian *L, quad t, const quad *q, const quad *v, quad *P,
                             quad *F)
{
    const int n = L->n;
    for (int j = 0; j < n; j++) {
        const quad C = cosq(q[j]), S = sinq(q[j]);
        P[j] = L->m[j] * (1 + L->e[j] * C) * v[j];
        F[j] = -L->m[j] * L->e[j] * S * v[j] * v[j] / 2 - L->g[j] * q[j] + L->c[j] * S
             + L->f[j] * sinq(t);
    }
    for (int j = 0; j + 1 < n; j++) {
        const int  k = j + 1;
        const quad d = q[k] - q[j], pull = L->k[j] * d + L->a[j] * d * d * d,
                   coupled = L->y[j] + L->z[j] * cosq(d), bend = -L->z[j] * sinq(d) * v[j] * v[k];
        P[j] += coupled * v[k];
        P[k] += coupled * v[j] + L->u[j] * sinq(q[j]);
        F[j] += pull - bend + L->u[j] * cosq(q[j]) * v[k];
        F[k] += bend - pull;
    }
}

static UNUSED void write_numbers(writing *w, char name, const quad *x, int n)
{
    char number[40];
    snprintf(number, sizeof number, "parameter %c[0..%d] = (", name, n - 1);
    write_text(w, number);
    for (int j = 0; j < n; j++) {
        snprintf(number, sizeof number, "%s%.6f", j ? ", " : "", (double)x[j]);
        write_text(w, number);
    }
    write_text(w, ")\n");
}

/* The model text; of a chain with sums, else with a sum for everything, which is written out. */
static UNUSED char *lagrangian_text(lagrangian *L)
{
    static const char *const site[KINDS] = {
        "m[i]*(1 + e[i]*cos(q[i]))*q[i]'^2/2 - g[i]*q[i]^2/2 - c[i]*cos(q[i]) + f[i]*q[i]*sin(t)",
        "m[i]*q[i]'^2/2 - g[i]*q[i]^2/2 - c[i]*cos(q[i])", "m[i]*q[i]'^2/2 - g[i]*q[i]^2/2"
    };
    static const char *const link[KINDS] = {
        "(y[i] + z[i]*cos(q[i+1] - q[i]))*q[i]'*q[i+1]' + u[i]*sin(q[i])*q[i+1]' "
        "- k[i]*(q[i+1] - q[i])^2/2 - a[i]*(q[i+1] - q[i])^4/4",
        "-k[i]*(q[i+1] - q[i])^2/2 - a[i]*(q[i+1] - q[i])^4/4",
        "y[i]*q[i]'*q[i+1]' - k[i]*(q[i+1] - q[i])^2/2"
    };
    writing w = { 0 };
    char    line[400];
    for (int t = 0; t < TERMS; t++) write_numbers(&w, terms[t], coefficients(L, t), L->n);
    snprintf(line, sizeof line, "coordinate q[0..%d]\nlagrangian sum(i in 0..%d) (%s)\n", L->n - 1,
             L->n - 1, site[L->kind]);
    write_text(&w, line);
    snprintf(line, sizeof line, "lagrangian sum(i in 0..%d) (%s)\n", L->n - 2, link[L->kind]);
    write_text(&w, line);
    return w.text;
}

/* ---- the discrete Lagrangian L_d(q, Q) = ext h sum_i b_i L(t_i, Q_i, V_i) ---- */

/* A becomes its inverse: Gauss and Jordan, with pivots. */
static UNUSED void invert(int N, quad (*A)[UNKNOWNS])
{
    int from[UNKNOWNS];
    for (int k = 0; k < N; k++) {
        int top = k;
        for (int i = k + 1; i < N; i++)
            if (fabsq(A[i][k]) > fabsq(A[top][k])) top = i;
        from[k] = top;
        for (int j = 0; j < N && top != k; j++) {
            const quad x = A[k][j];
            A[k][j] = A[top][j], A[top][j] = x;
        }
        const quad pivot = A[k][k];
        A[k][k] = 1;
        for (int j = 0; j < N; j++) A[k][j] /= pivot;
        for (int i = 0; i < N; i++) {
            const quad f = A[i][k];
            if (i == k || f == 0) continue;
            A[i][k] = 0;
            for (int j = 0; j < N; j++) A[i][j] -= f * A[k][j];
        }
    }
    for (int k = N - 1; k >= 0; k--)
        for (int i = 0; i < N && from[k] != k; i++) {
            const quad x = A[i][k];
            A[i][k] = A[i][from[k]], A[i][from[k]] = x;
        }
}

/* Of the unknowns x = (a [n][s], p [n]): what is 0 where S is stationary and the way ends at `to`;
 * kick = h sum_i b_i F_i. */
static UNUSED void stationary(const lagrangian *L, const noe_method *m, quad t, quad h,
                              const quad *from, const quad *to, const quad *x, quad *R, quad *kick)
{
    const int n = L->n, s = m->s;
    for (int j = 0; j < n; j++) {
        kick[j] = 0, R[n * s + j] = from[j] - to[j];
        for (int k = 0; k < s; k++) {
            R[j * s + k] = -m->w[k] * x[n * s + j];
            R[n * s + j] += h * m->w[k] * x[j * s + k];
        }
    }
    for (int i = 0; i < m->r; i++) {
        quad Q[SITES], V[SITES], P[SITES], F[SITES];
        for (int j = 0; j < n; j++) {
            Q[j] = from[j], V[j] = 0;
            for (int k = 0; k < s; k++) {
                V[j] += m->l[i][k] * x[j * s + k];
                Q[j] += h * m->I[i][k] * x[j * s + k];
            }
        }
        slopes_of(L, t + m->c[i] * h, Q, V, P, F);
        for (int j = 0; j < n; j++) {
            kick[j] += h * m->b[i] * F[j];
            for (int k = 0; k < s; k++)
                R[j * s + k] += m->b[i] * (m->l[i][k] * P[j] - h * m->X[i][k] * F[j]);
        }
    }
}

/* A step of which a near motion is known. */
typedef struct {
    quad x[UNKNOWNS]; /* its unknowns */
    quad inverse[UNKNOWNS]
                [UNKNOWNS]; /* of their equations' Jacobian, which is made of differences */
    bool known;
} near_step;

static UNUSED void linearize(const lagrangian *L, const noe_method *m, quad t, quad h,
                             const quad *from, const quad *to, near_step *near)
{
    const int  N = L->n * (m->s + 1);
    const quad d = (quad)1e-17;
    quad       R[UNKNOWNS], R1[UNKNOWNS], kick[SITES];
    stationary(L, m, t, h, from, to, near->x, R, kick);
    for (int c = 0; c < N; c++) {
        const quad at = near->x[c];
        near->x[c] = at + d;
        stationary(L, m, t, h, from, to, near->x, R1, kick);
        near->x[c] = at;
        for (int i = 0; i < N; i++) near->inverse[i][c] = (R1[i] - R[i]) / d;
    }
    invert(N, near->inverse);
}

/* p = -D1 L_d(from, to) and P = D2 L_d(from, to): Newton's method, with the Jacobian of the near
 * step where one is known; else of the free motion, then of what was found. */
static UNUSED void momenta_of(const lagrangian *L, const noe_method *m, quad t, quad h,
                              const quad *from, const quad *to, near_step *near, quad *p, quad *P)
{
    const int n = L->n, s = m->s, N = n * (s + 1);
    quad      R[UNKNOWNS], kick[SITES], ww = 0;
    for (int k = 0; k < s; k++) ww += m->w[k] * m->w[k];
    for (int j = 0; j < n && !near->known; j++)
        for (int k = 0; k < s; k++) near->x[j * s + k] = m->w[k] * (to[j] - from[j]) / h / ww;
    for (int round = 0, last = 0; last < 2; round++) {
        quad moved = 0, size = 0;
        if (round > 40) fail_msg("the discrete action has no stationary point");
        if (!near->known && round < 2) linearize(L, m, t, h, from, to, near);
        stationary(L, m, t, h, from, to, near->x, R, kick);
        for (int i = 0; i < N; i++) {
            quad change = 0;
            for (int j = 0; j < N; j++) change += near->inverse[i][j] * R[j];
            near->x[i] -= change;
            moved = fmaxq(moved, fabsq(change)), size = fmaxq(size, fabsq(near->x[i]));
        }
        if (moved < size * (quad)1e-26) last++; /* what is left is rounding */
    }
    near->known = true;
    stationary(L, m, t, h, from, to, near->x, R, kick);
    for (int j = 0; j < n; j++) p[j] = near->x[n * s + j], P[j] = p[j] + kick[j];
}

#endif
