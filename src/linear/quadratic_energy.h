/* Energy and preserved quadratic form of a linear system, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     H = v.PV v/2 - q.FQ q/2 - cF.q - L0,   v = PV^-1 (p - PQ q - cP) */
#ifndef NOE_LINEAR_QUADRATIC_ENERGY_H
#define NOE_LINEAR_QUADRATIC_ENERGY_H

#include "linear/affine_map.h"
#include "linear/linear_state.h"

/* For up to NOE_DENSE_MOST coordinates. */
void noe_quadratic_energy_velocities(const noe_affine_blocks *, const noe_linear_state *, quad *v);
quad noe_quadratic_energy_value(const noe_affine_blocks *, const noe_linear_state *);
/* H2 = p.u/2 - h^2/16 u.K u + q.r/2 - h^2/16 r.w + h^4/576 w.K w,  u = M^-1 p, r = K q, w = M^-1
 * r: preserved exactly by Simpson's step of M q'' + K q = 0 (its x is h^2 M^-1 K). */
quad noe_quadratic_energy_simpson(const noe_affine_blocks *, const noe_linear_state *);

#endif
