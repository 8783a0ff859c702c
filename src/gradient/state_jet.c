/* L_vv, L_vq and, where there are columns, P_c = d(L_v)/dc at one state (t, q, v), in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "gradient/gradient.h"

#include <string.h>

void *noe_state_jet_at(const noe_dynamics *d, quad t, const quad *q, const quad *v,
                       noe_state_jet *x)
{
    const noe_tape *tape = d->mixed ? d->mixed : d->hessian;
    const size_t    n = (size_t)d->n, k = (size_t)d->columns, inputs = (size_t)tape->inputs;
    quad *in = noe_status_alloc(inputs + (size_t)(tape->slots + tape->outputs) + 2 * n * n + k * n,
                                sizeof *in);
    if (!in) return NULL;
    quad *const slot = in + inputs, *const out = slot + tape->slots;
    x->M = out + tape->outputs, x->G = x->M + n * n, x->P = x->G + n * n;
    in[0] = t;
    memcpy(in + noe_tape_input(NOE_Q, 0, d->n), q, n * sizeof *q);
    memcpy(in + noe_tape_input(NOE_V, 0, d->n), v, n * sizeof *v);
    noe_tape_quad_run(tape, in, slot, out);
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++) {
        if (y->kind == NOE_D_PV) x->M[y->row * d->n + y->col] = out[y->output];
        if (y->kind == NOE_D_PQ) x->G[y->row * d->n + y->col] = out[y->output];
    }
    for (size_t c = 0; c < k; c++)
        if (d->mixed_at[c] >= 0) memcpy(x->P + c * n, out + d->mixed_at[c] + n, n * sizeof *out);
    x->F = out, x->P_t = NULL;
    if (d->mixed && d->mixed_time >= 0) x->P_t = out + d->mixed_time + n;
    return in;
}
