/* Scales entries of a matrix that was read from a file by factors of the model: K_ij <- c_ij K_ij.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "number/random.h"
#include "base/status.h"
#include "system/model_structure.h"

static double *entry(noe_sparse *A, int i, int j)
{
    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
        if (A->col[k] == j) return &A->value[k];
    return NULL;
}

static void pair(noe_sparse *A, int i, int64_t k, double c)
{
    double *across = A->col[k] == i ? NULL : entry(A, A->col[k], i);
    A->value[k] *= c;
    if (across) *across *= c;
}

bool noe_matrix_scaling_apply(const noe_model *m, noe_matrix which, const char *path, noe_sparse *A)
{
    for (int f = 0; f < m->factors; f++) {
        const noe_factor *x = &m->factor[f];
        const double      a = (double)x->a, b = (double)x->b;
        uint64_t          seed = x->seed;
        const int         row = (int)x->row - 1, col = (int)x->col - 1;
        bool              found = x->what != NOE_FACTOR_ENTRY;
        if (x->which != which) continue;
        for (int i = 0; i < A->n; i++)
            for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
                const int j = A->col[k];
                if (x->what == NOE_FACTOR_ALL) A->value[k] *= a;
                else if (x->what == NOE_FACTOR_ENTRY && i == row && j == col)
                    pair(A, i, k, a), found = true;
                else if (x->what == NOE_FACTOR_NORMAL && j <= i)
                    pair(A, i, k, a + b * noe_random_normal(&seed));
                else if (x->what == NOE_FACTOR_UNIFORM && j <= i)
                    pair(A, i, k, a + (b - a) * noe_random_uniform(&seed));
            }
        if (!found)
            return noe_status_fail(NOE_INVALID, "%s: there is no entry in row %d, column %d", path,
                                   row + 1, col + 1),
                   false;
    }
    return true;
}
