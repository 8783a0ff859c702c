/* The lowest frequencies of a structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K x = omega^2 M x */
#ifndef NOE_MATRIX_EIGEN_MIN_H
#define NOE_MATRIX_EIGEN_MIN_H

#include "matrix/structure.h"

typedef struct {
    double omega2; /* x.K x / x.M x; negative where K is */
    /* what the rounding of K, as it was written, leaves open of it: below that it is 0 or lost */
    double open;
} noe_mode;

/* Iterations after which no more modes are waited for, for each place that is looked at. */
enum { NOE_LOWEST_PATIENCE = 300 };

/* The `count` slowest modes, ascending, by ARPACK, shifted and inverted; top2: omega^2 of the
 * fastest mode, from above. Relative errors about 1e-10.  Returns how many were found within
 * `patience`: fewer than count for n <= count, where they lie too close, or where K + sigma M
 * cannot be factorised; then others may lie between them.  -1 with a message: out of memory. */
int noe_eigen_min_find(const noe_structure *, double top2, int count, int patience, noe_mode *);

#endif
