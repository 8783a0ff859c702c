/* A matrix of PETSc's from the own rows of a matrix of every share.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "share.h"

#include "base/status.h"

#include <petscmat.h>
#include <stdlib.h>

noe_status shared_matrix_make(const share *s, const noe_sparse *A, int per, Mat *to)
{
    const int *own = halo_own(s->halo), n = halo_owned(s->halo);
    PetscInt  *count = noe_status_alloc(2 * (size_t)n * (size_t)per + 1, sizeof *count),
             *beside = count + n * per, *col = NULL, most = 1;
    int error = 0;
    if (!count) return NOE_NO_MEMORY;
    for (int i = 0; i < n * per; i++) {
        const int      row = own[i / per] * per + i % per;
        const PetscInt entries = (PetscInt)(A->start[row + 1] - A->start[row]);
        for (int64_t k = A->start[row]; k < A->start[row + 1]; k++)
            if (s->owner[A->col[k] / per] == together.rank) count[i]++;
            else beside[i]++;
        most = entries > most ? entries : most;
    }
    col = noe_status_alloc((size_t)most, sizeof *col);
    error = col ? MatCreateAIJ(MPI_COMM_WORLD, n * per, n * per, PETSC_DETERMINE, PETSC_DETERMINE,
                               0, count, 0, beside, to)
                : PETSC_ERR_MEM;
    for (int i = 0; i < n * per && !error; i++) {
        const int      r = own[i / per], row = r * per + i % per;
        const PetscInt at = (PetscInt)s->equation[r] * per + i % per;
        PetscInt       m = 0;
        for (int64_t k = A->start[row]; k < A->start[row + 1]; k++)
            col[m++] = (PetscInt)s->equation[A->col[k] / per] * per + A->col[k] % per;
        error = MatSetValues(*to, 1, &at, m, col, A->value + A->start[row], INSERT_VALUES);
    }
    if (!error) error = MatAssemblyBegin(*to, MAT_FINAL_ASSEMBLY);
    if (!error) error = MatAssemblyEnd(*to, MAT_FINAL_ASSEMBLY);
    free(count), free(col);
    return together_petsc(error, "the matrix of all processes");
}
