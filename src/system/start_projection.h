/* q <- q - N (N^T K N)^-1 N^T K q:  a start that directions without mass allow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_START_PROJECTION_H
#define NOE_SYSTEM_START_PROJECTION_H

#include "model/model.h"
#include "matrix/static_condensation.h"

/* Before the coordinates x->drop are eliminated: starts that they have move over to the others, as far as they mean
 * something there, and m->projected says what does not begin as it was told.  False: out of memory. */
bool noe_start_projection_apply(noe_model *m, const noe_condensation *x, bool loaded);

#endif
