/* The way back to the start with a monitor G: what E or the density, and eps = step/G, depend on.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Transposed monitored_start_sensitivity.c: with w = dJ/d(log eps) and, of a density
 * 1/G + eps/2 psi, y = dJ/d(density), psi = (dG/dt)/G,
 *     (w + y eps psi/2) goes to -dG/G,  y to -dG/G^2 + eps/2 dpsi,  and dJ/dE to dE. */
#include "base/status.h"
#include "gradient/adjoint_tapes.h"

#include <stdlib.h>
#include <string.h>

bool noe_monitored_adjoint_start(const noe_dynamics *d, const noe_dynamics *stepped, quad eps,
                                 const noe_row_state *x, const quad *pace, quad *lambda, quad *by)
{
    const noe_tape *tape = stepped->mixed, *second = stepped->clock_adjoint;
    const bool      density = !stepped->transformed;
    const size_t    n = (size_t)d->n, numbers = 3 * n + 1 + (size_t)d->model->observables,
                 slots = (size_t)(tape->slots + tape->outputs),
                 more = second ? (size_t)(second->slots + second->outputs) : 0;
    quad *in = noe_status_alloc((size_t)tape->inputs + (slots > more ? slots : more) + numbers,
                                sizeof *in);
    if (!in) return false;
    quad *const slot = in + tape->inputs, *const out = slot + tape->slots,
                *const G = out + stepped->mixed_clock, *const psi = G + 1 + n,
                *const weight = in + tape->inputs + (slots > more ? slots : more);
    in[0] = x->t;
    memcpy(in + noe_tape_input(NOE_Q, 0, d->n), x->q, n * sizeof *in);
    memcpy(in + noe_tape_input(NOE_V, 0, d->n), x->v, n * sizeof *in);
    noe_tape_quad_run(tape, in, slot, out);
    const quad of_density = density ? pace[NOE_PACE_DENSITY] : (quad)0,
               of_psi = eps / 2 * of_density,
               of_step = pace[NOE_PACE_LENGTH] + (density ? of_psi * psi[0] : (quad)0),
               of_G = -of_step / G[0] - of_density / (G[0] * G[0]);
    for (size_t j = 0; j < n; j++) {
        weight[j] = of_G * G[1 + j];
        if (density) weight[j] += of_psi * psi[1 + j], weight[n + j] = of_psi * psi[1 + n + j];
    }
    if (!density) weight[3 * n] = pace[NOE_PACE_LEVEL];
    if (second) {
        quad *const at = slot + second->slots;
        noe_tape_quad_run(second, in, slot, at);
        for (int k = 0; k < second->outputs; k++)
            if (k < stepped->clock_second) by[stepped->clock_by[k]] += of_G * at[k];
            else if (density) by[stepped->clock_by[k]] += of_psi * at[k];
    }
    const bool ok = noe_adjoint_ends_row(d, x, weight, lambda, by);
    free(in);
    return ok;
}
