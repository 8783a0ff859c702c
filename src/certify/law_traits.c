/* What a method promises of a law on a system: one line a kind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

#include <math.h>

/* A new kind of method adds a line to the law that it keeps or breaks. */
noe_law_trait noe_law_traits_find(noe_law_kind law, const noe_system *s, const noe_method *f)
{
    switch (law) {
    case NOE_LAW_SYMPLECTIC:
        return s->dyn.forced ? NOE_NOT_MEANT : f->symplectic ? NOE_PROMISED : NOE_MUST_FAIL;
    case NOE_LAW_REVERSIBLE: return f->symmetric ? NOE_PROMISED : NOE_MUST_FAIL;
    case NOE_LAW_ENERGY:
        return !s->dyn.autonomous ? NOE_NOT_MEANT : f->symplectic ? NOE_PROMISED : NOE_MUST_FAIL;
    case NOE_LAW_EQUATIONS: return f->kind == NOE_GALERKIN ? NOE_PROMISED : NOE_NOT_MEANT;
    }
    return NOE_NOT_MEANT;
}

/* What must fail and yet was not seen to is told: a step so small, or a system so simple, that it does not show. */
void noe_law_traits_judge(noe_law *x, noe_law_trait stand)
{
    if (!x || stand == NOE_PROMISED) return;
    if (stand == NOE_NOT_MEANT || isnan(x->value)) x->verdict = NOE_DOES_NOT_APPLY;
    else x->verdict = x->verdict == NOE_FAILS ? NOE_FAILS_AS_IT_MUST : NOE_TOLD;
}
