/* Products and solves with a constant mass matrix that need not be diagonal:  p = M v,  M v = p.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_MASS_H
#define NOE_SUMS_SUMS_MASS_H

#include "sums/sums_stiffness.h"

/* v <- M u; K holds M as its lower triangle. */
static inline void mass_times(const noe_sums_stiffness *K, const double *u, double *v)
{
    const int n = K->at.n;
    for (int i = 0; i < n; i++) v[i] = 0;
    for (int i = 0; i < n; i++)
        for (int64_t e = K->at.start[i]; e < K->at.start[i + 1]; e++) {
            const int j = K->at.col[e];
            v[i] += K->M[e] * u[j];
            if (j != i) v[j] += K->M[e] * u[i];
        }
}

/* v <- M^-1 v.  mass: the factor of M; NULL: only the diagonal of M is used. */
static inline void mass_divide(const noe_sums_stiffness *K, const noe_ldl *mass, double *v)
{
    if (mass) noe_ldl_solve(mass, 0, v, NULL);
    else
        for (int i = 0; i < K->at.n; i++) v[i] /= K->M[K->at.start[i + 1] - 1];
}

#endif
