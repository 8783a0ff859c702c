/* (system, method, digits) -> the instance of the core that steps it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_RUN_ROUTE_H
#define NOE_RUN_ROUTE_H

#include "run/system.h"

/* The one place where this is decided: a line for every instance.  NULL with a message where there is none. */
const noe_core *noe_route(const noe_system *, const noe_method *, int digits);

#endif
