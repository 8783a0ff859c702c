/* The inner loop of the transition matrix, compiled once for every instruction set.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     z <- z + E z + d */
#ifndef NOE_LINEAR_TRANSITION_KERNEL_H
#define NOE_LINEAR_TRANSITION_KERNEL_H

#include "matrix/sparse.h"

typedef struct {
    /* Makes up to `count` steps z += E z + g of a state of N numbers, stored as z + rest;
     * returns the number of steps made, which ends before the first that would not be finite.  E
     * column by column; columns, z, rest and g padded by zeros to width(N) numbers; all aligned
     * to 64 bytes. */
    double (*steps)(int N, const double *E, const double *g, double *z, double *rest, double count);
} noe_transition_kernel;

static inline int noe_transition_kernel_width(int N) { return N <= 4 ? 4 : (N + 7) / 8 * 8; }
/* the builds for all instruction sets give the same bits */
const noe_transition_kernel *noe_linear_dispatch(void);

#endif
