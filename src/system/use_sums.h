/* Uses the sums of a system that is written out for its steps, where that is faster.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_USE_SUMS_H
#define NOE_SYSTEM_USE_SUMS_H

#include "system/system.h"

/* The sums to step the system by this method with, where that costs less; else NULL.  The caller
 * drops them. */
noe_sums *noe_use_sums(const noe_system *, const noe_method *);

#endif
