/* |R(i w h)| > 1, |trace| > 2: where an explicit method grows on the oscillator.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_GROWTH_H
#define NOE_METHOD_GROWTH_H

#include "method/method.h"

/* As noe_stability_windows, of explicit methods. */
int noe_growth_windows(const noe_method *, double limit, double *edge, int most);

#endif
