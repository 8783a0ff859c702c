/* Constraints of a model as tapes: g, g_t, G = dg/dq, d2g/dq2, and d2g/dt2 - G q''.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_CONSTRAINT_TAPES_H
#define NOE_SYSTEM_CONSTRAINT_TAPES_H

#include "tape/equations.h"

/* Adds the tapes of the model's constraints, if it has any, to d and clears the flags that are
 * false because of them.  False with a message; a lack of memory leads to graph.stop. */
bool noe_constraint_tapes_make(noe_model *, noe_arena *, noe_dynamics *d);

#endif
