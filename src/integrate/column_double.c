/* Value of a column at the present state, in double: coordinates without the way over binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"

double noe_column_double(noe_integrator *g, const noe_column *c)
{
    if (c->kind == NOE_COL_AT && !c->exact && !g->core->large && !g->dof) {
        if (c->at == NOE_AT_Q) return noe_q(g)[c->index];
        if (c->at == NOE_AT_V) return noe_v(g)[c->index];
        if (c->at == NOE_AT_P) return noe_p(g)[c->index];
    }
    return (double)noe_column_value(g, c);
}
