/* Derivatives of velocities, energy and observables at a state, from S = d(q, p)/dc.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "gradient/gradient.h"
#include "matrix/small_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* dv [n] = L_vv^-1 (dp - L_vq dq - P_c); false: L_vv is singular. */
static bool velocities(const noe_dynamics *d, const noe_row_state *s, int c, quad *dv)
{
    const int     n = d->n, k = d->columns;
    noe_state_jet y;
    void         *memory = noe_state_jet_at(d, s->t, s->q, s->v, &y);
    if (!memory) return false;
    for (int i = 0; i < n; i++) {
        dv[i] = s->S[(n + i) * k + c] - y.P[c * n + i];
        for (int j = 0; j < n; j++) dv[i] -= y.G[i * n + j] * s->S[j * k + c];
    }
    const bool ok = noe_small_solve_columns(y.M, n, dv, 1);
    free(memory);
    return ok;
}

quad noe_row_derivative_of_velocity(const noe_dynamics *d, const noe_row_state *s, int i, int c)
{
    quad      *dv = noe_status_alloc((size_t)d->n, sizeof *dv);
    const quad derivative = dv && velocities(d, s, c, dv) ? dv[i] : (quad)NAN;
    free(dv);
    return derivative;
}

/* The derivative of one row, from the outputs of the tape; dH: the derivative of the energy. */
static quad total(const noe_dynamics *d, const noe_row_state *s, int row, int c, const quad *out,
                  const quad *dv, quad dH)
{
    const noe_gradient *g = d->by;
    const int           n = d->n, k = d->columns;
    quad                sum = 0;
    for (const noe_row_entry *y = g->entry; y < g->entry + g->entries; y++) {
        if (y->row != row) continue;
        const int at = y->leaf;
        if (at < n) sum += out[y->output] * s->S[at * k + c];
        else if (at < 2 * n) sum += out[y->output] * dv[at - n];
        else if (at < 3 * n) sum += out[y->output] * s->S[(at - n) * k + c];
        else if (at == 3 * n) sum += out[y->output] * dH;
        else if (at == 3 * n + 1 + c) sum += out[y->output];
    }
    return sum;
}

quad noe_row_derivative_of_row(const noe_dynamics *d, const noe_row_state *s, int row, int c)
{
    const noe_tape *tape = d->by->rows;
    const size_t    n = (size_t)d->n, inputs = (size_t)tape->inputs;
    quad *in = noe_status_alloc(inputs + (size_t)(tape->slots + tape->outputs) + n, sizeof *in);
    if (!in) return NAN;
    quad *const slot = in + inputs, *const out = slot + tape->slots,
                *const dv = out + tape->outputs;
    in[0] = s->t;
    memcpy(in + noe_tape_input(NOE_Q, 0, d->n), s->q, n * sizeof *in);
    memcpy(in + noe_tape_input(NOE_V, 0, d->n), s->v, n * sizeof *in);
    memcpy(in + noe_tape_input(NOE_P, 0, d->n), s->p, n * sizeof *in);
    in[noe_tape_input(NOE_H, 0, d->n)] = s->H;
    noe_tape_quad_run(tape, in, slot, out);
    quad dY = total(d, s, 0, c, out, dv, 0);
    if (row) dY = velocities(d, s, c, dv) ? total(d, s, row, c, out, dv, dY) : (quad)NAN;
    free(in);
    return dY;
}
