/* The inner loop of the transition matrix, built once for every instruction set.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     z <- z + E z + d */
#ifndef NOE_LINEAR_TRANSITION_KERNEL_H
#define NOE_LINEAR_TRANSITION_KERNEL_H

#include "matrix/sparse.h"

typedef struct {
    /* Up to count steps z += E z + g of a state of N numbers, kept as z + rest; how many were
     * made: the first that would not be finite is not.  E column by column; columns, z, rest and
     * g padded by zeros to width(N) numbers; all aligned to 64 bytes. */
    double (*steps)(int N, const double *E, const double *g, double *z, double *rest, double count);
} noe_transition_kernel;

static inline int noe_transition_kernel_width(int N) { return N <= 4 ? 4 : (N + 7) / 8 * 8; }
const noe_transition_kernel *noe_linear_dispatch(void); /* all of them give the same bits */

#endif
