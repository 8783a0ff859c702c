/* noe_optimize() that a signal ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_OPTIMIZE_H
#define NOE_CONTROL_OPTIMIZE_H

#include "noether.h"

#include <signal.h>

/* Where *interrupted is not 0 the search ends; NULL: nothing ends it. */
noe_table *noe_optimize_until(const noe_system *, const noe_method *, noe_optimum *,
                              volatile sig_atomic_t *interrupted);

#endif
