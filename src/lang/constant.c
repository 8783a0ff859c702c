/* an expression of parameters alone -> its value.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/parser.h"

noe_ex noe_still(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    const noe_ex x = noe_expression(p);
    if (p->graph->node[x].has & ~NOE_HAS_PARAM)
        noe_source_fail(&p->lex.source, at,
                        "expected numbers and parameters only: this depends on the motion");
    return x;
}

quad noe_finite(noe_parser *p, noe_ex x, size_t at)
{
    const quad value = noe_value(p->graph, x, p->model->param);
    if (!finiteq(value)) noe_source_fail(&p->lex.source, at, "the value is not finite");
    return value;
}

quad noe_constant(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    p->constant = noe_still(p);
    return noe_finite(p, p->constant, at);
}
