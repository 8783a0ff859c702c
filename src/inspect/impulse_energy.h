/* The kinetic energy of what the impulses of constraints in a step would make.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_IMPULSE_ENERGY_H
#define NOE_INSPECT_IMPULSE_ENERGY_H

#include "tape/equations.h"

/* The energy of block b, by block [n], that the impulses of a step of length h would make at
 * (t, q, v) one by one; 0 without constraints.  Where these hold a system at rest its own kinetic
 * energy is rounding. */
double noe_impulse_energy_find(const noe_dynamics *, quad t, const quad *q, const quad *v, quad h,
                               const int *block, int b);

#endif
