/* Selects the engine that steps a system by a method with a number of digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SELECT_ENGINE_H
#define NOE_SYSTEM_SELECT_ENGINE_H

#include "number/digits.h"
#include "system/system.h"

/* The only place where this is decided, a line for every engine.  NULL with a message where there
 * is none.  as, unless NULL: receives the dynamics to make the engine state of; the caller frees
 * its structure or sums where they are not the system's. */
const noe_engine *noe_select_engine(const noe_system *, const noe_method *, int digits,
                                    noe_dynamics *as);

#endif
