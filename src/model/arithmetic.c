/* expr = term ((+|-) term)*, term = unary ((*|/|mod) unary)*, unary = -unary | primary [^ unary].
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

enum { NODES_MOST = NOE_GRAPH_MOST / 2 }; /* leaves memory for derivatives */

/* (a, b, c) from the comma after a on; at: of a. */
static noe_quantity listed(noe_parser *p, noe_quantity first, size_t at)
{
    noe_quantity result = { .vector = true };
    for (int c = 0;; c++) {
        if (c == 3)
            noe_source_fail(&p->lex.source, at,
                            "a vector has three components, (a, b, c): here is a fourth");
        result.ex[c] = noe_quantity_as_number(p, first, at, "it stands as a component of another");
        const size_t comma = p->lex.token.at;
        if (!noe_expect_comma(p)) {
            if (c < 2)
                noe_source_fail(&p->lex.source, comma,
                                "a vector has three components, (a, b, c): here are two");
            return result;
        }
        at = p->lex.token.at;
        first = noe_expression_quantity(p);
    }
}

static noe_quantity primary(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind == NOE_NAME) return noe_name_expression_parse(p);
    if (k.kind == NOE_NUMBER) {
        noe_lexer_next(&p->lex);
        return noe_quantity_number(
            noe_number_literal_make(p, k.number, p->lex.source.text + k.at, k.length));
    }
    if (!noe_lexer_is(&p->lex, '(')) noe_expect_fail(p, "a number, a name or '('");
    noe_lexer_next(&p->lex);
    const size_t at = p->lex.token.at;
    noe_quantity x = noe_expression_quantity(p);
    if (noe_lexer_is(&p->lex, ',')) x = listed(p, x, at);
    noe_expect_close(p, k.at, "to close the parenthesis");
    if (noe_lexer_is(&p->lex, '\''))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a prime belongs to a name: give the expression a name");
    return noe_quantity_components(p, x);
}

static noe_quantity unary(noe_parser *p);

static noe_quantity power(noe_parser *p)
{
    const size_t       at = p->lex.token.at;
    const noe_quantity x = primary(p);
    if (!noe_lexer_is(&p->lex, '^')) return x;
    const noe_ex base = noe_quantity_as_number(p, x, at, "dot(a, a) is the square of its length");
    noe_lexer_next(&p->lex);
    const size_t exponent = p->lex.token.at;
    /* to the right: 2^3^2 = 2^(3^2) */
    return noe_quantity_number(noe_simplify_make(
        p->graph, NOE_POW, base, noe_quantity_as_number(p, unary(p), exponent, NULL), 0));
}

static noe_quantity unary(noe_parser *p)
{
    if (++p->depth > NOE_NESTED_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at, "nested deeper than %d levels",
                        NOE_NESTED_MOST);
    if (p->graph->count > NODES_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "too large a model: more than %d operations", NODES_MOST);
    const bool   minus = noe_lexer_is(&p->lex, '-');
    noe_quantity x;
    if (minus || noe_lexer_is(&p->lex, '+')) {
        noe_lexer_next(&p->lex);
        x = unary(p);
        if (minus) x = noe_quantity_negative(p, x);
    } else {
        x = power(p);
    }
    p->depth--;
    return x;
}

static noe_quantity term(noe_parser *p)
{
    const size_t first = p->lex.token.at;
    noe_quantity x = unary(p);
    for (;;) {
        const noe_op op = noe_lexer_is(&p->lex, '*')        ? NOE_MUL
                        : noe_lexer_is(&p->lex, '/')        ? NOE_DIV
                        : noe_lexer_is_word(&p->lex, "mod") ? NOE_MOD
                                                            : NOE_NUM;
        if (op == NOE_NUM) return x;
        if (op == NOE_MOD) noe_quantity_as_number(p, x, first, NULL);
        noe_lexer_next(&p->lex);
        const size_t at = p->lex.token.at;
        x = noe_quantity_product(p, op, x, unary(p), at);
    }
}

noe_quantity noe_arithmetic_parse(noe_parser *p)
{
    noe_quantity x = term(p);
    for (;;) {
        const noe_op op = noe_lexer_is(&p->lex, '+') ? NOE_ADD
                        : noe_lexer_is(&p->lex, '-') ? NOE_SUB
                                                     : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lexer_next(&p->lex);
        const size_t at = p->lex.token.at;
        x = noe_quantity_sum(p, op, x, term(p), at);
    }
}
