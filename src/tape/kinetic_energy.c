/* The kinetic energy, without what terms A(q).v of L add to the momenta.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/kinetic_energy.h"

#include "base/status.h"
#include "tape/tape_double.h"

#include <stdlib.h>
#include <string.h>

double noe_kinetic_energy_of(const noe_dynamics *d, double t, const double *q, const double *v,
                             const double *p)
{
    const size_t    n = (size_t)d->n;
    const noe_tape *P = d->legendre;
    double         *slot = P ? noe_status_alloc((size_t)P->slots, sizeof *slot) : NULL;
    double          T = 0;
    if (slot) {
        slot[noe_tape_input(NOE_T, 0, d->n)] = t;
        memcpy(slot + noe_tape_input(NOE_Q, 0, d->n), q, n * sizeof *q);
        noe_tape_double_run(P, slot); /* velocities are 0 */
    }
    for (int j = 0; j < d->n; j++) T += v[j] * (p[j] - (slot ? slot[P->out[j]] : 0)) / 2;
    free(slot);
    return T;
}
