/* The observables of a model of sums: evaluates the sums that they contain, then one tape.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "sums/sums.h"

#include <stdlib.h>

/* The inputs of the tape are t, the energy, and q, v, p of the coordinates or the values of the
 * sums in g->place. */
bool noe_sums_observables_evaluate(const noe_sums *g, noe_sums_total *total, double t,
                                   double energy, const double *q, const double *v, const double *p,
                                   quad *seen)
{
    const int n = g->seen, inputs = noe_tape_inputs(n);
    quad     *input = noe_status_alloc((size_t)(inputs + g->observe->slots + 1), sizeof *input);
    bool      ok = input != NULL;
    if (ok) input[0] = t, input[noe_tape_input(NOE_H, 0, n)] = energy;
    for (int k = 0; ok && k < n; k++) {
        const int place = g->place[k];
        double    sum;
        if (place >= 0) {
            input[noe_tape_input(NOE_Q, k, n)] = q[place];
            input[noe_tape_input(NOE_V, k, n)] = v[place];
            input[noe_tape_input(NOE_P, k, n)] = p[place];
            continue;
        }
        ok = total(g, &g->sum[-1 - place], t, q, v, p, &sum);
        input[noe_tape_input(NOE_C, k, n)] = sum;
    }
    if (ok) noe_tape_quad_run(g->observe, input, input + inputs, seen);
    free(input);
    return ok;
}
