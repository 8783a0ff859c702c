/* |R(i w h)| > 1, |trace| > 2: where an explicit method or a composition grows on the oscillator.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_EXPLICIT_STABILITY_H
#define NOE_METHOD_EXPLICIT_STABILITY_H

#include "method/method.h"

/* As noe_stability_windows, of explicit methods and of compositions. */
int noe_explicit_stability_windows(const noe_method *, double limit, double *edge, int most);

#endif
