/* Reads a matrix in PETSc's binary format by all processes: each its rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each process reads the numbers of entries of its rows first.  With the sums over the processes
 * before it, it knows where the columns and the values of its rows stand. */
#include "matrix_part.h"

#include "together.h"

#include "base/status.h"

#include <stdlib.h>

bool petsc_rows_read(matrix_part *x, const int *first)
{
    const int  low = first[together.rank], high = first[together.rank + 1];
    int       *count = noe_status_alloc((size_t)(high - low) + 1, sizeof *count);
    int64_t    own = 0, before = 0, all = 0;
    noe_status status = count ? NOE_OK : NOE_NO_MEMORY;
    if (!status && !noe_petsc_matrix_counts(&x->r, &x->sizes, low, high, count, &own))
        status = noe_status_last();
    if (!(status = together_agree(status))) {
        MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        if (!together.rank) before = 0;
        if (!noe_petsc_matrix_complete(&x->r, &x->sizes, all)
            || !noe_petsc_matrix_entries(&x->r, &x->sizes, low, high, count, before))
            status = noe_status_last();
        status = together_agree(status);
    }
    free(count);
    return !status;
}
