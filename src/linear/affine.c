/* z <- z + E z:  what all kinds of steps share, and many of them as one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/affine.h"

#include <math.h>
#include <string.h>

static quad *take(noe_arena *a, size_t count) { return noe_arena_take(a, (count ? count : 1) * sizeof(quad)); }

static int kicks(const noe_method *f)
{
    return (f->flows + !f->drift_first) / 2;
}

/* Q = h sum_i weight_i V_i.C V_i / h^2 of the columns q, p;  C = PQ - FV. */
static bool dissipation(noe_affine *x, noe_arena *a, const noe_blocks *b, quad h)
{
    const int n = x->n, N = 2 * n, cols = N + 1 + x->nodes * n;
    quad     *CV = take(a, (size_t)n * (size_t)N);
    x->Q = take(a, (size_t)N * (size_t)N);
    if (!CV || !x->Q) return false;
    for (int i = 0; i < x->seen; i++) {
        const quad *V = x->V + (size_t)i * (size_t)n * (size_t)cols;
        memset(CV, 0, (size_t)n * (size_t)N * sizeof *CV);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int c = 0; c < N && b->FV[j * n + k] != 0; c++) CV[j * N + c] -= b->FV[j * n + k] * V[k * cols + c];
        for (int c = 0; c < N; c++)
            for (int j = 0; j < n; j++)
                for (int e = 0; e < N; e++) x->Q[c * N + e] += x->weight[i] / h * V[j * cols + c] * CV[j * N + e];
    }
    return true;
}

noe_status noe_affine_make(noe_affine *x, noe_arena *a, const noe_blocks *b, const noe_method *f, quad h, bool load, bool books)
{
    const size_t n = (size_t)b->n;
    const bool   splits = f->kind == NOE_SPLITTING;
    const size_t nodes = !load ? 0 : splits ? (size_t)kicks(f) : (size_t)f->r;
    const size_t seen = !books ? 0 : splits ? (size_t)(kicks(f) * NOE_LOOKS) : (size_t)f->r;
    *x = (noe_affine){ .n = b->n, .nodes = (int)nodes, .seen = (int)seen, .c = f->c, .E = take(a, 4 * n * n), .g = take(a, 2 * n),
                       .G = take(a, nodes * 2 * n * n), .V = take(a, seen * n * (2 * n + 1 + nodes * n)),
                       .weight = take(a, seen), .node = noe_arena_take(a, (seen + 1) * sizeof *x->node) };
    if (!x->E || !x->g || !x->G || !x->V || !x->weight || !x->node) return NOE_NO_MEMORY;
    for (size_t i = 0; i < seen && !splits; i++) x->weight[i] = f->b[i], x->node[i] = (int)i;
    const noe_status s = f->kind == NOE_GALERKIN  ? noe_affine_galerkin(x, a, b, f, h)
                       : f->kind == NOE_NEWMARK ? noe_affine_newmark(x, a, b, f, h) : noe_affine_explicit(x, a, b, f, h);
    if (!s && books && !load && !dissipation(x, a, b, h)) return NOE_NO_MEMORY;
    return s;
}

void noe_affine_keep(noe_affine *x, const quad *q, const quad *p)
{
    const int n = x->n, N = 2 * n, c = N + 1 + x->nodes * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < N; j++) {
            x->E[i * N + j] = q[i * c + j] - (i == j);
            x->E[(n + i) * N + j] = p[i * c + j] - (n + i == j);
        }
        x->g[i] = q[i * c + N], x->g[n + i] = p[i * c + N];
        for (int j = 0; j < x->nodes * n; j++) { /* node j/n, dof j%n */
            quad *const G = x->G + j / n * 2 * n * n + j % n;
            G[i * n] = q[i * c + N + 1 + j], G[(n + i) * n] = p[i * c + N + 1 + j];
        }
    }
}

/* ---- many steps ---- */

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

/* Q += (1 + E)' more (1 + E); w: scratch [N][N]. */
static void carry(quad *Q, const quad *more, const quad *E, int N, quad *w)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            w[i * N + j] = more[i * N + j];
            for (int k = 0; k < N; k++) w[i * N + j] += more[i * N + k] * E[k * N + j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            Q[i * N + j] += w[i * N + j];
            for (int k = 0; k < N; k++) Q[i * N + j] += E[k * N + i] * w[k * N + j];
        }
}

noe_status noe_affine_power(noe_affine *to, noe_arena *a, const noe_affine *x, double k)
{
    const size_t N = 2 * (size_t)x->n, NN = N * N, bytes = NN * sizeof(quad);
    noe_affine   square = *x;
    *to = (noe_affine){ .n = x->n, .E = take(a, NN), .g = take(a, N), .Q = x->Q ? take(a, NN) : NULL };
    quad *E = take(a, NN), *g = take(a, N), *own = take(a, NN), *owng = take(a, N), *Q = take(a, NN), *w = take(a, 2 * NN);
    if (!to->E || !to->g || !E || !g || !own || !owng || !Q || !w || (x->Q && !to->Q)) return NOE_NO_MEMORY;
    memcpy(own, x->E, bytes);
    memcpy(owng, x->g, N * sizeof *owng);
    if (x->Q) memcpy(Q, x->Q, bytes);
    square.E = own, square.g = owng;
    for (; k >= 1; k = floor(k / 2)) {
        if (fmod(k, 2) == 1) {
            if (x->Q) carry(to->Q, Q, to->E, (int)N, w);
            after(&square, to->E, to->g, E, g);
            memcpy(to->E, E, bytes);
            memcpy(to->g, g, N * sizeof *g);
        }
        if (x->Q) memcpy(w + NN, Q, bytes), carry(Q, w + NN, own, (int)N, w);
        after(&square, square.E, square.g, E, g);
        memcpy(own, E, bytes);
        memcpy(owng, g, N * sizeof *g);
    }
    return NOE_OK;
}
