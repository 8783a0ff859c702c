/* Recognises a quadratic L = v.M v/2 - q.K q/2 + w.q + c written as text, as matrices M, K, w, c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_RECOGNISE_STRUCTURE_H
#define NOE_SYSTEM_RECOGNISE_STRUCTURE_H

#include "step/engine_interface.h"
#include "matrix/structure.h"

/* From the tapes of a Lagrangian that is written out, or from its sums.  NULL without a message: L
 * is not of this form; NULL with a message: out of memory. */
noe_structure *noe_recognise_structure(const noe_dynamics *);

#endif
