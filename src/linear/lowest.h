/* K x = omega^2 M x:  the slowest modes of a structure.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_LOWEST_H
#define NOE_LINEAR_LOWEST_H

#include "linear/linear.h"

/* The `count` smallest omega^2, ascending (negative where K is), by ARPACK, shifted and inverted; top2: omega^2 of the
 * fastest mode, from above.  Relative errors about 1e-10, rigid modes 0 to 1e-12 top2.  Returns how many were found (fewer
 * than count for n <= count), -1 with a message. */
int noe_lowest(const noe_linear *, double top2, int count, double *omega2);

#endif
