/* Stability on the oscillator of explicit methods and compositions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     unstable where |R(i w h)| > 1 or |trace| > 2 */
#ifndef NOE_METHOD_EXPLICIT_STABILITY_H
#define NOE_METHOD_EXPLICIT_STABILITY_H

#include "method/method.h"

/* As noe_stability_windows, for explicit methods and compositions: windows up to w h = `end`, or
 * the first one beyond, up to `last`. */
int noe_explicit_stability_windows(const noe_method *, double limit, double end, double last,
                                   double *edge, int most);

#endif
