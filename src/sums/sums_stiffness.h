/* K = sum over terms of d2U/dq dq: where it has entries follows from where the arguments of a term stand.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_STIFFNESS_H
#define NOE_SUMS_SUMS_STIFFNESS_H

#include "sums/sums.h"
#include "matrix/ldl.h"

typedef struct {
    noe_ldl_lower at;      /* unknown k, in an order that keeps factors sparse */
    int          *place;   /* [at.n]: where unknown k stands */
    int32_t      *unknown; /* [places]: its number, -1 of what is fixed */
    double       *K, *M;   /* values of the entries */
} noe_sums_stiffness;

/* The entries and their order; NULL without memory, with a message. */
noe_sums_stiffness *noe_sums_stiffness_new(const noe_sums *);
void                noe_sums_stiffness_free(noe_sums_stiffness *);

/* The entry of unknowns a and b, which is there. */
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
