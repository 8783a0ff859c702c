/* The engine of a system of sums, for the methods that it has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/term_evaluation.h"

const noe_engine *noe_sums_engine(const noe_sums *g, const noe_method *f)
{
    /* Explicit methods multiply by a diagonal M^-1 site by site. */
    if (g->coupled && f->kind != NOE_GALERKIN) return NULL;
    return f->kind != NOE_NEWMARK && f->kick != NOE_KICK_FROZEN ? noe_sums_dispatch()->engine
                                                                : NULL;
}
