/* Kinetic norm of velocities x, block by block: |x|_B^2 = sum_{j,k in B} |M_jk| |x_j| |x_k|.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Newton's corrections are compared with each other in this norm.  It does not depend on units
 * of coordinates, constants in the potential, total derivatives in L or boosts; a common factor
 * of L, or another block, changes no comparison.  M = w->newton.mass_bound; x_j is the largest
 * mode of coordinate j; blocks are sets of coordinates that L or forces couple. */
#ifndef NOE_STEP_KINETIC_NORM_H
#define NOE_STEP_KINETIC_NORM_H

#include "step/discrete_action.h"

/* to [blocks] = |x|_B^2 of each block, from modes x [n][s]. */
INLINE void kinetic_norms(const work *w, const shape z, const real *x, real *to)
{
    real size[NOE_MAX_DEGREE], *most = z.n <= NOE_MAX_DEGREE ? size : w->scratch.most;
    for (int j = 0; j < z.n; j++) {
        most[j] = r_set(0);
        for (int m = j * z.s; m < (j + 1) * z.s; m++) most[j] = r_max(most[j], r_abs(x[m]));
    }
    for (int b = 0; b < w->blocks; b++) to[b] = r_set(0);
    const noe_entry *y = w->dyn->mass;
    for (int j = 0; j < z.n; j++)
        to[w->block_of[j]] += most[j] * add_mass_row(w, z.n, j, &y, most, r_set(0));
}

/* Is a_b <= factor c_b in every block? */
INLINE mask norms_within(const work *w, const real *a, num factor, const real *c)
{
    mask yes = m_all(1);
    for (int b = 0; b < w->blocks; b++) yes = yes & (a[b] <= factor * c[b]);
    return yes;
}

/* The same, but blocks with a_b <= small all_b, where a is rounding, count as within. */
INLINE mask norms_within_or_small(const work *w, const real *a, num factor, const real *c,
                                  num small, const real *all)
{
    mask yes = m_all(1);
    for (int b = 0; b < w->blocks; b++)
        yes = yes & ((a[b] <= factor * c[b]) | (a[b] <= small * all[b]));
    return yes;
}

#endif
