/* Selects the build of the sums engine for this machine's SIMD registers; all give the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/term_evaluation.h"

NOE_BUILDS(noe_sums_kernel, noe_sums_kernel);

const noe_sums_kernel *noe_sums_dispatch(void) { return NOE_WIDEST(noe_sums_kernel); }

const noe_engine *noe_sums_engine(const noe_sums *g, const noe_method *f)
{
    /* Explicit methods multiply by a diagonal M^-1 site by site. */
    if (g->coupled && f->kind != NOE_GALERKIN) return NULL;
    return f->kind != NOE_NEWMARK && !f->variant && f->kick != NOE_KICK_FROZEN
             ? noe_sums_dispatch()->core
             : NULL;
}
