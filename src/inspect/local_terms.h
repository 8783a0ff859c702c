/* Lists the terms of L that may act in a small region only, with what they are functions of.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_LOCAL_TERMS_H
#define NOE_INSPECT_LOCAL_TERMS_H

#include "inspect/active_region.h"

/* Sets count and spot; root [NOE_ACTIVE_MOST][2n + 2] receives of each term its argument u with its
 * derivatives by t, q and v.  Leaves by the graph's `stop` where there is no memory. */
void noe_local_terms_list(noe_active_region *, noe_model *, noe_ex *root);

#endif
