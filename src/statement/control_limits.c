/* x in a..b: the limits of a quantity in an optimal control problem; a or b may be left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

#include <math.h>

static bool ends(const noe_parser *p)
{
    const noe_kind kind = p->lex.token.kind;
    return kind == NOE_LINE || kind == NOE_END || noe_lexer_is(&p->lex, ',');
}

bool noe_control_limits_parse(noe_parser *p, noe_limits *x)
{
    *x = (noe_limits){ -HUGE_VAL, HUGE_VAL };
    if (!noe_lexer_is_word(&p->lex, "in")) return false;
    noe_lexer_next(&p->lex);
    const size_t at = p->lex.token.at;
    if (!noe_lexer_is(&p->lex, NOE_RANGE)) x->lo = noe_constant_expression_value(p);
    if (!noe_lexer_is(&p->lex, NOE_RANGE))
        noe_expect_fail(p, "'..' between the least and the greatest value, as in 'in -20..20'");
    noe_lexer_next(&p->lex);
    if (!ends(p)) x->hi = noe_constant_expression_value(p);
    if (x->lo > x->hi)
        noe_source_fail(&p->lex.source, at,
                        "the bounds are the wrong way round: %g is more than %g", (double)x->lo,
                        (double)x->hi);
    return true;
}

void noe_control_limits_bound(noe_parser *p, noe_ex x, noe_limits within, size_t at)
{
    noe_control_problem *o = &p->model->optimal;
    noe_model_push(p, &o->bound, o->bounds, sizeof *o->bound);
    o->bound[o->bounds++] = (noe_bounded){ x, within, at };
}
