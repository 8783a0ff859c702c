/* Is every mode of M q'' + C q' + K q = 0 bounded by a method at this step?
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_MODE_STABILITY_H
#define NOE_LINEAR_MODE_STABILITY_H

#include "matrix/structure.h"
#include "method/method.h"

/* omega2: of the fastest mode, from above.  window: how many windows of stability may be used;
 * every gap between them must be empty.  NOE_INVALID with a message that has the largest stable
 * step and what to take instead. */
noe_status noe_mode_stability_check(const noe_structure *, const noe_method *, double step,
                                    double omega2, int window);

#endif
