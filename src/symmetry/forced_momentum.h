/* Do forces change the momentum of a symmetry?  dI/dt = f . (xi - tau v).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_FORCED_MOMENTUM_H
#define NOE_SYMMETRY_FORCED_MOMENTUM_H

#include "symmetry/identity.h"

/* True if dI/dt is not 0 for the symmetry with coefficients x [terms]. */
bool noe_forced_momentum_is(noe_identity *, const noe_symmetries *, const quad *x,
                            const noe_model *);

#endif
