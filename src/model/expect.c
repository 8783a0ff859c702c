/* Passes the next token, or reports what was expected and what was found.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

#include <stdio.h>

void noe_expect_fail(noe_parser *p, const char *expected)
{
    char found[64];
    noe_lexer_describe(&p->lex, found);
    noe_source_fail(&p->lex.source, p->lex.token.at, "expected %s, found %s", expected, found);
}

void noe_expect_token(noe_parser *p, int sign, const char *where)
{
    if (!noe_lexer_is(&p->lex, sign)) {
        char expected[100];
        snprintf(expected, sizeof expected, "'%c' %s", sign, where);
        noe_expect_fail(p, expected);
    }
    noe_lexer_next(&p->lex);
}

void noe_expect_close(noe_parser *p, size_t opened, const char *where)
{
    if (!noe_lexer_is(&p->lex, ')')) {
        const noe_source *s = &p->lex.source;
        const size_t      at = p->lex.token.at;
        const int         line = noe_source_line(s, opened);
        char              found[64], far[60] = "";
        noe_lexer_describe(&p->lex, found);
        if (line != noe_source_line(s, at))
            snprintf(far, sizeof far, "; it was opened in line %d", line);
        noe_source_fail(s, at, "expected ')' %s, found %s%s", where, found, far);
    }
    noe_lexer_next(&p->lex);
}

bool noe_expect_comma(noe_parser *p)
{
    if (!noe_lexer_is(&p->lex, ',')) return false;
    noe_lexer_next(&p->lex);
    return true;
}
