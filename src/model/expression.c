/* An expression, wherever one may stand: by way of the grammar that the parser was given.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

noe_quantity noe_expression_quantity(noe_parser *p) { return p->grammar->expression(p); }

noe_ex noe_expression_parse(noe_parser *p)
{
    const int    component = p->component;
    const size_t at = p->lex.token.at;
    p->component = NOE_A_NUMBER; /* of what is read inside */
    const noe_quantity x = noe_expression_quantity(p);
    p->component = component;
    if (component == NOE_A_NUMBER) return noe_quantity_as_number(p, x, at, NULL);
    noe_quantity_need_vector(p, x, at);
    return x.ex[component];
}
