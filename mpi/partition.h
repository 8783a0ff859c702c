/* Which process owns which rows of a structure.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_PARTITION_H
#define NOE_MPI_PARTITION_H

#include "together.h"
#include "matrix/structure.h"

/* owner[n] of the coordinates, `width` consecutive ones (a node) together, by PT-Scotch; by slices
 * of consecutive nodes where there are few.  Every process has the whole structure, and the same
 * owners. */
noe_status partition_rows(const noe_structure *, int width, int *owner);

#endif
