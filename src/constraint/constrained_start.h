/* Initial conditions of systems with constraints: g(t, q) = 0 and G v + g_t = 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONSTRAINT_CONSTRAINED_START_H
#define NOE_CONSTRAINT_CONSTRAINED_START_H

#include "system/system.h"

/* Moves q [n] to the constraints where it is off them by less than the digits it is written with;
 * else refuses it with a message, and so it does dead points.  left_out [constraints]: 1 for those
 * that follow from the others, at the start and near it, else 0.  param: those of functions in
 * C. */
noe_status noe_constrained_start_positions(const noe_system *, const quad *param, quad t, quad *q,
                                           quad *left_out);
/* Projects the momenta of the engine's present state, p <- p + G^T mu; what is
 * returned has the bits of noe_engine.start: one for each member that failed. */
unsigned noe_constrained_start_momenta(const noe_system *, const quad *param, const noe_engine *,
                                       void *work, int member);

#endif
