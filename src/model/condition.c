/* Parses conditions, the first arguments of if(.., x, y).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * condition = all (or all)*, all = one (and one)*, one = a < b | (condition). */
#include "model/parser.h"

static bool compares(const noe_lexer *x)
{
    return noe_lexer_is(x, '<') || noe_lexer_is(x, '>') || noe_lexer_is(x, 'l')
        || noe_lexer_is(x, 'g');
}

/* Is this parenthesis around a condition, (a < b or c < d), and not around a number, (a + b) < c?
 * It is one if it contains a comparison outside the parentheses of functions. */
static bool around_condition(const noe_parser *p)
{
    noe_lexer look = p->lex;
    int  open = 0, within = 0; /* parentheses; those that are inside a function's or an index' */
    bool named = false;
    do {
        const bool opens = noe_lexer_is(&look, '(') || noe_lexer_is(&look, '['),
                   closes = noe_lexer_is(&look, ')') || noe_lexer_is(&look, ']');
        if (opens && (within || named || noe_lexer_is(&look, '['))) within++;
        else if (opens) open++;
        else if (closes && within) within--;
        else if (closes) open--;
        else if (compares(&look) && !within) return true;
        named = look.token.kind == NOE_NAME && !noe_lexer_is_word(&look, "and")
             && !noe_lexer_is_word(&look, "or") && !noe_lexer_is_word(&look, "mod");
        noe_lexer_next(&look);
    } while (open > 0 && look.token.kind != NOE_END && look.token.kind != NOE_LINE);
    return false;
}

static noe_ex comparison(noe_parser *p)
{
    const noe_ex a = noe_expression_parse(p);
    if (!compares(&p->lex)) noe_expect_fail(p, "a comparison <, <=, > or >= as in if(a < b, x, y)");
    const int sign = p->lex.token.sign;
    noe_lexer_next(&p->lex);
    const noe_ex b = noe_expression_parse(p);
    const noe_op op = sign == '<' || sign == '>' ? NOE_LT : NOE_LE;
    const bool   turned = sign == '>' || sign == 'g';
    if (compares(&p->lex))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "one comparison after another: write a < b and b < c");
    return noe_simplify_make(p->graph, op, turned ? b : a, turned ? a : b, 0);
}

static noe_ex one(noe_parser *p)
{
    const size_t at = p->lex.token.at;
    if (!noe_lexer_is(&p->lex, '(') || !around_condition(p)) return comparison(p);
    if (++p->depth > NOE_NESTED_MOST)
        noe_source_fail(&p->lex.source, at, "nested deeper than %d levels", NOE_NESTED_MOST);
    noe_lexer_next(&p->lex);
    const noe_ex x = noe_condition_parse(p);
    noe_expect_close(p, at, "to close the parenthesis");
    p->depth--;
    return x;
}

static noe_ex all(noe_parser *p)
{
    noe_ex x = one(p);
    while (noe_lexer_is_word(&p->lex, "and")) {
        noe_lexer_next(&p->lex);
        const noe_ex y = one(p);
        x = noe_simplify_make(p->graph, NOE_IF, x, y, noe_graph_number(p->graph, 0));
    }
    return x;
}

noe_ex noe_condition_parse(noe_parser *p)
{
    noe_ex x = all(p);
    while (noe_lexer_is_word(&p->lex, "or")) {
        noe_lexer_next(&p->lex);
        const noe_ex y = all(p);
        x = noe_simplify_make(p->graph, NOE_IF, x, noe_graph_number(p->graph, 1), y);
    }
    return x;
}
