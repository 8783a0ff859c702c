/* expr = term ((+|-) term)*, term = unary ((*|/) unary)*, unary = -unary | primary [^ unary].
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/parser.h"

#include <stdio.h>

enum { DEPTH_MOST = 200, NODES_MOST = NOE_GRAPH_MOST / 2 }; /* leaves room for derivatives */

void noe_wrong(noe_parser *p, const char *expected)
{
    char found[64];
    noe_lex_describe(&p->lex, found);
    noe_source_fail(&p->lex.source, p->lex.token.at, "expected %s, found %s", expected, found);
}

void noe_expect(noe_parser *p, int sign, const char *where)
{
    if (!noe_lex_is(&p->lex, sign)) {
        char expected[100];
        snprintf(expected, sizeof expected, "'%c' %s", sign, where);
        noe_wrong(p, expected);
    }
    noe_lex(&p->lex);
}

void noe_close(noe_parser *p, size_t opened, const char *where)
{
    if (!noe_lex_is(&p->lex, ')')) {
        const noe_source *s = &p->lex.source;
        const size_t      at = p->lex.token.at;
        const int         line = noe_source_line(s, opened);
        char              found[64], far[60] = "";
        noe_lex_describe(&p->lex, found);
        if (line != noe_source_line(s, at)) snprintf(far, sizeof far, "; it was opened in line %d", line);
        noe_source_fail(s, at, "expected ')' %s, found %s%s", where, found, far);
    }
    noe_lex(&p->lex);
}

/* A decimal of so few digits is the half of a whole number if its nearest binary128 is. */
enum { FEW = 15 };

noe_ex noe_literal(noe_parser *p, quad value, const char *text, size_t length)
{
    noe_model *m = p->model;
    if (!m->graph.exact || (text && length <= FEW && fabsq(value) < (quad)0x1p52 && 2 * value == roundq(2 * value)))
        return noe_num(p->graph, value);
    noe_push(p, &m->literal, m->literals, sizeof *m->literal);
    m->literal[m->literals] = text ? noe_keep(p, text, length) : NULL;
    return noe_intern(&m->graph, NOE_LITERAL, m->literals++, 0, 0, value, NOE_HAS_PARAM);
}

static noe_ex primary(noe_parser *p)
{
    const noe_token k = p->lex.token;
    if (k.kind == NOE_NAME) return noe_named(p);
    if (k.kind == NOE_NUMBER) {
        noe_lex(&p->lex);
        return noe_literal(p, k.number, p->lex.source.text + k.at, k.length);
    }
    if (!noe_lex_is(&p->lex, '(')) noe_wrong(p, "a number, a name or '('");
    noe_lex(&p->lex);
    const noe_ex x = noe_expression(p);
    noe_close(p, k.at, "to close the parenthesis");
    if (noe_lex_is(&p->lex, '\''))
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a prime belongs to a name: give the expression a name");
    return x;
}

static noe_ex unary(noe_parser *p);

static noe_ex power(noe_parser *p)
{
    const noe_ex x = primary(p);
    if (!noe_lex_is(&p->lex, '^')) return x;
    noe_lex(&p->lex);
    return noe_make(p->graph, NOE_POW, x, unary(p), 0); /* to the right: 2^3^2 = 2^(3^2) */
}

static noe_ex unary(noe_parser *p)
{
    if (++p->depth > DEPTH_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at, "nested deeper than %d levels", DEPTH_MOST);
    if (p->graph->count > NODES_MOST)
        noe_source_fail(&p->lex.source, p->lex.token.at, "too large a model: more than %d operations",
                        NODES_MOST);
    const bool minus = noe_lex_is(&p->lex, '-');
    noe_ex     x;
    if (minus || noe_lex_is(&p->lex, '+')) {
        noe_lex(&p->lex);
        x = unary(p);
        if (minus) x = noe_make(p->graph, NOE_NEG, x, 0, 0);
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
        const noe_op op = noe_lex_is(&p->lex, '*') ? NOE_MUL : noe_lex_is(&p->lex, '/') ? NOE_DIV : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lex(&p->lex);
        x = noe_make(p->graph, op, x, unary(p), 0);
    }
}

noe_ex noe_expression(noe_parser *p)
{
    noe_ex x = term(p);
    for (;;) {
        const noe_op op = noe_lex_is(&p->lex, '+') ? NOE_ADD : noe_lex_is(&p->lex, '-') ? NOE_SUB : NOE_NUM;
        if (op == NOE_NUM) return x;
        noe_lex(&p->lex);
        x = noe_make(p->graph, op, x, term(p), 0);
    }
}
