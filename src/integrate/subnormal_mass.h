/* 0 < m < 2.2e-308:  masses that double does not hold.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_SUBNORMAL_MASS_H
#define NOE_INTEGRATE_SUBNORMAL_MASS_H

#include "integrate/integrator.h"

/* At t, (q, v), before a run in double: NOE_INVALID with a message when L_vv has such a number on its diagonal. */
noe_status noe_subnormal_mass_find(const noe_integrator *, quad t, const quad *q, const quad *v);

#endif
