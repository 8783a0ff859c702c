/* Frequencies of a structure by LAPACK, from M and K as dense matrices.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DENSE_FREQUENCIES_H
#define DENSE_FREQUENCIES_H

#include "dsygv.h"
#include "laws.h"

#include "matrix/structure.h"

/* omega^2 of a structure, ascending. */
static UNUSED double *squares(const noe_structure *s)
{
    const int n = s->n, room = 64 * n, one = 1;
    double   *K = calloc((size_t)n * (size_t)n, 8), *M = calloc((size_t)n * (size_t)n, 8),
           *w = calloc((size_t)n, 8), *work = calloc((size_t)room, 8);
    int info;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            K[i + n * j] = noe_sparse_at(s->K, i, j), M[i + n * j] = noe_sparse_at(s->M, i, j);
    dsygv_(&one, "N", "L", &n, K, &n, M, &n, w, work, &room, &info, 1, 1);
    assert_int_equal(info, 0);
    free(K), free(M), free(work);
    return w;
}

#endif
