/* Stability on the oscillator L = v^2/2 - w^2 q^2/2: where the powers of a step are bounded.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_STABILITY_H
#define NOE_METHOD_STABILITY_H

#include "method/method.h"

/* Limits of the windows of stability: the values of w h in (0, limit] where the step becomes
 * unstable (edge[0], edge[2], ..) and stable again (edge[1], edge[3], ..), ascending. Returns
 * their number, 0 for NULL, and writes the first `most`. A Galerkin method has at most 2s-1, so
 * limit may be INFINITY. They are correct to the rounding of double; the narrowest windows, next
 * to pi for s > 10, have two limits that round to the same double. For explicit methods, windows
 * wider than 1/512 are found; for compositions, windows wider than 1/32 up to w h = 4s + 2, or the
 * first one beyond.  edge[0] = 0: no step is stable. */
int noe_stability_windows(const noe_method *, double limit, double *edge, int most);
/* The w h up to which that looks for windows of a composition; INFINITY: all are found. */
double noe_stability_searched(const noe_method *);

#endif
