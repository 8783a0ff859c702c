/* F = L_q + f, P = L_v and their derivatives by q and v at one state (t, q, v), in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_LINEARIZATION_H
#define NOE_INTEGRATE_LINEARIZATION_H

#include "integrate/integrator.h"

typedef struct {
    const noe_integrator *g;
    int                   n;                      /* coordinates */
    quad                 *F, *P, *D[NOE_D_KINDS]; /* [n]; [n]; [n][n] each, F_q, F_v, P_q, P_v */
    quad                 *in, *slot, *out; /* inputs, slots and outputs of the Hessian tape */
    double               *z, *param;       /* scratch and [params] parameters of an L in C */
} noe_linearization;

/* False with a message; it has to be closed in either case. */
bool noe_linearization_open(noe_linearization *, const noe_integrator *);
void noe_linearization_close(noe_linearization *);
/* Evaluates F, P and D; are all of them finite? */
bool noe_linearization_at(noe_linearization *, quad t, const quad *q, const quad *v);

#endif
