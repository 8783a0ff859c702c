/* (system, method, digits) -> the instance of the core that steps it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SELECT_ENGINE_H
#define NOE_SYSTEM_SELECT_ENGINE_H

#include "system/system.h"

/* The one place where this is decided: a line for every instance.  NULL with a message where there is none.  `as`, unless it
 * is NULL: the dynamics it is to be made of; its structure or groups are the caller's to free where they are not the system's. */
const noe_engine *noe_select_engine(const noe_system *, const noe_method *, int digits,
                                    noe_dynamics *as);

#endif
