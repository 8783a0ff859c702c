/* The kinetic energy of what the impulses of constraints in a step would make: M_jj push_j^2 / 2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/impulse_energy.h"

#include "constraint/constraint_point.h"
#include "tape/left_out_bounds.h"

double noe_impulse_energy_find(const noe_dynamics *d, quad t, const quad *q, const quad *v, quad h,
                               const int *block, int b)
{
    noe_constraint_point *at = d->constraints ? noe_constraint_point_new(d) : NULL;
    quad                  push[d->n], T = 0;
    if (!at) return 0;
    noe_constraint_point_at(at, t, q, v, NOE_DEPENDENT_AT_START);
    if (at->regular) {
        noe_constraint_point_pushes(at, h, push);
        for (int i = 0; i < d->n; i++)
            if (block[i] == b) T += fabsq(at->M[i * (d->n + 1)]) * push[i] * push[i] / 2;
    }
    noe_constraint_point_free(at);
    return (double)T;
}
