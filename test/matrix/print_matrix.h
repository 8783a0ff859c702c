/* A matrix as a file of Matrix Market.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRINT_MATRIX_TEST_H
#define PRINT_MATRIX_TEST_H

#include "laws.h"
#include "matrix/sparse.h"
#include "scratch.h"

/* A as Matrix Market, so many digits of each number; of single precision for 0; -d: d digits
 * behind the point. */
static UNUSED void print(const char *name, const noe_sparse *A, int decimals)
{
    FILE *f = fopen(in_scratch(name), "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %lld\n", A->n, A->n,
            (long long)A->start[A->n]);
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            fprintf(f, "%d %d ", i + 1, A->col[k] + 1);
            if (decimals < 0) fprintf(f, "%.*f\n", -decimals, A->value[k]);
            else if (decimals) fprintf(f, "%.*e\n", decimals - 1, A->value[k]);
            else fprintf(f, "%.17g\n", (double)(float)A->value[k]);
        }
    fclose(f);
}

#endif
