/* Refuses masses 0 < |m| < 2.2e-308, which double cannot represent with full precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SUBNORMAL_MASS_H
#define NOE_INTEGRATE_SUBNORMAL_MASS_H

#include "integrate/integrator.h"

/* Before a run in double from (t, q, v): NOE_INVALID with a message where the diagonal of L_vv has
 * such a number. */
noe_status noe_subnormal_mass_find(const noe_integrator *, quad t, const quad *q, const quad *v);

#endif
