/* Static condensation of the coordinates without mass, for large structures.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_AXIS_CONDENSATION_H
#define NOE_MATRIX_AXIS_CONDENSATION_H

#include "matrix/static_condensation.h"

/* As noe_static_condensation_make(), but only empty rows of M are eliminated. */
noe_status noe_axis_condensation_make(noe_sparse **M, noe_sparse **C, noe_sparse **K,
                                      noe_condensation *x);
/* The error that a damper acts on the coordinate `about`, which has no mass; none for about < 0. */
noe_status noe_axis_condensation_refuse_damper(int about);

#endif
