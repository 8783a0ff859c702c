/* With a monitor G: d of the energy E or the density of steps, and of eps = step/G, at the start.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The density begins with 1/G + eps/2 psi, psi = (dG/dt)/G (step/monitored_step.h). */
#include "base/status.h"
#include "gradient/gradient.h"

#include <stdlib.h>
#include <string.h>

bool noe_monitored_start_sensitivity(const noe_dynamics *d, const noe_dynamics *stepped, quad eps,
                                     const noe_row_state *x, quad *shift)
{
    const noe_tape *tape = stepped->mixed;
    const size_t    n = (size_t)d->n, k = (size_t)d->columns, inputs = (size_t)tape->inputs;
    quad *in = noe_status_alloc(inputs + (size_t)(tape->slots + tape->outputs), sizeof *in);
    if (!in) return false;
    quad *const slot = in + inputs, *const out = slot + tape->slots,
                *const G = out + stepped->mixed_clock, *const psi = G + 1 + n + k;
    in[0] = x->t;
    memcpy(in + noe_tape_input(NOE_Q, 0, d->n), x->q, n * sizeof *in);
    memcpy(in + noe_tape_input(NOE_V, 0, d->n), x->v, n * sizeof *in);
    noe_tape_quad_run(tape, in, slot, out);
    for (size_t c = 0; c < k; c++) {
        quad moved = G[1 + n + c];
        for (size_t j = 0; j < n; j++) moved += G[1 + j] * x->S[j * k + c];
        shift[c] = 0;
        shift[2 * k + c] = -moved / G[0];
        if (stepped->transformed) {
            shift[k + c] = noe_row_derivative_of_row(d, x, 0, (int)c);
            continue;
        }
        quad faster = psi[2 * n + 2 + c] + psi[0] * shift[2 * k + c];
        for (size_t j = 0; j < n; j++)
            faster += psi[1 + j] * x->S[j * k + c]
                    + psi[1 + n + j] * noe_row_derivative_of_velocity(d, x, (int)j, (int)c);
        shift[k + c] = -moved / (G[0] * G[0]) + eps / 2 * faster;
    }
    free(in);
    return true;
}
