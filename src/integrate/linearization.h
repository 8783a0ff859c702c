/* (t, q, v) -> F = L_q + f, P = L_v and their derivatives at one state, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_LINEARIZATION_H
#define NOE_INTEGRATE_LINEARIZATION_H

#include "integrate/integrator.h"

typedef struct {
    const noe_integrator *g;
    int                   n;
    quad                 *F, *P, *D[NOE_D_KINDS]; /* [n], [n], [n][n] each */
    quad                 *in, *slot, *out;
    double               *z, *param;
} noe_linearization;

bool noe_linearization_open(
    noe_linearization *, const noe_integrator *); /* false with a message; close it all the same */
void noe_linearization_close(noe_linearization *);
bool noe_linearization_at(noe_linearization *, quad t, const quad *q,
                          const quad *v); /* are they finite there? */

#endif
