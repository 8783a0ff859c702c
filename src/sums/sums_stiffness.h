/* Stiffness and mass matrix of sums, sparse: the pattern follows from the arguments of the terms.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_STIFFNESS_H
#define NOE_SUMS_SUMS_STIFFNESS_H

#include "sums/sums.h"
#include "matrix/ldl.h"

/* K = sum over terms of d2U/dq dq, and M.  The unknowns are the coordinates that are not fixed. */
typedef struct {
    noe_ldl_lower at; /* lower triangle, the unknowns in an order that keeps the factors sparse */
    int          *place;   /* [at.n]: place of unknown k */
    int32_t      *unknown; /* [places]: unknown of a place, -1: fixed */
    double       *K, *M;   /* [entries of at]: values */
} noe_sums_stiffness;

/* Pattern, order and the values of M.  NULL: out of memory, with a message. */
noe_sums_stiffness *noe_sums_stiffness_new(const noe_sums *);
void                noe_sums_stiffness_free(noe_sums_stiffness *);

/* Index of the entry of unknowns a and b, which must exist: bisection in the columns of a row. */
static inline int64_t noe_sums_stiffness_at(const noe_sums_stiffness *x, int32_t a, int32_t b)
{
    const int32_t row = a > b ? a : b, col = a > b ? b : a;
    int64_t       low = x->at.start[row], high = x->at.start[row + 1] - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (x->at.col[middle] < col) low = middle + 1;
        else high = middle;
    }
    return low;
}

#endif
