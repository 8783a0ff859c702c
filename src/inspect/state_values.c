/* The values of L, L_t, L_q, L_v and forces at a state, in double and in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/state_values.h"

#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

noe_random_state *noe_state_values_new(int n)
{
    const size_t      k = (size_t)n;
    noe_random_state *x = noe_status_alloc(1, sizeof *x + 16
                                                  + k * (7 * sizeof(quad) + 4 * sizeof(double)));
    if (!x) return NULL;
    quad *at = (quad *)((char *)x + (sizeof *x + 15) / 16 * 16);
    x->n = n;
    x->q = at, x->v = at + n, x->F = at + 2 * n, x->P = at + 3 * n, x->f = at + 4 * n;
    x->part = at + 5 * n;
    x->rough_F = (double *)(at + 7 * n), x->rough_P = x->rough_F + n;
    x->rough_part = x->rough_P + n;
    return x;
}

void noe_state_values_find(noe_state_sampler *s, noe_random_state *x)
{
    const int n = s->n;
    quad      input[1 + 2 * n + n + 1], out[5 * n + 2];
    memset(input, 0, sizeof input);
    input[0] = x->t;
    memcpy(input + noe_tape_input(NOE_Q, 0, n), x->q, (size_t)n * sizeof *input);
    memcpy(input + noe_tape_input(NOE_V, 0, n), x->v, (size_t)n * sizeof *input);
    memcpy(input + noe_tape_input(NOE_P, 0, n), s->lambda, (size_t)n * sizeof *input);
    noe_tape_quad_run(s->tape, input, s->slot, out);
    x->L = out[0], x->L_t = out[1];
    memcpy(x->F, out + 2, (size_t)n * sizeof *out);
    memcpy(x->P, out + 2 + n, (size_t)n * sizeof *out);
    memcpy(x->f, out + 2 + 2 * n, (size_t)n * sizeof *out);
    for (int i = 0; i < s->tape->inputs; i++) s->rough[i] = (double)input[i];
    noe_tape_double_run(s->tape, s->rough);
    x->rough_L = s->rough[s->tape->out[0]], x->rough_L_t = s->rough[s->tape->out[1]];
    x->H = 0, x->rough_H = 0;
    for (int i = 0; i < n; i++) {
        x->rough_F[i] = s->rough[s->tape->out[2 + i]];
        x->rough_P[i] = s->rough[s->tape->out[2 + n + i]];
        x->H += x->P[i] * x->v[i], x->rough_H += x->rough_P[i] * (double)x->v[i];
    }
    for (int k = 0; k < 2 * s->blocks && s->several; k++) {
        x->part[k] = out[3 * n + 2 + k];
        x->rough_part[k] = s->rough[s->tape->out[3 * n + 2 + k]];
    }
}

/* Signs of coordinate i in pattern k; any two coordinates have opposite ones in some patterns. */
static bool upwards(int k, int i)
{
    uint32_t x = (uint32_t)(k * 40503 + i) * 2654435761u;
    return (x ^ x >> 15) >> 7 & 1;
}

void noe_state_values_rounding(noe_state_sampler *s, const noe_random_state *x, double *dF,
                               double *dP)
{
    enum { NEIGHBOURS = 4 };
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        dF[i] = fabs((double)(x->rough_F[i] - x->F[i]));
        dP[i] = fabs((double)(x->rough_P[i] - x->P[i]));
    }
    for (int k = 0; k < NEIGHBOURS; k++) {
        memset(s->rough, 0, (size_t)s->tape->inputs * sizeof *s->rough);
        s->rough[0] = (double)x->t;
        for (int i = 0; i < n; i++) {
            s->rough[noe_tape_input(NOE_Q, i, n)] = nextafter((double)x->q[i],
                                                              upwards(k, i) ? INFINITY : -INFINITY);
            s->rough[noe_tape_input(NOE_V, i, n)] = (double)x->v[i];
            s->rough[noe_tape_input(NOE_P, i, n)] = (double)s->lambda[i];
        }
        noe_tape_double_run(s->tape, s->rough);
        for (int i = 0; i < n; i++) {
            dF[i] = fmax(dF[i], fabs((double)(s->rough[s->tape->out[2 + i]] - x->F[i])));
            dP[i] = fmax(dP[i], fabs((double)(s->rough[s->tape->out[2 + n + i]] - x->P[i])));
        }
    }
}
