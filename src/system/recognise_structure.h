/* L = v.M v/2 - q.K q/2 + w.q + c  as a text  ->  M, K, w, c as matrices.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_RECOGNISE_STRUCTURE_H
#define NOE_SYSTEM_RECOGNISE_STRUCTURE_H

#include "step/engine.h"
#include "matrix/structure.h"

/* From the tapes of a Lagrangian that was written out, or from its groups.  NULL: it is no such thing; or, with a message,
 * memory ran out. */
noe_structure *noe_recognise_structure(const noe_dynamics *);

#endif
