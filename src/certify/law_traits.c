/* Whether a method promises a law on a system, must break it, or neither: laws that some break.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

#include <math.h>

/* `monitor .. reversible`: steps whose length depends on the state are not symplectic. */
static bool follows_density(const noe_system *s)
{
    return noe_system_monitored(s) && !s->stepped.transformed;
}

/* A new kind of method adds its condition to the laws that it preserves or breaks. */
noe_law_trait noe_law_traits_find(noe_law_kind law, const noe_system *s, const noe_method *f)
{
    switch (law) {
    case NOE_LAW_SYMPLECTIC:
        return s->dyn.forced || s->stepped.clocked  ? NOE_NOT_MEANT
             : f->symplectic && !follows_density(s) ? NOE_PROMISED
                                                    : NOE_BROKEN_BY_METHOD;
    case NOE_LAW_REVERSIBLE: return f->symmetric ? NOE_PROMISED : NOE_BROKEN_BY_METHOD;
    case NOE_LAW_ENERGY:
        return !s->dyn.autonomous ? NOE_NOT_MEANT
             : f->symplectic      ? NOE_PROMISED
                                  : NOE_BROKEN_BY_METHOD;
    case NOE_LAW_EQUATIONS: return f->kind == NOE_GALERKIN ? NOE_PROMISED : NOE_NOT_MEANT;
    }
    return NOE_NOT_MEANT;
}

const char *noe_law_traits_form(const noe_system *s)
{
    return s->dyn.forced           ? ": forces are not symplectic"
         : s->stepped.clocked      ? ": in (q, t, p, -E), not in (q, p) alone"
         : s->stepped.transformed  ? ", at its energy E"
         : noe_system_monitored(s) ? ": the length of a step depends on the state"
                                   : "";
}

/* A law that must fail and yet stays within its bound gets NOE_NO_VERDICT: the step is so small,
 * or the system so simple, that the failure does not show. */
void noe_law_traits_judge(noe_law *x, noe_law_trait stand)
{
    if (!x || stand == NOE_PROMISED) return;
    if (stand == NOE_NOT_MEANT || isnan(x->value)) x->verdict = NOE_DOES_NOT_APPLY;
    else x->verdict = x->verdict == NOE_FAILS ? NOE_EXPECTED_FAILURE : NOE_NO_VERDICT;
}
