/* Which coordinates static condensation eliminates, and how these follow from the others.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_ELIMINATED_COORDINATES_H
#define NOE_MATRIX_ELIMINATED_COORDINATES_H

#include "matrix/static_condensation.h"

/* Fills keep, eliminated_index, S and G of x, which has n, kept and axes, from K and the m null
 * vectors N [m][n] of M.  NOE_SINGULAR with a message: a direction has no stiffness either. */
noe_status noe_eliminated_coordinates_find(const noe_sparse *K, const double *N, int m,
                                           noe_condensation *x);

#endif
