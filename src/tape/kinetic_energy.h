/* The kinetic energy T = v.(L_v(q, v) - L_v(q, 0))/2 of a Lagrangian that is quadratic in v.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_KINETIC_ENERGY_H
#define NOE_TAPE_KINETIC_ENERGY_H

#include "tape/equations.h"

/* At t, q, v and momenta p = L_v, [n] each.  Terms A(q).v of L, as those of a magnetic field or a
 * turning frame, have no part in it: v.p/2 may be negative where they are.  Of functions in C, sums
 * and matrices, and without memory, v.p/2. */
double noe_kinetic_energy_of(const noe_dynamics *, double t, const double *q, const double *v,
                             const double *p);

#endif
