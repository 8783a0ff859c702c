/* the powers of the step are bounded  for  L = v^2/2 - w^2 q^2/2.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_STABILITY_H
#define NOE_METHOD_STABILITY_H

#include "method/method.h"

/* The values of w h in (0, limit] where the step passes from stable to unstable (edge[0],
 * edge[2], ..) or back (edge[1], edge[3], ..), ascending.  Returns how many there are, 0 for
 * NULL, and writes the first `most`.  At most 2s-1 exist of a Galerkin method, so limit may be
 * INFINITY.  Their edges are correct to the rounding of double; the narrowest windows, next to
 * pi for s > 10, have two edges that round to the same double.  Of explicit methods windows
 * wider than 1/512 are found, of compositions 1/32 and up to 4s + 2; edge[0] = 0: no step is
 * stable. */
int noe_stability_windows(const noe_method *, double limit, double *edge, int most);

#endif
