/* Projects a start onto those that directions without mass allow: q <- q - N (N^T K N)^-1 N^T K q.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_START_PROJECTION_H
#define NOE_SYSTEM_START_PROJECTION_H

#include "model/model.h"
#include "matrix/static_condensation.h"

/* Called before the massless coordinates x->eliminated_index are eliminated: their initial
 * conditions are transferred to the other coordinates as far as that is possible, and m->projected
 * says which coordinates do not begin as given.  False: out of memory. */
bool noe_start_projection_apply(noe_model *m, const noe_condensation *x, bool loaded);

#endif
