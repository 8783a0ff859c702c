/* A table in an HDF5 file of which each process writes rows of its own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_SHARED_TABLE_H
#define NOE_MPI_SHARED_TABLE_H

#include "system/processes.h"

extern const noe_shared_table shared_table;

#endif
