/* k steps as one affine map, by repeated squaring:  (1 + E)^k - 1, its g, and its dissipation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/affine_map.h"

#include <math.h>
#include <string.h>

/* Composition of two maps, (F, f) first:  E + F + E F,  g + f + E f. */
static void after(const noe_affine_map *x, const quad *F, const quad *f, quad *to, quad *tog)
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
static void add_transformed(quad *Q, const quad *more, const quad *E, int N, quad *w)
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

void noe_affine_power(noe_affine_map *to, const noe_affine_map *x, double k, quad *scratch)
{
    const size_t   N = 2 * (size_t)x->n, NN = N * N, bytes = NN * sizeof(quad);
    noe_affine_map square = *x;
    quad *E = scratch, *g = E + NN, *own = g + N, *owng = own + NN, *Q = owng + N, *w = Q + NN;
    memset(to->E, 0, bytes);
    memset(to->g, 0, N * sizeof *to->g);
    if (x->Q) memset(to->Q, 0, bytes);
    memcpy(own, x->E, bytes);
    memcpy(owng, x->g, N * sizeof *owng);
    if (x->Q) memcpy(Q, x->Q, bytes);
    square.E = own, square.g = owng;
    for (; k >= 1; k = floor(k / 2)) {
        if (fmod(k, 2) == 1) {
            if (x->Q) add_transformed(to->Q, Q, to->E, (int)N, w);
            after(&square, to->E, to->g, E, g);
            memcpy(to->E, E, bytes);
            memcpy(to->g, g, N * sizeof *g);
        }
        if (k < 2) break;
        if (x->Q) memcpy(w + NN, Q, bytes), add_transformed(Q, w + NN, own, (int)N, w);
        after(&square, square.E, square.g, E, g);
        memcpy(own, E, bytes);
        memcpy(owng, g, N * sizeof *g);
    }
}
