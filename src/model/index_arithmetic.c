/* index = iterm ((+|-) iterm)*, iterm = ifactor ((*|/|mod) ifactor)*: integers, exactly.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/family.h"

static const quad INDEX_MOST =
    1e12; /* far from where int64 ends, so one operation cannot leave it */

static _Noreturn void no_integer(noe_parser *p, size_t at, quad value)
{
    noe_source_fail(&p->lex.source, at, "an index must be an integer: this is %.12g",
                    (double)value);
}

static int64_t integer(noe_parser *p, size_t at, quad value)
{
    if (value != rintq(value)) no_integer(p, at, value);
    if (fabsq(value) > INDEX_MOST)
        noe_source_fail(&p->lex.source, at, "the index is too large: %.6g", (double)value);
    return (int64_t)value;
}

static noe_index number(noe_parser *p)
{
    const noe_token k = p->lex.token;
    noe_index       x = { 0 };
    if (k.kind == NOE_NUMBER) {
        noe_lexer_next(&p->lex);
        x.constant = integer(p, k.at, k.number);
        return x;
    }
    const int bound = noe_index_expression_bound_at(p);
    if (bound >= 0) {
        noe_lexer_next(&p->lex);
        return p->bound[bound].is;
    }
    if (k.kind != NOE_NAME) noe_expect_fail(p, "an index: integers, their names, + - * / mod");
    const noe_ex value = noe_resolve_value(p);
    if (p->graph->node[value].has & ~NOE_HAS_PARAM)
        noe_source_fail(&p->lex.source, k.at,
                        "an index must be an integer: this depends on the motion");
    if (p->graph->node[value].has) p->model->shaped = true;
    x.constant = integer(p, k.at, noe_evaluate_constant(p->graph, value, p->model->param));
    return x;
}

static _Noreturn void too_complicated(noe_parser *p, size_t at)
{
    noe_source_fail(&p->lex.source, at,
                    "too complicated an index: expected a + b*i or (a + b*i) mod m");
}

static noe_index multiply(noe_parser *p, size_t at, noe_index a, noe_index b)
{
    if (noe_index_expression_is_fixed(&a)) {
        const noe_index swap = a;
        a = b, b = swap;
    }
    if (!noe_index_expression_is_fixed(&b) || a.modulus) too_complicated(p, at);
    a.constant = integer(p, at, (quad)a.constant * (quad)b.constant);
    for (int k = 0; k < NOE_BOUND_MOST; k++)
        a.factor[k] = integer(p, at, (quad)a.factor[k] * (quad)b.constant);
    return a;
}

static noe_index factor(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    noe_index    x;
    if (++p->depth > NOE_NESTED_MOST)
        noe_source_fail(&p->lex.source, at, "nested deeper than %d levels", NOE_NESTED_MOST);
    if (noe_lexer_is(&p->lex, '-')) {
        noe_lexer_next(&p->lex);
        const noe_index minus = { .constant = -1 };
        x = multiply(p, at, factor(p), minus);
    } else if (noe_lexer_is(&p->lex, '(')) {
        noe_lexer_next(&p->lex);
        x = noe_index_expression_parse(p);
        noe_expect_close(p, at, "to close the parenthesis");
    } else {
        x = number(p);
    }
    p->depth--;
    return x;
}

static noe_index divide(noe_parser *p, size_t at, noe_index a, noe_index b)
{
    if (!noe_index_expression_is_fixed(&b) || !noe_index_expression_is_fixed(&a))
        too_complicated(p, at);
    if (b.constant == 0) noe_source_fail(&p->lex.source, at, "division by 0 in an index");
    if (a.constant % b.constant) no_integer(p, at, (quad)a.constant / (quad)b.constant);
    a.constant /= b.constant;
    return a;
}

static noe_index modulo(noe_parser *p, size_t at, noe_index a, noe_index b)
{
    if (!noe_index_expression_is_fixed(&b) || a.modulus) too_complicated(p, at);
    if (b.constant <= 0)
        noe_source_fail(&p->lex.source, at, "mod %lld: expected a positive number",
                        (long long)b.constant);
    if (noe_index_expression_is_fixed(&a))
        a.constant = noe_index_expression_mod(a.constant, b.constant);
    else a.modulus = b.constant;
    return a;
}

static noe_index term(noe_parser *p)
{
    noe_index x = factor(p);
    for (;;) {
        const size_t at = p->lex.token.at;
        const bool   by = noe_lexer_is(&p->lex, '*'), over = noe_lexer_is(&p->lex, '/');
        if (!by && !over && !noe_lexer_is_word(&p->lex, "mod")) return x;
        noe_lexer_next(&p->lex);
        const noe_index y = factor(p);
        x = by ? multiply(p, at, x, y) : over ? divide(p, at, x, y) : modulo(p, at, x, y);
    }
}

static noe_index add(noe_parser *p, size_t at, noe_index a, noe_index b)
{
    if (b.modulus) {
        const noe_index swap = a;
        a = b, b = swap;
    }
    if (b.modulus || (a.modulus && !noe_index_expression_is_fixed(&b))) too_complicated(p, at);
    if (a.modulus) {
        a.offset = integer(p, at, (quad)a.offset + (quad)b.constant);
        return a;
    }
    a.constant = integer(p, at, (quad)a.constant + (quad)b.constant);
    for (int k = 0; k < NOE_BOUND_MOST; k++)
        a.factor[k] = integer(p, at, (quad)a.factor[k] + (quad)b.factor[k]);
    return a;
}

noe_index noe_index_arithmetic_parse(noe_parser *p)
{
    noe_index x = term(p);
    for (;;) {
        const size_t at = p->lex.token.at;
        const bool   minus = noe_lexer_is(&p->lex, '-');
        if (!minus && !noe_lexer_is(&p->lex, '+')) return x;
        noe_lexer_next(&p->lex);
        noe_index       y = term(p);
        const noe_index sign = { .constant = -1 };
        if (minus) y = multiply(p, at, y, sign);
        x = add(p, at, x, y);
    }
}
