/* expr = term ((+|-) term)*, term = unary ((*|/|mod) unary)*, unary = -unary | primary [^ unary].
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

enum { DEPTH_MOST = 200, NODES_MOST = NOE_GRAPH_MOST / 2 }; /* leaves memory for derivatives */

static noe_ex primary(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind == NOE_NAME) return noe_name_expression_parse(p);
    if (k.kind == NOE_NUMBER) {
        noe_lexer_next(&p->lex);
        return noe_number_literal_make(p, k.number, p->lex.source.text + k.at, k.length);
    }
    if (!noe_lexer_is(&p->lex, '(')) noe_expect_fail(p, "a number, a name or '('");
    noe_lexer_next(&p->lex);
    const noe_ex x = noe_expression_parse(p);
    noe_expect_close(p, k.at, "to close the parenthesis");
    if (noe_lexer_is(&p->lex, '\''))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a prime belongs to a name: give the expression a name");
    return x;
}

static noe_ex unary(noe_parser *p);

static noe_ex power(noe_parser *p)
{
    const noe_ex x = primary(p);
    if (!noe_lexer_is(&p->lex, '^')) return x;
    noe_lexer_next(&p->lex);
    return noe_simplify_make(p->graph, NOE_POW, x, unary(p), 0); /* to the right: 2^3^2 = 2^(3^2) */
}

static noe_ex unary(noe_parser *p)
{
    if (++p->depth > DEPTH_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at, "nested deeper than %d levels",
                        DEPTH_MOST);
    if (p->graph->count > NODES_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "too large a model: more than %d operations", NODES_MOST);
    const bool minus = noe_lexer_is(&p->lex, '-');
    noe_ex     x;
    if (minus || noe_lexer_is(&p->lex, '+')) {
        noe_lexer_next(&p->lex);
        x = unary(p);
        if (minus) x = noe_simplify_make(p->graph, NOE_NEG, x, 0, 0);
    } else {
        x = power(p);
    }
    p->depth--;
    return x;
}

static noe_ex term(noe_parser *p)
{
    noe_ex x = unary(p);
    for (;;) {
        const noe_op op = noe_lexer_is(&p->lex, '*')        ? NOE_MUL
                        : noe_lexer_is(&p->lex, '/')        ? NOE_DIV
                        : noe_lexer_is_word(&p->lex, "mod") ? NOE_MOD
                                                            : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lexer_next(&p->lex);
        x = noe_simplify_make(p->graph, op, x, unary(p), 0);
    }
}

noe_ex noe_expression_parse(noe_parser *p)
{
    noe_ex x = term(p);
    for (;;) {
        const noe_op op = noe_lexer_is(&p->lex, '+') ? NOE_ADD
                        : noe_lexer_is(&p->lex, '-') ? NOE_SUB
                                                     : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lexer_next(&p->lex);
        x = noe_simplify_make(p->graph, op, x, term(p), 0);
    }
}
