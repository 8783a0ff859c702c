/* the sums of a system that is written out, kept as sums, for its steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_USE_SUMS_H
#define NOE_SYSTEM_USE_SUMS_H

#include "system/system.h"

/* Groups that step the system by this method for less; NULL: there are none.  The caller drops them. */
noe_sums *noe_use_sums(const noe_system *, const noe_method *);

#endif
