/* The affine map of a Galerkin step: its equations for the modes, solved for every column.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     sum_i b_i ( l_im P_i - h X_im F_i ) = w_m p,   q += h sum_m w_m a_m,   p += h sum_i b_i F_i
 * with V_i = sum_k l_ik a_k, Q_i = q + h sum_k I_ik a_k (method/method.h).  In binary128, rounded
 * where it is used. */
#include "linear/affine_map.h"
#include "matrix/small_solve.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { S = NOE_MAX_DEGREE };

typedef struct {                                 /* sums over the nodes */
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
                x->PV[m][k] += b * f->l[i][m] * f->l[i][k];
                x->PQ[m][k] += b * f->l[i][m] * f->I[i][k];
                x->FV[m][k] += b * f->X[i][m] * f->l[i][k];
                x->FQ[m][k] += b * f->X[i][m] * f->I[i][k];
            }
        }
    }
}

/* Matrix [n s][n s] and right sides [n s][cols]: columns q, p, 1, then f at node after node. */
static void equations(quad *J, quad *B, int cols, const noe_affine_blocks *b, const noe_method *f,
                      const sums *x, quad h, bool load)
{
    const int n = b->n, s = f->s, N = n * s;
    for (int j = 0; j < n; j++)
        for (int m = 0; m < s; m++) {
            quad *row = J + (size_t)(j * s + m) * (size_t)N,
                 *right = B + (size_t)(j * s + m) * (size_t)cols;
            for (int l = 0; l < n; l++) {
                const int e = j * n + l;
                for (int k = 0; k < s; k++)
                    row[l * s + k] = x->PV[m][k] * b->PV[e] + h * x->PQ[m][k] * b->PQ[e]
                                   - h * x->FV[m][k] * b->FV[e] - h * h * x->FQ[m][k] * b->FQ[e];
                right[l] = h * x->X[m] * b->FQ[e] - x->l[m] * b->PQ[e];
            }
            right[n + j] = f->w[m];
            right[2 * n] = h * x->X[m] * b->cF[j] - x->l[m] * b->cP[j];
            for (int i = 0; i < f->r && load; i++)
                right[2 * n + 1 + i * n + j] = h * f->b[i] * f->X[i][m];
        }
}

/* Column c of the map, from the modes in column c of B. */
static void column(noe_affine_map *x, int c, const quad *B, int cols, const noe_affine_blocks *b,
                   const noe_method *f, const sums *y, quad h)
{
    const int n = b->n, s = f->s, N = 2 * n, node = (c - N - 1) / n, dof = (c - N - 1) % n;
    for (int j = 0; j < n; j++) {
        quad dq = 0, dp = c < n  ? h * y->one * b->FQ[j * n + c]
                        : c == N ? h * y->one * b->cF[j]
                                 : 0;
        if (c > N && dof == j) dp = h * f->b[node];
        for (int m = 0; m < s; m++)
            dq += h * f->w[m] * B[(size_t)(j * s + m) * (size_t)cols + (size_t)c];
        for (int l = 0; l < n; l++)
            for (int m = 0; m < s; m++)
                dp += (h * y->l[m] * b->FV[j * n + l] + h * h * y->I[m] * b->FQ[j * n + l])
                    * B[(size_t)(l * s + m) * (size_t)cols + (size_t)c];
        quad *const upper = c < N  ? &x->E[j * N + c]
                          : c == N ? &x->g[j]
                                   : &x->G[(node * N + j) * n + dof];
        *upper = dq;
        /* the same row of p: n rows below that of q */
        upper[c == N ? n : n * (c < N ? N : n)] = dp;
    }
}

/* h v at the nodes: h sum_m l_im a_m. */
static void nodal_velocities(noe_affine_map *x, const quad *B, int cols, const noe_method *f,
                             quad h)
{
    const int n = x->n, s = f->s;
    for (int i = 0; i < x->seen; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < cols; c++) {
                quad sum = 0;
                for (int m = 0; m < s; m++)
                    sum += f->l[i][m] * B[(size_t)(j * s + m) * (size_t)cols + (size_t)c];
                x->V[((size_t)i * (size_t)n + (size_t)j) * (size_t)cols + (size_t)c] = h * sum;
            }
}

noe_status noe_affine_galerkin(noe_affine_map *x, noe_arena *a, const noe_affine_blocks *b,
                               const noe_method *f, quad h)
{
    const size_t n = (size_t)b->n, N = n * (size_t)f->s, nodes = (size_t)x->nodes,
                 cols = 2 * n + 1 + nodes * n;
    sums  y;
    quad *J = noe_affine_map_take(a, N * N), *B = noe_affine_map_take(a, N * cols);
    if (!J || !B) return NOE_NO_MEMORY;
    add_up(&y, f);
    equations(J, B, (int)cols, b, f, &y, h, nodes > 0);
    if (!noe_small_solve_columns(J, (int)N, B, (int)cols)) return NOE_SINGULAR;
    for (int c = 0; c < (int)cols; c++) column(x, c, B, (int)cols, b, f, &y, h);
    nodal_velocities(x, B, (int)cols, f, h);
    return NOE_OK;
}
