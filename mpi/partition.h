/* Which process owns which rows of a structure.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_PARTITION_H
#define NOE_MPI_PARTITION_H

#include "together.h"
#include "matrix/structure.h"

/* The number of consecutive coordinates that are a node, 3, 2 or 1; all processes together. */
noe_status partition_width(const noe_structure *, int *width);
/* owner[n] of the coordinates, `width` consecutive ones (a node) together, by PT-Scotch; by slices
 * of consecutive nodes where there are few.  Every process has the same owners; of the structure
 * each needs the rows that noe_processes_row deals to it. */
noe_status partition_rows(const noe_structure *, int width, int *owner);

#endif
