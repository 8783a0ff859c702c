/* E: a step's equations for the modes, linear in (q, p), solved once for every column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i b_i ( l_im P_i - h X_im F_i ) = w_m p,   q += h sum_m w_m a_m,   p += h sum_i b_i F_i
 * with V_i = sum_k l_ik a_k, Q_i = q + h sum_k I_ik a_k (method/method.h).  In binary128, rounded where it is used. */
#include "linear/affine.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { S = NOE_MAX_DEGREE };

static quad *take(noe_arena *a, size_t count) { return noe_arena_take(a, (count ? count : 1) * sizeof(quad)); }

typedef struct { /* sums over the nodes */
    quad PV[S][S], PQ[S][S], FV[S][S], FQ[S][S]; /* of b l l, b l I, b X l, b X I */
    quad l[S], X[S], I[S], one;                  /* of b l, b X, b I, b */
} sums;

static void add_up(sums *x, const noe_method *f)
{
    memset(x, 0, sizeof *x);
    for (int i = 0; i < f->r; i++) {
        const quad b = f->b[i];
        x->one += b;
        for (int m = 0; m < f->s; m++) {
            x->l[m] += b * f->l[i][m], x->X[m] += b * f->X[i][m], x->I[m] += b * f->I[i][m];
            for (int k = 0; k < f->s; k++) {
                x->PV[m][k] += b * f->l[i][m] * f->l[i][k], x->PQ[m][k] += b * f->l[i][m] * f->I[i][k];
                x->FV[m][k] += b * f->X[i][m] * f->l[i][k], x->FQ[m][k] += b * f->X[i][m] * f->I[i][k];
            }
        }
    }
}

/* Matrix [n s][n s] and right sides [n s][cols]: columns q, p, 1, then f at node after node. */
static void equations(quad *J, quad *B, int cols, const noe_blocks *b, const noe_method *f, const sums *x, quad h,
                      bool load)
{
    const int n = b->n, s = f->s, N = n * s;
    for (int j = 0; j < n; j++)
        for (int m = 0; m < s; m++) {
            quad *row = J + (size_t)(j * s + m) * (size_t)N, *right = B + (size_t)(j * s + m) * (size_t)cols;
            for (int l = 0; l < n; l++) {
                const int e = j * n + l;
                for (int k = 0; k < s; k++)
                    row[l * s + k] = x->PV[m][k] * b->PV[e] + h * x->PQ[m][k] * b->PQ[e]
                                   - h * x->FV[m][k] * b->FV[e] - h * h * x->FQ[m][k] * b->FQ[e];
                right[l] = h * x->X[m] * b->FQ[e] - x->l[m] * b->PQ[e];
            }
            right[n + j] = f->w[m];
            right[2 * n] = h * x->X[m] * b->cF[j] - x->l[m] * b->cP[j];
            for (int i = 0; i < f->r && load; i++) right[2 * n + 1 + i * n + j] = h * f->b[i] * f->X[i][m];
        }
}

/* Column c of the map: what the modes in column c of B make of it. */
static void column(noe_affine *x, int c, const quad *B, int cols, const noe_blocks *b, const noe_method *f,
                   const sums *y, quad h)
{
    const int n = b->n, s = f->s, N = 2 * n, node = (c - N - 1) / n, dof = (c - N - 1) % n;
    for (int j = 0; j < n; j++) {
        quad dq = 0, dp = c < n ? h * y->one * b->FQ[j * n + c] : c == N ? h * y->one * b->cF[j] : 0;
        if (c > N && dof == j) dp = h * f->b[node];
        for (int m = 0; m < s; m++) dq += h * f->w[m] * B[(size_t)(j * s + m) * (size_t)cols + (size_t)c];
        for (int l = 0; l < n; l++)
            for (int m = 0; m < s; m++)
                dp += (h * y->l[m] * b->FV[j * n + l] + h * h * y->I[m] * b->FQ[j * n + l])
                    * B[(size_t)(l * s + m) * (size_t)cols + (size_t)c];
        quad *const upper = c < N ? &x->E[j * N + c] : c == N ? &x->g[j] : &x->G[(node * N + j) * n + dof];
        *upper = dq;
        upper[c == N ? n : n * (c < N ? N : n)] = dp; /* n rows further down */
    }
}

noe_status noe_affine_make(noe_affine *x, noe_arena *a, const noe_blocks *b, const noe_method *f, quad h, bool load)
{
    const size_t n = (size_t)b->n, N = n * (size_t)f->s, nodes = load ? (size_t)f->r : 0, cols = 2 * n + 1 + nodes * n;
    sums         y;
    *x = (noe_affine){ .n = b->n, .nodes = (int)nodes, .c = f->c, .E = take(a, 4 * n * n), .g = take(a, 2 * n),
                       .G = take(a, nodes * 2 * n * n) };
    quad *J = take(a, N * N), *B = take(a, N * cols);
    if (!x->E || !x->g || !x->G || !J || !B) return NOE_NO_MEMORY;
    add_up(&y, f);
    equations(J, B, (int)cols, b, f, &y, h, load);
    if (!noe_quad_solve(J, (int)N, B, (int)cols)) return NOE_SINGULAR;
    for (int c = 0; c < (int)cols; c++) column(x, c, B, (int)cols, b, f, &y, h);
    return NOE_OK;
}

/* (E, g) after (F, f):  E + F + E F,  g + f + E f. */
static void after(const noe_affine *x, const quad *F, const quad *f, quad *to, quad *tog)
{
    const int N = 2 * x->n;
    for (int i = 0; i < N; i++) {
        tog[i] = x->g[i] + f[i];
        for (int k = 0; k < N; k++) tog[i] += x->E[i * N + k] * f[k];
        for (int j = 0; j < N; j++) {
            quad sum = x->E[i * N + j] + F[i * N + j];
            for (int k = 0; k < N; k++) sum += x->E[i * N + k] * F[k * N + j];
            to[i * N + j] = sum;
        }
    }
}

noe_status noe_affine_power(noe_affine *to, noe_arena *a, const noe_affine *x, double k)
{
    const size_t N = 2 * (size_t)x->n;
    noe_affine   square = *x;
    *to = (noe_affine){ .n = x->n, .E = take(a, N * N), .g = take(a, N) };
    quad *E = take(a, N * N), *g = take(a, N), *own = take(a, N * N), *owng = take(a, N);
    if (!to->E || !to->g || !E || !g || !own || !owng) return NOE_NO_MEMORY;
    memcpy(own, x->E, N * N * sizeof *own);
    memcpy(owng, x->g, N * sizeof *owng);
    square.E = own, square.g = owng;
    for (; k >= 1; k = floor(k / 2)) {
        if (fmod(k, 2) == 1) {
            after(&square, to->E, to->g, E, g);
            memcpy(to->E, E, N * N * sizeof *E);
            memcpy(to->g, g, N * sizeof *g);
        }
        after(&square, square.E, square.g, E, g);
        memcpy(own, E, N * N * sizeof *E);
        memcpy(owng, g, N * sizeof *g);
    }
    return NOE_OK;
}
