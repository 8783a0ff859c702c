/* Checks that a method bounds every mode of M q'' + C q' + K q = 0 at a step length.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_MODE_STABILITY_H
#define NOE_LINEAR_MODE_STABILITY_H

#include "matrix/structure.h"
#include "method/method.h"

/* omega2: upper bound of omega^2 of the fastest mode.  window: number of windows of stability
 * that may be used; every gap between them must be empty.  NOE_INVALID with a message that has
 * the largest stable step and an alternative. */
noe_status noe_mode_stability_check(const noe_structure *, const noe_method *, double step,
                                    double omega2, int window);

#endif
